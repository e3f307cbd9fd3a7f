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

/// How likely a measurement has changed since its newest response, the most likely first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RefreshPriority {
    /// A contractor is working on it, or it is complete without a result.
    InProgress,
    /// No contractor has started, as far as is known.
    Pending,
    /// It is complete, and its images were not there.
    WithoutImages,
    /// The service did not find it, or its response was about another house.
    Unusable,
    /// It is canceled, or complete with images.
    Final,
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
        Status::Complete => RefreshPriority::WithoutImages,
    }
}

/// Returns the measurements to request again: those most likely to have changed first, and among equals the one whose
/// response is oldest, by external id, so that the order does not depend on which of several responses came first.
pub(in crate::export) fn select_candidates(
    mut candidates: Vec<MeasurementState>,
    policy: RefreshPolicy,
    now: Timestamp,
) -> Vec<MeasurementState> {
    candidates.retain(|candidate| match (policy, priority(candidate)) {
        (RefreshPolicy::Never, _) | (RefreshPolicy::Auto, RefreshPriority::Final) => false,
        // It changed last when it was completed.
        (RefreshPolicy::Auto, RefreshPriority::WithoutImages) => {
            now.duration_since(candidate.changed_at) < IMAGES_WITHIN
        }
        (RefreshPolicy::Auto | RefreshPolicy::All, _) => true,
    });
    let key = |candidate: &MeasurementState| (priority(candidate), candidate.fetched_at);
    candidates.sort_by(|one, other| {
        let by_id = || one.external_id.cmp(&other.external_id);
        key(one).cmp(&key(other)).then_with(by_id)
    });
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: u32) -> Timestamp {
        format!("2026-10-10T{hour:02}:00:00Z").parse().unwrap()
    }

    fn candidate(id: &str, status: Status, hour: u32) -> MeasurementState {
        MeasurementState {
            measurement_id: id.to_owned(),
            external_id: id.to_owned(),
            status,
            fetched_at: at(hour),
            changed_at: at(1),
            is_usable: true,
            has_result: true,
            has_images: true,
        }
    }

    fn ids(candidates: Vec<MeasurementState>, policy: RefreshPolicy) -> Vec<String> {
        let selected = select_candidates(candidates, policy, at(23));
        let ids = selected
            .into_iter()
            .map(|candidate| candidate.measurement_id);
        ids.collect()
    }

    fn all() -> Vec<MeasurementState> {
        let week_ago = "2026-10-03T22:00:00Z".parse().unwrap();
        let without_images = |id: &str| MeasurementState {
            has_images: false,
            ..candidate(id, Status::Complete, 1)
        };
        vec![
            candidate("final", Status::Complete, 1),
            candidate("late", Status::Pending, 9),
            candidate("early", Status::Pending, 2),
            MeasurementState {
                is_usable: false,
                ..candidate("lost", Status::Pending, 1)
            },
            MeasurementState {
                changed_at: week_ago,
                ..without_images("old")
            },
            without_images("new"),
            candidate("busy", Status::InProgress, 20),
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
    fn all_selects_the_final_ones_last_and_never_selects_none() {
        assert_eq!(
            ids(all(), RefreshPolicy::All),
            ["busy", "early", "late", "new", "old", "lost", "final"]
        );
        assert!(ids(all(), RefreshPolicy::Never).is_empty());
    }

    #[test]
    fn equal_measurements_are_in_the_order_of_their_ids() {
        let pending = |id| candidate(id, Status::Pending, 2);
        let selected = ids(["b", "c", "a"].map(pending).into(), RefreshPolicy::Auto);
        assert_eq!(selected, ["a", "b", "c"]);
    }
}
