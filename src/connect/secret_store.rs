//! What is kept of a connection: its facts in a private file, its secrets in the keychain or in the same file.
//!
//! The file says where the secrets are. Once that was the keychain, nothing falls back to the file in silence: a keychain
//! that stops answering is an error, and only the user's own `--secrets file` moves the secrets.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::api::{BearerToken, ClientSecret};
use crate::connect::keychain::{Keychain, KeychainError, WaitNotice};
use crate::connect::private::{self, ReadError};
use crate::connect::{
    Connection, ConnectionDetails, Error, HomeFolders, SecretStorage, StoragePreference,
};
use crate::sheet::{self, UnsyncedFolder};

/// The place of one profile's connection.
#[derive(Clone, Debug)]
pub struct SecretStore {
    file: PathBuf,
    keychain: Keychain,
    wish: StoragePreference,
    /// Where nothing is said and nothing is saved.
    usual: DefaultStorage,
}

/// Where secrets go unless somebody says otherwise.
#[derive(Clone, Copy, Debug)]
enum DefaultStorage {
    /// In a home of one folder the user expects the token there too.
    File,
    /// The keychain, if it answers.
    KeychainOrFile,
}

#[derive(Serialize, Deserialize)]
struct ConnectionFile {
    secrets: SecretStorage,
    #[serde(flatten)]
    facts: ConnectionDetails,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held: Option<FileSecrets>,
}

#[derive(Serialize, Deserialize)]
struct FileSecrets {
    token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

impl SecretStore {
    /// The place of `profile` below `home`. `on_wait` is called once, with the time that it may last, where the keychain
    /// does not answer soon: it may be asking a person for its password.
    pub fn new(
        home: &HomeFolders,
        profile: &str,
        wish: StoragePreference,
        on_wait: impl Fn(Duration) + Send + Sync + 'static,
    ) -> Self {
        let file = home.secrets().join(format!("{profile}.json"));
        let usual = if home.is_one_folder() {
            DefaultStorage::File
        } else {
            DefaultStorage::KeychainOrFile
        };
        Self {
            keychain: Keychain::new(file.display().to_string(), WaitNotice::new(on_wait)),
            file,
            wish,
            usual,
        }
    }

    /// The file that holds the facts, and the secrets where no keychain does.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The facts and the place of the secrets, without asking the keychain; none where nothing is saved.
    ///
    /// # Errors
    /// [`Error::Exposed`], [`Error::Damaged`] and [`Error::File`].
    pub fn facts(&self) -> Result<Option<(ConnectionDetails, SecretStorage)>, Error> {
        let document = self.document()?;
        Ok(document.map(|document| (document.facts, document.secrets)))
    }

    /// The connection; none where nothing is saved.
    ///
    /// # Errors
    /// As [`SecretStore::facts`], and [`Error::Keychain`] and [`Error::Vanished`].
    pub fn load(&self) -> Result<Option<Connection>, Error> {
        let Some(document) = self.document()? else {
            return Ok(None);
        };
        let held = match document.secrets {
            SecretStorage::File => document
                .held
                .ok_or_else(|| self.damaged("it has no token"))?,
            SecretStorage::Keychain => self.held_by_keychain()?,
        };
        let token = BearerToken::new(&held.token)
            .ok_or_else(|| self.damaged("the stored token is not valid"))?;
        Ok(Some(Connection {
            facts: document.facts,
            token,
            client_secret: held.client_secret.as_deref().and_then(ClientSecret::new),
        }))
    }

    /// Finds the place for secrets and shows that it takes them, so that a fresh token is never without a home.
    ///
    /// # Errors
    /// [`Error::Keychain`] where the keychain must be used and does not answer; [`Error::File`].
    pub fn prove(&self) -> Result<ProvenStorage<'_>, Error> {
        // Even with the keychain, the facts go into the file.
        private::make_closed_folder(self.folder())
            .and_then(|()| private::prove_writable(&self.file))
            .map_err(|source| self.failed("write", source))?;
        // A file that cannot be read is about to be replaced, and says nothing.
        let before = self.facts().ok().flatten().map(|(_, place)| place);
        let place = match (self.wish, before, self.usual) {
            (StoragePreference::Only(SecretStorage::File), ..)
            | (StoragePreference::Auto, None | Some(SecretStorage::File), DefaultStorage::File) => {
                SecretStorage::File
            }
            (StoragePreference::Only(SecretStorage::Keychain), ..)
            | (StoragePreference::Auto, Some(SecretStorage::Keychain), _) => {
                self.keychain.prove().map_err(|why| self.unkept(why))?;
                SecretStorage::Keychain
            }
            (
                StoragePreference::Auto,
                None | Some(SecretStorage::File),
                DefaultStorage::KeychainOrFile,
            ) => match self.keychain.prove() {
                Ok(()) => SecretStorage::Keychain,
                Err(KeychainError(_)) => SecretStorage::File,
            },
        };
        Ok(ProvenStorage {
            secrets: self,
            place,
        })
    }

    /// Removes the connection from every place.
    ///
    /// # Errors
    /// [`Error::Keychain`] and [`Error::File`].
    pub fn forget(&self) -> Result<(), Error> {
        if let Some((_, SecretStorage::Keychain)) = self.facts()? {
            self.keychain.remove().map_err(|why| self.unkept(why))?;
        }
        private::remove(&self.file).map_err(|source| self.failed("remove", source))
    }

    fn folder(&self) -> &Path {
        self.file
            .parent()
            .expect("the file stands in the folder for secrets")
    }

    fn document(&self) -> Result<Option<ConnectionFile>, Error> {
        let text = private::read(&self.file).map_err(|error| match error {
            ReadError::Exposed => Error::Exposed {
                path: self.file.clone(),
            },
            ReadError::Io(source) => self.failed("read", source),
        })?;
        // What the parser says may quote the token.
        text.map(|text| {
            serde_json::from_str(&text).map_err(|error| {
                self.damaged(&format!("line {}, column {}", error.line(), error.column()))
            })
        })
        .transpose()
    }

    fn held_by_keychain(&self) -> Result<FileSecrets, Error> {
        let text = self.keychain.get().map_err(|why| self.unkept(why))?;
        let text = text.ok_or(Error::Vanished)?;
        // What the parser says may quote the token.
        serde_json::from_str(&text).map_err(|_| Error::Keychain {
            reason: "its entry is not what was written".to_owned(),
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

    #[expect(
        clippy::unused_self,
        reason = "it stands beside `damaged` and `failed`"
    )]
    fn unkept(&self, KeychainError(reason): KeychainError) -> Error {
        Error::Keychain { reason }
    }
}

/// A place that was shown to take secrets.
#[derive(Clone, Copy, Debug)]
pub struct ProvenStorage<'a> {
    secrets: &'a SecretStore,
    place: SecretStorage,
}

impl ProvenStorage<'_> {
    /// Where the secrets go.
    pub fn place(&self) -> SecretStorage {
        self.place
    }

    /// Syncs the folder of the file; returns it where that fails. A saved connection is there all the same.
    pub fn sync_folder(&self) -> Option<UnsyncedFolder> {
        sheet::sync_folder(self.secrets.folder())
    }

    /// Saves the connection in place of the profile's earlier one. Whether the file's folder could be synced is for
    /// [`ProvenStorage::sync_folder`] to say.
    ///
    /// # Errors
    /// [`Error::Keychain`] and [`Error::File`].
    pub fn save(&self, connection: &Connection) -> Result<(), Error> {
        let Self { secrets, place } = self;
        let before = secrets.facts().ok().flatten();
        let held = FileSecrets {
            token: connection.token.expose().to_owned(),
            client_secret: connection
                .client_secret
                .as_ref()
                .map(|secret| secret.expose().to_owned()),
        };
        let held = match place {
            SecretStorage::File => Some(held),
            SecretStorage::Keychain => {
                let text = in_json(&held);
                let set = secrets.keychain.set(text);
                set.map_err(|why| secrets.unkept(why))?;
                None
            }
        };
        let document = ConnectionFile {
            secrets: *place,
            facts: connection.facts.clone(),
            held,
        };
        let text = in_json(&document);
        private::replace(&secrets.file, text.as_bytes())
            .map_err(|source| secrets.failed("write", source))?;
        if *place == SecretStorage::File && matches!(before, Some((_, SecretStorage::Keychain))) {
            // The secrets have moved; what is left behind is the earlier token, which no longer counts.
            let _ = secrets.keychain.remove();
        }
        Ok(())
    }
}

fn in_json(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("texts under text keys always serialise")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        Connection {
            facts: ConnectionDetails {
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
            |_| {},
        )
    }

    #[test]
    fn a_connection_comes_back_as_it_was_saved() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        assert!(secrets.load().unwrap().is_none());
        let vault = secrets.prove().unwrap();
        assert_eq!(vault.place(), SecretStorage::File);
        vault.save(&connection()).unwrap();
        let loaded = secrets.load().unwrap().unwrap();
        assert_eq!(loaded.facts, connection().facts);
        assert_eq!(loaded.token.expose(), "s3cret-token");
        assert_eq!(loaded.client_secret.unwrap().expose(), "s3cret-app");
        secrets.forget().unwrap();
        assert!(secrets.load().unwrap().is_none());
    }

    #[test]
    fn a_damaged_file_is_not_quoted() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        secrets.prove().unwrap();
        private::replace(&secrets.file, br#"{"secrets":"s3cret-token""#).unwrap();
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
        let vault = secrets.prove().unwrap();
        vault.save(&connection()).unwrap();
        let text = std::fs::read_to_string(&secrets.file).unwrap();
        let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
        document["secrets"] = "keychain".into();
        private::replace(&secrets.file, document.to_string().as_bytes()).unwrap();
        // Whether this machine has a keychain or not: it holds no such entry.
        assert!(secrets.load().is_err());
        let kept = secrets.prove().map(|vault| vault.place());
        assert!(!matches!(kept, Ok(SecretStorage::File)), "{kept:?}");
    }

    #[test]
    fn a_damaged_file_is_no_obstacle_to_a_new_connection() {
        let home = tempfile::tempdir().unwrap();
        let secrets = secrets(home.path());
        secrets.prove().unwrap();
        private::replace(&secrets.file, b"junk").unwrap();
        secrets.prove().unwrap().save(&connection()).unwrap();
        assert!(secrets.load().unwrap().is_some());
    }

    #[test]
    fn a_connection_never_prints_its_secrets() {
        assert!(!format!("{:?}", connection()).contains("s3cret"));
    }

    #[test]
    fn profiles_stand_side_by_side() {
        let home = HomeFolders::in_folder(tempfile::tempdir().unwrap().path());
        let one = SecretStore::new(&home, "one", StoragePreference::Auto, |_| {});
        let two = SecretStore::new(&home, "two", StoragePreference::Auto, |_| {});
        one.prove().unwrap().save(&connection()).unwrap();
        assert!(two.load().unwrap().is_none());
        assert!(one.load().unwrap().is_some());
    }
}
