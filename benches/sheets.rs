//! The sheets that are read. A process of their own writes them: a process that is measured begins with the memory of the
//! one that starts it.

use std::fs::File;
use std::io::{BufWriter, Write};

use rust_xlsxwriter::Workbook;

const HEADERS: [&str; 12] = [
    "Lead ID",
    "Full Name",
    "Email",
    "Phone",
    "Street",
    "City",
    "State/Province",
    "Zip/Postal Code",
    "Country",
    "Notes",
    "Source",
    "Stage",
];

/// The cells of a row as a CRM exports it; every row is valid.
fn cells(row: usize) -> [String; 12] {
    let number = 1 + row % 90_000;
    let (ninety, million) = (row / 90_000 % 10, row / 900_000 % 10);
    [
        format!("00Q5e00000{row:08}"),
        format!("Alex Sample {row}"),
        format!("alex{row}@example.com"),
        format!("416-555-01{:02}", row % 100),
        format!("{number} Garden Street"),
        "Toronto".to_owned(),
        "ON".to_owned(),
        format!("M5V {ninety}A{million}"),
        "CA".to_owned(),
        "Two storeys; the dog is friendly".to_owned(),
        "web".to_owned(),
        "new".to_owned(),
    ]
}

/// Writes a CSV file with the first ten columns.
pub(crate) fn write_csv(path: &str, rows: usize) {
    let mut file = BufWriter::new(File::create(path).expect("the file can be created"));
    let headers = HEADERS.map(str::to_owned);
    for cells in std::iter::once(headers).chain((0..rows).map(cells)) {
        writeln!(file, "{}", cells[..10].join(",")).expect("the file can be written");
    }
    file.flush().expect("the file can be written");
}

/// Writes a workbook with all columns.
pub(crate) fn write_workbook(path: &str, rows: usize) {
    let mut workbook = Workbook::new();
    let worksheet = workbook
        .add_worksheet_with_constant_memory()
        .expect("a sheet can be added");
    let headers = HEADERS.map(str::to_owned);
    for (number, cells) in (0..).zip(std::iter::once(headers).chain((0..rows).map(cells))) {
        for (column, text) in (0..).zip(cells) {
            worksheet
                .write_string(number, column, text)
                .expect("the text fits");
        }
    }
    workbook.save(path).expect("the workbook can be written");
}
