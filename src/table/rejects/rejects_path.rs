//! The path of a rejects file: beside the input, with `.rejects` in its name.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::model::is_of_digits;
use crate::sheet::{
    Error, FileFormat, InputFile, SheetError, folder_of, numbered_path, same_file, temporary_file,
};
use crate::table::rejects::recognition;

/// A path at which rejects may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectsPath {
    path: PathBuf,
    outdated: Vec<PathBuf>,
    edited: Vec<PathBuf>,
    of_others: Vec<PathBuf>,
    with_left_rows: Vec<PathBuf>,
}

/// What the journal knows of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFile {
    /// Rejects of the same file as they were written: they may be replaced and removed.
    Replaceable,
    /// Rejects that the user has edited since, or may have.
    Edited,
    /// Rejects of another run that are still needed, or that the user has edited and imported.
    Needed,
    /// Rejects of another table, or of another journal.
    OfAnother,
    /// Rejects of the same file with rows that are not in it any more and were never requested.
    HasLeftRows,
    /// A file that no run is known to have written.
    Unknown,
}

impl RejectsPath {
    /// The requested path, or the default one: `leads.csv` has its rejects in `leads.rejects.csv`, and standard input in
    /// `stdin.rejects.csv` of the working folder. Where existing rejects are to be kept, `leads.rejects-2.csv` is next,
    /// and so on. Found before anything is sent.
    ///
    /// `format` is the format of the input by its content; a workbook of any format has its rejects in an `.xlsx`.
    ///
    /// # Errors
    /// [`SheetError::NotOurs`] where another file exists, [`SheetError::IsInput`], and [`SheetError::Extension`] for a
    /// name that no program would open.
    pub fn find(
        input_file: &InputFile,
        format: FileFormat,
        given: Option<&Path>,
        occupant: &dyn Fn(&Path) -> ExistingFile,
    ) -> Result<Self, Error> {
        Self::proved(input_file, format, given, occupant)
            .map_err(|cause| cause.in_file(&input_file.name()))
    }

    fn proved(
        input_file: &InputFile,
        format: FileFormat,
        given: Option<&Path>,
        occupant: &dyn Fn(&Path) -> ExistingFile,
    ) -> Result<Self, SheetError> {
        let is_input = |path: &Path| !input_file.is_spooled() && same_file(input_file.path(), path);
        let first = match given {
            Some(path) if is_input(path) => {
                return Err(SheetError::IsInput(path.to_owned()));
            }
            Some(path) => path.to_owned(),
            None => usual(input_file, format),
        };
        let extension = extension_of(&first);
        let (fits, expected) = if format.is_text() {
            (!is_of_workbook(&extension), "csv")
        } else {
            (extension == "xlsx", "xlsx")
        };
        if !fits {
            return Err(SheetError::Extension {
                path: first,
                extension: expected,
            });
        }
        let (mut place, mut edited, mut outdated) = (None, Vec::new(), Vec::new());
        let (mut of_others, mut with_left_rows) = (Vec::new(), Vec::new());
        let others = (2..).map(|number| numbered_path(&first, number));
        for path in [first.clone()].into_iter().chain(others) {
            match existing_file(&path, occupant)? {
                _ if is_input(&path) => {}
                None => {
                    place.get_or_insert(path);
                    break;
                }
                Some(ExistingFile::Replaceable) if place.is_none() => {
                    place = Some(path);
                }
                Some(ExistingFile::Replaceable) => outdated.push(path),
                Some(ExistingFile::Edited) => edited.push(path),
                Some(ExistingFile::HasLeftRows) => with_left_rows.push(path),
                Some(ExistingFile::OfAnother) if place.is_none() => {
                    of_others.push(path);
                }
                Some(ExistingFile::Unknown) if path == first => {
                    return Err(SheetError::NotOurs(path));
                }
                Some(ExistingFile::Unknown | ExistingFile::Needed | ExistingFile::OfAnother) => {}
            }
        }
        Ok(Self {
            path: place.expect("the numbers do not end before a free name"),
            outdated,
            edited,
            of_others,
            with_left_rows,
        })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that a file can be created in its folder.
    ///
    /// # Errors
    /// [`SheetError::Write`] with the reason.
    pub fn require_writable(&self, input_file: &InputFile) -> Result<(), Error> {
        let probe =
            temporary_file(folder_of(&self.path)).map_err(|error| unwritable(&self.path, error));
        probe
            .map(drop)
            .map_err(|cause| cause.in_file(&input_file.name()))
    }

    /// Rejects that a person has edited, or may have; they are kept.
    pub fn edited(&self) -> &[PathBuf] {
        &self.edited
    }

    /// Rejects of other tables or journals in front of it; they are kept.
    pub fn of_others(&self) -> &[PathBuf] {
        &self.of_others
    }

    /// Rejects of the same file with rows that are not in it any more and were never requested; they are kept.
    pub fn with_left_rows(&self) -> &[PathBuf] {
        &self.with_left_rows
    }

    /// Rejects of the same file with higher numbers, which are outdated.
    pub fn outdated(&self) -> &[PathBuf] {
        &self.outdated
    }

    /// Removes the rejects of an earlier run at the path, and the outdated ones.
    pub(super) fn remove(&self) -> Result<(), SheetError> {
        remove(&self.path)?;
        self.remove_outdated()
    }

    /// Removes only the outdated rejects.
    pub(super) fn remove_outdated(&self) -> Result<(), SheetError> {
        self.outdated.iter().try_for_each(|path| remove(path))
    }
}

fn existing_file(
    path: &Path,
    occupant: &dyn Fn(&Path) -> ExistingFile,
) -> Result<Option<ExistingFile>, SheetError> {
    match path.symlink_metadata() {
        // Nor is there one whose name is too long; if there are rejects, writing them fails.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::InvalidFilename
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(unwritable(path, error)),
        // A broken link belongs to the user.
        Ok(found) if found.is_dir() || !path.exists() => {
            return Ok(Some(ExistingFile::Unknown));
        }
        Ok(_) => {}
    }
    let occupant = match occupant(path) {
        // Written with another journal: of which table, and whether it was edited, is unknown.
        ExistingFile::Unknown
            if recognition::sample(path)
                .map_err(|error| unwritable(path, error))?
                .is_some_and(|sample| sample.has_both_columns) =>
        {
            ExistingFile::OfAnother
        }
        known => known,
    };
    Ok(Some(occupant))
}

fn remove(path: &Path) -> Result<(), SheetError> {
    match std::fs::remove_file(path) {
        // On a disk that is read-only, the removal of a file that is not there fails otherwise than with `NotFound`.
        Err(error) if path.symlink_metadata().is_ok() => Err(unwritable(path, error)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, source: io::Error) -> SheetError {
    SheetError::Write {
        path: path.to_owned(),
        source,
    }
}

fn usual(input_file: &InputFile, format: FileFormat) -> PathBuf {
    if input_file.is_spooled() {
        return PathBuf::from(rejects_name("stdin".as_ref(), "stdin.csv".as_ref(), format));
    }
    let path = input_file.path();
    let stem = original_stem(path.file_stem().unwrap_or_default());
    path.with_file_name(rejects_name(&stem, path, format))
}

/// The name of the rejects of the file at `path`, which has that format by its content: `leads.rejects.xlsx` for the stem
/// `leads` and any format of workbook.
pub fn rejects_name(stem: &OsStr, path: &Path, format: FileFormat) -> OsString {
    let extension = extension_of(path);
    let extension = if !format.is_text() {
        "xlsx".into()
    } else if extension.is_empty() || is_of_workbook(&extension) {
        "csv".into()
    } else {
        path.extension().unwrap_or_default().to_owned()
    };
    let mut name = stem.to_owned();
    name.push(".rejects.");
    name.push(extension);
    name
}

/// The stem of the file that rejects are of: rejects of rejects are named for the original.
fn original_stem(stem: &OsStr) -> OsString {
    let whole = || stem.to_owned();
    let Some((original, number)) = stem.to_str().and_then(|stem| stem.rsplit_once(".rejects"))
    else {
        return whole();
    };
    match number.strip_prefix('-') {
        _ if original.is_empty() => whole(),
        Some(number) if is_of_digits(number) => original.into(),
        None if number.is_empty() => original.into(),
        _ => whole(),
    }
}

fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn is_of_workbook(extension: &str) -> bool {
    FileFormat::from_file_name(&format!(".{extension}")).is_some_and(|format| !format.is_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual_of(name: &str, format: FileFormat) -> String {
        let path = usual(&InputFile::at(Path::new(name)), format);
        path.to_string_lossy().replace('\\', "/")
    }

    #[test]
    fn rejects_stand_beside_the_input_in_its_form() {
        assert_eq!(
            usual_of("a/leads.csv", FileFormat::Text),
            "a/leads.rejects.csv"
        );
        assert_eq!(usual_of("leads.TSV", FileFormat::Text), "leads.rejects.TSV");
        assert_eq!(usual_of("leads", FileFormat::Text), "leads.rejects.csv");
        assert_eq!(
            usual_of("leads.v2.xlsx", FileFormat::Xlsx),
            "leads.v2.rejects.xlsx"
        );
        assert_eq!(usual_of("leads.ods", FileFormat::Ods), "leads.rejects.xlsx");
        assert_eq!(
            usual_of("leads.xlsx", FileFormat::Text),
            "leads.rejects.csv"
        );
        assert_eq!(
            usual_of("leads.csv", FileFormat::Xlsx),
            "leads.rejects.xlsx"
        );
    }

    #[test]
    fn rejects_of_rejects_are_named_for_the_original() {
        for name in [
            "leads.rejects.csv",
            "leads.rejects-2.csv",
            "leads.rejects-17.csv",
        ] {
            assert_eq!(usual_of(name, FileFormat::Text), "leads.rejects.csv");
        }
        for (name, own) in [
            ("leads.rejects-done.csv", "leads.rejects-done.rejects.csv"),
            (".rejects.csv", ".rejects.rejects.csv"),
            ("my.rejects.old.csv", "my.rejects.old.rejects.csv"),
        ] {
            assert_eq!(usual_of(name, FileFormat::Text), own);
        }
    }

    #[test]
    fn the_first_free_or_replaceable_name_is_taken_and_edited_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [
            "leads.csv",
            "leads.rejects.csv",
            "leads.rejects-2.csv",
            "leads.rejects-3.csv",
        ] {
            std::fs::write(path(name), "x").unwrap();
        }
        let find = |input: &str, edited: &str| {
            let occupant = |found: &Path| {
                if found == path(edited) {
                    ExistingFile::Edited
                } else {
                    ExistingFile::Replaceable
                }
            };
            RejectsPath::find(
                &InputFile::at(&path(input)),
                FileFormat::Text,
                None,
                &occupant,
            )
            .unwrap()
        };
        let place = find("leads.csv", "leads.rejects.csv");
        assert_eq!(place.path(), path("leads.rejects-2.csv"));
        assert_eq!(place.edited(), [path("leads.rejects.csv")]);
        assert_eq!(place.outdated(), [path("leads.rejects-3.csv")]);
        let place = find("leads.rejects.csv", "leads.rejects-2.csv");
        assert_eq!(place.path(), path("leads.rejects-3.csv"));
        assert_eq!(place.edited(), [path("leads.rejects-2.csv")]);
    }

    #[test]
    fn a_name_that_promises_another_form_is_no_place() {
        let folder = tempfile::tempdir().unwrap();
        let input_file = InputFile::at(&folder.path().join("leads.csv"));
        let given = folder.path().join("out.xlsx");
        let refused = RejectsPath::find(&input_file, FileFormat::Text, Some(&given), &|_| {
            ExistingFile::Unknown
        });
        assert!(matches!(
            refused,
            Err(Error {
                cause: SheetError::Extension {
                    extension: "csv",
                    ..
                },
                ..
            })
        ));
        let given = folder.path().join("out.csv");
        let refused = RejectsPath::find(&input_file, FileFormat::Ods, Some(&given), &|_| {
            ExistingFile::Unknown
        });
        assert!(matches!(
            refused,
            Err(Error {
                cause: SheetError::Extension {
                    extension: "xlsx",
                    ..
                },
                ..
            })
        ));
    }
}
