//! Random histories: whatever the service answers and whenever the process ends, each row is created once.

use std::collections::BTreeMap;

use gutterbatch::sandbox::{Faults, Options};
use proptest::prelude::*;

use crate::import::sheet;
use crate::support::Stage;

/// One run of the import.
#[derive(Clone, Debug)]
enum Step {
    /// To its end.
    Whole,
    /// Killed once the service has seen so many more calls.
    KilledAfter(usize),
    /// With the journal lost before it.
    WithoutJournal,
}

/// What the service does to the first attempts of a row; a later one comes through.
const ANSWERS: [&str; 7] = [
    r#"{"do": "drop"}"#,
    r#"{"do": "drop", "handled": true}"#,
    r#"{"do": "cut_body", "handled": true}"#,
    r#"{"do": "status", "status": 500}"#,
    r#"{"do": "status", "status": 503, "handled": true}"#,
    r#"{"do": "html", "handled": true}"#,
    r#"{"do": "no_id", "handled": true}"#,
];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => Just(Step::Whole),
        4 => (0_usize..12).prop_map(Step::KilledAfter),
        1 => Just(Step::WithoutJournal),
    ];
    prop::collection::vec(step, 1..5)
}

/// Each kind of answer with its chance, for the first attempt of a row alone.
fn faults() -> impl Strategy<Value = String> {
    prop::collection::vec((0..ANSWERS.len(), 0.0..0.4_f64), 0..4).prop_map(|chosen| {
        let rules = chosen.into_iter().map(|(answer, chance)| {
            let open = ANSWERS[answer].trim_end_matches('}');
            format!(r#"{open}, "method": "POST", "path": "/measurements", "attempt": [1], "chance": {chance}}}"#)
        });
        format!(r#"{{"rules": [{}]}}"#, rules.collect::<Vec<_>>().join(","))
    })
}

const IMPORT: [&str; 6] = [
    "import",
    "leads.csv",
    "--json",
    "--rate",
    "1000000/1s",
    "--yes",
];

fn take(stage: &Stage, step: &Step) {
    match step {
        Step::Whole => {
            stage.run(&IMPORT).expect(0);
        }
        Step::WithoutJournal => {
            for ending in ["", "-wal", "-shm"] {
                // Before the first run there is none to lose.
                let _ = std::fs::remove_file(format!("{}{ending}", stage.journal().display()));
            }
            stage.run(&IMPORT).expect(0);
        }
        Step::KilledAfter(calls) => {
            let until = stage.sandbox().calls().len() + calls;
            let mut command = stage.command(&IMPORT);
            let null = std::process::Stdio::null;
            let mut child = command.stdout(null()).stderr(null()).spawn().unwrap();
            while child.try_wait().unwrap().is_none() && stage.sandbox().calls().len() < until {
                std::thread::yield_now();
            }
            // It may have come to its end by itself.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }
}

/// How many measurements the service holds for each id.
fn held(stage: &Stage) -> BTreeMap<String, usize> {
    let mut held = BTreeMap::new();
    for one in stage.sandbox().measurements() {
        *held.entry(one.external_id.unwrap()).or_default() += 1;
    }
    held
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_interleaving_of_answers_and_restarts_creates_each_row_once(
        rows in 1_usize..16,
        steps in steps(),
        faults in faults(),
    ) {
        let faults: Faults = faults.parse().unwrap();
        let rate = "1000000/1s".parse().unwrap();
        let stage = Stage::with(Options { rate, faults: Some(faults), ..Options::default() });
        stage.file("leads.csv", sheet(0..rows));
        for step in &steps {
            take(&stage, step);
            prop_assert!(held(&stage).values().all(|count| *count == 1));
        }
        let last = stage.run(&IMPORT).expect(0).json();
        let outcomes = last["outcomes"].as_object().unwrap();
        let total: u64 = outcomes.values().map(|count| count.as_u64().unwrap()).sum();
        prop_assert_eq!(total, rows as u64);
        let held = held(&stage);
        prop_assert_eq!(held.len(), rows);
        prop_assert!(held.values().all(|count| *count == 1));
        let again = stage.run(&IMPORT).expect(0).json();
        prop_assert_eq!(&again["requests"]["total"], 0);
        prop_assert_eq!(&again["outcomes"]["known"], rows);
    }
}
