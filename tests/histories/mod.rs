//! Random histories of people, their files, the network and the service, run through the library in this process.
//!
//! Whatever people edit, copy, forget, lose or interrupt, and whatever the service answers: no house is requested twice,
//! no row is lost, no file of the user changes, the quota is kept, no row gets the numbers of another house, and each
//! completed measurement is billed once. A house is known by the notes of its row (`house 3`, perhaps with a remark),
//! which the program never compares with those of other rows.
//!
//! `GUTTERBATCH_HISTORIES=100000 cargo test --test gutterbatch histories` runs more of them than a usual test run does,
//! `GUTTERBATCH_HISTORIES_TWICE=1000` runs more of them twice, and `GUTTERBATCH_SEED=7` runs one and prints it.

mod advice;
mod billing;
mod bills;
mod checks;
mod commits;
mod computer;
mod contractor;
mod desk;
mod endings;
// Only for the nightly histories, as `long_run`.
#[cfg(not(debug_assertions))]
mod every_commit;
mod exports;
mod figures;
mod imports;
mod journals;
mod kept_decisions;
mod kept_histories;
pub(crate) mod kept_houses;
mod last_bill;
mod left_rows;
// Only for the nightly histories, which are built with optimization: it takes several times as long without.
mod listener;
#[cfg(not(debug_assertions))]
mod long_run;
mod loopback;
mod network_endings;
mod observer;
mod other_team;
mod pauses;
mod plan;
mod preparations;
mod promises;
mod reruns;
mod results;
mod runner;
mod service;
pub(crate) mod sheet;
pub(crate) mod sheet_edit;
mod shown_numbers;
mod steps;
mod troubles;
mod virtual_time;
mod waiting_room;
mod waits;
mod world;

use runner::{run_all, run_twice, seeds};

/// Histories of a usual test run.
const HISTORIES: u64 = 500;

/// Histories that a usual test run runs twice.
const TWICE: u64 = 20;

#[test]
fn whatever_happens_no_house_is_requested_twice_no_row_is_lost_and_each_result_is_billed_once() {
    let failures = run_all(seeds("GUTTERBATCH_HISTORIES", HISTORIES));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_history_that_is_run_twice_is_the_same() {
    let different = run_twice(seeds("GUTTERBATCH_HISTORIES_TWICE", TWICE));
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}
