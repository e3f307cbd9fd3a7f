//! A copy of a workbook that Excel opens and calamine refuses, without what calamine refuses. No cell needs that.

use std::fs::File;
use std::io::{self, Read, Write};

use quick_xml::events::Event;

use crate::sheet::xlsx::archive_file::ArchiveFile;
use crate::sheet::xlsx::parts::{self, is_of_type, relations_of, text, workbook_part};
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::package::{entry_options, text_of};
use crate::sheet::xlsx::rewrite::ranges::rewritten;
use crate::sheet::xml::{attribute, local, tags, with};

/// Where a part's claims about its size are.
const HEAD: u64 = 4096;

/// Claims about the size of a part, each as it is written so that calamine ignores it.
const CLAIMS: [(&str, &str); 2] = [
    ("dimension ", "dimensioN "),
    ("uniqueCount=", "uniqueCounT="),
];

/// Copies a workbook to a temporary file, without sheets that are no worksheets, such as modules of macros, unknown
/// states of sheets, the range that a sheet claims and the number of shared texts.
pub(in crate::sheet::xlsx) fn accepted_copy(file: &File) -> Option<File> {
    copy(file).ok()
}

fn copy(file: &File) -> Result<File, XmlRewriteError> {
    let mut archive = parts::open(file.try_clone()?)?;
    let book = workbook_part(&mut archive).ok_or(XmlRewriteError::Unusual)?;
    let relations = text(&mut archive, &relations_of(&book)).unwrap_or_default();
    let relations = tags(&relations, "Relationship");
    let worksheets = relations.iter().filter(|one| is_of_type(one, "/worksheet"));
    let worksheets: Vec<String> = worksheets.filter_map(|one| attribute(one, "Id")).collect();
    let mut copy = tempfile::tempfile()?;
    let mut package = ArchiveFile::start(&mut copy);
    for index in 0..archive.len() {
        let part = archive.by_index_raw(index)?;
        let (name, options) = (part.name()?.into_owned(), entry_options(&part));
        let lower = name.to_ascii_lowercase();
        let has_claims = lower.contains("worksheets/") || lower.ends_with("sharedstrings.xml");
        if name != book && !has_claims {
            package.raw_copy_file(part)?;
            continue;
        }
        drop(part);
        package.start_file(&*name, options)?;
        let mut part = archive.by_index(index)?;
        if name == book {
            package.write_all(with_worksheets(&text_of(part)?, &worksheets)?.as_bytes())?;
        } else {
            let mut head = Vec::new();
            part.by_ref().take(HEAD).read_to_end(&mut head)?;
            package.write_all(&without_claims(head))?;
            io::copy(&mut part, &mut package)?;
        }
    }
    ArchiveFile::finish(package)?;
    Ok(copy)
}

/// The workbook's own part with no other sheets than those with these relations.
fn with_worksheets(book: &str, relations: &[String]) -> Result<String, XmlRewriteError> {
    rewritten(book, |event, out| match event {
        Event::Start(tag) | Event::Empty(tag) if local(&tag) == "sheet" => {
            let state = attribute(&tag, "state")
                .filter(|state| ["hidden", "veryHidden"].contains(&&**state));
            if !attribute(&tag, "id").is_some_and(|id| relations.contains(&id)) {
                return Ok(());
            }
            out.write_event(Event::Empty(with(&tag, &[("state", state.as_deref())])))
        }
        Event::End(tag) if tag.local_name().into_inner() == "sheet" => Ok(()),
        event => out.write_event(event),
    })
}

fn without_claims(mut head: Vec<u8>) -> Vec<u8> {
    for (claim, ignored) in CLAIMS {
        if let Some(at) = memchr::memmem::find(&head, claim.as_bytes()) {
            head[at..at + claim.len()].copy_from_slice(ignored.as_bytes());
        }
    }
    head
}
