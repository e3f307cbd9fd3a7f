//! Which measurements are asked for again, and in what order. Pure.

use jiff::Timestamp;

use crate::export::survey::IMAGES_WITHIN;
use crate::export::{Figures, ResultLine};
use crate::model::Status;

/// Which are asked for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
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
pub struct Askable {
    /// `msr_…`
    pub measurement_id: String,
    /// Whose row it is.
    pub external_id: String,
    /// How likely it changed.
    pub rank: Rank,
    /// When it was last asked for.
    pub fetched_at: Timestamp,
    /// The result that is known.
    pub figures: Option<Figures>,
}

/// How likely a measurement changed since it was last asked for, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
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

impl Askable {
    /// What asking needs of a line.
    pub fn of(line: &ResultLine) -> Self {
        Self {
            measurement_id: line.measurement.id.clone(),
            external_id: line.external_id.clone(),
            rank: rank(line),
            fetched_at: line.fetched_at,
            figures: line.measurement.result.as_ref().map(Figures::of),
        }
    }
}

fn rank(line: &ResultLine) -> Rank {
    if !line.is_usable() {
        return Rank::Unusable;
    }
    // Restored from a workbook, and to be verified.
    if line.fetched_at == Timestamp::UNIX_EPOCH {
        return Rank::Pending;
    }
    match (line.measurement.status, line.completed()) {
        (Status::Pending, _) => Rank::Pending,
        (Status::Complete, Some((result, completed_at))) if result.asset_pack.is_empty() => {
            Rank::WithoutImages { completed_at }
        }
        // Complete without a result is not what the description promises; the next answer may have it.
        (Status::InProgress, _) | (Status::Complete, None) => Rank::InProgress,
        (Status::Complete | Status::Canceled, _) => Rank::Final,
    }
}

/// Which to ask, in order: the likeliest to have changed first, and among equals the one asked longest ago.
pub fn wanted(mut askable: Vec<Askable>, policy: Policy, now: Timestamp) -> Vec<Askable> {
    askable.retain(|one| match (policy, one.rank) {
        (Policy::Never, _) | (Policy::Auto, Rank::Final) => false,
        (Policy::Auto, Rank::WithoutImages { completed_at }) => {
            now.duration_since(completed_at) < IMAGES_WITHIN
        }
        (Policy::Auto | Policy::All, _) => true,
    });
    askable.sort_by_key(|one| (class(one.rank), one.fetched_at));
    askable
}

/// The rank alone, without the moment in it.
fn class(rank: Rank) -> u8 {
    match rank {
        Rank::InProgress => 0,
        Rank::Pending => 1,
        Rank::WithoutImages { .. } => 2,
        Rank::Unusable => 3,
        Rank::Final => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u32) -> Timestamp {
        format!("2026-10-10T{hour:02}:00:00Z").parse().unwrap()
    }

    fn one(id: &str, rank: Rank, hour: u32) -> Askable {
        Askable {
            measurement_id: id.to_owned(),
            external_id: id.to_owned(),
            rank,
            fetched_at: at(hour),
            figures: None,
        }
    }

    fn ids(askable: Vec<Askable>, policy: Policy) -> Vec<String> {
        let wanted = wanted(askable, policy, at(23));
        wanted.into_iter().map(|one| one.measurement_id).collect()
    }

    fn all() -> Vec<Askable> {
        let week_ago = "2026-10-03T22:00:00Z".parse().unwrap();
        vec![
            one("final", Rank::Final, 1),
            one("late", Rank::Pending, 9),
            one("early", Rank::Pending, 2),
            one("lost", Rank::Unusable, 1),
            one(
                "old",
                Rank::WithoutImages {
                    completed_at: week_ago,
                },
                1,
            ),
            one(
                "new",
                Rank::WithoutImages {
                    completed_at: at(1),
                },
                1,
            ),
            one("busy", Rank::InProgress, 20),
        ]
    }

    #[test]
    fn the_likeliest_to_have_changed_are_asked_first() {
        assert_eq!(
            ids(all(), Policy::Auto),
            ["busy", "early", "late", "new", "lost"]
        );
    }

    #[test]
    fn all_asks_the_final_ones_last_and_never_asks_none() {
        assert_eq!(
            ids(all(), Policy::All),
            ["busy", "early", "late", "old", "new", "lost", "final"]
        );
        assert!(ids(all(), Policy::Never).is_empty());
    }
}
