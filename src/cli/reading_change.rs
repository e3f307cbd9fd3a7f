//! How the flags of the command line differ from those of an earlier import, where they choose houses or ids.

use jiff::tz::TimeZone;
use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::failure::stop_hint;
use crate::cli::reading::{ReadingArgs, words};
use crate::cli::shell;
use crate::import::{FlagChange, ImportInput, SubmissionPlan};
use crate::journal::{FlagsByName, RememberedFlags};

/// The flag of the prefix of ids.
pub(super) const ID_PREFIX: &str = "id-prefix";

/// The flags that choose which house a row is, and its id.
const OF_HOUSES: [&str; 4] = ["address", "map", "id-column", ID_PREFIX];

/// Warns if an import would send nothing because it is unclear which rows are meant; returns whether it would.
pub(super) fn warn_of_stop(plan: &SubmissionPlan, context: &Context) -> bool {
    let Some(stop) = &plan.stop else {
        return false;
    };
    context.console.warn(&stop.to_string());
    context.console.hint(&stop_hint(stop));
    true
}

/// Stores in `input` how `reading` differs from that of an earlier import; `given` are the flags of the command line.
pub(super) fn set_changes(
    reading: &ReadingArgs,
    earlier: &RememberedFlags,
    given: &FlagsByName,
    input: &mut ImportInput,
) {
    input.reading_change = reading_change(earlier, given);
    let now = address_flags(&reading.flags());
    let address = address_flags(&earlier.flags);
    if reading.derive_id && !address.is_empty() && !now.is_empty() {
        let (before, now) = (quoted_words(&address), quoted_words(&now));
        let is_other = before.to_lowercase() != now.to_lowercase();
        let before = format!("{before} ({})", origin_of(earlier));
        input.address_change = is_other.then_some(FlagChange { before, now });
    }
}

fn reading_change(earlier: &RememberedFlags, given: &FlagsByName) -> Option<FlagChange> {
    let text = |value: &Value| value.to_string().to_lowercase();
    let (mut before, mut now) = (earlier.flags.clone(), given.clone());
    before.retain(|name, _| OF_HOUSES.contains(&name.as_str()));
    now.retain(|name, value| {
        // The prefix of another file says nothing about this one.
        let may_change = name != ID_PREFIX || !earlier.is_of_headers;
        let is_of_houses = OF_HOUSES.contains(&name.as_str());
        may_change && is_of_houses && before.get(name).map(text) != Some(text(value))
    });
    let words = match quoted_words(&before) {
        words if words.is_empty() => "none".to_owned(),
        words => words,
    };
    (!now.is_empty()).then(|| FlagChange {
        before: format!("{words} ({})", origin_of(earlier)),
        now: quoted_words(&now),
    })
}

/// The flags that choose an address of the file.
fn address_flags(flags: &FlagsByName) -> FlagsByName {
    let is_street = |value: &Value| {
        let field = value.as_str().and_then(|text| text.split('=').next());
        field.is_some_and(|field| ["line1", "address"].contains(&field.trim()))
    };
    let mut chosen = flags.clone();
    if let Some(Value::Array(map)) = chosen.get_mut("map") {
        map.retain(is_street);
    }
    chosen.retain(|name, value| match value {
        Value::Array(map) => name == "map" && !map.is_empty(),
        _ => name == "address",
    });
    chosen
}

/// The flags as words, quoted for the shell.
pub(super) fn quoted_words(flags: &FlagsByName) -> String {
    let words = words(flags);
    let words: Vec<_> = words.iter().map(|word| shell::quoted(word)).collect();
    words.join(" ")
}

/// Which import flags are from, as text.
pub(super) fn origin_of(remembered: &RememberedFlags) -> String {
    let at = remembered.imported_at.to_zoned(TimeZone::system());
    let day = at.date();
    if !remembered.is_of_headers {
        return format!("as in its import of {day}");
    }
    match remembered.path.file_name() {
        Some(name) if name != "-" => format!(
            "as {}, which has the same headers, on {day}",
            name.to_string_lossy()
        ),
        _ => format!("as a file with the same headers on {day}"),
    }
}
