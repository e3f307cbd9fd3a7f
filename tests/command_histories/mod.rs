//! Random histories of typed commands, each a process: what `histories` cannot see, because it is decided in `cli`.
//!
//! That is: every printed hint does what it says when it is typed word for word, `check` plans what `import` then does,
//! a forgotten flag is remembered, and a process that is killed with several requests in flight loses nothing. A house
//! is known by the notes of its row (`house 3`), which nobody edits and which the program never compares. A failure
//! shows the history as commands and edits.
//! `GUTTERBATCH_COMMAND_HISTORIES=500 cargo test --test gutterbatch command_histories` runs more of them than a usual
//! test run does.

mod imported;
mod world;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

use crate::histories::sheet_edit::{Edit, SheetEdit};
use world::World;

/// Histories of a usual test run.
const CASES: u32 = 6;

/// What a person does. Files and rows are counted from 0, again from the first after the last.
#[derive(Clone, Debug)]
enum Step {
    Edit(usize, SheetEdit),
    /// Types a word into the column `same_house` of a row that is held.
    Decide(usize, usize, &'static str),
    Copy(usize),
    Rename(usize),
    Import(usize, Vec<&'static str>, Ending),
    /// Types the commands that the last command's hints name.
    FollowHint,
    /// Exports over a file, or to a new one; perhaps for a sheet.
    Export(usize, Option<usize>),
    /// Writes a line below the last export.
    Annotate,
}

/// How an import ends.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Whole,
    /// Killed once the service has seen so many more calls.
    Killed(usize),
    /// The service handles the first request, and its answer stops the run.
    AnswerLost,
    /// The service, which holds none of them yet, refuses all rows.
    Refused,
}

fn step() -> impl Strategy<Value = Step> {
    let (file, row) = (0_usize..4, 0_usize..6);
    let flags = prop_oneof![
        6 => Just(vec![]),
        3 => select(vec![vec!["--id-prefix", "acme-"], vec!["--id-prefix", "b-"], vec!["--id-prefix", ""]]),
        2 => Just(vec!["--derive-id"]),
        1 => Just(vec!["--derive-id", "--id-prefix", "acme-"]),
        1 => Just(vec!["--limit", "1"]),
        1 => Just(vec!["--forget-reading"]),
        1 => Just(vec!["--retry-refused"]),
        1 => Just(vec!["--allow-same-house"]),
    ];
    let ending = prop_oneof![
        8 => Just(Ending::Whole),
        1 => (0_usize..5).prop_map(Ending::Killed),
        1 => Just(Ending::AnswerLost),
        1 => Just(Ending::Refused),
    ];
    let at = (file.clone(), row);
    prop_oneof![
        12 => (file.clone(), flags, ending).prop_map(|(file, flags, ending)| Step::Import(file, flags, ending)),
        24 => (file.clone(), sheet_edit()).prop_map(|(file, edit)| Step::Edit(file, edit)),
        3 => (at, select(vec!["skip", "send"])).prop_map(|((file, row), word)| Step::Decide(file, row, word)),
        2 => file.clone().prop_map(Step::Copy),
        2 => file.clone().prop_map(Step::Rename),
        4 => Just(Step::FollowHint),
        3 => (file.clone(), proptest::option::of(file)).prop_map(|(over, sheet)| Step::Export(over, sheet)),
        1 => Just(Step::Annotate),
    ]
}

fn sheet_edit() -> impl Strategy<Value = SheetEdit> {
    let row = 0_usize..6;
    prop_oneof![
        12 => (row.clone(), select(Edit::ALL.to_vec())).prop_map(|(row, edit)| SheetEdit::Row(row, edit)),
        3 => Just(SheetEdit::Correct),
        2 => Just(SheetEdit::Add),
        1 => row.clone().prop_map(SheetEdit::Repeat),
        2 => row.clone().prop_map(SheetEdit::Resubmit),
        2 => row.prop_map(SheetEdit::Remove),
        2 => select(vec!["line1", "name", "notes"]).prop_map(SheetEdit::Sort),
    ]
}

/// The usual run repeats the same histories; a longer one looks for others each time.
fn seed() -> RngSeed {
    match std::env::var_os("GUTTERBATCH_COMMAND_HISTORIES") {
        Some(_) => RngSeed::Random,
        None => RngSeed::Fixed(20_261_122),
    }
}

fn cases() -> u32 {
    let asked = std::env::var("GUTTERBATCH_COMMAND_HISTORIES").ok();
    asked.map_or(CASES, |cases| {
        cases
            .parse()
            .expect("GUTTERBATCH_COMMAND_HISTORIES is a number")
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(), max_shrink_iters: 600, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_people_do_no_house_is_requested_twice_and_no_row_or_file_is_lost(
        rows in prop::collection::vec(0_usize..4, 1..6),
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let mut world = World::new(&rows);
        let mut held = Ok(());
        for step in &steps {
            held = held.and_then(|()| world.take(step));
        }
        let held = held.and_then(|()| world.finish());
        held.map_err(|fault| {
            let history = world.told.join("\n- ");
            TestCaseError::fail(format!("{fault}, after\n- {history}\n"))
        })?;
    }
}
