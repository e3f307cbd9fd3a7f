//! Rows whose ids another team of the app has, according to the journals of the user's other profiles.

use std::collections::BTreeMap;

use crate::import::plan::service_conflict;
use crate::import::{Error, ImportContext, ImportStop, SubmissionPlan};
use crate::journal;
use crate::model::{Account, Outcome};

/// Rejects the new rows whose ids another team of the app has: the service would return its measurements.
///
/// # Errors
/// [`ImportStop::IdsOfOtherTeam`] if these are half of the new rows or more and no row is known: then all ids are
/// probably that team's.
pub(super) fn reject_ids_of_other_teams(
    context: &ImportContext<'_>,
    team: &Account,
    plan: &mut SubmissionPlan,
) -> Result<(), Error> {
    let checked = context.checked;
    for other in &context.other_journals {
        let new = plan.send.iter().copied();
        let new: BTreeMap<&str, usize> = new
            .filter(|row| !plan.unanswered.contains_key(row))
            .filter_map(|row| Some((checked.rows[row].external_id()?, row)))
            .collect();
        // A journal that cannot be read says nothing about this import.
        let Ok(Some(found)) = journal::ids_of_other_team(other, team, new.keys().copied()) else {
            continue;
        };
        let has_known = plan.rows.outcomes().count(Outcome::Known) > 0;
        if !has_known && found.ids.len() * 2 >= new.len() {
            return Err(Error::Stopped(ImportStop::IdsOfOtherTeam(found)));
        }
        let clashes = found.ids.iter().map(|id| (new[id.as_str()], id));
        let clashes: BTreeMap<usize, &String> = clashes.collect();
        plan.send.retain(|row| !clashes.contains_key(row));
        for (row, id) in clashes {
            let message = format!(
                "the team {} of the same app has the measurement with this id",
                found.team
            );
            let reason = service_conflict(vec![(None, message)], context.input, id);
            plan.rows.reject(row, Outcome::Conflict, reason);
        }
    }
    Ok(())
}
