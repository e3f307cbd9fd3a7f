//! Which measurements are requested again, and in which order.

use jiff::Timestamp;

use crate::export::statistics::IMAGES_WITHIN;
use crate::journal::MeasurementState;
use crate::model::{Status, named_enum};

named_enum! {
    /// Which measurements are requested again.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum RefreshPolicy {
        /// Those that are not final.
        #[default]
        Auto = "auto",
        /// All.
        All = "all",
        /// None; no request is sent.
        Never = "never",
    }
}

/// A measurement that can be requested again.
#[derive(Clone, Debug, PartialEq)]
pub struct RefreshCandidate {
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
    /// The external id of its row.
    pub external_id: String,
    /// How likely it has changed.
    pub priority: RefreshPriority,
    /// When its newest response came.
    pub fetched_at: Timestamp,
}

/// How likely a measurement has changed since its newest response, the most likely first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefreshPriority {
    /// A contractor is working on it, or it is complete without a result.
    InProgress,
    /// No contractor has started, as far as is known.
    Pending,
    /// It is complete, and its images were not there.
    WithoutImages {
        /// When it was completed.
        completed_at: Timestamp,
    },
    /// The service did not find it, or its response was about another house.
    Unusable,
    /// It is canceled, or complete with images.
    Final,
}

impl From<MeasurementState> for RefreshCandidate {
    fn from(state: MeasurementState) -> Self {
        Self {
            priority: priority(&state),
            measurement_id: state.measurement_id,
            external_id: state.external_id,
            fetched_at: state.fetched_at,
        }
    }
}

fn priority(state: &MeasurementState) -> RefreshPriority {
    if !state.is_usable {
        return RefreshPriority::Unusable;
    }
    // A restored measurement has to be verified.
    if state.fetched_at == Timestamp::UNIX_EPOCH {
        return RefreshPriority::Pending;
    }
    match state.status {
        Status::Pending => RefreshPriority::Pending,
        Status::InProgress => RefreshPriority::InProgress,
        Status::Canceled => RefreshPriority::Final,
        // The service's description does not provide for this; the next response may have the result.
        Status::Complete if !state.has_result => RefreshPriority::InProgress,
        Status::Complete if state.has_images => RefreshPriority::Final,
        Status::Complete => RefreshPriority::WithoutImages {
            completed_at: state.changed_at,
        },
    }
}

/// Returns the measurements to request again: those most likely to have changed first, and among equals the one whose
/// response is oldest.
pub(in crate::export) fn select_candidates(
    mut candidates: Vec<RefreshCandidate>,
    policy: RefreshPolicy,
    now: Timestamp,
) -> Vec<RefreshCandidate> {
    candidates.retain(|candidate| match (policy, candidate.priority) {
        (RefreshPolicy::Never, _) | (RefreshPolicy::Auto, RefreshPriority::Final) => false,
        (RefreshPolicy::Auto, RefreshPriority::WithoutImages { completed_at }) => {
            now.duration_since(completed_at) < IMAGES_WITHIN
        }
        (RefreshPolicy::Auto | RefreshPolicy::All, _) => true,
    });
    candidates.sort_by_key(|candidate| (class(candidate.priority), candidate.fetched_at));
    candidates
}

/// Returns the position of a priority, without its time.
fn class(priority: RefreshPriority) -> u8 {
    match priority {
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

    fn candidate(id: &str, priority: RefreshPriority, hour: u32) -> RefreshCandidate {
        RefreshCandidate {
            measurement_id: id.to_owned(),
            external_id: id.to_owned(),
            priority,
            fetched_at: at(hour),
        }
    }

    fn ids(candidates: Vec<RefreshCandidate>, policy: RefreshPolicy) -> Vec<String> {
        let selected = select_candidates(candidates, policy, at(23));
        let ids = selected
            .into_iter()
            .map(|candidate| candidate.measurement_id);
        ids.collect()
    }

    fn all() -> Vec<RefreshCandidate> {
        let week_ago = "2026-10-03T22:00:00Z".parse().unwrap();
        vec![
            candidate("final", RefreshPriority::Final, 1),
            candidate("late", RefreshPriority::Pending, 9),
            candidate("early", RefreshPriority::Pending, 2),
            candidate("lost", RefreshPriority::Unusable, 1),
            candidate(
                "old",
                RefreshPriority::WithoutImages {
                    completed_at: week_ago,
                },
                1,
            ),
            candidate(
                "new",
                RefreshPriority::WithoutImages {
                    completed_at: at(1),
                },
                1,
            ),
            candidate("busy", RefreshPriority::InProgress, 20),
        ]
    }

    #[test]
    fn those_most_likely_to_have_changed_come_first() {
        assert_eq!(
            ids(all(), RefreshPolicy::Auto),
            ["busy", "early", "late", "new", "lost"]
        );
    }

    #[test]
    fn all_asks_the_final_ones_last_and_never_asks_ncandidate() {
        assert_eq!(
            ids(all(), RefreshPolicy::All),
            ["busy", "early", "late", "old", "new", "lost", "final"]
        );
        assert!(ids(all(), RefreshPolicy::Never).is_empty());
    }
}
