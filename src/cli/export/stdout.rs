//! Standard output as the target of an export.

use std::io::{BufWriter, ErrorKind, Stdout, Write};

/// Returns standard output, buffered.
pub(super) fn buffered() -> impl Write + Send {
    BufWriter::new(StdoutPipe(std::io::stdout()))
}

/// Standard output, where a reader that closes its end, as `head` does, is not an error.
struct StdoutPipe(Stdout);

impl Write for StdoutPipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
