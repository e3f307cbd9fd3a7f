//! The parts of an XLSX archive: which part is which sheet. calamine does not expose them.

use std::io::{Read, Seek};

use zip::ZipArchive;

/// The largest list of sheets that is read.
const LIST_LIMIT: u64 = 4 << 20;

/// The path of a sheet's part within the archive; none where the archive is laid out in no usual way.
pub(super) fn sheet_part<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    sheet: &str,
) -> Option<String> {
    let book = workbook_part(archive).unwrap_or_else(|| "xl/workbook.xml".to_owned());
    let workbook = text(archive, &book)?;
    let tag = tags(&workbook, "sheet").find(|tag| {
        attribute(tag.as_bytes(), "name")
            .is_some_and(|name| unescaped(&String::from_utf8_lossy(name)) == sheet)
    })?;
    let id = ["r:id", "id"]
        .into_iter()
        .find_map(|name| attribute(tag.as_bytes(), name))?;
    related(archive, &book, |relation| {
        attribute(relation, "Id") == Some(id)
    })
}

/// The path of the part that holds the styles.
pub(super) fn styles_part<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Option<String> {
    let book = workbook_part(archive)?;
    related(archive, &book, |relation| {
        attribute(relation, "Type").is_some_and(|kind| kind.ends_with(b"/styles"))
    })
}

/// The path of a part that the workbook's own part relates to.
fn related<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    book: &str,
    is_it: impl Fn(&[u8]) -> bool,
) -> Option<String> {
    let folder = book.rsplit_once('/').map_or("", |(folder, _)| folder);
    let relations = text(archive, &relations_of(book))?;
    let relation = tags(&relations, "Relationship").find(|tag| is_it(tag.as_bytes()))?;
    let target = attribute(relation.as_bytes(), "Target")?;
    let target = String::from_utf8_lossy(target).into_owned();
    Some(match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None if folder.is_empty() => target,
        None => format!("{folder}/{target}"),
    })
}

/// The path of the part that names the parts which another one uses.
pub(super) fn relations_of(part: &str) -> String {
    match part.rsplit_once('/') {
        Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// The path of the workbook's own part, as the archive's root names it.
pub(super) fn workbook_part<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Option<String> {
    let relations = text(archive, "_rels/.rels")?;
    let is_workbook = |tag: &&str| {
        attribute(tag.as_bytes(), "Type").is_some_and(|kind| kind.ends_with(b"/officeDocument"))
    };
    let relation = tags(&relations, "Relationship").find(is_workbook)?;
    let target = String::from_utf8_lossy(attribute(relation.as_bytes(), "Target")?).into_owned();
    Some(target.trim_start_matches('/').to_owned())
}

pub(super) fn text<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> Option<String> {
    let entry = archive.by_name(name).ok()?;
    let mut text = Vec::new();
    entry.take(LIST_LIMIT).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Every start tag of a name, whatever its prefix, without its brackets.
pub(super) fn tags<'a>(xml: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    xml.split('<').skip(1).filter_map(move |rest| {
        let tag = rest.split('>').next()?;
        (local_name(tag.as_bytes()) == name.as_bytes()).then_some(tag)
    })
}

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

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
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
