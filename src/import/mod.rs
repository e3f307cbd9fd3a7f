//! Rows become submitted requests: check, plan, submit.

mod checked;

pub use checked::{Checked, CheckedRow, Ids, LongNotes, MappedColumn, Rules, Standing, Tidying};
