//! Data on standard output. A file or a pipe gets every byte; a terminal gets no control characters, because the texts of
//! files and of the service could control it. A reader that closes its end, as `head` does, is not an error.

use std::io::{self, ErrorKind, IsTerminal, Stdout, Write};

use crate::model::printable_lines;

/// Writes to standard output.
pub(super) struct StdoutData {
    stdout: Stdout,
    is_terminal: bool,
    /// The beginning of a line for a terminal, until the line is whole or flushed.
    line: Vec<u8>,
}

impl StdoutData {
    pub(super) fn new() -> Self {
        let stdout = io::stdout();
        Self {
            is_terminal: stdout.is_terminal(),
            stdout,
            line: Vec::new(),
        }
    }

    fn write_printable(&mut self, rest: Vec<u8>) -> io::Result<()> {
        let lines = std::mem::replace(&mut self.line, rest);
        let lines = printable_lines(&String::from_utf8_lossy(&lines));
        self.stdout.write_all(lines.as_bytes())
    }
}

impl Write for StdoutData {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.is_terminal {
            self.line.extend_from_slice(bytes);
            let end = self.line.iter().rposition(|byte| *byte == b'\n');
            end.map_or(Ok(()), |end| {
                let rest = self.line.split_off(end + 1);
                self.write_printable(rest)
            })
        } else {
            self.stdout.write_all(bytes)
        };
        unless_closed(written).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.write_printable(Vec::new());
        unless_closed(written.and_then(|()| self.stdout.flush()))
    }
}

fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
