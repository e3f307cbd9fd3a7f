//! Rejected rows: how they are written, kept, corrected and imported again.

mod added_rows;
mod copies;
pub(crate) mod corrected;
mod corrected_houses;
mod corrected_streets;
mod formats;
mod kept;
mod other_sheet;
mod skipped_rows;
mod spreadsheets;
pub(crate) mod written;
