//! XML tags: reading their attributes, and copying them with some attributes changed.

use std::borrow::Cow;

use quick_xml::events::BytesStart;
use quick_xml::events::attributes::Attribute;
use quick_xml::name::QName;

/// The name without its prefix.
pub(super) fn local<'t>(tag: &'t BytesStart<'_>) -> &'t str {
    tag.local_name().into_inner()
}

/// The prefix with its colon; empty for the usual.
pub(super) fn prefix(tag: &BytesStart<'_>) -> String {
    let name = tag.name().into_inner();
    let end = name.find(':').map_or(0, |colon| colon + 1);
    name[..end].to_owned()
}

/// An attribute's number; none where it is not there, or no number.
pub(super) fn number(tag: &BytesStart<'_>, name: &str) -> Option<u32> {
    let attribute = tag.try_get_attribute(name).ok().flatten()?;
    attribute.value.parse().ok()
}

/// The tag with other values of some attributes; an attribute without one is left out.
pub(super) fn with<'t>(tag: &BytesStart<'t>, changed: &[(&str, Option<&str>)]) -> BytesStart<'t> {
    let name = tag.name().into_inner().to_owned();
    let mut written = BytesStart::new(name);
    let change = |name: &str| changed.iter().find(|(changed, _)| *changed == name);
    let mut attributes = tag.attributes();
    for attribute in attributes.with_checks(false).flatten() {
        match change(attribute.key.into_inner()) {
            None => push(&mut written, attribute),
            Some((name, Some(value))) => push(
                &mut written,
                Attribute {
                    key: QName(name),
                    value: Cow::Borrowed(value),
                },
            ),
            Some((_, None)) => {}
        }
    }
    written
}

/// An attribute may hold the other kind of quotes as they are.
fn push(tag: &mut BytesStart<'_>, attribute: Attribute<'_>) {
    let value = attribute.value.replace('"', "&quot;");
    tag.push_attribute(Attribute {
        key: attribute.key,
        value: Cow::Owned(value),
    });
}
