//! XML tags: reading their attributes, and copying them with some attributes changed.
//!
//! Namespace prefixes are ignored, since a document may choose its own.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::reader::Reader;

/// The name without its prefix.
pub(in crate::sheet) fn local<'t>(tag: &'t BytesStart<'_>) -> &'t str {
    tag.local_name().into_inner()
}

/// The prefix with its colon; empty where there is none.
pub(in crate::sheet) fn prefix(tag: &BytesStart<'_>) -> String {
    let name = tag.name().into_inner();
    let end = name.find(':').map_or(0, |colon| colon + 1);
    name[..end].to_owned()
}

/// The value of an attribute, by its name without a prefix.
pub(in crate::sheet) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find_map(|(key, value)| (key == name).then_some(value))
}

/// Every attribute: its name without a prefix, and its value.
pub(in crate::sheet) fn attributes<'a>(
    tag: &'a BytesStart<'a>,
) -> impl Iterator<Item = (&'a str, String)> + 'a {
    let mut all = tag.attributes();
    all.with_checks(false);
    all.filter_map(|attribute| {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some((attribute.key.local_name().into_inner(), value.into_owned()))
    })
}

/// The number in an attribute; `None` if it is missing or not a number.
pub(in crate::sheet) fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(tag, name)?.parse().ok()
}

/// Every tag of a name in a document, up to the first place that is not XML.
pub(in crate::sheet) fn tags(document: &str, name: &str) -> Vec<BytesStart<'static>> {
    let mut reader = Reader::from_str(document);
    reader.config_mut().check_end_names = false;
    let mut tags = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if local(&tag) == name => {
                tags.push(tag.into_owned());
            }
            Ok(Event::Eof) | Err(_) => return tags,
            Ok(_) => {}
        }
    }
}

/// A change of an attribute, by its name as the tag writes it; none removes it.
pub(in crate::sheet) type AttributeChange<'a> = (&'a str, Option<&'a str>);

/// The tag with some attributes changed, removed or added.
pub(in crate::sheet) fn with(
    tag: &BytesStart<'_>,
    changes: &[AttributeChange<'_>],
) -> BytesStart<'static> {
    let mut written = BytesStart::new(tag.name().into_inner().to_owned());
    let mut added: Vec<AttributeChange<'_>> = changes.to_vec();
    for attribute in tag.attributes().with_checks(false).flatten() {
        let key = attribute.key.into_inner();
        match added.iter().position(|(name, _)| *name == key) {
            None => push(&mut written, key, &attribute.value),
            Some(index) => {
                if let (name, Some(value)) = added.remove(index) {
                    push(&mut written, name, value);
                }
            }
        }
    }
    for (name, value) in added {
        if let Some(value) = value {
            push(&mut written, name, value);
        }
    }
    written
}

/// Adds an attribute, whose escaped value may contain the other kind of quotes.
fn push(tag: &mut BytesStart<'_>, name: &str, value: &str) {
    tag.push_attribute(Attribute {
        key: QName(name),
        value: Cow::Owned(value.replace('"', "&quot;")),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_their_whole_name_and_unescaped() {
        let document = r#"<x:c r="A1" spans='1:2' x:s="3" n="a &amp; b"/><other/>"#;
        let found = tags(document, "c");
        assert_eq!(found.len(), 1);
        let tag = &found[0];
        assert_eq!((local(tag), prefix(tag).as_str()), ("c", "x:"));
        assert_eq!(attribute(tag, "r").as_deref(), Some("A1"));
        assert_eq!(number(tag, "s"), Some(3));
        assert_eq!(attribute(tag, "n").as_deref(), Some("a & b"));
        assert_eq!(attribute(tag, "t"), None);
    }

    #[test]
    fn a_changed_tag_keeps_its_other_attributes() {
        let tag = &tags(r#"<c r="A1" t='"' s="3"/>"#, "c")[0];
        let changed = with(tag, &[("r", Some("B1")), ("s", None), ("new", Some("1"))]);
        assert_eq!(changed.attributes_raw(), r#" r="B1" t="&quot;" new="1""#);
    }
}
