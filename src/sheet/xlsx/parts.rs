//! The parts of an XLSX archive: which part is which sheet. calamine does not expose them.

use std::fs::File;
use std::io::{BufReader, Read};

use quick_xml::events::BytesStart;
use zip::ZipArchive;
use zip::result::ZipResult;

use crate::sheet::xml::{attribute, tags};

/// The largest list of sheets that is read.
const LIST_LIMIT: u64 = 4 << 20;

/// The archive of a workbook of any format.
pub(in crate::sheet) type PackageArchive = ZipArchive<BufReader<File>>;

/// Reads the list of parts.
///
/// # Errors
/// If the file is no ZIP archive, or a damaged one.
pub(in crate::sheet) fn open(file: File) -> ZipResult<PackageArchive> {
    ZipArchive::new(BufReader::new(file))
}

/// The path of a sheet's part within the archive; `None` if the archive has an unusual structure.
pub(in crate::sheet) fn sheet_part(archive: &mut PackageArchive, sheet: &str) -> Option<String> {
    let book = workbook_part(archive).unwrap_or_else(|| "xl/workbook.xml".to_owned());
    let workbook = text(archive, &book)?;
    let sheets = tags(&workbook, "sheet");
    let tag = sheets
        .iter()
        .find(|tag| attribute(tag, "name").as_deref() == Some(sheet))?;
    let id = attribute(tag, "id")?;
    part_of_id(archive, &book, &id)
}

/// The path of the part to which a part relates by an id.
pub(in crate::sheet) fn part_of_id(
    archive: &mut PackageArchive,
    part: &str,
    id: &str,
) -> Option<String> {
    let is_it = |relation: &BytesStart<'_>| attribute(relation, "Id").as_deref() == Some(id);
    related(archive, part, is_it).into_iter().next()
}

/// The path of the part to which the workbook's own part relates by a type that ends like this, such as `/styles`.
pub(in crate::sheet) fn part_of_type(archive: &mut PackageArchive, kind: &str) -> Option<String> {
    let book = workbook_part(archive)?;
    parts_of_type(archive, &book, kind).into_iter().next()
}

/// The paths of the parts to which a part relates by a type that ends like this.
pub(in crate::sheet) fn parts_of_type(
    archive: &mut PackageArchive,
    part: &str,
    kind: &str,
) -> Vec<String> {
    related(archive, part, |relation| is_of_type(relation, kind))
}

/// The paths of the parts that a part relates to.
fn related(
    archive: &mut PackageArchive,
    part: &str,
    is_it: impl Fn(&BytesStart<'_>) -> bool,
) -> Vec<String> {
    let relations = text(archive, &relations_of(part)).unwrap_or_default();
    let relations = tags(&relations, "Relationship").into_iter().filter(is_it);
    let targets = relations.filter_map(|relation| attribute(&relation, "Target"));
    targets.map(|target| resolved(part, &target)).collect()
}

/// The path of a target that a part names, which may be relative to the part's folder.
fn resolved(part: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut folders: Vec<&str> = part.split('/').collect();
    folders.pop();
    for step in target.split('/') {
        match step {
            ".." => drop(folders.pop()),
            "." => {}
            step => folders.push(step),
        }
    }
    folders.join("/")
}

/// Whether a relation's type ends like this: the beginning differs between the editions of the standard.
pub(in crate::sheet) fn is_of_type(relation: &BytesStart<'_>, kind: &str) -> bool {
    attribute(relation, "Type").is_some_and(|of| of.ends_with(kind))
}

/// The path of the part that lists the parts which another one uses.
pub(in crate::sheet) fn relations_of(part: &str) -> String {
    match part.rsplit_once('/') {
        Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// The path of the workbook's own part, as the archive's root names it.
pub(in crate::sheet) fn workbook_part(archive: &mut PackageArchive) -> Option<String> {
    parts_of_type(archive, "", "/officeDocument")
        .into_iter()
        .next()
}

/// The text of a part; `None` if it is missing or damaged.
pub(in crate::sheet) fn text(archive: &mut PackageArchive, name: &str) -> Option<String> {
    let entry = archive.by_name(name).ok()?;
    let mut text = Vec::new();
    entry.take(LIST_LIMIT).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
