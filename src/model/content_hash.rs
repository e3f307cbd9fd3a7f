//! A digest of a request's content, so that memory holds digests instead of rows.

use std::fmt::{self, Write as _};

use ring::digest::{SHA256, digest};

/// The first 128 bits of the SHA-256 digest of a request's fields, each preceded by its length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// Computes the digest of fields in order. A missing field differs from an empty one.
    pub fn from_fields<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut bytes = Vec::with_capacity(512);
        for field in fields {
            add_length(&mut bytes, field.map_or(0, |text| text.len() + 1));
            bytes.extend_from_slice(field.unwrap_or_default().as_bytes());
        }
        Self::of_bytes(&bytes)
    }

    /// Computes the digest of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut short = [0; 16];
        short.copy_from_slice(&digest(&SHA256, bytes).as_ref()[..16]);
        Self(short)
    }

    /// Returns the bytes that the journal stores.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Makes a digest from bytes that the journal stored.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// Adds a length, seven bits in each byte: a digest takes time for each block of 64 bytes, and most fields are short.
fn add_length(bytes: &mut Vec<u8>, mut length: usize) {
    loop {
        let [low, ..] = length.to_le_bytes();
        length >>= 7;
        if length == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// Bytes as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hexadecimal(&self.0))
    }
}
