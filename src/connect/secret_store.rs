//! Stores a connection: its account in a private file, its secrets in the keychain or in the same file.
//!
//! The file records where the secrets are. If they are in the keychain, the store never falls back to the file: a
//! keychain that does not respond is an error, and only `--secrets file` moves the secrets.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::api::{BearerToken, ClientSecret};
use crate::connect::keychain::{Keychain, KeychainError};
use crate::connect::private::{self, ReadError};
use crate::connect::{Connection, Error, HomeFolders, SecretStorage, StoragePreference};
use crate::model::Account;
use crate::sheet;

/// The store of one profile's connection.
#[derive(Clone, Debug)]
pub struct SecretStore {
    file: PathBuf,
    keychain: Keychain,
    preference: StoragePreference,
    /// Whether secrets are stored in a file by default: with one home folder, all files belong into it.
    is_one_folder: bool,
}

#[derive(Serialize, Deserialize)]
struct ConnectionFile {
    secrets: SecretStorage,
    #[serde(flatten)]
    details: Account,
    // Existing files have this key.
    #[serde(default, rename = "held", skip_serializing_if = "Option::is_none")]
    in_file: Option<FileSecrets>,
}

#[derive(Serialize, Deserialize)]
struct FileSecrets {
    token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl SecretStore {
    /// The store of `profile` below `home`.
    pub fn new(home: &HomeFolders, profile: &str, preference: StoragePreference) -> Self {
        let file = home.secret_file(profile);
        Self {
            keychain: Keychain::new(file.display().to_string()),
            file,
            preference,
            is_one_folder: home.is_one_folder(),
        }
    }

    /// The file with the account, and the secrets if they are not in the keychain.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The account and where the secrets are, without opening the keychain; `None` if nothing is saved.
    ///
    /// # Errors
    /// [`Error::Exposed`], [`Error::Damaged`] and [`Error::File`].
    pub fn details(&self) -> Result<Option<(Account, SecretStorage)>, Error> {
        let document = self.document()?;
        Ok(document.map(|document| (document.details, document.secrets)))
    }

    /// The connection; `None` if nothing is saved.
    ///
    /// # Errors
    /// As [`SecretStore::details`], and [`Error::Keychain`] and [`Error::Vanished`].
    pub fn load(&self) -> Result<Option<Connection>, Error> {
        let Some(document) = self.document()? else {
            return Ok(None);
        };
        let secrets = match document.secrets {
            SecretStorage::File => document
                .in_file
                .ok_or_else(|| self.damaged("it has no token"))?,
            SecretStorage::Keychain => self.keychain_secrets()?,
        };
        let token = BearerToken::new(&secrets.token)
            .ok_or_else(|| self.damaged("the stored token is not valid"))?;
        Ok(Some(Connection {
            details: document.details,
            token,
            client_secret: secrets.client_secret.as_deref().and_then(ClientSecret::new),
        }))
    }

    /// Selects the storage for secrets and verifies that it can be written, so that a new token can be stored.
    ///
    /// # Errors
    /// [`Error::Keychain`] if the keychain must be used and cannot be; [`Error::File`].
    pub fn check_writable(&self) -> Result<CheckedStorage<'_>, Error> {
        // The account is written into the file even if the keychain is used.
        private::make_private_folder(self.folder())
            .and_then(|()| private::check_writable(&self.file))
            .map_err(|source| self.failed("write", source))?;
        // A file that cannot be read will be replaced.
        let before = self.details().ok().flatten().map(|(_, place)| place);
        let wanted = match (self.preference, before) {
            (StoragePreference::Only(place), _) => Some(place),
            (StoragePreference::Auto, Some(SecretStorage::Keychain)) => {
                Some(SecretStorage::Keychain)
            }
            (StoragePreference::Auto, None | Some(SecretStorage::File)) => {
                self.is_one_folder.then_some(SecretStorage::File)
            }
        };
        let place = match wanted {
            Some(SecretStorage::Keychain) => {
                self.keychain.check_writable()?;
                SecretStorage::Keychain
            }
            None if self.keychain.check_writable().is_ok() => SecretStorage::Keychain,
            Some(SecretStorage::File) | None => SecretStorage::File,
        };
        Ok(CheckedStorage {
            secrets: self,
            place,
        })
    }

    /// Removes the connection from the file and the keychain.
    ///
    /// # Errors
    /// [`Error::Keychain`] and [`Error::File`].
    pub fn forget(&self) -> Result<(), Error> {
        if let Some((_, SecretStorage::Keychain)) = self.details()? {
            self.keychain.remove()?;
        }
        private::remove(&self.file).map_err(|source| self.failed("remove", source))
    }

    fn folder(&self) -> &Path {
        self.file
            .parent()
            .expect("the file is in the folder for secrets")
    }

    fn document(&self) -> Result<Option<ConnectionFile>, Error> {
        let text = private::read(&self.file).map_err(|error| match error {
            ReadError::Exposed => Error::Exposed(self.file.clone()),
            ReadError::Io(source) => self.failed("read", source),
        })?;
        // The error of the parser may contain the token.
        text.map(|text| {
            serde_json::from_str(&text).map_err(|error| {
                self.damaged(&format!("line {}, column {}", error.line(), error.column()))
            })
        })
        .transpose()
    }

    fn keychain_secrets(&self) -> Result<FileSecrets, Error> {
        let text = self.keychain.get()?.ok_or(Error::Vanished)?;
        // The error of the parser may contain the token.
        serde_json::from_str(&text).map_err(|_| Error::Keychain {
            reason: "its entry is damaged".to_owned(),
        })
    }

    fn damaged(&self, reason: &str) -> Error {
        Error::Damaged {
            path: self.file.clone(),
            reason: reason.to_owned(),
        }
    }

    fn failed(&self, doing: &'static str, source: std::io::Error) -> Error {
        Error::File {
            doing,
            path: self.file.clone(),
            source,
        }
    }
}

impl From<KeychainError> for Error {
    fn from(KeychainError(reason): KeychainError) -> Self {
        Self::Keychain { reason }
    }
}

/// A storage that was verified to be writable.
#[derive(Clone, Copy, Debug)]
pub struct CheckedStorage<'a> {
    secrets: &'a SecretStore,
    place: SecretStorage,
}

impl CheckedStorage<'_> {
    /// Where the secrets are stored.
    pub fn place(&self) -> SecretStorage {
        self.place
    }

    /// Saves the connection in place of the profile's earlier one.
    ///
    /// # Errors
    /// [`Error::Keychain`] and [`Error::File`].
    pub fn save(&self, connection: &Connection) -> Result<(), Error> {
        let Self { secrets, place } = self;
        let before = secrets.details().ok().flatten();
        let file_secrets = FileSecrets {
            token: connection.token.expose().to_owned(),
            client_secret: connection
                .client_secret
                .as_ref()
                .map(|secret| secret.expose().to_owned()),
        };
        let in_file = match place {
            SecretStorage::File => Some(file_secrets),
            SecretStorage::Keychain => {
                secrets.keychain.set(in_json(&file_secrets))?;
                None
            }
        };
        let document = ConnectionFile {
            secrets: *place,
            details: connection.details.clone(),
            in_file,
        };
        let text = in_json(&document);
        sheet::replace_file(&secrets.file, text.as_bytes())
            .map_err(|source| secrets.failed("write", source))?;
        if *place == SecretStorage::File && matches!(before, Some((_, SecretStorage::Keychain))) {
            // The secrets were moved; the entry contains only the earlier token.
            let _ = secrets.keychain.remove();
        }
        Ok(())
    }
}

fn in_json(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("strings with string keys can be serialized")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        Connection {
            details: Account {
                base_url: "https://s.example".to_owned(),
                client_id: "app".to_owned(),
                app_name: None,
                team_id: "t1".to_owned(),
                team_name: "Team".to_owned(),
                connected_at: "2026-01-01T00:00:00Z".to_owned(),
            },
            token: BearerToken::new("s3cret-token").unwrap(),
            client_secret: ClientSecret::new("s3cret-app"),
        }
    }

    fn secrets(home: &Path) -> SecretStore {
        SecretStore::new(
            &HomeFolders::in_folder(home),
            "default",
            StoragePreference::Auto,
        )
    }

    #[test]
    fn a_connection_comes_back_as_it_was_saved() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        assert!(secrets.load().unwrap().is_none());
        let storage = secrets.check_writable().unwrap();
        assert_eq!(storage.place(), SecretStorage::File);
        storage.save(&connection()).unwrap();
        let loaded = secrets.load().unwrap().unwrap();
        assert_eq!(loaded.details, connection().details);
        assert_eq!(loaded.token.expose(), "s3cret-token");
        assert_eq!(loaded.client_secret.unwrap().expose(), "s3cret-app");
        secrets.forget().unwrap();
        assert!(secrets.load().unwrap().is_none());
    }

    #[test]
    fn a_damaged_file_is_not_quoted() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        secrets.check_writable().unwrap();
        sheet::replace_file(&secrets.file, br#"{"secrets":"s3cret-token""#).unwrap();
        let error = secrets.load().unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("s3cret"),
            "{error:?}"
        );
    }

    #[test]
    fn secrets_of_the_keychain_never_fall_into_a_file_in_silence() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        let storage = secrets.check_writable().unwrap();
        storage.save(&connection()).unwrap();
        let text = std::fs::read_to_string(&secrets.file).unwrap();
        let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
        document["secrets"] = "keychain".into();
        sheet::replace_file(&secrets.file, document.to_string().as_bytes()).unwrap();
        // Whether this machine has a keychain or not: it holds no such entry.
        assert!(secrets.load().is_err());
        let kept = secrets.check_writable().map(|storage| storage.place());
        assert!(!matches!(kept, Ok(SecretStorage::File)), "{kept:?}");
    }

    #[test]
    fn a_damaged_file_is_no_obstacle_to_a_new_connection() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        secrets.check_writable().unwrap();
        sheet::replace_file(&secrets.file, b"junk").unwrap();
        secrets
            .check_writable()
            .unwrap()
            .save(&connection())
            .unwrap();
        assert!(secrets.load().unwrap().is_some());
    }

    #[test]
    fn a_connection_never_prints_its_secrets() {
        assert!(!format!("{:?}", connection()).contains("s3cret"));
    }

    #[test]
    fn profiles_stand_side_by_side() {
        let home = HomeFolders::in_folder(tempfile::tempdir().unwrap().path());
        let one = SecretStore::new(&home, "one", StoragePreference::Auto);
        let two = SecretStore::new(&home, "two", StoragePreference::Auto);
        one.check_writable().unwrap().save(&connection()).unwrap();
        assert!(two.load().unwrap().is_none());
        assert!(one.load().unwrap().is_some());
    }
}
