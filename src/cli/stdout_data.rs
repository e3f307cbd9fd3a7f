//! Data on standard output. A file or a pipe gets every byte; a terminal gets no control characters, because the texts of
//! files and of the service could control it. A reader that closes its end, as `head` does, is not an error.

use std::io::{self, ErrorKind, IsTerminal, LineWriter, Stdout, Write};

use crate::model::printable_lines;

/// Maximum length of a line that a terminal gets in one piece, so that no character is cut.
const LINE: usize = 64 * 1024;

/// Standard output, buffered by lines.
pub(super) fn stdout_data() -> LineWriter<StdoutData> {
    LineWriter::with_capacity(LINE, StdoutData(io::stdout()))
}

/// Writes to standard output.
pub(super) struct StdoutData(Stdout);

impl Write for StdoutData {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.0.is_terminal() {
            let lines = printable_lines(&String::from_utf8_lossy(bytes));
            self.0.write_all(lines.as_bytes())
        } else {
            self.0.write_all(bytes)
        };
        unless_closed(written).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush())
    }
}

fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
