//! The count that matters: which rows the service lost, and which it holds twice.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::{Checked, Standing};
use crate::sandbox::Held;

/// What a rough rehearsal cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reckoning {
    /// Rows of the sheet.
    pub(super) rows: u64,
    /// How often the importing process was killed.
    pub(super) kills: u64,
    /// How often the service failed on purpose.
    pub(super) faults: u64,
    /// Rows that should have a measurement and have none.
    pub(super) lost: u64,
    /// Measurements beyond the first of an id, or of no row at all.
    pub(super) doubled: u64,
}

impl Reckoning {
    /// Whether nothing was lost and nothing doubled.
    pub(super) fn is_sound(self) -> bool {
        self.lost == 0 && self.doubled == 0
    }
}

/// Compares the sheet with what the service holds; `settled` are the ids that the run says are with the service.
pub(super) fn reckon(checked: &Checked, refused: u64, held: &[Held]) -> Reckoning {
    let valid: BTreeSet<&str> = checked
        .rows
        .iter()
        .filter_map(|row| id(&row.standing))
        .collect();
    let mut measurements: BTreeMap<&str, u64> = BTreeMap::new();
    let mut foreign = 0;
    for one in held {
        match one.external_id.as_deref().filter(|id| valid.contains(id)) {
            Some(id) => *measurements.entry(id).or_default() += 1,
            None => foreign += 1,
        }
    }
    let beyond: u64 = measurements.values().map(|count| count - 1).sum();
    let missing = (valid.len() - measurements.len()) as u64;
    Reckoning {
        rows: checked.rows.len() as u64,
        lost: missing.saturating_sub(refused),
        doubled: beyond + foreign,
        ..Reckoning::default()
    }
}

fn id(standing: &Standing) -> Option<&str> {
    match standing {
        Standing::Valid { external_id, .. } => Some(external_id),
        Standing::Duplicate { .. } | Standing::Invalid { .. } => None,
    }
}
