//! How a row is marked: a cell that stands out, and a note beside it that says why.

use crate::export::marks::Note;

/// The mark of a row: the column that shows it, and the note beside it.
#[derive(Clone, Debug)]
pub(super) struct RowMark {
    pub(super) column: u16,
    pub(super) note: String,
}

impl RowMark {
    /// One mark for all notes of a row; none for a row without.
    pub(super) fn of(notes: &[Note], column: u16) -> Option<Self> {
        let texts: Vec<&str> = notes.iter().map(|(_, text)| text.as_str()).collect();
        (!texts.is_empty()).then(|| Self {
            column,
            note: texts.join("\n"),
        })
    }
}
