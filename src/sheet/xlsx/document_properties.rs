//! The properties of a workbook: author, subject, and whether it was saved again since it was written.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::sheet::xlsx::parts;

/// More than any program writes there.
const MAX_PART_BYTES: u64 = 1 << 20;

/// What the library that writes workbooks calls itself. LibreOffice keeps the times and puts its own name there; Excel
/// keeps the name and puts new times there.
const WRITER: &str = "Microsoft Excel";

/// Document properties of an XLSX file; missing ones are empty strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentProperties {
    /// Who made it.
    pub creator: String,
    /// What it is about.
    pub subject: String,
    /// The company, which is the team of an export.
    pub company: String,
    last_modified_by: String,
    created: String,
    modified: String,
    application: String,
}

impl DocumentProperties {
    /// Reads the properties of an XLSX file; returns `None` for other files.
    pub fn read(path: &Path) -> Option<Self> {
        let mut archive = parts::open(File::open(path).ok()?).ok()?;
        let mut properties = Self::default();
        for part in ["docProps/core.xml", "docProps/app.xml"] {
            let part = archive.by_name(part).ok()?;
            let mut text = String::new();
            part.take(MAX_PART_BYTES).read_to_string(&mut text).ok()?;
            properties.parse(&text);
        }
        Some(properties)
    }

    /// Whether another program, or another person, has saved it since it was made.
    pub fn is_saved_again(&self) -> bool {
        let as_made = self.last_modified_by == self.creator && self.modified == self.created;
        !as_made || self.application != WRITER
    }

    fn parse(&mut self, text: &str) {
        let mut reader = Reader::from_str(text);
        let mut element = String::new();
        loop {
            match reader.read_event() {
                Ok(Event::Start(start)) => {
                    start.local_name().as_ref().clone_into(&mut element);
                }
                Ok(Event::End(_)) => element.clear(),
                Ok(Event::Text(value)) => {
                    let value = value.xml10_content().into_owned();
                    match element.as_str() {
                        "creator" => self.creator = value,
                        "subject" => self.subject = value,
                        "Company" => self.company = value,
                        "lastModifiedBy" => self.last_modified_by = value,
                        "created" => self.created = value,
                        "modified" => self.modified = value,
                        "Application" => self.application = value,
                        _ => {}
                    }
                }
                Ok(Event::Eof) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }
}
