//! Obtains the permission of a team, and stores connections and settings.

mod callback;
mod config;
mod connection;
mod error;
mod home;
mod keychain;
mod page;
mod private;
mod run;
mod secret_store;

pub use config::{check_settings_writable, read_config, save_settings};
pub use connection::{Connection, SecretStorage, StoragePreference};
pub use error::{DiscardedToken, Error};
pub use home::{HomeFolders, is_profile_name};
pub use keychain::HAS_KEYCHAIN;
pub use run::{ConnectionRequest, run};
pub use secret_store::{CheckedStorage, SecretStore};
