//! Adds the reading flags of the last import of a file, or of a file with the same headers, to those on the command line.
//!
//! A file that was imported with flags and cannot be read with them any more stops the command: its rows could be other
//! houses without them, or have other ids. Some flags are added only for a file with the same path: another file with the
//! same headers may have another encoding and the ids of another system, and which of its rows are hidden is a state of
//! that file.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::failure::SuggestedFlag;
use crate::cli::reading::ReadingArgs;
use crate::cli::reading_change::{ID_PREFIX, origin_of, quoted_words, set_changes};
use crate::cli::{CliError, CommandError};
use crate::import::ImportInput;
use crate::journal::{FlagsByName, RememberedFlags, StoredFlags, stored_flags};
use crate::sheet::{Charset, InputFile};
use crate::table::{self, DetectedLayout, HeaderDigest, Table, TableError};

const SHEET: &str = "sheet";
const ENCODING: &str = "encoding";
const MAP: &str = "map";
const VISIBLE_ONLY: &str = "visible-only";

/// The flags that belong to a file and not to its headers.
const OF_FILE: [&str; 5] = [SHEET, ENCODING, ID_PREFIX, VISIBLE_ONLY, "last-name-first"];

/// The flags that choose ids and addresses.
const OF_ROWS: [&str; 4] = [ID_PREFIX, "id-column", "derive-id", "address"];

/// The flags with which the headers are found, and those that name columns.
const OF_HEADERS: [&str; 6] = [
    SHEET,
    "header-row",
    "delimiter",
    "map",
    "address",
    "id-column",
];

impl ReadingArgs {
    /// The input of a file, with the flags of its earlier import added to those on the command line; prints which flags
    /// are added. Standard input is read to its end here.
    ///
    /// # Errors
    /// As [`ReadingArgs::input`]; `ExitStatus::Input` if the remembered flags do not fit any more, or if the file has
    /// another sheet that could be meant instead of the remembered one.
    pub(super) fn with_remembered_reading(
        &mut self,
        file: &Path,
        context: &Context,
    ) -> Result<ImportInput, CommandError> {
        let mut input = self.input(file)?;
        let given = given(self, context);
        input.is_prefix_given = given.contains_key(ID_PREFIX);
        if self.forget {
            input.forgets_columns = true;
            return Ok(input);
        }
        let (journal, path) = (context.journal_path(), input.file.stored_path());
        let place = input.file.place().to_owned();
        let sample = LazyCell::new(move || table::rejects::sample(&place));
        let rows = || sample.as_ref().map(|sample| sample.rows.clone());
        let stored = stored_flags(&journal, &path, rows);
        let Ok(mut stored) = stored else {
            // The command reports a journal that cannot be read.
            return Ok(input);
        };
        let rows_with_zeros = std::mem::take(&mut stored.rows_with_zeros);
        let opener = TableOpener {
            given: &given,
            input_file: &input.file,
        };
        let flags = self.flags();
        let are_chosen = OF_ROWS.iter().any(|name| flags.contains_key(*name))
            || self.map.iter().any(|one| one.starts_with("id="));
        let has_rejects = || {
            let sample = sample.as_ref();
            sample.is_some_and(|sample| sample.has_both_columns)
        };
        input.has_unknown_rejects = !are_chosen
            && (stored.has_unclear_rejects || stored.file_flags.is_empty() && has_rejects());
        let left_hidden_rows_out = opener.left_hidden_rows_out(&stored.header_flags);
        let earlier = opener.recall(stored)?;
        let is_of_sheet = earlier
            .as_ref()
            .is_some_and(|earlier| !earlier.is_of_headers);
        input.may_leave_hidden_rows_out =
            left_hidden_rows_out && !is_of_sheet && !self.visible_only;
        if let Some(earlier) = earlier {
            input.is_prefix_given |= is_of_sheet && earlier.flags.contains_key(ID_PREFIX);
            self.apply(&earlier, &given, &mut input, context)?;
            set_changes(self, &earlier, &given, &mut input);
        }
        input.rules.rows_with_zeros = rows_with_zeros;
        Ok(input)
    }

    /// These flags as the journal stores them: another sheet may have the number of this one later.
    pub(super) fn stored_flags(&self, layout: &DetectedLayout) -> FlagsByName {
        let sheet = self.sheet.as_ref().and(layout.sheet.clone());
        let named = Self {
            sheet,
            ..self.clone()
        };
        named.flags()
    }

    /// Adds the flags of an earlier import, unless this version lacks one of them.
    fn apply(
        &mut self,
        earlier: &RememberedFlags,
        given: &FlagsByName,
        input: &mut ImportInput,
        context: &Context,
    ) -> Result<(), CommandError> {
        let mut merged = self.flags();
        let mut applied = earlier.flags.clone();
        applied.retain(|name, value| {
            !given.contains_key(name) && merged.get(name).is_none_or(|own| own != value)
        });
        if let Some(maps) = other_maps(&earlier.flags, given) {
            applied.insert(MAP.to_owned(), maps);
        }
        merged = merge(&merged, &applied);
        let Some(completed) = Self::from_flags(merged).filter(|_| !applied.is_empty()) else {
            return Ok(());
        };
        input.options = completed.options()?;
        input.rules = completed.rules();
        *self = completed;
        context.console.info(&format!(
            "reading it as before: {} ({})",
            quoted_words(&applied),
            origin_of(earlier)
        ));
        Ok(())
    }
}

/// The flags of the command line, without those of the profile, which the flags of an earlier import override.
fn given(reading: &ReadingArgs, context: &Context) -> FlagsByName {
    let flags = reading.flags().into_iter();
    flags
        .filter(|(name, _)| !context.is_from_profile(name))
        .collect()
}

/// These flags and others, which win. A `--map` replaces those of its field only.
fn merge(flags: &FlagsByName, others: &FlagsByName) -> FlagsByName {
    let mut merged = flags.clone();
    merged.extend(others.clone());
    if let Some(Value::Array(mut maps)) = other_maps(flags, others) {
        if let Some(Value::Array(own)) = others.get(MAP) {
            maps.extend(own.iter().cloned());
        }
        merged.insert(MAP.to_owned(), maps.into());
    }
    merged
}

/// The earlier `--map` flags of other fields than the given ones; `None` if there are none, or none are given.
fn other_maps(earlier: &FlagsByName, given: &FlagsByName) -> Option<Value> {
    let (Value::Array(maps), Value::Array(own)) = (earlier.get(MAP)?, given.get(MAP)?) else {
        return None;
    };
    let field = |map: &Value| Some(map.as_str()?.split_once('=')?.0.trim().to_owned());
    let fields: Vec<_> = own.iter().map(field).collect();
    let others = maps.iter().filter(|map| !fields.contains(&field(map)));
    let others: Vec<Value> = others.cloned().collect();
    (!others.is_empty()).then_some(others.into())
}

/// Opens a file with remembered flags and those of the command line, which win.
#[derive(Clone, Copy, Debug)]
struct TableOpener<'a> {
    /// The flags of the command line.
    given: &'a FlagsByName,
    input_file: &'a InputFile,
}

impl TableOpener<'_> {
    fn open(self, flags: &FlagsByName) -> Result<Table, table::Error> {
        let merged = merge(flags, self.given);
        let options = ReadingArgs::from_flags(merged).and_then(|reading| reading.options().ok());
        table::open(self.input_file, &options.unwrap_or_default())
    }

    /// The flags of the last import of the file, or else of one with the same headers.
    fn recall(self, stored: StoredFlags) -> Result<Option<RememberedFlags>, CommandError> {
        match self.of_file(stored.file_flags)? {
            Some(of_file) => self.fitting(of_file).map(Some),
            None => Ok(self.for_headers(stored.header_flags)),
        }
    }

    /// The reading of the sheet that is now read: the flags of another sheet of the workbook say nothing about it.
    /// Fails if several sheets could be meant: each may have new rows.
    fn of_file(
        self,
        mut readings: Vec<RememberedFlags>,
    ) -> Result<Option<RememberedFlags>, CommandError> {
        if let Some(asked) = self.given.get(SHEET) {
            return Ok(readings.into_iter().find(|reading| {
                let table = || self.open(&reading.flags);
                // Rejects have one sheet.
                reading.sheet.is_none()
                    || asked.as_str() == reading.sheet.as_deref()
                    || table().is_ok_and(|table| table.source().sheet == reading.sheet)
            }));
        }
        let newest = readings.first().cloned();
        if readings.len() > 1 {
            let sheets = table::sheet_names(self.input_file).unwrap_or_default();
            let is_there = |name: &String| sheets.contains(name);
            readings.retain(|reading| reading.sheet.as_ref().is_some_and(is_there));
            if readings.len() > 1 {
                let mut flags = newest.map(|reading| reading.flags).unwrap_or_default();
                flags.remove(SHEET);
                let known = readings.into_iter().filter_map(|reading| reading.sheet);
                let mut sheets: Vec<String> = known.collect();
                // A new sheet may be meant as well.
                if let Err(error) = self.open(&flags)
                    && let TableError::SeveralSheets(fitting) = error.cause
                {
                    sheets.extend(fitting);
                }
                sheets.sort_unstable();
                sheets.dedup();
                let cause = TableError::SeveralSheets(sheets);
                let file = self.input_file.name();
                return Err(table::Error { file, cause }.into());
            }
        }
        let reading = readings.pop().or(newest);
        let Some(of_sheet) = reading.as_ref().filter(|reading| reading.sheet.is_some()) else {
            return Ok(reading);
        };
        let mut flags = of_sheet.flags.clone();
        let prefix = flags.get(ID_PREFIX).and_then(Value::as_str);
        let prefix = prefix.filter(|_| !self.given.contains_key(ID_PREFIX));
        let prefix = prefix.map(|prefix| SuggestedFlag::new("--id-prefix", prefix));
        if (flags.remove(SHEET).is_some() || prefix.is_some())
            && let Err(error) = self.open(&flags)
            && let TableError::SeveralSheets(sheets) = &error.cause
        {
            // A new sheet has no flags of its own yet.
            let flags = sheets.iter().map(|sheet| {
                let is_new = of_sheet.sheet.as_ref() != Some(sheet);
                let sheet = SuggestedFlag::new("--sheet", sheet);
                [sheet].into_iter().chain(prefix.clone().filter(|_| is_new))
            });
            let flags = flags.map(Iterator::collect).collect();
            return Err(CommandError::from(error).with_flags(flags));
        }
        Ok(reading)
    }

    /// The flags of the file itself. Fails if it cannot be read with them any more, or if they name columns by letters
    /// that are those of other columns now.
    fn fitting(self, mut of_file: RememberedFlags) -> Result<RememberedFlags, CommandError> {
        if of_file.flags.contains_key(ENCODING) && self.is_unicode(&of_file.flags) {
            of_file.flags.remove(ENCODING);
        }
        let mut rest = of_file.flags.clone();
        rest.retain(|name, _| !self.given.contains_key(name));
        if !rest.keys().any(|name| OF_HEADERS.contains(&name.as_str())) {
            return Ok(of_file);
        }
        let cause = match self.open(&of_file.flags) {
            Ok(table) => {
                let (now, stored) = (table.layout().header_digest, of_file.headers);
                let is_other =
                    |(now, stored): (HeaderDigest, _)| now.has_letters() && !now.is_same(stored);
                if !now.zip(stored).is_some_and(is_other) {
                    return Ok(of_file);
                }
                CommandError::from(CliError::HeadersChanged(self.input_file.name()))
            }
            // Flags are not wrong because a sheet was added.
            Err(error) if matches!(error.cause, TableError::SeveralSheets(_)) => {
                return Err(error.into());
            }
            Err(error) => error.into(),
        };
        // The flags that the error itself suggests would replace remembered ones of the same name.
        let failure = CommandError::new(cause.kind(), cause.message());
        let flags = quoted_words(&rest);
        let chose_address = ["address", "map"]
            .iter()
            .any(|name| rest.contains_key(*name));
        let hint = if chose_address && of_file.flags.contains_key("derive-id") {
            format!(
                "`{flags}` is remembered from the last import of this file: with derived ids (made from address and customer), another address would request other houses of the same customers; export the file with the earlier columns; if their names have changed, give the flags again with the new ones; if other houses are really meant, add --forget-reading"
            )
        } else {
            // Without the flag, hidden rows would be requested.
            let without = if rest.contains_key(VISIBLE_ONLY) {
                ""
            } else {
                ", or add --forget-reading to read it without them"
            };
            format!(
                "`{flags}` is remembered from the last import of this file; give these flags again as they apply now{without}\n{}",
                cause.hint().unwrap_or_default()
            )
        };
        Err(failure.hinted(hint.trim_end()))
    }

    /// Whether the file itself shows that it is UTF-8 or UTF-16: it may have been saved again since it was imported.
    fn is_unicode(self, flags: &FlagsByName) -> bool {
        let mut flags = flags.clone();
        flags.remove(ENCODING);
        let table = self.open(&flags).ok();
        let charset = table.and_then(|table| table.layout().charset);
        charset.is_some_and(|charset| charset != Charset::Fallback)
    }

    /// Whether the last import of a file with the same headers left its hidden rows out.
    fn left_hidden_rows_out(self, layouts: &[RememberedFlags]) -> bool {
        let mut leaving = layouts
            .iter()
            .filter(|layout| layout.flags.contains_key(VISIBLE_ONLY));
        leaving.any(|layout| {
            let mut flags = layout.flags.clone();
            flags.retain(|name, _| !OF_FILE.contains(&name.as_str()));
            let table = self.open(&flags).ok();
            let found = table.and_then(|table| table.layout().header_digest);
            found
                .zip(layout.headers)
                .is_some_and(|(found, stored)| found.is_same(stored))
        })
    }

    /// The newest remembered reading whose headers the file has if it is read with its flags.
    fn for_headers(self, layouts: Vec<RememberedFlags>) -> Option<RememberedFlags> {
        let mut opened: HashMap<String, Option<HeaderDigest>> = HashMap::new();
        layouts.into_iter().find_map(|mut layout| {
            let flags = &mut layout.flags;
            flags.retain(|name, _| !OF_FILE.contains(&name.as_str()));
            if flags.is_empty() {
                return None;
            }
            let found = opened.entry(quoted_words(flags)).or_insert_with(|| {
                let table = self.open(flags).ok()?;
                table.layout().header_digest
            });
            let (found, stored) = found.zip(layout.headers)?;
            found.is_same(stored).then_some(layout)
        })
    }
}
