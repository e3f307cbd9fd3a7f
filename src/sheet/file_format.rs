//! File formats, detected by content and never by name.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use crate::sheet::regular_file::head_of;
use crate::sheet::row_details::RowDetails;
use crate::sheet::stream::in_reader_thread;
use crate::sheet::workbook::{OpenWorkbook, WorkbookFormat, damaged};
use crate::sheet::xlsx::parts;
use crate::sheet::{SheetError, ods, xls, xlsb, xlsx};

/// Declares the formats of workbooks, each with how it is read, in the order in which an archive is compared with them.
macro_rules! workbook_formats {
    ($($(#[$attribute:meta])* $Format:ident: $workbook:path,)+) => {
        /// The formats that can be read.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum FileFormat {
            /// Columns separated by a character.
            #[default]
            Text,
            $($(#[$attribute])* $Format,)+
        }

        impl FileFormat {
            /// Every format.
            const ALL: &[Self] = &[Self::Text, $(Self::$Format),+];

            /// How a workbook of this format is read; `None` for text.
            pub(crate) const fn workbook(self) -> Option<&'static WorkbookFormat> {
                match self {
                    Self::Text => None,
                    $(Self::$Format => Some(&$workbook),)+
                }
            }
        }
    };
}

workbook_formats! {
    /// Excel's binary workbook.
    Xlsb: xlsb::WORKBOOK_FORMAT,
    /// Excel since 2007, with macros or without.
    Xlsx: xlsx::WORKBOOK_FORMAT,
    /// Excel before 2007.
    Xls: xls::WORKBOOK_FORMAT,
    /// The open format that LibreOffice saves.
    Ods: ods::WORKBOOK_FORMAT,
}

impl FileFormat {
    /// Opens a workbook of this format, after its limits are checked.
    pub(crate) fn open(self, mut file: File) -> Result<OpenWorkbook, SheetError> {
        let workbook = self.workbook().ok_or(SheetError::NotATable("text"))?;
        (workbook.check_limits)(&mut file)?;
        in_reader_thread(|| (workbook.open)(file))
    }

    /// Starts to scan a sheet for what the reader of this format omits; `None` for a format that is not scanned.
    pub(crate) fn scan(self, file: File, sheet: &str) -> Result<Option<RowDetails>, SheetError> {
        let scan = self.workbook().and_then(|workbook| workbook.scan);
        scan.map(|scan| RowDetails::start(file, scan, sheet))
            .transpose()
    }

    /// Whether it is text; otherwise it is a workbook.
    pub fn is_text(self) -> bool {
        self == Self::Text
    }

    /// The name in a sentence.
    pub fn name(self) -> &'static str {
        self.workbook().map_or("CSV", |workbook| workbook.name)
    }

    /// The extensions of the files of every format, in lower case.
    pub fn all_extensions() -> impl Iterator<Item = &'static str> {
        let extensions = Self::ALL.iter().flat_map(|format| format.extensions());
        extensions.copied()
    }

    /// The extensions of its files, in lower case.
    pub fn extensions(self) -> &'static [&'static str] {
        let text: &[&str] = &["csv", "tsv", "tab", "txt"];
        self.workbook().map_or(text, |workbook| workbook.extensions)
    }

    /// The format that the extension of a file name stands for.
    pub(crate) fn from_file_name(file: &str) -> Option<Self> {
        let (_, extension) = file.rsplit_once('.')?;
        let extension = extension.to_ascii_lowercase();
        let is_named = |format: &Self| format.extensions().contains(&extension.as_str());
        Self::ALL.iter().copied().find(is_named)
    }
}

/// An old workbook, or an encrypted new one, is a compound file.
const COMPOUND: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Detects the format, and seeks to the start of the file.
pub(crate) fn recognize(file: &mut File) -> Result<FileFormat, SheetError> {
    let head = head_of(file, 8)?;
    let format = match head.as_slice() {
        [] => return Err(SheetError::Empty),
        _ if head == COMPOUND => FileFormat::Xls,
        [b'P', b'K', 3 | 5, 4 | 6, ..] => archive_format(file)?,
        [b'%', b'P', b'D', b'F', ..] => return Err(SheetError::NotATable("a PDF")),
        [0x1F, 0x8B, ..] => return Err(SheetError::Archive("a gzip archive")),
        [0x89, b'P', b'N', b'G', ..] | [0xFF, 0xD8, 0xFF, ..] | [b'G', b'I', b'F', b'8', ..] => {
            return Err(SheetError::NotATable("a picture"));
        }
        _ => FileFormat::Text,
    };
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    Ok(format)
}

fn archive_format(file: &File) -> Result<FileFormat, SheetError> {
    let file = file.try_clone().map_err(SheetError::Read)?;
    let archive = parts::open(file).map_err(damaged)?;
    let has = |name: &str| {
        let mut names = archive.file_names().filter_map(Result::ok);
        names.any(|entry| entry.eq_ignore_ascii_case(name))
    };
    if has("word/document.xml") || has("ppt/presentation.xml") {
        return Err(SheetError::NotATable("a Word or PowerPoint document"));
    }
    let has_part = |format: &FileFormat| {
        let part = format.workbook().and_then(|workbook| workbook.part);
        part.is_some_and(has)
    };
    if let Some(format) = FileFormat::ALL.iter().copied().find(has_part) {
        return Ok(format);
    }
    let mut names = archive.file_names().filter_map(Result::ok);
    if names.any(|entry| entry.starts_with("Index/") && entry.ends_with(".iwa")) {
        return Err(SheetError::NotATable("a document of Numbers"));
    }
    Err(SheetError::Archive("a ZIP archive"))
}
