//! What lead sheets look like in real life, and the sentence that a person sees.

mod binary;
mod cells;
mod customers;
mod file;
mod headers;
mod house_numbers;
mod ids;
mod locked;
mod lost_rows;
mod merged;
mod misread;
mod no_table;
mod numbers_apart;
mod open_form;
mod people;
mod places;
mod problems;
mod raw;
mod reports;
mod streets;
mod systems;
mod told;
mod turned_names;
mod workbook;

use serde_json::Value;

use crate::support::{Run, Stage};

/// The headers of most tables here.
pub(crate) const HEADERS: &str = "ID,Name,Email,Phone,Street,Unit,City,State,Zip,Country,Notes";

/// A row without a fault, as columns of [`HEADERS`]; `changes` replaces some of them.
pub(crate) fn row(changes: &[(&str, &str)]) -> String {
    let values = [
        "A-1",
        "Ada Lovelace",
        "ada@example.com",
        "(416) 555-0100",
        "12 Elm Street",
        "",
        "Toronto",
        "ON",
        "M5V 1A1",
        "CA",
        "",
    ];
    let cells: Vec<String> = HEADERS
        .split(',')
        .zip(values)
        .map(|(header, value)| {
            let change = changes.iter().find(|(changed, _)| *changed == header);
            let value = change.map_or(value, |(_, value)| value);
            if value.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", value.replace('"', "\"\""))
            } else {
                value.to_owned()
            }
        })
        .collect();
    cells.join(",")
}

/// A table of one changed row.
pub(crate) fn table(changes: &[(&str, &str)]) -> String {
    format!("{HEADERS}\n{}\n", row(changes))
}

/// Checks a file of that content.
pub(crate) fn check(name: &str, content: impl AsRef<[u8]>, flags: &[&str]) -> Run {
    let stage = Stage::offline();
    stage.file(name, content);
    let args = [&["check", name, "--json"], flags].concat();
    stage.run(&args)
}

/// The document that a check of that content prints.
pub(crate) fn document(content: impl AsRef<[u8]>, flags: &[&str]) -> Value {
    check("leads.csv", content, flags).json()
}

/// Every problem of a document, as `severity cell: message`.
pub(crate) fn problems(document: &Value) -> Vec<String> {
    let problems = document["problems"].as_array().unwrap();
    problems
        .iter()
        .map(|problem| {
            let cell = problem["cell"]
                .as_str()
                .map_or_else(|| format!("row {}", problem["row"]), str::to_owned);
            format!(
                "{} {cell}: {}",
                problem["severity"].as_str().unwrap(),
                problem["message"].as_str().unwrap()
            )
        })
        .collect()
}

/// The problems of a table of one changed row.
pub(crate) fn found(changes: &[(&str, &str)]) -> Vec<String> {
    problems(&document(table(changes), &[]))
}

/// The problems under flags.
pub(crate) fn found_with(flags: &[&str], changes: &[(&str, &str)]) -> Vec<String> {
    problems(&document(table(changes), flags))
}

/// What standard error says of a file that cannot be used.
pub(crate) fn stopped(name: &str, content: impl AsRef<[u8]>, flags: &[&str]) -> String {
    check(name, content, flags).expect(10).stderr
}
