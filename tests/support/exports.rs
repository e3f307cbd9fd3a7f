//! Exports through the binary, of measurements that are complete.

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::support::imports::sheet;
use crate::support::{Run, Stage};

/// Rows that are with the service, none of them measured.
pub(crate) fn imported(rows: usize) -> Stage {
    imported_with(rows, Options::default())
}

pub(crate) fn imported_with(rows: usize, options: Options) -> Stage {
    let stage = Stage::with(options);
    stage.file("leads.csv", sheet(0..rows));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage
}

/// The measurement ids, in the order of the rows.
pub(crate) fn ids(stage: &Stage) -> Vec<String> {
    let run = stage.run(&["export", "-", "--format", "json", "--offline"]);
    let document: Value = run.expect(0).json();
    let lines = document.as_array().unwrap().iter();
    lines
        .map(|line| line["measurement_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Measures the first so many, repeatably.
pub(crate) fn complete(stage: &Stage, count: usize) {
    for id in ids(stage).iter().take(count) {
        stage.sandbox().complete(id).unwrap();
    }
}

pub(crate) fn export(stage: &Stage, args: &[&str], code: i32) -> Run {
    stage.run(&[&["export"], args].concat()).expect(code)
}
