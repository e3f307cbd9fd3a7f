//! The operating system's keychain, with a timeout: a locked keychain may wait for its password, and a broken one may
//! never respond.
//!
//! The name of an entry contains the path of the home folder, so that two home folders do not share a token.

use std::sync::mpsc;
use std::time::Duration;

/// Timeout if the keychain can ask for its password in a window.
const TIMEOUT_WITH_DISPLAY: Duration = Duration::from_mins(1);

/// Timeout without a display; a working keychain responds in milliseconds.
const TIMEOUT_WITHOUT_DISPLAY: Duration = Duration::from_secs(5);

/// The entry of one profile.
#[derive(Clone, Debug)]
pub(super) struct Keychain {
    name: String,
}

/// Why an operation of the keychain failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeychainError(pub(super) String);

/// Whether this program was built with a keychain.
pub const HAS_KEYCHAIN: bool = cfg!(any(target_os = "macos", windows, feature = "keychain"));

impl Keychain {
    /// The entry with this name.
    pub(super) fn new(name: String) -> Self {
        Self { name }
    }

    /// Verifies that an entry can be written, read and removed.
    pub(super) fn check_writable(&self) -> Result<(), KeychainError> {
        let probe = Self::new(format!("{} (probe)", self.name));
        probe.set("probe".to_owned())?;
        let found = probe.get()?;
        probe.remove()?;
        if found.as_deref() == Some("probe") {
            Ok(())
        } else {
            Err(KeychainError(
                "it did not return what was stored".to_owned(),
            ))
        }
    }

    /// Writes the entry.
    pub(super) fn set(&self, secret: String) -> Result<(), KeychainError> {
        self.within_timeout(move |name| platform::set(name, &secret))
    }

    /// Reads the entry, if it exists.
    pub(super) fn get(&self) -> Result<Option<String>, KeychainError> {
        self.within_timeout(platform::read)
    }

    /// Removes the entry, if it exists.
    pub(super) fn remove(&self) -> Result<(), KeychainError> {
        self.within_timeout(platform::remove)
    }

    /// Runs `work` with the entry's name in a separate thread, which is abandoned after the timeout.
    fn within_timeout<T: Send + 'static>(
        &self,
        work: impl FnOnce(&str) -> Result<T, KeychainError> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let (sender, receiver) = mpsc::channel();
        let name = self.name.clone();
        let spawned = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                // The receiver is dropped after the timeout.
                let _ = sender.send(work(&name));
            });
        spawned.map_err(|error| KeychainError(error.to_string()))?;
        let answer = receiver.recv_timeout(timeout());
        answer.unwrap_or_else(|_| {
            Err(KeychainError(
                "it did not respond; it may be locked".to_owned(),
            ))
        })
    }
}

/// The timeout for an operation: a keychain can ask for its password only with a display.
fn timeout() -> Duration {
    let shown = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display =
        cfg!(any(windows, target_os = "macos")) || shown("DISPLAY") || shown("WAYLAND_DISPLAY");
    if has_display {
        TIMEOUT_WITH_DISPLAY
    } else {
        TIMEOUT_WITHOUT_DISPLAY
    }
}

#[cfg(any(target_os = "macos", windows, feature = "keychain"))]
mod platform {
    use std::sync::Arc;

    #[cfg(target_os = "macos")]
    use apple_native_keyring_store::keychain::Store;
    #[cfg(all(unix, not(target_os = "macos")))]
    use dbus_secret_service_keyring_store::Store;
    use keyring_core::api::CredentialStoreApi as _;
    use keyring_core::{Entry, Error};
    #[cfg(windows)]
    use windows_native_keyring_store::Store;

    use super::KeychainError;

    /// Writes the entry of a name.
    pub(super) fn set(name: &str, secret: &str) -> Result<(), KeychainError> {
        let written = entry(name).and_then(|entry| entry.set_password(secret));
        written.map_err(|error| refusal(&error))
    }

    /// Removes the entry of a name, if it exists.
    pub(super) fn remove(name: &str) -> Result<(), KeychainError> {
        let removed = entry(name).and_then(|entry| existing(entry.delete_credential()));
        removed.map(drop).map_err(|error| refusal(&error))
    }

    /// Reads the entry of a name, if it exists.
    pub(super) fn read(name: &str) -> Result<Option<String>, KeychainError> {
        let secret = entry(name).and_then(|entry| existing(entry.get_password()));
        secret.map_err(|error| refusal(&error))
    }

    fn entry(name: &str) -> Result<Entry, Error> {
        let store: Arc<Store> = Store::new()?;
        store.build("gutterbatch", name, None)
    }

    fn existing<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
        match found {
            Err(Error::NoEntry) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Errors about the data may contain it, so only their kind is reported.
    fn refusal(error: &Error) -> KeychainError {
        KeychainError(match error {
            Error::NoDefaultStore => "this machine has none".to_owned(),
            Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => {
                crate::model::printable(&cause.to_string())
            }
            Error::TooLong(_, limit) => format!("it takes {limit} characters at most"),
            _ => "its entry cannot be used".to_owned(),
        })
    }
}

#[cfg(not(any(target_os = "macos", windows, feature = "keychain")))]
mod platform {
    use super::KeychainError;

    /// Fails: this program was built without a keychain.
    pub(super) fn set(_: &str, _: &str) -> Result<(), KeychainError> {
        read("").map(drop)
    }

    /// Fails as [`set`].
    pub(super) fn remove(_: &str) -> Result<(), KeychainError> {
        read("").map(drop)
    }

    /// Fails as [`set`].
    pub(super) fn read(_: &str) -> Result<Option<String>, KeychainError> {
        Err(KeychainError(
            "this program was built without one".to_owned(),
        ))
    }
}
