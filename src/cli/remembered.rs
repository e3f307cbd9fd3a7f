//! Adds the reading flags of the last import of a file, or of a file with the same headers, to those on the command line.
//!
//! Some flags are added only for a file with the same path: another file with the same headers may have another encoding
//! and the ids of another system, and which of its rows are hidden is a state of that file.

use std::collections::HashMap;
use std::path::Path;

use jiff::tz::TimeZone;

use crate::cli::context::Context;
use crate::cli::reading::{ReadingArgs, words};
use crate::cli::reading_change::{is_of_headers, set_changes};
use crate::cli::remembered_columns::TableOpener;
use crate::cli::remembered_sheets::{imported_sheets, new_sheets};
use crate::cli::{CommandError, shell};
use crate::import::ImportInput;
use crate::journal::{FlagsByName, RememberedFlags, stored_flags};
use crate::model::{ContentHash, excerpt};
use crate::sheet::{Charset, SheetError};
use crate::table;

const ENCODING: &str = "encoding";
pub(super) const ID_PREFIX: &str = "id-prefix";
const VISIBLE_ONLY: &str = "visible-only";
const LAST_NAME_FIRST: &str = "last-name-first";

/// The flags that belong to a file and not to its headers.
const OF_FILE: [&str; 4] = [ENCODING, ID_PREFIX, VISIBLE_ONLY, LAST_NAME_FIRST];

/// Flags that do not influence whether a table can be opened.
const ABOUT_VALUES: [&str; 9] = [
    ID_PREFIX,
    "derive-id",
    LAST_NAME_FIRST,
    "default-country",
    "external-url",
    "external-label",
    "as-is",
    "truncate-notes",
    VISIBLE_ONLY,
];

/// The flags of an earlier import.
struct RecalledFlags {
    flags: FlagsByName,
    /// Which import they are from, as text.
    origin: String,
    /// The last import of the file itself, or else of one with the same headers; `None` if there was none.
    earlier: Option<RememberedFlags>,
    /// The sheets that the workbook had in its last import; `None` if that is not known.
    sheets: Option<Vec<String>>,
}

impl ReadingArgs {
    /// The input of a file, with the flags of its earlier import added to those on the command line; prints which flags are
    /// added. Standard input is read to its end here.
    ///
    /// # Errors
    /// As [`ReadingArgs::input`]; [`SheetError::SeveralSheets`] if several sheets of the workbook were imported and none is
    /// requested.
    pub(super) fn with_remembered_reading(
        &mut self,
        file: &Path,
        context: &Context,
    ) -> Result<ImportInput, CommandError> {
        let mut input = self.input(file)?;
        if self.forget {
            return Ok(input);
        }
        let given = given(self, context);
        let opener = TableOpener {
            given: &given,
            input: &input,
        };
        let Some(recalled) = recall(self, opener, context)? else {
            return Ok(input);
        };
        let earlier = recalled.earlier.clone();
        self.apply(recalled, &given, &mut input, context)?;
        if let Some(earlier) = earlier {
            set_changes(self, &earlier, given, &mut input);
        }
        Ok(input)
    }

    /// Adds the flags of an earlier import, unless this version lacks one of them.
    fn apply(
        &mut self,
        recalled: RecalledFlags,
        given: &FlagsByName,
        input: &mut ImportInput,
        context: &Context,
    ) -> Result<(), CommandError> {
        let mut merged = self.flags();
        let applied: FlagsByName = recalled
            .flags
            .into_iter()
            .filter(|(name, value)| !given.contains_key(name) && merged.get(name) != Some(value))
            .collect();
        merged.extend(applied.clone());
        let Some(mut completed) = Self::from_flags(merged).filter(|_| !applied.is_empty()) else {
            return Ok(());
        };
        if let Some(known) = recalled.sheets.filter(|_| applied.contains_key("sheet")) {
            completed.new_sheets = new_sheets(&completed, &known, input);
        }
        input.options = completed.options()?;
        input.rules = completed.rules();
        *self = completed;
        context.console.info(&format!(
            "reading it as before: {} ({})",
            quoted_words(&applied),
            recalled.origin
        ));
        for sheet in &self.new_sheets {
            let path = input.document.stored_path();
            let command = ["import", &path.to_string_lossy(), "--sheet", sheet];
            context.console.warn(&format!(
                "the sheet `{}` is new since the last import of this file and is not read: {}",
                excerpt(sheet),
                shell::command(command)
            ));
        }
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

/// The flags as words, quoted for the shell.
pub(super) fn quoted_words(flags: &FlagsByName) -> String {
    let words = words(flags);
    let words: Vec<_> = words.iter().map(|word| shell::quoted(word)).collect();
    words.join(" ")
}

fn recall(
    reading: &ReadingArgs,
    opener: TableOpener<'_>,
    context: &Context,
) -> Result<Option<RecalledFlags>, CommandError> {
    let document = &opener.input.document;
    let (journal, file) = (context.journal_path(), document.stored_path());
    let known = stored_flags(&journal, &file, table::rejects::has_both_columns);
    let Ok(mut known) = known else {
        // The command reports a journal that cannot be read.
        return Ok(None);
    };
    known.file_flags.iter_mut().for_each(name_sheet);
    let sheets = imported_sheets(reading, &known.file_flags, opener.input);
    if !sheets.is_empty() {
        let cause = SheetError::SeveralSheets { sheets };
        return Err(cause.in_file(&document.name()).into());
    }
    let imported = known.file_flags.iter();
    let imported: Vec<String> = imported.filter_map(|one| one.sheet.clone()).collect();
    let mut of_file = opener.of_sheet(known.file_flags);
    if let Some(of_file) = &mut of_file {
        if of_file.flags.contains_key(ENCODING) && opener.is_unicode(&of_file.flags) {
            of_file.flags.remove(ENCODING);
        }
        if opener.matches_layout(&of_file.flags) {
            opener.require_same_columns(&mut of_file.flags)?;
            let earlier = Some(of_file.clone());
            let others = of_file.other_sheets.clone();
            return Ok(Some(RecalledFlags {
                origin: origin_of(of_file),
                earlier,
                flags: of_file.flags.clone(),
                sheets: others.map(|others| [others, imported].concat()),
            }));
        }
    }
    let of_layout = opener.of_layout(known.header_flags);
    let own_flags = of_file.as_ref().map(|of_file| of_file.flags.clone());
    let own_flags = own_flags.unwrap_or_default();
    if of_layout.is_none()
        && let Some(unfit) = opener.unfit(&own_flags)
    {
        return Err(unfit);
    }
    let earlier = of_file.or_else(|| of_layout.clone());
    let recalled = recall_of_layout(of_layout, &own_flags, opener, context)?;
    Ok(Some(RecalledFlags {
        earlier,
        ..recalled
    }))
}

/// The flags of another file with the same headers, and of those of the file itself the prefix.
fn recall_of_layout(
    of_layout: Option<RememberedFlags>,
    of_file: &FlagsByName,
    opener: TableOpener<'_>,
    context: &Context,
) -> Result<RecalledFlags, CommandError> {
    let (mut flags, origin) = match of_layout {
        Some(of_layout) => {
            let origin = origin_of(&of_layout);
            (of_layout.flags, origin)
        }
        None => (FlagsByName::new(), "as in its last import".to_owned()),
    };
    let others = OF_FILE.iter().filter_map(|name| flags.remove_entry(*name));
    let mut others: FlagsByName = others
        .filter(|(name, _)| !opener.given.contains_key(name))
        .collect();
    opener.require_same_columns(&mut flags)?;
    if let Some(prefix) = of_file.get(ID_PREFIX) {
        others.remove(ID_PREFIX);
        flags.insert(ID_PREFIX.to_owned(), prefix.clone());
    }
    if others.contains_key(LAST_NAME_FIRST) && opener.has_last_names_first(&flags) {
        others.remove(LAST_NAME_FIRST);
    }
    if !others.is_empty() {
        context.console.hint(&format!(
            "a file with the same headers was imported with {}; this one is read without it ({origin})",
            quoted_words(&others)
        ));
    }
    Ok(RecalledFlags {
        flags,
        origin,
        earlier: None,
        sheets: None,
    })
}

/// Names the sheet that was read in the place of its number: a sheet that was inserted since has taken the number.
fn name_sheet(reading: &mut RememberedFlags) {
    if let (Some(flag), Some(name)) = (reading.flags.get_mut("sheet"), &reading.sheet) {
        *flag = name.clone().into();
    }
}

/// The flags that influence how the table is opened; `--derive-id` is one, because it makes the id column optional.
fn opening_flags(flags: &FlagsByName) -> FlagsByName {
    let flags = flags.iter();
    flags
        .filter(|(name, _)| !OF_FILE.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

impl TableOpener<'_> {
    /// Whether the file itself shows that it is UTF-8 or UTF-16: it may have been saved again since it was imported.
    fn is_unicode(self, flags: &FlagsByName) -> bool {
        let mut flags = flags.clone();
        flags.remove(ENCODING);
        let table = self.open(&flags).ok();
        let charset = table.and_then(|table| table.layout().charset);
        charset.is_some_and(|charset| charset != Charset::Fallback)
    }

    fn has_last_names_first(self, flags: &FlagsByName) -> bool {
        let table = self.open(flags);
        table.is_ok_and(|table| table.columns().name_order == table::NameOrder::LastFirst)
    }

    /// The newest reading of the sheet that is now read: the flags of another sheet of the workbook say nothing about it.
    fn of_sheet(self, readings: Vec<RememberedFlags>) -> Option<RememberedFlags> {
        readings.into_iter().find(|reading| {
            let (Some(asked), Some(sheet)) = (self.given.get("sheet"), &reading.sheet) else {
                return true;
            };
            let table = || self.open(&reading.flags);
            asked.as_str() == Some(sheet)
                || table().is_ok_and(|table| table.source().sheet == reading.sheet)
        })
    }

    /// The newest remembered reading whose headers the file has if it is read with its flags.
    fn of_layout(self, layouts: Vec<RememberedFlags>) -> Option<RememberedFlags> {
        let mut opened: HashMap<String, Option<ContentHash>> = HashMap::new();
        layouts.into_iter().find_map(|mut remembered| {
            if remembered.flags.is_empty() {
                return None;
            }
            // The workbook of another month may have another name for its sheet.
            for without in [None, Some("sheet")] {
                if without.is_some_and(|flag| remembered.flags.remove(flag).is_none()) {
                    continue;
                }
                let flags = opening_flags(&remembered.flags);
                let key = serde_json::Value::Object(flags.clone()).to_string();
                let found = opened
                    .entry(key)
                    .or_insert_with(|| self.header_digest(&flags));
                if found.is_some() && *found == remembered.headers {
                    return Some(remembered);
                }
            }
            None
        })
    }

    fn matches_layout(self, flags: &FlagsByName) -> bool {
        let is_about_values = |name: &String| ABOUT_VALUES.contains(&name.as_str());
        flags.keys().all(is_about_values) || self.header_digest(flags).is_some()
    }

    /// The digest of the headers of the file, read with these flags; `None` if it cannot be read.
    fn header_digest(self, flags: &FlagsByName) -> Option<ContentHash> {
        Some(self.open(flags).ok()?.columns().header_digest())
    }
}

/// Which import flags are from, as text.
pub(super) fn origin_of(remembered: &RememberedFlags) -> String {
    if !is_of_headers(remembered) {
        return format!("as in its import of {}", day(remembered));
    }
    match remembered.path.file_name() {
        Some(name) if name != "-" => format!(
            "as {}, which has the same headers, on {}",
            name.to_string_lossy(),
            day(remembered)
        ),
        _ => format!("as a file with the same headers on {}", day(remembered)),
    }
}

fn day(remembered: &RememberedFlags) -> String {
    let zone = TimeZone::system();
    let at = remembered.imported_at.to_zoned(zone);
    at.date().to_string()
}
