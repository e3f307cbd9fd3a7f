//! Reading: the whole check of a CSV against the csv crate applying the bare rules, and of a workbook against the bare
//! streaming reader; both of those on one thread.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{Reader as _, Xlsx};
use gutterbatch::import::{CheckRules, ImportInput, check};
use gutterbatch::table::TableOptions;
use rust_xlsxwriter::Workbook;

/// Rows of the generated CSV.
const ROWS: usize = 1_000_000;

/// Rows of the generated workbook.
const WORKBOOK_ROWS: usize = 200_000;

/// Prints the ratio for a CSV.
pub(crate) fn check_of_csv() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("leads.csv");
    std::fs::write(&path, sheet(ROWS)).expect("the sheet can be written");
    let (ours, bare) = crate::in_turn(
        || assert_eq!(checked(&path), ROWS),
        || assert_eq!(bare(&path), ROWS),
    );
    crate::show("check of a million-row CSV / csv crate", ours, bare, 2.5);
}

/// Prints the ratio for a workbook.
pub(crate) fn check_of_workbook() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("leads.xlsx");
    let cells = write_workbook(&path);
    let (ours, bare) = crate::in_turn(
        || assert_eq!(checked(&path), WORKBOOK_ROWS),
        || assert_eq!(cells_of(&path), cells),
    );
    crate::show(
        "check of a 200,000-row workbook / calamine",
        ours,
        bare,
        1.3,
    );
}

/// Writes the sheet with two more columns, and returns how many cells it has.
fn write_workbook(path: &Path) -> usize {
    let text = sheet(WORKBOOK_ROWS);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut workbook = Workbook::new();
    let worksheet = workbook
        .add_worksheet_with_constant_memory()
        .expect("a sheet can be added");
    let mut cells = 0;
    for (number, row) in (0..).zip(reader.records()) {
        let row = row.expect("the sheet is sound");
        let more = if number == 0 {
            ["Source", "Stage"]
        } else {
            ["web", "new"]
        };
        for (column, text) in (0..).zip(row.iter().chain(more)) {
            worksheet
                .write_string(number, column, text)
                .expect("text fits");
            cells += 1;
        }
    }
    workbook.save(path).expect("the workbook can be written");
    cells
}

fn cells_of(path: &Path) -> usize {
    let file = BufReader::new(File::open(path).expect("the workbook is there"));
    let mut workbook = Xlsx::new(file).expect("the workbook is sound");
    let mut reader = workbook
        .worksheet_cells_reader("Sheet1")
        .expect("the sheet is there");
    let mut cells = 0;
    while reader.next_cell().expect("the sheet is sound").is_some() {
        cells += 1;
    }
    cells
}

fn checked(path: &Path) -> usize {
    let input = ImportInput::new(path, TableOptions::default(), CheckRules::default())
        .expect("a path is taken as it is");
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
        let number = 1 + row % 90_000;
        writeln!(
            text,
            "00Q5e00000{row:08},Alex Sample {row},alex{row}@example.com,416-555-01{:02},{number} Garden Street,Toronto,ON,M5V {}A{},CA,Two storeys; the dog is friendly",
            row % 100,
            row / 90_000 % 10,
            row / 900_000 % 10,
        )
        .expect("a string takes any text");
    }
    text
}
