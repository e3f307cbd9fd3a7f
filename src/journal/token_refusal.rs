//! Whether the service refused the token, and which one. The token is not stored, only its salted fingerprint.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};

use crate::journal::binding::fingerprint;
use crate::journal::column_values::column_time;
use crate::journal::{Error, Journal, metadata};
use crate::model::hexadecimal;

/// Named value: the salt and the fingerprint of the token that was refused last.
const REFUSED_TOKEN: &str = "refused_token";

/// The newest response refused the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRefusal {
    /// When.
    pub at: Timestamp,
    /// The salt and the fingerprint.
    token: String,
}

impl TokenRefusal {
    /// Whether it may have been this token.
    pub fn concerns(&self, token: &str) -> bool {
        let salt = self.token.split_once(' ').map_or("", |(salt, _)| salt);
        self.token == salted(salt, token)
    }
}

impl Journal {
    /// Stores the fingerprint of a token that the service refused.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub async fn record_refused_token(&self, token: &str, salt: u128) -> Result<(), Error> {
        let value = salted(&format!("{salt:032x}"), token);
        self.writer
            .write(move |connection, _| {
                metadata::write_metadata(connection, REFUSED_TOKEN, Some(&value))
            })
            .await
    }
}

fn salted(salt: &str, token: &str) -> String {
    let fingerprint = hexadecimal(&fingerprint(salt.as_bytes(), token));
    format!("{salt} {fingerprint}")
}

/// Returns the refusal if the newest response was a 401. Of requests that were in flight together, the newest response
/// may belong to any.
pub(super) fn read_refusal(connection: &Connection) -> rusqlite::Result<Option<TokenRefusal>> {
    let sql = "SELECT settled_at, status FROM (
            SELECT settled_at, status FROM attempts WHERE status IS NOT NULL ORDER BY id DESC LIMIT 256
        ) ORDER BY settled_at DESC, status = 401 DESC LIMIT 1";
    let newest: Option<(Timestamp, u16)> = connection
        .query_row(sql, [], |row| Ok((column_time(row, 0)?, row.get(1)?)))
        .optional()?;
    let Some((at, 401)) = newest else {
        return Ok(None);
    };
    let token = metadata::read_metadata(connection, REFUSED_TOKEN)?;
    Ok(token.map(|token| TokenRefusal { at, token }))
}
