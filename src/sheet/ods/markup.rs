//! The XML events of a document.

use std::io::BufRead;

use quick_xml::events::{BytesRef, Event};
use quick_xml::reader::Reader;

use crate::sheet::SheetError;
use crate::sheet::workbook::damaged;

/// A reader of events; an empty element is returned as a start and an end.
pub(super) struct Markup<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
}

impl<R: BufRead> Markup<R> {
    pub(super) fn new(source: R) -> Self {
        let mut reader = Reader::from_reader(source);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        // Reading starts at a sheet, in the middle of the document.
        config.allow_unmatched_ends = true;
        Self {
            reader,
            buffer: Vec::new(),
        }
    }

    pub(super) fn next(&mut self) -> Result<Event<'_>, SheetError> {
        self.buffer.clear();
        self.reader
            .read_event_into(&mut self.buffer)
            .map_err(damaged)
    }

    /// Skips to the end of the element `name` that was entered.
    pub(super) fn skip(&mut self, name: &str) -> Result<(), SheetError> {
        loop {
            match self.next()? {
                Event::End(tag) if tag.local_name().into_inner() == name => return Ok(()),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    /// Bytes up to the end of the last event.
    pub(super) fn position(&self) -> u64 {
        self.reader.buffer_position()
    }
}

/// The character of an entity reference; `None` for an entity that the document would have to define.
pub(super) fn referred(reference: &BytesRef<'_>) -> Option<char> {
    match quick_xml::escape::resolve_predefined_entity(reference) {
        Some(text) => text.chars().next(),
        None => reference.resolve_char_ref().ok()?,
    }
}

/// How often a cell or row is repeated by an attribute, at least once.
pub(super) fn repeats(attribute: Option<String>) -> u32 {
    let parsed = attribute.and_then(|digits| digits.trim().parse().ok());
    parsed.unwrap_or(1).max(1)
}
