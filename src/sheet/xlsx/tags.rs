//! Reads names and attributes of XML tags in place, without a parser.

/// The name of a tag without its prefix.
pub(super) fn local_name(tag: &[u8]) -> &[u8] {
    let end = tag
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b'/')
        .unwrap_or(tag.len());
    let name = &tag[..end];
    match name.iter().position(|byte| *byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

/// The value of a tag's attribute, without unescaping it.
pub(super) fn attribute<'a>(tag: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = tag;
    // Every cell's tag comes by here, and tags are short: building a searcher would cost more than looking.
    while let Some(space) = rest.iter().position(u8::is_ascii_whitespace) {
        rest = &rest[space + 1..];
        let value = rest.strip_prefix(name.as_bytes());
        if let Some([b'=', quote @ (b'"' | b'\''), value @ ..]) = value {
            let end = memchr::memchr(*quote, value)?;
            return Some(&value[..end]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_their_whole_name() {
        let tag = br#"c r="A1" spans='1:2' ht="15" s="3""#;
        assert_eq!(attribute(tag, "r"), Some(&b"A1"[..]));
        assert_eq!(attribute(tag, "s"), Some(&b"3"[..]));
        assert_eq!(attribute(tag, "spans"), Some(&b"1:2"[..]));
        assert_eq!(attribute(tag, "t"), None);
    }

    #[test]
    fn names_lose_their_prefix() {
        assert_eq!(local_name(b"x:row r=\"1\""), b"row");
        assert_eq!(local_name(b"/c"), b"");
        assert_eq!(local_name(b"f/"), b"f");
    }
}
