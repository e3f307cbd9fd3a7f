//! Histories that failed once, shrunk, by the names of their facts.

use super::plan::Plan;
use super::runner::require_to_hold;
use super::sheet_edit::SheetEdit;
use super::steps::Step;

#[test]
fn a_file_that_has_the_name_of_rejects_is_no_copy_of_its_own() {
    // `leads.rejects-2.csv` alone is taken to another computer, and becomes another sheet there.
    let steps = vec![
        Step::import(0),
        Step::import(1),
        Step::OtherComputer(1),
        Step::import(0),
        Step::Edit(0, SheetEdit::Replace),
    ];
    require_to_hold(&Plan::of(vec![0, 4], steps));
}
