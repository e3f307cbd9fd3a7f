//! The simulated contractor: opens each request after a while and completes it after the time that is set.
//!
//! Its actions depend on the seed and the measurement's id only. It completes every request and withdraws none, so that
//! a rehearsal ends with every house measured.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

use crate::sandbox::options::Options;
use crate::sandbox::random::seeded_rng;
use crate::sandbox::roof::{Roof, downspout_length, image_kinds};
use crate::sandbox::store::measurement::{
    Downspout, Figures, ImageState, MeasuredResult, Measurement, Status,
};

/// The next step for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Open,
    Complete,
    ShowImages,
}

/// The next step and its time, if there is one.
pub(super) fn next_step(measurement: &Measurement, options: &Options) -> Option<(Timestamp, Step)> {
    match measurement.status {
        Status::Pending => {
            let wait = options.work?.mul_f64(wait_share(measurement, options));
            Some((after(measurement.created_at, wait), Step::Open))
        }
        Status::InProgress => {
            let opened_at = measurement.opened_at?;
            Some((after(opened_at, options.work?), Step::Complete))
        }
        Status::Complete => {
            let awaited = measurement.result.as_ref()?.images == ImageState::Pending;
            let work = options.work.unwrap_or(Duration::from_secs(1));
            let at = after(measurement.completed_at?, work / 2);
            awaited.then_some((at, Step::ShowImages))
        }
        Status::Canceled => None,
    }
}

/// The plausible result of a measurement.
pub(in crate::sandbox) fn simulated_result(seed: u64, id: &str) -> MeasuredResult {
    let mut rng = seeded_rng(seed, &["result", id]);
    let roof = Roof::plausible(&mut rng);
    let floors = *[1, 1, 2, 2, 2, 3]
        .choose(&mut rng)
        .expect("six to choose from");
    let downspouts = (0..roof.downspouts).map(|_| Downspout {
        length_ft: downspout_length(floors, &mut rng),
        floors,
        size_in: None,
    });
    let mut downspouts: Vec<Downspout> = downspouts.collect();
    // Sizes are null until assigned, so some have none.
    if rng.random_ratio(9, 10) {
        let size = if rng.random_ratio(2, 3) { 3 } else { 4 };
        for downspout in &mut downspouts {
            downspout.size_in = Some(size);
        }
    }
    let gutter_size_in = rng
        .random_ratio(14, 15)
        .then(|| if rng.random_ratio(3, 5) { 5 } else { 6 });
    let message = MESSAGES.get(rng.random_range(0..MESSAGES.len() * 2));
    let late = rng.random_ratio(1, 8);
    MeasuredResult {
        figures: Figures {
            gutter_length_ft: roof.gutter_length(),
            gutter_size_in,
            corner_count: roof.corner_count(),
            downspouts,
            installer_message: message.map(|text| (*text).to_owned()),
        },
        kinds: image_kinds(&mut rng),
        roof,
        images: if late {
            ImageState::Pending
        } else {
            ImageState::Ready
        },
    }
}

/// How long a request waits before it is opened, as a share of the working time.
fn wait_share(measurement: &Measurement, options: &Options) -> f64 {
    seeded_rng(options.seed, &["patience", &measurement.id]).random_range(0.1..1.0)
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
        assert_eq!(simulated_result(7, "msr_1"), simulated_result(7, "msr_1"));
        assert_ne!(simulated_result(7, "msr_1"), simulated_result(7, "msr_2"));
    }

    #[test]
    fn totals_are_the_sums_of_their_parts() {
        for house in 0..500 {
            let MeasuredResult { figures, roof, .. } = simulated_result(3, &format!("msr_{house}"));
            let lengths = figures.downspouts.iter().map(|one| one.length_ft.tenths());
            assert_eq!(figures.downspout_length().tenths(), lengths.sum::<i64>());
            assert_eq!(figures.gutter_length_ft, roof.gutter_length());
            assert!(figures.corner_count >= 1 || roof.gutter_length().tenths() > 0);
            assert!((1..=3).contains(&figures.downspouts[0].floors));
        }
    }
}
