//! The memory needed by parts that a library loads completely, estimated before it opens them.
//!
//! The size in bytes is not enough: five bytes of `<si/>` become a string of twenty-four. So strings and elements are
//! counted, and their memory is estimated generously.

use std::io::{BufReader, Read};

use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::sheet::SheetError;
use crate::sheet::xml::{attribute, local};

/// More than any workbook may hold: counting on would only cost time.
const TOO_MUCH: u64 = 512 << 20;

/// What a part will take in memory, in bytes; never less than it takes, up to what is too much anyway.
pub(super) fn estimated_bytes(part: LoadedPart, mut content: impl Read) -> u64 {
    let mut count = 0_u64;
    let mut size = 0_u64;
    let mut buffer = vec![0; 64 << 10];
    let mut kept = 0;
    // Malformed XML is reported by the reader of the values.
    while let Ok(read @ 1..) = content.read(&mut buffer[kept..]) {
        let seen = &buffer[..kept + read];
        size += read as u64;
        count += part.elements(seen);
        if count.saturating_mul(part.element_bytes()) > TOO_MUCH {
            break;
        }
        // The beginning of an element may be at the end of the chunk.
        kept = (part.needle().len() - 1).min(seen.len());
        let from = seen.len() - kept;
        buffer.copy_within(from..from + kept, 0);
    }
    count
        .saturating_mul(part.element_bytes())
        .saturating_add(size / 2)
}

/// Refuses a list of strings that claims more of them than its bytes can hold: calamine allocates what it claims.
pub(super) fn refuse_claim(strings: impl Read, size: u64) -> Result<(), SheetError> {
    let mut reader = Reader::from_reader(BufReader::new(strings));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        // Malformed XML is reported by the reader of the values.
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag) | Event::Empty(tag)) if local(&tag) == "sst" => {
                let claimed = attribute(&tag, "uniqueCount");
                return match claimed.and_then(|count| count.parse::<u64>().ok()) {
                    Some(claimed) if claimed > size => Err(SheetError::Damaged(format!(
                        "it claims {claimed} shared texts and has fewer"
                    ))),
                    _ => Ok(()),
                };
            }
            Ok(Event::Eof) | Err(_) => return Ok(()),
            Ok(_) => {}
        }
    }
}

/// A part of a workbook that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadedPart {
    /// The texts that cells share.
    Strings,
    /// Fonts, fills, formats.
    Styles,
    /// Lists of sheets and of parts.
    List,
}

impl LoadedPart {
    /// The part of a lower-case name; `None` for what is streamed or never read.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let file = name.rsplit('/').next().unwrap_or(name);
        match file {
            "sharedstrings.xml" | "sharedstrings.bin" => Some(Self::Strings),
            "styles.xml" | "styles.bin" => Some(Self::Styles),
            "workbook.xml"
            | "workbook.bin"
            | "workbook.xml.rels"
            | "workbook.bin.rels"
            | "[content_types].xml" => Some(Self::List),
            _ => None,
        }
    }

    fn needle(self) -> &'static [u8] {
        match self {
            Self::Strings => b"<si",
            Self::Styles | Self::List => b"<",
        }
    }

    fn elements(self, seen: &[u8]) -> u64 {
        memchr::memmem::find_iter(seen, self.needle()).count() as u64
    }

    /// A string is stored with its slot in a list that may just have doubled; a style element with all its attributes.
    fn element_bytes(self) -> u64 {
        match self {
            Self::Strings => 60,
            Self::Styles => 250,
            Self::List => 150,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tiny_strings_weigh_more_than_their_bytes() {
        let strings = "<si/>".repeat(100_000);
        assert_eq!(
            estimated_bytes(LoadedPart::Strings, strings.as_bytes()),
            100_000 * 60 + 250_000
        );
    }

    #[test]
    fn parts_that_are_never_opened_weigh_nothing() {
        for name in [
            "xl/pivotcache/records1.xml",
            "xl/media/image1.png",
            "xl/worksheets/sheet1.xml",
        ] {
            assert_eq!(LoadedPart::from_name(name), None, "{name}");
        }
        assert_eq!(
            LoadedPart::from_name("xl/sharedstrings.xml"),
            Some(LoadedPart::Strings)
        );
    }
}
