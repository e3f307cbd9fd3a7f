//! A long import, whose hours pass on the virtual clock.

use super::plan::Plan;
use super::steps::{Fate, ImportFlags};
use super::virtual_time;
use super::world::World;

/// The documented quota of an hour.
const DOCUMENTED: usize = 600;

const HOURS: usize = 10;

#[test]
fn a_long_import_uses_every_hour_of_the_quota_and_requests_each_row_once() {
    let rows = HOURS * DOCUMENTED;
    let mut world = World::new(&Plan {
        concurrency: 16,
        ..Plan::of(vec![0; rows], Vec::new())
    });
    world.network().service.quota = DOCUMENTED;
    let began = virtual_time::time();
    let sheet = "leads.csv".to_owned();
    let imported = world.import_with(sheet, ImportFlags::default(), Fate::default());
    imported.unwrap();
    let network = world.network();
    assert_eq!(network.service.measurements.len(), rows);
    // One request more for the account, which is why the last row needs one more window.
    assert_eq!(network.requests, rows + 1);
    let passed = virtual_time::time().duration_since(began).as_secs();
    let best = i64::try_from(HOURS * 3600).unwrap();
    assert!((best..=best + best / 50).contains(&passed), "{passed} s");
}
