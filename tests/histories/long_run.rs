//! A long import, whose hours pass on the virtual clock.

use super::steps::{Fate, ImportFlags, Plan};
use super::virtual_time;
use super::world::World;

/// The documented quota of an hour.
const DOCUMENTED: usize = 600;

/// At most so many seconds more than ten hours: two in a hundred.
const SPARE: i64 = 36_000 / 50;

#[test]
fn six_thousand_rows_take_ten_hours_of_the_quota_and_each_is_requested_once() {
    let rows = 10 * DOCUMENTED;
    let mut world = World::new(&Plan {
        rows: vec![0; rows],
        steps: Vec::new(),
        concurrency: 4,
    });
    world.network().service.quota = DOCUMENTED;
    let began = virtual_time::time();
    let sheet = "leads.csv".to_owned();
    let imported = world.import_with(sheet, ImportFlags::default(), Fate::default());
    imported.unwrap();
    let network = world.network();
    assert_eq!(network.service.measurements.len(), rows);
    // One request more for the account.
    assert_eq!(network.requests, rows + 1);
    let passed = virtual_time::time().duration_since(began).as_secs() - 36_000;
    assert!((0..=SPARE).contains(&passed), "{passed} s more than 10 h");
}
