//! The flags of every command that reads a file of rows.

use std::path::PathBuf;

use clap::Args;

/// How the file is read, and what is made of its rows.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading flags")]
pub struct Reading {
    /// The sheet, by name or by number from 1
    #[arg(long, value_name = "NAME|N")]
    pub sheet: Option<String>,

    /// The row that holds the headers, as Excel or an editor numbers it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub header_row: Option<u32>,

    /// What separates the columns of a text file: one character, or `tab`
    #[arg(long, value_name = "C")]
    pub delimiter: Option<String>,

    /// The encoding of a text file, for instance windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,

    /// Feed a field from the column of that header; repeat for more
    #[arg(long, value_name = "FIELD=HEADER")]
    pub map: Vec<String>,

    /// The column that holds the ids
    #[arg(long, value_name = "HEADER")]
    pub id_column: Option<String>,

    /// Put in front of every id, so that another file's ids never collide
    #[arg(long, value_name = "TEXT")]
    pub id_prefix: Option<String>,

    /// Make a stable id from address and customer where the file has none
    #[arg(long)]
    pub derive_id: bool,

    /// The country of rows that name none
    #[arg(long, value_name = "CA|US", value_parser = ["CA", "US"])]
    pub default_country: Option<String>,

    /// An https link back into your system; {id} stands for the external id
    #[arg(long, value_name = "TEMPLATE")]
    pub external_url: Option<String>,

    /// What the contractor sees on that link
    #[arg(long, value_name = "TEXT")]
    pub external_label: Option<String>,

    /// Mend nothing: take every value as it stands
    #[arg(long)]
    pub as_is: bool,

    /// Cut notes that are too long, and say so
    #[arg(long)]
    pub truncate_notes: bool,

    /// Leave hidden rows out
    #[arg(long)]
    pub visible_only: bool,
}

/// The file of rows.
#[derive(Clone, Debug, Args)]
pub struct File {
    /// The sheet of homeowners: CSV, TSV, XLSX, XLSM, XLS, XLSB or ODS; `-` reads CSV from standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
