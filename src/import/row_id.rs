//! The ids of rows, of which there may be millions, without an allocation for each.

use std::ops::Deref;

/// Maximum number of bytes that are stored in place.
const IN_PLACE: usize = 22;

/// The text of a row's external id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowId(Storage);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Storage {
    /// The length and the bytes.
    Short(u8, [u8; IN_PLACE]),
    Long(Box<str>),
}

impl From<&str> for RowId {
    fn from(text: &str) -> Self {
        let mut bytes = [0; IN_PLACE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Self(Storage::Short(length, bytes))
            }
            _ => Self(Storage::Long(text.into())),
        }
    }
}

impl Deref for RowId {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Storage::Short(length, bytes) => {
                str::from_utf8(&bytes[..usize::from(*length)]).expect("it was a text")
            }
            Storage::Long(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_any_length_keep_their_text_and_short_ones_need_no_allocation() {
        for length in [0, 1, 22, 23, 128] {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            assert_eq!(&*RowId::from(text.as_str()), text);
        }
        assert_eq!(size_of::<RowId>(), 24);
        assert_eq!(size_of::<crate::import::CheckedRow>(), 48);
    }
}
