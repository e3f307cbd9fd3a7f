//! Cells as rows with a meaning: headers, columns, layout, rejects.
//!
//! [`open`] finds out by evidence what a file is: its kind by content, its encoding and delimiter, the sheet, the header
//! row, and which column feeds which field. What it found stands in [`DetectedLayout`] and [`Columns`]; [`Table::next_row`]
//! then streams the rows. A thread of its own reads ahead, so that the rows cost no memory beyond a few batches.
//!
//! What a value means is none of this room's business: `import::check` judges values.

mod added;
mod address_blocks;
mod address_choice;
pub mod annotate;
mod columns;
mod decision_column;
mod headers;
mod layout;
mod names;
mod options;
mod reader;
mod reading;
pub mod rejects;
mod sheet_choice;
mod synonyms;
mod unique;

pub use columns::{Column, Columns, NameFrom, NameOrder};
pub use decision_column::DecisionColumn;
pub use names::first_last;
pub use options::{HeaderRow, IdColumn, TableOptions};
pub use reader::{Table, open};
pub use reading::{DelimiterSource, DetectedLayout, SkipReason, SkippedSheet};
