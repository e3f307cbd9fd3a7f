//! The log of requests: a line of JSON for each in the file of `--log`, and a line of text with `-v`.
//!
//! A line has no header, no body and no secret.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::api::{CallEnd, CallObserver};
use crate::cli::console::Console;
use crate::cli::failure::io_reason;
use crate::cli::{CommandError, clock};
use crate::dispatch::{CompletedRequest, milliseconds};
use crate::model::printable;

/// Where requests are logged. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct RequestLog {
    console: Console,
    file: Option<Arc<Mutex<LogFile>>>,
}

#[derive(Debug)]
struct LogFile {
    file: File,
    path: String,
    has_failed: bool,
}

/// Maximum length of the line by which a log is recognized, in bytes.
const LONGEST_LINE: u64 = 64 * 1024;

impl RequestLog {
    /// Opens the file, which only its owner can read if it is created here; lines are appended.
    ///
    /// # Errors
    /// `ExitStatus::Files` if it cannot be written, or if it exists and is not a log of this program.
    pub(super) fn open(path: Option<&Path>, console: &Console) -> Result<Self, CommandError> {
        let file = match path {
            None => None,
            Some(path) => {
                let file = append_to(path).map_err(|error| {
                    CommandError::file("append to", path, error)
                        .hinted("give another path with --log, or leave it out")
                })?;
                Some(Arc::new(Mutex::new(LogFile {
                    file,
                    path: path.display().to_string(),
                    has_failed: false,
                })))
            }
        };
        Ok(Self {
            console: console.clone(),
            file,
        })
    }

    /// Logs a request.
    pub(super) fn record(&self, request: &CompletedRequest) {
        if self.console.is_verbose() {
            self.console.verbose(&text(request));
        }
        let Some(file) = &self.file else {
            return;
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write(request)
            && !std::mem::replace(&mut file.has_failed, true)
        {
            // The requests matter more than their log.
            let reason = io_reason(&error);
            let path = &file.path;
            self.console
                .warn(&format!("lines are missing in the log {path}: {reason}"));
        }
    }

    /// Logs the OAuth calls.
    pub(super) fn observer(&self) -> CallObserver {
        let log = self.clone();
        CallObserver::new(move |path| -> CallEnd {
            let (log, time, started) = (log.clone(), clock::now(), clock::instant());
            Box::new(move |outcome| {
                log.record(&CompletedRequest {
                    time,
                    duration_ms: milliseconds(clock::instant().duration_since(started)),
                    method: "POST",
                    path: path.to_owned(),
                    status: outcome.as_ref().ok().copied(),
                    error: outcome.err(),
                    row: None,
                    external_id: None,
                    attempt: 1,
                });
            })
        })
    }
}

impl LogFile {
    fn write(&mut self, request: &CompletedRequest) -> io::Result<()> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        // One call a line, so that lines of several processes do not mix.
        self.file.write_all(&line)
    }
}

/// A key of every line. Other programs write lines of JSON too, but hardly with it.
const KEY: &str = "duration_ms";

/// Opens a log for appending. A file that another program wrote is refused, and so is what is not a regular file.
fn append_to(path: &Path) -> io::Result<File> {
    if path == Path::new("-") {
        return Err(ErrorKind::InvalidInput.into());
    }
    // Opening a pipe would wait for its reader.
    let old = match path.metadata() {
        Ok(found) if found.is_file() && found.len() > 0 => {
            let mut line = String::new();
            BufReader::new(File::open(path)?.take(LONGEST_LINE)).read_line(&mut line)?;
            line
        }
        Ok(found) if !found.is_file() && !found.is_dir() => {
            return Err(ErrorKind::InvalidInput.into());
        }
        _ => String::new(),
    };
    let is_log = |line: &Value| !line[KEY].is_null();
    if !old.is_empty() && !serde_json::from_str(&old).is_ok_and(|line| is_log(&line)) {
        return Err(io::Error::other("it is not a log of this program"));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// `POST /measurements 201 in 84 ms, row 12, L-12`.
fn text(request: &CompletedRequest) -> String {
    let status = request.status.map(|status| status.to_string());
    let error = request.error.as_deref().map(printable);
    let result = status.or_else(|| error.clone()).unwrap_or_default();
    let mut parts = vec![format!(
        "{} {} {result} in {} ms",
        request.method, request.path, request.duration_ms
    )];
    parts.extend(request.row.map(|row| format!("row {row}")));
    parts.extend(request.external_id.clone());
    if request.attempt > 1 {
        parts.push(format!("attempt {}", request.attempt));
    }
    parts.extend(error.filter(|_| request.status.is_some()));
    parts.join(", ")
}
