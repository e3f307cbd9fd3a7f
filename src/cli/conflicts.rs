//! The causes that are likely if most rows are in conflict.

use crate::import::RowOutcomes;
use crate::model::{Outcome, counted};

/// The causes that are likely if most rows are in conflict; `None` if few are.
pub(super) fn causes(rows: &RowOutcomes) -> Option<String> {
    let count = counted(rows.outcomes().count(Outcome::Conflict), "row");
    rows.are_mostly_in_conflict().then(|| {
        format!(
            "{count} in conflict: was another --address, --map or --sheet meant, do ids start again in this file (--id-prefix), or was a column sorted without the others?"
        )
    })
}
