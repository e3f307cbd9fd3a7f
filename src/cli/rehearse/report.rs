//! The report of a rehearsal, as JSON and as text.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::cli::ExitStatus;
use crate::cli::rehearse::Args;
use crate::cli::rehearse::rough_report::RoughReport;
use crate::cli::shell;
use crate::model::{Outcome, counted, group_digits, nonzero_counts};

/// The answer of `rehearse --json`: the documents of its import and its export, and the counts of `--rough`.
#[derive(Debug, Serialize)]
pub(super) struct RehearsalReport {
    command: &'static str,
    import: Value,
    export: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    rough: Option<RoughReport>,
    exit_code: u8,
}

impl RehearsalReport {
    /// Takes the documents of the commands.
    pub(super) fn new(
        import: Value,
        export: Value,
        (rough, exit): (Option<RoughReport>, ExitStatus),
    ) -> Self {
        Self {
            command: "rehearse",
            import,
            export,
            rough,
            exit_code: exit.code(),
        }
    }

    /// The report for a person; `file` is none for the built-in sample.
    pub(super) fn text(&self, file: Option<&Path>, output: &Path) -> String {
        let (import, export) = (&self.import, &self.export);
        let name = file.map_or("the built-in sample".to_owned(), |file| {
            file.display().to_string()
        });
        let rows = counted(number(import, "rows"), "row");
        let measurements = counted(number(export, "measurements"), "measurement");
        let mut lines = vec![
            format!("rehearsed {name} against the stand-in; nothing was sent to the service"),
            String::new(),
            format!("  {rows}: {}", listed(&import["outcomes"])),
            format!("  {measurements}: {}", listed(&export["by_status"])),
        ];
        lines.extend(totals(&export["totals"]));
        lines.push(format!(
            "  {} to import, {} to export",
            counted(number(&import["requests"], "total"), "request"),
            counted(number(&export["requests"], "total"), "request")
        ));
        if let Some(rough) = self.rough {
            lines.push(String::new());
            let counts = [
                ("rows", rough.rows),
                ("kills", rough.kills),
                ("faults", rough.faults),
                ("lost", rough.lost),
                ("doubled", rough.doubled),
            ];
            lines.extend(counts.map(|(what, count)| format!("  {what:<12}{count}")));
        }
        lines.push(String::new());
        lines.push(format!("the results are in {}", output.display()));
        lines.join("\n")
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
        let mut words = vec!["check".to_owned(), file];
        words.extend(args.reading.words());
        Some(format!(
            "the real import would reject those rows too: `{}` lists what to correct",
            shell::command(words)
        ))
    }
}

fn totals(totals: &Value) -> Option<String> {
    let length = totals["gutter_length_ft"].as_f64()?;
    let corners = number(totals, "corner_count");
    let downspouts = number(totals, "downspout_count");
    let down = totals["downspout_length_ft"].as_f64().unwrap_or(0.0);
    Some(format!(
        "  {} ft of gutter, {}, {} of {} ft",
        group_digits(length),
        counted(corners, "corner"),
        counted(downspouts, "downspout"),
        group_digits(down)
    ))
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
