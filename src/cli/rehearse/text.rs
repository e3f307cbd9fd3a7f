//! What a rehearsal says at its end, as JSON and as text.

use serde_json::{Map, Value, json};

use crate::cli::rehearse::{Args, RehearsalEnd};
use crate::cli::shell;
use crate::model::counted;

/// `{"import": …, "export": …}`, and `rough` where faults and kills were asked for.
pub(super) fn document(args: &Args, rehearsed: &RehearsalEnd) -> Value {
    let mut document = Map::new();
    let mut import = rehearsed.import.clone();
    if args.keep.is_none() {
        // The file is gone with its folder.
        import["rejects"] = Value::Null;
    }
    document.insert("import".to_owned(), import);
    document.insert("export".to_owned(), rehearsed.export.clone());
    if let Some(reckoning) = rehearsed.reckoning {
        let rough = json!({
            "rows": reckoning.rows,
            "kills": reckoning.kills,
            "faults": reckoning.faults,
            "lost": reckoning.lost,
            "doubled": reckoning.doubled,
        });
        document.insert("rough".to_owned(), rough);
    }
    Value::Object(document)
}

/// The same for a person.
pub(super) fn text(args: &Args, rehearsed: &RehearsalEnd) -> String {
    let (import, export) = (&rehearsed.import, &rehearsed.export);
    let rows = counted(number(import, "rows"), "row");
    let measurements = counted(number(export, "measurements"), "measurement");
    let mut lines = vec![
        format!(
            "rehearsed {} against the stand-in; nothing was sent to the service",
            args.file.file.display()
        ),
        String::new(),
        format!("  {rows}: {}", listed(&import["outcomes"])),
        format!("  {measurements}: {}", listed(&export["by_status"])),
    ];
    lines.extend(totals(&export["totals"]));
    let (posted, read) = (
        number(&import["requests"], "total"),
        number(&export["requests"], "total"),
    );
    lines.push(format!(
        "  {} to import, {} to export",
        counted(posted, "request"),
        counted(read, "request")
    ));
    if let Some(reckoning) = rehearsed.reckoning {
        lines.push(String::new());
        let told = [
            ("rows", reckoning.rows),
            ("kills", reckoning.kills),
            ("faults met", reckoning.faults),
            ("lost", reckoning.lost),
            ("doubled", reckoning.doubled),
        ];
        lines.extend(told.map(|(what, count)| format!("  {what:<12}{count}")));
    }
    lines.push(String::new());
    lines.push(format!("the results are in {}", args.output.display()));
    lines.join("\n")
}

/// What to do before the real import, where it would reject rows.
pub(super) fn advice(args: &Args, rehearsed: &RehearsalEnd) -> Option<String> {
    let rejects = rehearsed.import["rejects"].as_str()?;
    let file = args.file.file.display().to_string();
    let mut words = vec!["check".to_owned(), file.clone()];
    words.extend(args.reading.words());
    let check = shell::command(words);
    Some(match &args.keep {
        Some(_) => {
            format!(
                "correct {} before the real import, or the rows in {} itself",
                shell::quoted(rejects),
                shell::quoted(&file)
            )
        }
        None => {
            format!("the real import would reject those rows too: `{check}` lists what to correct")
        }
    })
}

fn totals(totals: &Value) -> Option<String> {
    let length = totals["gutter_length_ft"].as_f64()?;
    let corners = number(totals, "corner_count");
    let downspouts = number(totals, "downspout_count");
    let down = totals["downspout_length_ft"].as_f64().unwrap_or(0.0);
    Some(format!(
        "  {length:.1} ft of gutter, {}, {} of {down:.1} ft",
        counted(corners, "corner"),
        counted(downspouts, "downspout")
    ))
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

/// `58 created, 2 invalid`; what is none is left out.
fn listed(counts: &Value) -> String {
    let Some(counts) = counts.as_object() else {
        return String::new();
    };
    let some = counts
        .iter()
        .filter(|(_, count)| count.as_u64().is_some_and(|count| count > 0));
    some.map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
        .collect::<Vec<_>>()
        .join(", ")
}
