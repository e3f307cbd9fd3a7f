//! The digest of a sealed workbook in the comment of its ZIP archive, which shows whether the file was changed.
//!
//! The digest covers every byte before the length of the comment. A restored journal accepts only an unchanged file as
//! the sealed one.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use crate::model::hexadecimal;

const PREFIX: &str = "gutterbatch sha256 ";

/// An archive without a comment ends with the length of the comment, which is 0.
const LENGTH: usize = 2;

/// Writes an archive and appends the comment to it.
pub(super) struct CommentWriter<W> {
    out: W,
    hash: Sha256,
    /// The last bytes, which may be the length of the comment.
    last_bytes: Vec<u8>,
}

impl<W: Write> CommentWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            hash: Sha256::new(),
            last_bytes: Vec::new(),
        }
    }

    /// Writes the comment in place of the empty one.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.last_bytes != [0; LENGTH] {
            return Err(io::Error::other("the archive has an unexpected end"));
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
        self.last_bytes.extend_from_slice(bytes);
        let written = self.last_bytes.len().saturating_sub(LENGTH);
        self.out.write_all(&self.last_bytes[..written])?;
        self.hash.update(&self.last_bytes[..written]);
        self.last_bytes.drain(..written);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether the bytes are those of an unchanged sealed workbook.
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
    PREFIX.to_owned() + &hexadecimal(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_or_a_lost_comment_shows() {
        let mut bytes = Vec::new();
        let mut writer = CommentWriter::new(&mut bytes);
        for part in [&b"an archive"[..], b"", b" of parts\0", b"\0"] {
            writer.write_all(part).unwrap();
        }
        writer.finish().unwrap();
        assert!(has_sealed_comment(&bytes));
        let mut changed = bytes.clone();
        changed[3] ^= 1;
        assert!(!has_sealed_comment(&changed));
        assert!(!has_sealed_comment(b"an archive of parts\0\0"));
        assert!(!has_sealed_comment(b""));
    }
}
