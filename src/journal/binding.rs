//! The account that a journal belongs to: one service, app and team, bound on first use and verified with every token.
//!
//! The token is not stored. Its salted fingerprint shows a later run that this token was verified before, so that a run
//! with nothing to send need not request the account.

use ring::digest::{Context, SHA256};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::journal::{Error, Journal};
use crate::model::Account;

impl Account {
    /// Checks that `other` is the same service, app and team.
    ///
    /// # Errors
    /// Returns [`Error::OtherAccount`] with the first part that differs.
    pub fn require_same_account(&self, other: &Self) -> Result<(), Error> {
        let differs = |what, ours: &str, theirs: &str| {
            (ours != theirs).then(|| Error::OtherAccount {
                what,
                ours: ours.to_owned(),
                theirs: theirs.to_owned(),
            })
        };
        let named = |name: &str, id: &str| format!("{name} ({id})");
        let found = differs("the service", &self.base_url, &other.base_url)
            .or_else(|| differs("the app", &self.client_id, &other.client_id))
            .or_else(|| {
                (self.team_id != other.team_id).then(|| Error::OtherAccount {
                    what: "the team",
                    ours: named(&self.team_name, &self.team_id),
                    theirs: named(&other.team_name, &other.team_id),
                })
            });
        found.map_or(Ok(()), Err)
    }

    /// Checks that a base address is the account's.
    ///
    /// # Errors
    /// As [`require_same_account`](Self::require_same_account).
    pub fn require_service(&self, base_url: &str) -> Result<(), Error> {
        self.require_same_account(&Self {
            base_url: base_url.to_owned(),
            ..self.clone()
        })
    }
}

impl Journal {
    /// Returns the account that the journal is bound to; `None` before its first use.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn binding(&self) -> Result<Option<Account>, Error> {
        self.read(read_binding)
    }

    /// Whether this token was verified to belong to the journal's team.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_verified_token(&self, token: &str) -> Result<bool, Error> {
        let sql = "SELECT salt, token_fingerprint FROM binding";
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let kept: Option<(Vec<u8>, Vec<u8>)> =
            self.read(|connection| connection.query_row(sql, [], columns).optional())?;
        Ok(kept.is_some_and(|(salt, kept)| fingerprint(&salt, token)[..] == kept[..]))
    }

    /// Binds a new journal to a verified account, or checks that an existing binding is the same. Stores the token's
    /// fingerprint with `salt`.
    ///
    /// # Errors
    /// Returns [`Error::OtherAccount`] if the journal is bound to another account, or another [`Error`] if it cannot be
    /// written.
    pub async fn bind(&self, proved: Account, token: &str, salt: [u8; 16]) -> Result<(), Error> {
        let fingerprint = fingerprint(&salt, token);
        self.writer
            .write(move |connection, _| {
                if let Some(bound) = read_binding(connection)?
                    && let Err(error) = bound.require_same_account(&proved)
                {
                    return Ok(Err(error));
                }
                write_binding(connection, &proved, &salt, &fingerprint).map(Ok)
            })
            .await?
    }
}

/// Returns the account that a journal is bound to; `None` before its first use.
pub(super) fn read_binding(connection: &Connection) -> rusqlite::Result<Option<Account>> {
    let sql = "SELECT base_url, client_id, app_name, team_id, team_name, connected_at FROM binding";
    let binding = |row: &Row<'_>| {
        Ok(Account {
            base_url: row.get(0)?,
            client_id: row.get(1)?,
            app_name: row.get(2)?,
            team_id: row.get(3)?,
            team_name: row.get(4)?,
            connected_at: row.get(5)?,
        })
    };
    connection.query_row(sql, [], binding).optional()
}

/// Binds the journal to an account. Without salt and fingerprint, the first run with a token verifies it.
pub(super) fn write_binding(
    connection: &Connection,
    binding: &Account,
    salt: &[u8],
    fingerprint: &[u8],
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO binding (only, base_url, client_id, app_name, team_id, team_name, connected_at,
        salt, token_fingerprint) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    connection
        .execute(
            sql,
            params![
                binding.base_url,
                binding.client_id,
                binding.app_name.as_deref().unwrap_or_default(),
                binding.team_id,
                binding.team_name,
                binding.connected_at,
                salt,
                fingerprint
            ],
        )
        .map(drop)
}

/// The salted digest of a token, which is stored in its place.
pub(super) fn fingerprint(salt: &[u8], token: &str) -> [u8; 32] {
    // In two parts, so that no copy of the token stays in memory.
    let mut digest = Context::new(&SHA256);
    digest.update(salt);
    digest.update(token.as_bytes());
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest.finish().as_ref());
    bytes
}
