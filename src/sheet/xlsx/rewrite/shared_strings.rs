//! The list of strings that cells share, reduced to those that the written rows use.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use quick_xml::events::Event;
use quick_xml::{Reader, Writer};

use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{local, with};

/// The strings that are used, and their new indices in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct UsedStrings(HashMap<u32, u32>);

impl UsedStrings {
    /// The new index of a string.
    pub(super) fn index(&mut self, old: u32) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(old).or_insert(next)
    }

    /// Writes the list with only these strings.
    pub(super) fn write(&self, part: impl BufRead, out: impl Write) -> Result<(), XmlRewriteError> {
        let mut strings = vec![Vec::new(); self.0.len()];
        let mut reader = Reader::from_reader(part);
        let mut out = Writer::new(out);
        let (mut buffer, mut inner) = (Vec::new(), Vec::new());
        let mut next = 0;
        loop {
            buffer.clear();
            let event = reader.read_event_into(&mut buffer)?;
            let kept = match &event {
                Event::Start(tag) | Event::Empty(tag) if local(tag) == "si" => {
                    next += 1;
                    self.0.get(&(next - 1)).copied()
                }
                _ => None,
            };
            match event {
                Event::Start(tag) if local(&tag) == "si" => {
                    let Some(index) = kept else {
                        reader.read_to_end_into(tag.name(), &mut inner)?;
                        continue;
                    };
                    let mut string = Writer::new(Vec::new());
                    string.write_event(Event::Start(tag.borrow()))?;
                    string.get_mut().extend_from_slice(
                        reader.read_text_into(tag.name(), &mut inner)?.as_bytes(),
                    );
                    string.write_event(Event::End(tag.to_end()))?;
                    strings[index as usize] = string.into_inner();
                }
                Event::Empty(tag) if local(&tag) == "si" => {
                    if let Some(index) = kept {
                        let mut string = Writer::new(Vec::new());
                        string.write_event(Event::Empty(tag))?;
                        strings[index as usize] = string.into_inner();
                    }
                }
                Event::Start(tag) if local(&tag) == "sst" => {
                    let tag = with(&tag, &[("count", None), ("uniqueCount", None)]);
                    out.write_event(Event::Start(tag))?;
                }
                Event::End(tag) => {
                    for string in &strings {
                        out.get_mut().write_all(string)?;
                    }
                    out.write_event(Event::End(tag))?;
                    return Ok(());
                }
                Event::Eof => return Err(XmlRewriteError::Unusual),
                other => out.write_event(other)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_used_strings_are_written_in_the_order_of_their_use() {
        let part = r#"<sst count="4" uniqueCount="4"><si><t>a</t></si><si/><si><r><t> b</t></r></si><si><t>c</t></si></sst>"#;
        let mut used = UsedStrings::default();
        assert_eq!([2, 0, 2, 1].map(|old| used.index(old)), [0, 1, 0, 2]);
        let mut out = Vec::new();
        used.write(part.as_bytes(), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "<sst><si><r><t> b</t></r></si><si><t>a</t></si><si/></sst>"
        );
    }
}
