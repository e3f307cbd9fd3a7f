//! The flags of the commands that read a file of rows.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::failure::did_you_mean;
use crate::cli::nearest::nearest;
use crate::cli::{CliError, CommandError, ErrorKind, shell};
use crate::import::{CheckRules, ID_LIMIT, ImportInput, LABEL_LIMIT};
use crate::journal::FlagsByName;
use crate::model::{Country, Field, excerpt};
use crate::sheet::Delimiter;
use crate::table::{Columns, HeaderRow, NameOrder, TableOptions, known_field};

/// How the file is read, and the rules for its rows. The journal stores the fields by the names of their flags.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Reading flags")]
pub(super) struct ReadingArgs {
    /// The sheet, by name or by number from 1
    #[arg(long, value_name = "NAME|N")]
    pub sheet: Option<String>,

    /// Row number of the headers, as Excel or an editor shows it; 0 if there are none
    #[arg(long, value_name = "N")]
    pub header_row: Option<u32>,

    /// Column separator of a text file: one character, or `tab`
    #[arg(long, value_name = "C", value_parser = delimiter_text)]
    pub delimiter: Option<String>,

    /// Encoding of a text file, for instance windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,

    /// The columns that the user named, as `FIELD=HEADER`.
    #[arg(long, value_name = "FIELD=HEADER", value_parser = mapping_text, help = MAP_HELP, long_help = map_long_help())]
    pub map: Vec<String>,

    /// Address to use if the sheet has several: its title, or the letters of one of its columns
    #[arg(long, value_name = "TITLE")]
    pub address: Option<String>,

    /// The column that holds the ids
    #[arg(long, value_name = "HEADER")]
    pub id_column: Option<String>,

    /// Prefix for every id, so that ids of different files cannot collide
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| limited::<ID_LIMIT>(text))]
    pub id_prefix: Option<String>,

    /// Make a stable id from address and customer where the file has none
    #[arg(long)]
    pub derive_id: bool,

    /// Names are written `Patel, Chloé` (detected in a column with at least three of them)
    #[arg(long)]
    pub last_name_first: bool,

    /// Country of rows without one
    #[arg(long, value_name = "CA|US")]
    pub default_country: Option<Country>,

    /// Link to the row in your own system (https); {id} is replaced by the external id
    #[arg(long, value_name = "TEMPLATE", value_parser = https_link)]
    pub external_url: Option<String>,

    /// Text of that link
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| limited::<LABEL_LIMIT>(text))]
    pub external_label: Option<String>,

    /// Use cell values unchanged
    #[arg(long)]
    pub as_is: bool,

    /// Cut notes that are too long, with a warning
    #[arg(long)]
    pub truncate_notes: bool,

    /// Skip hidden rows
    #[arg(long)]
    pub visible_only: bool,

    /// Ignore the flags remembered for this file or its headers
    #[arg(long = "forget-reading")]
    #[serde(skip)]
    pub forget: bool,
}

impl ValueEnum for Country {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Canada, Self::UnitedStates]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.code()))
    }
}

/// The file of rows.
#[derive(Clone, Debug, Args)]
pub(super) struct FileArgs {
    /// CSV, TSV, XLSX, XLSM, XLS, XLSB or ODS; `-` is CSV from standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl ReadingArgs {
    /// The input with exactly these flags; standard input is read to its end here. Commands call
    /// [`ReadingArgs::with_remembered_reading`], which adds the flags that the journal remembers.
    ///
    /// # Errors
    /// `ExitStatus::Usage` for two columns of one address; `ExitStatus::Input` for standard input that cannot be copied
    /// to a temporary file.
    pub(super) fn input(&self, file: &Path) -> Result<ImportInput, CommandError> {
        Ok(ImportInput::new(file, self.options()?, self.rules())?)
    }

    /// The flags that are set, by name, as the journal stores them.
    pub(super) fn flags(&self) -> FlagsByName {
        let Ok(Value::Object(flags)) = serde_json::to_value(self) else {
            return FlagsByName::new();
        };
        let is_set = |value: &Value| match value {
            Value::Null | Value::Bool(false) => false,
            Value::Array(values) => !values.is_empty(),
            _ => true,
        };
        flags
            .into_iter()
            .filter(|(_, value)| is_set(value))
            .collect()
    }

    /// The arguments for flags by name; `None` if this version does not have them. An empty text unsets a flag.
    pub(super) fn from_flags(flags: FlagsByName) -> Option<Self> {
        let is_empty = |value: &Value| value.as_str().is_some_and(str::is_empty);
        let flags = flags.into_iter().filter(|(_, value)| !is_empty(value));
        serde_json::from_value(Value::Object(flags.collect())).ok()
    }

    /// These flags as words of a command line.
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.flags())
    }

    /// A command of this program for a file, with these flags.
    pub(super) fn command(&self, name: &str, file: &Path) -> String {
        let mut path = file.display().to_string();
        // Otherwise it would be read as a flag.
        if path.starts_with('-') && path != "-" {
            path.insert_str(0, "./");
        }
        let mut words = vec![name.to_owned(), path];
        words.extend(self.words());
        shell::command(words)
    }

    /// These flags and those for what cannot be detected in a file with fewer or other rows, such as rejects.
    pub(super) fn with_detected(&self, columns: &Columns) -> Self {
        let mut detected = self.clone();
        detected.last_name_first = columns.name_order == NameOrder::LastFirst && !self.as_is;
        detected
    }

    /// The flags for the rejects of the file, which have one sheet with the headers in the first row.
    pub(super) fn for_rejects(&self) -> Self {
        Self {
            sheet: None,
            header_row: self.header_row.filter(|row| *row == 0),
            // A row that is hidden there was rejected, and would be forgotten.
            visible_only: false,
            ..self.clone()
        }
    }

    pub(super) fn options(&self) -> Result<TableOptions, CommandError> {
        let mut map = Vec::new();
        for text in &self.map {
            map.push(mapped(text).map_err(invalid)?);
        }
        require_one_address(&map)?;
        map.extend(self.id_column.clone().map(|header| (Field::Id, header)));
        Ok(TableOptions {
            sheet: self.sheet.clone(),
            header_row: match self.header_row {
                None => HeaderRow::Found,
                Some(0) => HeaderRow::Absent,
                Some(row) => HeaderRow::At(row),
            },
            delimiter: match &self.delimiter {
                Some(text) => Some(delimiter(text).map_err(invalid)?),
                None => None,
            },
            encoding: self.encoding.clone(),
            map,
            address: self.address.clone(),
            name_order: self.last_name_first.then_some(NameOrder::LastFirst),
            visible_only: self.visible_only,
            derives_ids: self.derive_id,
        })
    }

    pub(super) fn rules(&self) -> CheckRules {
        CheckRules {
            id_prefix: self.id_prefix.clone().filter(|prefix| !prefix.is_empty()),
            derive_ids: self.derive_id,
            default_country: self.default_country,
            external_url: self.external_url.clone(),
            external_label: self.external_label.clone(),
            as_is: self.as_is,
            truncate_notes: self.truncate_notes,
            rows_with_zeros: Vec::new(),
        }
    }
}

/// Flags by name as words of a command line.
pub(super) fn words(flags: &FlagsByName) -> Vec<String> {
    let mut words = Vec::new();
    for (name, value) in flags {
        let values = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            match value {
                Value::Bool(_) => words.push(format!("--{name}")),
                Value::String(text) if !text.is_empty() && !text.starts_with('-') => {
                    words.extend([format!("--{name}"), text.clone()]);
                }
                Value::String(text) => words.push(format!("--{name}={text}")),
                value => words.extend([format!("--{name}"), value.to_string()]),
            }
        }
    }
    words
}

/// A value that the flag accepted when it was given, and that this version does not.
fn invalid(reason: String) -> CommandError {
    CommandError::new(ErrorKind::Usage, reason)
}

const MAP_HELP: &str = "Use the column with this header for a field; repeatable";

fn map_long_help() -> String {
    format!("{MAP_HELP}\n\nThe fields are {}.", field_names())
}

fn field_names() -> String {
    Field::ALL.map(Field::name).join(", ")
}

fn mapping_text(text: &str) -> Result<String, String> {
    mapped(text).map(|_| text.to_owned())
}

pub(super) fn mapped(text: &str) -> Result<(Field, String), String> {
    let Some((field, header)) = text.split_once('=') else {
        return Err(format!(
            "`{text}` has no `=`; write --map FIELD=HEADER, where FIELD is one of {}",
            field_names()
        ));
    };
    let field = field.trim();
    if let Some(field) = Field::from_name(field) {
        return Ok((field, header.to_owned()));
    }
    let near = known_field(field).map(Field::name);
    let near = did_you_mean(near.or_else(|| nearest(field, Field::ALL.map(Field::name))));
    Err(format!(
        "there is no field `{field}`; {near}the fields are {}",
        field_names()
    ))
}

/// Fails for a column of whole addresses together with columns for its parts.
fn require_one_address(map: &[(Field, String)]) -> Result<(), CliError> {
    let parts = [
        Field::Line1,
        Field::HouseNumber,
        Field::City,
        Field::Region,
        Field::PostalCode,
    ];
    let has = |field| map.iter().any(|(other, _)| *other == field);
    match parts.into_iter().find(|part| has(*part)) {
        Some(part) if has(Field::Address) => Err(CliError::AddressAndPart(part)),
        _ => Ok(()),
    }
}

fn delimiter_text(text: &str) -> Result<String, String> {
    delimiter(text).map(|_| text.to_owned())
}

fn delimiter(text: &str) -> Result<Delimiter, String> {
    Delimiter::parse(text).ok_or_else(|| {
        format!(
            "`{text}` is not one ASCII character; write for instance --delimiter ';' or --delimiter tab"
        )
    })
}

fn https_link(text: &str) -> Result<String, String> {
    let is_https = text.to_ascii_lowercase().starts_with("https://");
    let reason = match text.replace("{id}", "") {
        _ if !is_https => "is not an https link",
        rest if rest.contains(['{', '}']) => "has braces that are not those of {id}",
        _ => return Ok(text.to_owned()),
    };
    Err(format!(
        "`{text}` {reason}; for instance --external-url https://crm.example.com/leads/{{id}}"
    ))
}

fn limited<const LIMIT: usize>(text: &str) -> Result<String, String> {
    match text.chars().count() {
        length if length <= LIMIT => Ok(text.to_owned()),
        length => Err(format!(
            "`{}` has {length} characters; the limit is {LIMIT}",
            excerpt(text)
        )),
    }
}
