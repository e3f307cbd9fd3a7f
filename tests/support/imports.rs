//! Sheets that are imported through the binary, and what became of their rows.

use std::collections::BTreeMap;

use serde_json::Value;

const HEADER: &str = "id,name,email,line1,city,region,postal_code\n";

/// A sheet of so many valid rows; row `i` is `Customer i` at `1i Elm Street`.
pub(crate) fn sheet(rows: std::ops::Range<usize>) -> String {
    let line = |i: usize| {
        format!("A-{i},Customer {i},c{i}@example.com,1{i} Elm Street,Ottawa,ON,K1A 0B1\n")
    };
    HEADER.to_owned() + &rows.map(line).collect::<String>()
}

/// The outcomes of a run that are not 0.
pub(crate) fn outcomes(document: &Value) -> BTreeMap<&str, u64> {
    let counts = document["outcomes"].as_object().unwrap();
    let counts = counts
        .iter()
        .map(|(name, rows)| (name.as_str(), rows.as_u64().unwrap()));
    counts.filter(|(_, rows)| *rows > 0).collect()
}
