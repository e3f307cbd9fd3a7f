//! The SHA-256 digest of a file, to detect changes.

use std::io::{self, Read};
use std::path::Path;

use ring::digest::{Context, SHA256};

use crate::model::hexadecimal;
use crate::sheet::open_regular;

/// Returns the SHA-256 digest of a file's bytes, hexadecimal.
///
/// # Errors
/// As [`open_regular`], and where the file cannot be read.
pub fn file_sha256(path: &Path) -> io::Result<String> {
    sha256(open_regular(path)?)
}

/// Returns the SHA-256 digest of the bytes that a reader still has, hexadecimal.
///
/// # Errors
/// Those of the reader.
pub fn sha256(mut bytes: impl Read) -> io::Result<String> {
    let mut digest = Context::new(&SHA256);
    let mut buffer = vec![0; 64 << 10];
    loop {
        match bytes.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(digest.finish().as_ref())),
            Ok(length) => digest.update(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
