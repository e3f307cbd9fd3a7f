//! Rows become submitted requests: check, plan, submit.

mod check;
mod checked;
mod input;

pub use check::{CheckProgress, Counts, LABEL_LIMIT, Requests, check};
pub use checked::{Checked, CheckedRow, Ids, LongNotes, MappedColumn, Rules, Standing, Tidying};
pub use input::Input;
