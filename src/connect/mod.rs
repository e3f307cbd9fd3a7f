//! Gaining permission once, and keeping it safe.

mod config;
mod error;
mod home;
mod keychain;
mod private;
mod saved;

pub use config::save_settings;
pub use error::{Error, Fate};
pub use home::{Home, is_profile_name};
pub use saved::{Connection, Facts, Place, Secrets, Vault, Wish};
