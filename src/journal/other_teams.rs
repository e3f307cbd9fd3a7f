//! Journals of other teams of the same app: external ids are unique in an app (S4.5), so that the service returns the
//! measurement of the other team for an id that it has.

use std::path::Path;

use rusqlite::Connection;

use crate::journal::binding::read_binding;
use crate::journal::{Error, journal_file};
use crate::model::Account;

/// A journal of another team of the same app.
#[derive(Debug)]
pub struct OtherTeam {
    /// The account of that team.
    pub account: Account,
    connection: Connection,
}

/// Opens a journal for reading; `None` if there is none, or if it is not one of another team of the account's app.
///
/// # Errors
/// Returns an [`Error`] if the journal cannot be read.
pub fn other_team(journal: &Path, own: &Account) -> Result<Option<OtherTeam>, Error> {
    let Some(connection) = journal_file::open_read_only(journal)? else {
        return Ok(None);
    };
    let account = read_binding(&connection)?.filter(|account| {
        let app = |account: &Account| (account.base_url.clone(), account.client_id.clone());
        app(account) == app(own) && account.team_id != own.team_id
    });
    Ok(account.map(|account| OtherTeam {
        account,
        connection,
    }))
}

impl OtherTeam {
    /// Whether the team has a measurement with this external id.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn has_measurement(&self, external_id: &str) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM measurements WHERE external_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.exists([external_id])?)
    }
}
