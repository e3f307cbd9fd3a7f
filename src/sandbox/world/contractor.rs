//! The simulated contractor: opens each request some time after it came, and completes it after the time set.
//!
//! What it does, and when, follows from the seed and the measurement's id alone. It completes everything: withdrawing
//! is left to people, so that a rehearsal ends with every house measured.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rand::RngExt as _;

use crate::sandbox::chance::chance;
use crate::sandbox::roof::{Kind, Roof};
use crate::sandbox::world::measurement::{Downspout, Measurement, Pictures, Status, Survey};
use crate::sandbox::world::{Event, Settings};

/// What comes next for a measurement when nobody interferes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Open,
    Complete,
    Illustrate,
}

/// The next step and its time; `None` where nothing will happen by itself.
pub(super) fn next_step(
    measurement: &Measurement,
    settings: &Settings,
) -> Option<(Timestamp, Step)> {
    match measurement.status {
        Status::Pending => {
            let wait = settings.work?.mul_f64(patience(measurement, settings));
            Some((after(measurement.created_at, wait), Step::Open))
        }
        Status::InProgress => {
            let opened_at = measurement.opened_at?;
            Some((after(opened_at, settings.work?), Step::Complete))
        }
        Status::Complete => {
            let awaited = measurement.survey.as_ref()?.pictures == Pictures::Awaited;
            let work = settings.work.unwrap_or(Duration::from_secs(1));
            let at = after(measurement.completed_at?, work / 2);
            awaited.then_some((at, Step::Illustrate))
        }
        Status::Canceled => None,
    }
}

/// Makes the event of a step.
pub(super) fn perform(
    step: Step,
    measurement: &Measurement,
    settings: &Settings,
    at: Timestamp,
) -> Event {
    let id = measurement.id.clone();
    match step {
        Step::Open => Event::Opened { id, at },
        Step::Complete => Event::Measured {
            survey: Box::new(survey(settings.seed, &id)),
            id,
            at,
        },
        Step::Illustrate => Event::Illustrated { id, at },
    }
}

/// What the contractor will find at this measurement's house.
pub(in crate::sandbox) fn survey(seed: u64, id: &str) -> Survey {
    let mut chance = chance(seed, &["survey", id]);
    let roof = Roof::plausible(&mut chance);
    let floors = roof.floors;
    let downspouts = roof.spouts.iter().map(|_| Downspout {
        length: roof.drop_length(&mut chance),
        floors,
        size_in: None,
    });
    let mut downspouts: Vec<Downspout> = downspouts.collect();
    // Most contractors pick the sizes; some leave them for the crew to assign.
    if chance.random_ratio(9, 10) {
        let size = if chance.random_ratio(2, 3) { 3 } else { 4 };
        for downspout in &mut downspouts {
            downspout.size_in = Some(size);
        }
    }
    let gutter_size_in = chance
        .random_ratio(14, 15)
        .then(|| if chance.random_ratio(3, 5) { 5 } else { 6 });
    let message = MESSAGES.get(chance.random_range(0..MESSAGES.len() * 2));
    let late = chance.random_ratio(1, 8);
    Survey {
        gutter_length: roof.gutter_length(),
        gutter_size_in,
        corners: roof.corner_count(),
        downspouts,
        installer_message: message.map(|text| (*text).to_owned()),
        kinds: Kind::some(&mut chance),
        roof,
        pictures: if late {
            Pictures::Awaited
        } else {
            Pictures::Ready
        },
    }
}

/// How long a request waits before it is opened, as a share of the working time.
fn patience(measurement: &Measurement, settings: &Settings) -> f64 {
    chance(settings.seed, &["patience", &measurement.id]).random_range(0.1..1.0)
}

fn after(start: Timestamp, wait: Duration) -> Timestamp {
    let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
    start
        .saturating_add(SignedDuration::from_micros(micros))
        .expect("a duration without calendar units always adds")
}

const MESSAGES: &[&str] = &[
    "The fascia on the north side is soft; plan for new boards before hanging.",
    "Large maple over the back eave: leaf guards are worth their price here.",
    "Downspout at the driveway should drain away from the garage door.",
    "Existing hangers can be reused on the front run only.",
    "Please move the trellis at the rear corner before the crew arrives.",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_is_the_same_house_whenever_it_is_measured() {
        assert_eq!(survey(7, "msr_1"), survey(7, "msr_1"));
        assert_ne!(survey(7, "msr_1"), survey(7, "msr_2"));
    }

    #[test]
    fn totals_are_the_sums_of_their_parts() {
        for house in 0..500 {
            let survey = survey(3, &format!("msr_{house}"));
            let parts: i64 = survey
                .downspouts
                .iter()
                .map(|one| one.length.tenths())
                .sum();
            assert_eq!(survey.downspout_length().tenths(), parts);
            assert_eq!(survey.gutter_length, survey.roof.gutter_length());
            assert!(survey.corners >= 1 || survey.roof.gutter_length().tenths() > 0);
            assert!((1..=3).contains(&survey.downspouts[0].floors));
        }
    }
}
