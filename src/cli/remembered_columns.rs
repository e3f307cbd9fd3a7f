//! Remembered flags that name columns of a file which has changed since: columns were inserted, renamed or removed.
//!
//! The letters of a column are remembered together with the digest of the header row, and apply to the same header row
//! only.

use serde_json::Value;

use crate::cli::CommandError;
use crate::cli::failure::{SuggestedFlag, moved_columns, unfit_flags};
use crate::cli::reading::ReadingArgs;
use crate::cli::remembered::{ID_PREFIX, quoted_words};
use crate::import::ImportInput;
use crate::journal::FlagsByName;
use crate::sheet::{self, column_of};
use crate::table::{self, DetectedLayout, Table};

/// The name under which the digest of the header row is stored; it is not a flag.
const HEADER_ROW: &str = "letters-of";

/// What stands for a column that only the user knows.
const HEADER: &str = "HEADER";

impl ReadingArgs {
    /// These flags as the journal stores them: with the digest of the header row if they name columns by letters.
    pub(super) fn stored_flags(&self, layout: &DetectedLayout) -> FlagsByName {
        let mut flags = self.flags();
        if layout.lettered.has_any() {
            flags.insert(HEADER_ROW.to_owned(), layout.lettered.header_row().into());
        }
        flags
    }

    /// As [`ReadingArgs::stored_flags`], for the rejects.
    pub(super) fn stored_flags_of_rejects(&self, layout: &DetectedLayout) -> FlagsByName {
        let mut flags = self.of_rejects().stored_flags(layout);
        if self.header_row == Some(0) {
            // Rejects of a table without headers have more columns than it.
            flags.remove(HEADER_ROW);
        }
        flags
    }
}

/// Opens a file with remembered flags and those of the command line, which win.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableOpener<'a> {
    /// The flags of the command line.
    pub(super) given: &'a FlagsByName,
    pub(super) input: &'a ImportInput,
}

impl TableOpener<'_> {
    /// Opens the file with remembered flags.
    pub(super) fn open(self, flags: &FlagsByName) -> Result<Table, Option<sheet::Error>> {
        let mut merged = flags.clone();
        merged.extend(self.given.clone());
        let options = ReadingArgs::from_flags(merged).and_then(|reading| reading.options().ok());
        table::open(&self.input.document, &options.ok_or(None)?).map_err(Some)
    }

    /// The error of a file that cannot be read with its remembered flags; none without any that the command line does not
    /// give, or if it can be read.
    pub(super) fn unfit(self, flags: &FlagsByName) -> Option<CommandError> {
        let mut rest = flags.clone();
        rest.retain(|name, _| name != HEADER_ROW && !self.given.contains_key(name));
        let mut own = rest.clone();
        own.remove(ID_PREFIX);
        if own.is_empty() {
            return None;
        }
        let error = self.open(flags).err()??;
        let named = column_flags(&own).map(|(name, value)| SuggestedFlag::new(name, &value));
        let named: Vec<SuggestedFlag> = named.collect();
        Some(unfit_flags(error, &quoted_words(&rest), &named))
    }

    /// Fails if a column is named by its letters and the header row is another than the one whose letters they are.
    pub(super) fn require_same_columns(self, flags: &mut FlagsByName) -> Result<(), CommandError> {
        let known = flags.remove(HEADER_ROW);
        let used = column_flags(flags).filter(|(name, _)| !self.given.contains_key(&name[2..]));
        let used: Vec<(&'static str, String)> = used.collect();
        let is_lettered = |value: &str| {
            let (_, column) = value.split_once('=').unwrap_or(("", value));
            column_of(column).is_some()
        };
        let moved = used.iter().filter(|(_, value)| is_lettered(value));
        let moved: Vec<String> = moved
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        if moved.is_empty() {
            return Ok(());
        }
        let Ok(table) = self.open(flags) else {
            // The error is that of the command.
            return Ok(());
        };
        let lettered = &table.layout().lettered;
        let is_same = match &known {
            Some(known) => known.as_str() == Some(lettered.header_row()),
            // Rejects of a table without headers, or what an earlier version remembered.
            None => table.layout().header_row.is_none() || !lettered.has_any(),
        };
        if is_same {
            return Ok(());
        }
        let asked = used
            .iter()
            .map(|(name, value)| match value.split_once('=') {
                _ if !is_lettered(value) => SuggestedFlag::new(name, value),
                Some((field, _)) => SuggestedFlag::new("--map", &format!("{field}={HEADER}")),
                None => SuggestedFlag::new(name, HEADER),
            });
        Err(moved_columns(
            &self.input.document.name(),
            &moved,
            asked.collect(),
        ))
    }
}

/// The flags that choose an address of the file.
pub(super) fn address_flags(flags: &FlagsByName) -> FlagsByName {
    let is_street = |value: &&Value| {
        let (field, _) = value
            .as_str()
            .unwrap_or_default()
            .split_once('=')
            .unwrap_or_default();
        ["line1", "address"].contains(&field.trim())
    };
    let mut chosen = FlagsByName::new();
    if let Some(title) = flags.get("address") {
        chosen.insert("address".to_owned(), title.clone());
    }
    let map = flags.get("map").and_then(Value::as_array);
    let streets: Vec<_> = map
        .into_iter()
        .flatten()
        .filter(is_street)
        .cloned()
        .collect();
    if !streets.is_empty() {
        chosen.insert("map".to_owned(), streets.into());
    }
    chosen
}

/// The flags that name a column or an address, each with its value.
fn column_flags(flags: &FlagsByName) -> impl Iterator<Item = (&'static str, String)> {
    ["--map", "--id-column", "--address"]
        .into_iter()
        .flat_map(|name| {
            let value = flags.get(&name[2..]);
            let values = match value {
                Some(Value::Array(values)) => values.as_slice(),
                value => value.map(std::slice::from_ref).unwrap_or_default(),
            };
            let texts = values.iter().filter_map(Value::as_str);
            texts.map(move |text| (name, text.to_owned()))
        })
}
