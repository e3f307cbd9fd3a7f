//! Rows in flight: a batch keeps the text of many rows in one string, so that a row costs no allocation.

use crate::model::RowNumber;
use crate::sheet::cell_range::CellRange;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Text as typed; every cell of a text file that is not empty.
    Text,
    /// Nothing.
    Empty,
    /// A number, shown as its format shows it.
    Number,
    /// A number whose format shows leading zeros or literals; the text is what a person sees.
    Formatted,
    /// A number whose format shows another one, such as a rounded one or a fraction, or text that is not read.
    DisplayDiffers,
    /// A date or a time, as ISO 8601.
    Date,
    /// TRUE or FALSE.
    Boolean,
    /// An error such as `#N/A`.
    Error,
    /// A formula whose value was never saved.
    Uncalculated,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// What it holds.
    pub kind: CellKind,
    /// As text.
    pub text: &'a str,
}

impl Cell<'_> {
    /// A cell that is not there.
    pub const EMPTY: Self = Self {
        kind: CellKind::Empty,
        text: "",
    };

    /// Whether it is empty or white space.
    pub fn is_blank(self) -> bool {
        match self.kind {
            CellKind::Uncalculated => false,
            _ => self.text.chars().all(char::is_whitespace),
        }
    }
}

/// The texts of checkboxes of Google Sheets, also in French.
const CHECKBOXES: [&str; 4] = ["TRUE", "FALSE", "VRAI", "FAUX"];

#[derive(Clone, Copy, Debug)]
struct Span {
    end: u32,
    kind: CellKind,
}

#[derive(Clone, Copy, Debug)]
struct RowSpan {
    number: RowNumber,
    visibility: RowVisibility,
    text_from: u32,
    spans_from: u32,
    spans_to: u32,
}

/// Rows read together, which may be checked by another thread than the one that takes them from the table.
#[derive(Debug, Default)]
pub struct RowBatch {
    text: String,
    spans: Vec<Span>,
    lines: Vec<RowSpan>,
    /// Bytes of the file read so far, the file's own bytes.
    pub(crate) bytes: u64,
    /// Empty lines of a text file outside its rows.
    pub(crate) blank_lines: u64,
    /// What is known of the whole sheet, in the last batch.
    pub(crate) summary: SheetSummary,
}

/// What is known of a sheet after its last row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SheetSummary {
    pub(crate) merges: Vec<CellRange>,
    /// Formulas whose saved value was read.
    pub(crate) formulas: u64,
    /// Hidden rows that were not read.
    pub(crate) left_out: u64,
}

/// Text in one batch; large enough that handing batches over costs nothing.
const FULL_TEXT: usize = 128 << 10;
/// Cells in one batch.
const FULL_CELLS: usize = 32 << 10;

impl RowBatch {
    /// Its rows that are not unused.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let all = (0..self.lines.len()).map(|index| self.row(index));
        all.filter(|row| !row.is_unused())
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
        self.lines.clear();
        self.bytes = 0;
        self.blank_lines = 0;
        self.summary = SheetSummary::default();
    }

    pub(crate) fn is_full(&self) -> bool {
        self.text.len() >= FULL_TEXT || self.spans.len() >= FULL_CELLS
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Begins a row; its cells follow.
    pub(crate) fn begin(&mut self, number: RowNumber, visibility: RowVisibility) {
        let spans = position(self.spans.len());
        self.lines.push(RowSpan {
            number,
            visibility,
            text_from: position(self.text.len()),
            spans_from: spans,
            spans_to: spans,
        });
    }

    /// Adds the next cell of the row that was started last.
    pub(crate) fn cell(&mut self, kind: CellKind, text: &str) {
        self.text.push_str(text);
        self.spans.push(Span {
            end: position(self.text.len()),
            kind,
        });
        self.end_line();
    }

    /// Adds all cells of a text row at once; `ends` are the ends of the fields within `text`.
    pub(crate) fn text_cells(&mut self, text: &str, ends: impl Iterator<Item = usize>) {
        let from = self.text.len();
        self.text.push_str(text);
        let mut start = 0;
        for end in ends {
            let kind = if end == start {
                CellKind::Empty
            } else {
                CellKind::Text
            };
            self.spans.push(Span {
                end: position(from + end),
                kind,
            });
            start = end;
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        let end = position(self.spans.len());
        if let Some(line) = self.lines.last_mut() {
            line.spans_to = end;
        }
    }

    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        let line = &self.lines[index];
        Row {
            number: line.number,
            visibility: line.visibility,
            from: line.text_from,
            text: &self.text,
            spans: &self.spans[line.spans_from as usize..line.spans_to as usize],
        }
    }
}

/// Whether a row is hidden or crossed out in its sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowVisibility {
    /// The sheet hides it.
    Hidden,
    /// It is shown, and the text of one of its cells is struck through.
    CrossedOut,
    /// Neither.
    #[default]
    Visible,
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("a batch is full long before 4 GiB")
}

/// One row of the file, valid until the next is read.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// As Excel or an editor shows it.
    pub number: RowNumber,
    /// Whether the sheet hides or crosses it out.
    pub visibility: RowVisibility,
    from: u32,
    text: &'a str,
    spans: &'a [Span],
}

impl<'a> Row<'a> {
    /// How many cells it has, empty ones included.
    pub fn width(&self) -> usize {
        self.spans.len()
    }

    /// The cell of a zero-based column; empty past the end.
    pub fn cell(&self, column: usize) -> Cell<'a> {
        let Some(span) = self.spans.get(column) else {
            return Cell::EMPTY;
        };
        let start = match column {
            0 => self.from,
            _ => self.spans[column - 1].end,
        };
        Cell {
            kind: span.kind,
            text: &self.text[start as usize..span.end as usize],
        }
    }

    /// Every cell in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'a>> + '_ {
        (0..self.spans.len()).map(|column| self.cell(column))
    }

    /// Whether all of its cells are blank.
    pub fn is_blank(&self) -> bool {
        self.spans.iter().all(|span| span.kind == CellKind::Empty)
            || self.cells().all(Cell::is_blank)
    }

    /// Whether it is blank, or has nothing but checkboxes, which are put into rows below the data for later ones.
    pub fn is_unused(&self) -> bool {
        let is_unused = |cell: Cell<'_>| cell.is_blank() || CHECKBOXES.contains(&cell.text);
        self.is_blank() || self.cells().all(is_unused)
    }
}
