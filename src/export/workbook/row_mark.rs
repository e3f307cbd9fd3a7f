//! The mark of a row: one highlighted cell, with a note that explains it.

use crate::export::marks::Note;

/// The mark of a row.
#[derive(Clone, Debug)]
pub(super) struct RowMark {
    /// The index of the highlighted column, starting at 0.
    pub(super) column: u16,
    /// The text of the note.
    pub(super) note: String,
}

impl RowMark {
    /// Combines all notes of a row into one mark; `None` for a row without notes.
    pub(super) fn new(notes: &[Note], column: usize) -> Option<Self> {
        let texts: Vec<&str> = notes.iter().map(|(_, text)| text.as_str()).collect();
        (!texts.is_empty()).then(|| Self {
            column: u16::try_from(column).expect("tables have few columns"),
            note: texts.join("\n"),
        })
    }
}
