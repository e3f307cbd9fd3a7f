//! The report of a rehearsal, as JSON and as text.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::ExitStatus;
use crate::cli::document::CommandReport;
use crate::cli::export::sums;
use crate::cli::rehearse::Args;
use crate::cli::rehearse::rough_report::RoughReport;
use crate::cli::shell;
use crate::model::{Outcome, nonzero_counts, pluralize};

/// What a rehearsal produced: the documents of its import and its export, and the counts of `--rough`.
#[derive(Debug)]
pub(super) struct RehearsalReport {
    pub(super) import: Value,
    pub(super) export: Value,
    pub(super) rough: Option<RoughReport>,
}

impl RehearsalReport {
    /// The answer of `rehearse --json`.
    pub(super) fn document(&self, exit: ExitStatus) -> CommandReport {
        let rough = self.rough.map(|rough| ("rough", json!(rough)));
        let documents = [
            ("import", self.import.clone()),
            ("export", self.export.clone()),
        ];
        CommandReport::new("rehearse", exit, documents.into_iter().chain(rough))
    }

    /// The report for a person; `file` is none for the built-in sample.
    pub(super) fn text(&self, file: Option<&Path>, output: &Path) -> String {
        let (import, export) = (&self.import, &self.export);
        let name = file.map_or("the built-in sample".to_owned(), |file| {
            file.display().to_string()
        });
        let rows = pluralize(number(import, "rows"), "row");
        let measurements = pluralize(number(export, "measurements"), "measurement");
        let totals = serde_json::from_value(export["totals"].clone()).unwrap_or_default();
        let mut text = format!(
            "rehearsed {name} against the stand-in; nothing was sent to the service

  {rows}: {}
  {measurements}: {}
  {}
  {} to import, {} to export
",
            listed(&import["outcomes"]),
            listed(&export["by_status"]),
            sums(&totals),
            pluralize(number(&import["requests"], "total"), "request"),
            pluralize(number(&export["requests"], "total"), "request")
        );
        if let Some(rough) = self.rough {
            let RoughReport {
                rows,
                kills,
                faults,
                lost,
                doubled,
            } = rough;
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "
  rows        {rows}
  kills       {kills}
  faults      {faults}
  lost        {lost}
  doubled     {doubled}
"
            );
        }
        text + &format!("\nthe results are in {}", output.display())
    }

    /// What to do before the real import, if it would reject rows.
    pub(super) fn advice(&self, args: &Args) -> Option<String> {
        let outcomes = &self.import["outcomes"];
        let rejected: u64 = Outcome::REJECTED
            .iter()
            .map(|outcome| number(outcomes, outcome.name()))
            .sum();
        let file = args.file.as_deref().filter(|_| rejected > 0)?;
        let file = file.display().to_string();
        if let Some(rejects) = self.import["rejects"].as_str() {
            return Some(format!(
                "correct {} before the real import, or the rows in {} itself",
                shell::quoted(rejects),
                shell::quoted(&file)
            ));
        }
        Some(format!(
            "the real import would reject those rows too: `{}` lists what to correct",
            args.reading.command("check", Path::new(&file))
        ))
    }
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

/// `58 created, 2 invalid`; counts of 0 are omitted.
fn listed(counts: &Value) -> String {
    let Some(counts) = counts.as_object() else {
        return String::new();
    };
    let counts = counts
        .iter()
        .filter_map(|(name, count)| Some((count.as_u64()?, name.replace('_', " "))));
    nonzero_counts(counts, ", ")
}
