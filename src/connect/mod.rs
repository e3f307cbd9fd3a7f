//! Gaining permission once, and keeping it safe.

mod callback;
mod config;
mod connection;
mod error;
mod home;
mod keychain;
mod page;
mod private;
mod run;
mod saved;

pub use config::{prove_settings, read_config, save_settings};
pub use connection::{Connection, Facts, Place, Wish};
pub use error::{Error, Fate};
pub use home::{Home, is_profile_name};
pub use run::{Connecting, Expected, run};
pub use saved::{Secrets, Vault};
