//! The sheets that are read.

use std::fmt::Write as _;

use rust_xlsxwriter::Workbook;

/// A CSV file as a CRM exports it, with ten columns; every row is valid.
pub(crate) fn csv(rows: usize) -> String {
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

/// Writes the same rows as a workbook, with two more columns.
pub(crate) fn write_workbook(path: &str, rows: usize) {
    let text = csv(rows);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut workbook = Workbook::new();
    let worksheet = workbook
        .add_worksheet_with_constant_memory()
        .expect("a sheet can be added");
    for (number, row) in (0..).zip(reader.records()) {
        let row = row.expect("the rows are well-formed");
        let more = if number == 0 {
            ["Source", "Stage"]
        } else {
            ["web", "new"]
        };
        for (column, text) in (0..).zip(row.iter().chain(more)) {
            worksheet
                .write_string(number, column, text)
                .expect("the text fits");
        }
    }
    workbook.save(path).expect("the workbook can be written");
}
