//! Journals of other teams of the same app: external ids are unique in an app (S4.5), so that the service returns the
//! measurement of the other team for an id that it has.

use std::path::Path;

use crate::journal::binding::read_binding;
use crate::journal::{Error, journal_file};
use crate::model::Account;

/// External ids of which another team of the app has measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdsOfOtherTeam {
    /// The ids, at least one.
    pub ids: Vec<String>,
    /// The name of that team.
    pub team: String,
}

/// Returns which of these external ids are in a journal, if that is one of another team of the account's app; `None` if
/// there is none.
///
/// # Errors
/// Returns an [`Error`] if the journal cannot be read.
pub fn ids_of_other_team<'a>(
    journal: &Path,
    own: &Account,
    ids: impl Iterator<Item = &'a str>,
) -> Result<Option<IdsOfOtherTeam>, Error> {
    let Some(connection) = journal_file::open_read_only(journal)? else {
        return Ok(None);
    };
    let Some(other) = read_binding(&connection)?.filter(|other| {
        let is_app = other.base_url == own.base_url && other.client_id == own.client_id;
        is_app && other.team_id != own.team_id
    }) else {
        return Ok(None);
    };
    let mut measurement =
        connection.prepare("SELECT 1 FROM measurements WHERE external_id = ?1")?;
    let mut found = Vec::new();
    for id in ids {
        if measurement.exists([id])? {
            found.push(id.to_owned());
        }
    }
    Ok((!found.is_empty()).then_some(IdsOfOtherTeam {
        ids: found,
        team: other.team_name,
    }))
}
