//! The digest of a sealed workbook in its archive's comment: a file that was edited or saved again has it no more.
//!
//! The digest covers every byte before the comment's length. A restored journal gives out as sealed only a file whose
//! digest is right.

use std::fmt::Write as _;
use std::io::{self, Write};

use sha2::{Digest, Sha256};

const PREFIX: &str = "gutterbatch sha256 ";

/// The bytes of an archive without a comment end with the comment's length, which is 0.
const LENGTH: usize = 2;

/// Passes an archive on and appends the comment to it.
pub(super) struct CommentWriter<W> {
    out: W,
    hash: Sha256,
    /// What may be the comment's length.
    held: Vec<u8>,
}

impl<W: Write> CommentWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            hash: Sha256::new(),
            held: Vec::new(),
        }
    }

    /// Writes the comment in place of the empty one.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.held != [0; LENGTH] {
            return Err(io::Error::other("the archive does not end as archives do"));
        }
        let comment = comment(self.hash.finalize().as_slice());
        let length = u16::try_from(comment.len()).expect("the comment is short");
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(comment.as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Write for CommentWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let passed = self.held.len().saturating_sub(LENGTH);
        self.out.write_all(&self.held[..passed])?;
        self.hash.update(&self.held[..passed]);
        self.held.drain(..passed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether the bytes are those of a sealed workbook as it was written.
pub(in crate::export) fn has_sealed_comment(bytes: &[u8]) -> bool {
    let length = PREFIX.len() + 64;
    let Some(covered) = bytes.len().checked_sub(length + LENGTH) else {
        return false;
    };
    let (covered, rest) = bytes.split_at(covered);
    let comment = comment(Sha256::digest(covered).as_slice());
    rest[LENGTH..] == *comment.as_bytes()
}

fn comment(digest: &[u8]) -> String {
    digest.iter().fold(PREFIX.to_owned(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_or_a_lost_comment_shows() {
        let mut bytes = Vec::new();
        let mut stamping = CommentWriter::new(&mut bytes);
        for part in [&b"an archive"[..], b"", b" of parts\0", b"\0"] {
            stamping.write_all(part).unwrap();
        }
        stamping.finish().unwrap();
        assert!(has_sealed_comment(&bytes));
        let mut changed = bytes.clone();
        changed[3] ^= 1;
        assert!(!has_sealed_comment(&changed));
        assert!(!has_sealed_comment(b"an archive of parts\0\0"));
        assert!(!has_sealed_comment(b""));
    }
}
