//! Reading: the whole check of a generated CSV, against the csv crate applying the bare rules on one thread.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use gutterbatch::import::{Input, Rules, check};
use gutterbatch::table::Options;

/// Rows of the generated sheet.
const ROWS: usize = 100_000;

/// Prints the ratio for a CSV.
pub(crate) fn check_of_csv() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("leads.csv");
    std::fs::write(&path, sheet(ROWS)).expect("the sheet can be written");
    let (ours, bare) = crate::in_turn(
        || assert_eq!(checked(&path), ROWS),
        || assert_eq!(bare(&path), ROWS),
    );
    crate::show("check of a 100,000-row CSV / csv crate", ours, bare, 2.5);
}

fn checked(path: &Path) -> usize {
    let input =
        Input::new(path, Options::default(), Rules::default()).expect("a path is taken as it is");
    check(&input, &mut |_| {})
        .expect("the sheet is sound")
        .rows
        .len()
}

/// The rules that nobody could leave out: lengths in characters, required fields, one of email and phone, no id twice.
fn bare(path: &Path) -> usize {
    let mut reader = csv::Reader::from_path(path).expect("the sheet is there");
    let mut ids = HashSet::new();
    let mut valid = 0;
    for row in reader.records() {
        let row = row.expect("the sheet is sound");
        let field = |index: usize| row.get(index).unwrap_or_default().trim();
        let within = |index: usize, most: usize| (1..=most).contains(&field(index).chars().count());
        let fits =
            within(0, 128) && within(1, 120) && within(4, 200) && field(9).chars().count() <= 2000;
        let filled = [5, 6, 7].iter().all(|index| !field(*index).is_empty());
        let reachable = !field(2).is_empty() || !field(3).is_empty();
        let known_country = matches!(field(8), "" | "CA" | "US");
        if fits && filled && reachable && known_country && ids.insert(field(0).to_owned()) {
            valid += 1;
        }
    }
    valid
}

/// A sheet as a CRM exports it; every row is valid.
pub(crate) fn sheet(rows: usize) -> String {
    let mut text = String::from(
        "Lead ID,Full Name,Email,Phone,Street,City,State/Province,Zip/Postal Code,Country,Notes\n",
    );
    for row in 0..rows {
        let number = 1 + row % 9000;
        writeln!(
            text,
            "00Q5e00000{row:08},Alex Sample {row},alex{row}@example.com,416-555-01{:02},{number} Garden Street,Toronto,ON,M5V {}A{},CA,Two storeys; the dog is friendly",
            row % 100,
            row % 10,
            row / 10 % 10,
        )
        .expect("a string takes any text");
    }
    text
}
