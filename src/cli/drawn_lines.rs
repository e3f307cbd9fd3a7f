//! Draws the progress lines without padding, so that they can be cleared after the terminal window became narrower:
//! indicatif would pad each line to the width of the window, and a narrower one wraps the padding.

use std::io::{self, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::TermLike;

/// The lines that are on the terminal.
#[derive(Debug, Default)]
pub(super) struct DrawnLines(Mutex<DrawnState>);

#[derive(Debug, Default)]
struct DrawnState {
    /// The widths of the lines, in columns.
    widths: Vec<usize>,
    /// What is not written yet.
    output: String,
}

impl DrawnLines {
    fn state(&self) -> MutexGuard<'_, DrawnState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TermLike for DrawnLines {
    fn width(&self) -> u16 {
        u16::try_from(textwrap::termwidth()).unwrap_or(u16::MAX)
    }

    /// Clears all lines at once, in the rows that they take now; the calls for each row that follow find none.
    fn clear_line(&self) -> io::Result<()> {
        let mut state = self.state();
        let width = textwrap::termwidth().max(1);
        let widths = std::mem::take(&mut state.widths).into_iter();
        let rows: usize = widths.map(|line| line.div_ceil(width).max(1)).sum();
        if rows > 0 {
            // Each row by itself: terminals keep a screen that is cleared from its first row on in their history.
            state.output += "\r\u{1b}[K";
            state.output += &"\u{1b}[A\u{1b}[K".repeat(rows - 1);
        }
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        // Blanks are the padding.
        if !text.trim().is_empty() {
            let mut state = self.state();
            let before = if state.widths.is_empty() { "" } else { "\n" };
            state.widths.push(textwrap::core::display_width(text));
            state.output += before;
            state.output += text;
        }
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn flush(&self) -> io::Result<()> {
        let output = std::mem::take(&mut self.state().output);
        io::stderr().write_all(output.as_bytes())
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cleared_one_by_one() {
        let lines = DrawnLines::default();
        lines.write_line("waiting").unwrap();
        lines.write_line("Ctrl-C is safe").unwrap();
        lines.state().output.clear();
        lines.clear_line().unwrap();
        assert_eq!(lines.state().output, "\r\u{1b}[K\u{1b}[A\u{1b}[K");
    }
}
