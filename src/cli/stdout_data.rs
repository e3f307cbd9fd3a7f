//! Data on standard output. A file or a pipe gets every byte; a terminal gets no control characters, because the texts of
//! files and of the service could control it.

use std::io::{self, IsTerminal, Write};

use crate::model::printable_lines;

/// Writes to standard output.
pub(super) struct StdoutData<W> {
    out: W,
    is_terminal: bool,
    /// The beginning of a line for a terminal, until the line is whole or flushed.
    line: Vec<u8>,
}

impl<W: Write> StdoutData<W> {
    /// Writes to `out`, which writes to standard output.
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            is_terminal: io::stdout().is_terminal(),
            line: Vec::new(),
        }
    }

    fn write_printable(&mut self, rest: Vec<u8>) -> io::Result<()> {
        let lines = std::mem::replace(&mut self.line, rest);
        let lines = printable_lines(&String::from_utf8_lossy(&lines));
        self.out.write_all(lines.as_bytes())
    }
}

impl<W: Write> Write for StdoutData<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            self.write_printable(rest)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_printable(Vec::new())?;
        self.out.flush()
    }
}
