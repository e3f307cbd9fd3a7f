//! The operating system's keychain, behind a time-out: a locked one may wait for a person who is not there, and a broken
//! one for ever.
//!
//! An entry is named for the profile and its folder, so that two homes on one machine do not share a token.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Once};
use std::time::Duration;

/// How long a keychain may take where it can ask a person to unlock it.
const PATIENCE_WITH_A_PERSON: Duration = Duration::from_mins(1);

/// How long it may take where there is nobody to ask; one that works answers in milliseconds.
const PATIENCE_ALONE: Duration = Duration::from_secs(5);

/// How long it takes before anyone is told that it is waited for.
const UNREMARKED: Duration = Duration::from_secs(1);

/// One profile's entry.
#[derive(Clone, Debug)]
pub(super) struct Keychain {
    name: String,
    remark: WaitNotice,
}

/// What is done once, where a keychain takes longer than one that works: it is handed how long that may last.
#[derive(Clone)]
pub(super) struct WaitNotice {
    make: Arc<dyn Fn(Duration) + Send + Sync>,
    made: Arc<Once>,
}

impl WaitNotice {
    /// Calls `make` at the first long wait.
    pub(super) fn new(make: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self {
            make: Arc::new(make),
            made: Arc::new(Once::new()),
        }
    }

    fn make(&self, patience: Duration) {
        self.made.call_once(|| (self.make)(patience));
    }
}

impl std::fmt::Debug for WaitNotice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Remark")
    }
}

/// Why the keychain did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeychainError(pub(super) String);

impl Keychain {
    /// The entry of that name.
    pub(super) fn new(name: String, remark: WaitNotice) -> Self {
        Self { name, remark }
    }

    /// Shows that an entry can be written, read and removed.
    pub(super) fn prove(&self) -> Result<(), KeychainError> {
        let probe = Self::new(format!("{} (probe)", self.name), self.remark.clone());
        probe.set("probe".to_owned())?;
        let found = probe.get()?;
        probe.remove()?;
        if found.as_deref() == Some("probe") {
            Ok(())
        } else {
            Err(KeychainError(
                "it does not keep what it is given".to_owned(),
            ))
        }
    }

    /// Writes the entry.
    pub(super) fn set(&self, secret: String) -> Result<(), KeychainError> {
        self.with_wait_notice(move |entry| entry.set(&secret))
    }

    /// Reads the entry; none where there is none.
    pub(super) fn get(&self) -> Result<Option<String>, KeychainError> {
        self.with_wait_notice(platform::Entry::get)
    }

    /// Removes the entry; one that is not there is removed already.
    pub(super) fn remove(&self) -> Result<(), KeychainError> {
        self.with_wait_notice(platform::Entry::remove)
    }

    /// Runs `work` in a thread of its own, which is left behind if the keychain never answers.
    fn with_wait_notice<T: Send + 'static>(
        &self,
        work: impl FnOnce(&platform::Entry) -> Result<T, KeychainError> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let (sender, receiver) = mpsc::channel();
        let name = self.name.clone();
        let spawned = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                // The receiver is gone once the patience is over.
                let _ = sender.send(platform::Entry::open(&name).and_then(|entry| work(&entry)));
            });
        spawned.map_err(|error| KeychainError(error.to_string()))?;
        let patience = patience();
        let answer = match receiver.recv_timeout(UNREMARKED) {
            Err(RecvTimeoutError::Timeout) => {
                self.remark.make(patience);
                receiver.recv_timeout(patience.saturating_sub(UNREMARKED))
            }
            answer => answer,
        };
        answer.unwrap_or_else(|_| Err(KeychainError("it did not answer; is it locked?".to_owned())))
    }
}

/// A keychain asks in a window, which on these systems needs a display.
fn patience() -> Duration {
    let shown = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_display =
        cfg!(any(windows, target_os = "macos")) || shown("DISPLAY") || shown("WAYLAND_DISPLAY");
    if has_display {
        PATIENCE_WITH_A_PERSON
    } else {
        PATIENCE_ALONE
    }
}

#[cfg(any(target_os = "macos", windows, feature = "keychain"))]
mod platform {
    use std::sync::Arc;

    #[cfg(target_os = "macos")]
    use apple_native_keyring_store::keychain::Store;
    #[cfg(all(unix, not(target_os = "macos")))]
    use dbus_secret_service_keyring_store::Store;
    use keyring_core::Error;
    use keyring_core::api::CredentialStoreApi as _;
    #[cfg(windows)]
    use windows_native_keyring_store::Store;

    use super::KeychainError;

    pub(super) struct Entry(keyring_core::Entry);

    impl Entry {
        pub(super) fn open(name: &str) -> Result<Self, KeychainError> {
            let entry = Store::new().and_then(|store| build(&store, name));
            entry.map(Self).map_err(|error| refusal(&error))
        }

        pub(super) fn set(&self, secret: &str) -> Result<(), KeychainError> {
            self.0.set_password(secret).map_err(|error| refusal(&error))
        }

        pub(super) fn get(&self) -> Result<Option<String>, KeychainError> {
            match self.0.get_password() {
                Ok(secret) => Ok(Some(secret)),
                Err(Error::NoEntry) => Ok(None),
                Err(error) => Err(refusal(&error)),
            }
        }

        pub(super) fn remove(&self) -> Result<(), KeychainError> {
            match self.0.delete_credential() {
                Ok(()) | Err(Error::NoEntry) => Ok(()),
                Err(error) => Err(refusal(&error)),
            }
        }
    }

    fn build(store: &Arc<Store>, name: &str) -> Result<keyring_core::Entry, Error> {
        store.build("gutterbatch", name, None)
    }

    /// Errors about the data may quote it, so only their kind is reported.
    fn refusal(error: &Error) -> KeychainError {
        KeychainError(match error {
            Error::NoDefaultStore => "there is none on this machine".to_owned(),
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

    /// There is no entry, since this program was built without a keychain.
    pub(super) enum Entry {}

    impl Entry {
        pub(super) fn open(_: &str) -> Result<Self, KeychainError> {
            Err(KeychainError(
                "this program was built without one".to_owned(),
            ))
        }

        pub(super) fn set(&self, _: &str) -> Result<(), KeychainError> {
            match *self {}
        }

        pub(super) fn get(&self) -> Result<Option<String>, KeychainError> {
            match *self {}
        }

        pub(super) fn remove(&self) -> Result<(), KeychainError> {
            match *self {}
        }
    }
}
