//! Which measurements are asked for again, and in what order. Pure.

use jiff::Timestamp;

use crate::export::survey::IMAGES_WITHIN;
use crate::export::{BilledFigures, ResultLine};
use crate::model::Status;

/// Which are asked for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshPolicy {
    /// Those that are not final.
    #[default]
    Auto,
    /// All.
    All,
    /// None; nothing is sent.
    Never,
}

/// A measurement as far as asking needs to know it.
#[derive(Clone, Debug, PartialEq)]
pub struct RefreshCandidate {
    /// `msr_…`
    pub measurement_id: String,
    /// Whose row it is.
    pub external_id: String,
    /// How likely it changed.
    pub rank: RefreshPriority,
    /// When it was last asked for.
    pub fetched_at: Timestamp,
    /// The result that is known.
    pub figures: Option<BilledFigures>,
}

/// How likely a measurement changed since it was last asked for, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefreshPriority {
    /// A contractor is at it.
    InProgress,
    /// Nobody has started, as far as is known.
    Pending,
    /// Complete, and its images were not there.
    WithoutImages {
        /// When it was completed.
        completed_at: Timestamp,
    },
    /// The service did not find it, or answered with another house.
    Unusable,
    /// Complete or canceled: final.
    Final,
}

impl RefreshCandidate {
    /// What asking needs of a line.
    pub fn of(line: &ResultLine) -> Self {
        Self {
            measurement_id: line.measurement.id.clone(),
            external_id: line.external_id.clone(),
            rank: rank(line),
            fetched_at: line.fetched_at,
            figures: line.measurement.result.as_ref().map(BilledFigures::of),
        }
    }
}

fn rank(line: &ResultLine) -> RefreshPriority {
    if !line.is_usable() {
        return RefreshPriority::Unusable;
    }
    // Restored from a workbook, and to be verified.
    if line.fetched_at == Timestamp::UNIX_EPOCH {
        return RefreshPriority::Pending;
    }
    match (line.measurement.status, line.completed()) {
        (Status::Pending, _) => RefreshPriority::Pending,
        (Status::Complete, Some((result, completed_at))) if result.asset_pack.is_empty() => {
            RefreshPriority::WithoutImages { completed_at }
        }
        // Complete without a result is not what the description promises; the next answer may have it.
        (Status::InProgress, _) | (Status::Complete, None) => RefreshPriority::InProgress,
        (Status::Complete | Status::Canceled, _) => RefreshPriority::Final,
    }
}

/// Which to ask, in order: the likeliest to have changed first, and among equals the one asked longest ago.
pub(in crate::export) fn wanted(
    mut askable: Vec<RefreshCandidate>,
    policy: RefreshPolicy,
    now: Timestamp,
) -> Vec<RefreshCandidate> {
    askable.retain(|one| match (policy, one.rank) {
        (RefreshPolicy::Never, _) | (RefreshPolicy::Auto, RefreshPriority::Final) => false,
        (RefreshPolicy::Auto, RefreshPriority::WithoutImages { completed_at }) => {
            now.duration_since(completed_at) < IMAGES_WITHIN
        }
        (RefreshPolicy::Auto | RefreshPolicy::All, _) => true,
    });
    askable.sort_by_key(|one| (class(one.rank), one.fetched_at));
    askable
}

/// The rank alone, without the moment in it.
fn class(rank: RefreshPriority) -> u8 {
    match rank {
        RefreshPriority::InProgress => 0,
        RefreshPriority::Pending => 1,
        RefreshPriority::WithoutImages { .. } => 2,
        RefreshPriority::Unusable => 3,
        RefreshPriority::Final => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u32) -> Timestamp {
        format!("2026-10-10T{hour:02}:00:00Z").parse().unwrap()
    }

    fn one(id: &str, rank: RefreshPriority, hour: u32) -> RefreshCandidate {
        RefreshCandidate {
            measurement_id: id.to_owned(),
            external_id: id.to_owned(),
            rank,
            fetched_at: at(hour),
            figures: None,
        }
    }

    fn ids(askable: Vec<RefreshCandidate>, policy: RefreshPolicy) -> Vec<String> {
        let wanted = wanted(askable, policy, at(23));
        wanted.into_iter().map(|one| one.measurement_id).collect()
    }

    fn all() -> Vec<RefreshCandidate> {
        let week_ago = "2026-10-03T22:00:00Z".parse().unwrap();
        vec![
            one("final", RefreshPriority::Final, 1),
            one("late", RefreshPriority::Pending, 9),
            one("early", RefreshPriority::Pending, 2),
            one("lost", RefreshPriority::Unusable, 1),
            one(
                "old",
                RefreshPriority::WithoutImages {
                    completed_at: week_ago,
                },
                1,
            ),
            one(
                "new",
                RefreshPriority::WithoutImages {
                    completed_at: at(1),
                },
                1,
            ),
            one("busy", RefreshPriority::InProgress, 20),
        ]
    }

    #[test]
    fn the_likeliest_to_have_changed_are_asked_first() {
        assert_eq!(
            ids(all(), RefreshPolicy::Auto),
            ["busy", "early", "late", "new", "lost"]
        );
    }

    #[test]
    fn all_asks_the_final_ones_last_and_never_asks_none() {
        assert_eq!(
            ids(all(), RefreshPolicy::All),
            ["busy", "early", "late", "old", "new", "lost", "final"]
        );
        assert!(ids(all(), RefreshPolicy::Never).is_empty());
    }
}
