//! Files as the program writes them.

mod output;

pub use output::{UnsyncedFolder, folder_of, put, replace, sync_folder};
