//! The terminal of the progress display, narrower than it is.
//!
//! indicatif fills each line with spaces up to the width of the terminal, which then starts a new line by itself. Behind a
//! full line the echo of Ctrl-C also starts a new one, and a terminal that becomes narrower wraps the line; both would leave
//! old lines on the screen. So the spaces are left out here, and lines are ended explicitly.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::sync::Mutex;

use indicatif::TermLike;
use rustix::termios::tcgetwinsize;

/// The columns that stay free for the echo of Ctrl-C.
const ECHO: u16 = 2;

/// The terminal of standard error.
#[derive(Debug)]
pub(super) struct NarrowTerminal {
    /// What is written since the last flush, so that a frame is drawn at once.
    frame: Mutex<TerminalFrame>,
    stderr: File,
}

#[derive(Debug, Default)]
struct TerminalFrame {
    bytes: Vec<u8>,
    /// Whether the next text belongs to a new line.
    is_line_ended: bool,
}

impl NarrowTerminal {
    /// The terminal of standard error.
    ///
    /// # Errors
    /// If standard error cannot be duplicated.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            frame: Mutex::default(),
            stderr: File::from(io::stderr().as_fd().try_clone_to_owned()?),
        })
    }

    fn size(&self) -> (u16, u16) {
        let size = tcgetwinsize(&self.stderr);
        size.map_or((80, 24), |size| (size.ws_col.max(1), size.ws_row.max(1)))
    }

    fn add(&self, text: &str) -> io::Result<()> {
        let mut frame = self.frame.lock().map_err(|_| io::ErrorKind::Other)?;
        frame.bytes.extend_from_slice(text.as_bytes());
        frame.is_line_ended = false;
        Ok(())
    }

    /// Erases the rest of the line instead of filling it.
    fn end_line(&self) -> io::Result<()> {
        self.add("\u{1b}[K")?;
        let mut frame = self.frame.lock().map_err(|_| io::ErrorKind::Other)?;
        frame.is_line_ended = true;
        Ok(())
    }

    fn is_line_ended(&self) -> bool {
        self.frame.lock().is_ok_and(|frame| frame.is_line_ended)
    }

    fn move_cursor(&self, columns_or_lines: usize, direction: char) -> io::Result<()> {
        match columns_or_lines {
            0 => Ok(()),
            count => self.add(&format!("\u{1b}[{count}{direction}")),
        }
    }
}

impl TermLike for NarrowTerminal {
    fn width(&self) -> u16 {
        self.size().0.saturating_sub(ECHO).max(1)
    }

    fn height(&self) -> u16 {
        self.size().1
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.add(text)?;
        self.add("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text.chars().all(|c| c == ' ') {
            return self.end_line();
        }
        if self.is_line_ended() && text != "\r" {
            self.add("\r\n")?;
        }
        self.add(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add("\r\u{1b}[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let mut frame = self.frame.lock().map_err(|_| io::ErrorKind::Other)?;
        let bytes = std::mem::take(&mut frame.bytes);
        (&self.stderr).write_all(&bytes)
    }
}
