//! Where the rejects go: beside the input, under a name that says what they are.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use crate::table::rejects::echo::same_file;
use crate::table::rejects::ours;
use crate::table::{Document, Error, Fault, Form};

/// A path at which rejects may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: PathBuf,
    stale: Vec<PathBuf>,
    edited: Vec<PathBuf>,
    of_others: Vec<PathBuf>,
}

/// What stands where rejects could go, as whoever remembers what was written knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Rejects of the same file as they were written: they may be replaced and removed.
    Replaceable,
    /// Rejects that a person has edited since, or may have.
    Edited,
    /// Rejects of another run that are still needed.
    Needed,
    /// Rejects of another table.
    OfAnother,
    /// Something that nobody remembers to have written.
    Unknown,
}

impl Place {
    /// The place asked for, or the usual one: `leads.csv` has its rejects in `leads.rejects.csv`, and standard input in
    /// `stdin.rejects.csv` of the working folder. Where rejects stand there that are to be kept, `leads.rejects-2.csv` is
    /// next, and so on. Proved before anything is sent, so that no run ends with rejects that cannot be written.
    ///
    /// The form is what the input is by content; a workbook of any form has its rejects in an `.xlsx`.
    ///
    /// # Errors
    /// [`Fault::NotOurs`] where another file stands, [`Fault::IsInput`], and [`Fault::Extension`] for a
    /// name that no program would open.
    pub fn find(
        document: &Document,
        form: Form,
        asked: Option<&Path>,
        occupant: &dyn Fn(&Path) -> Occupant,
    ) -> Result<Self, Error> {
        Self::proved(document, form, asked, occupant).map_err(|fault| fault.of(&document.name()))
    }

    fn proved(
        document: &Document,
        form: Form,
        asked: Option<&Path>,
        occupant: &dyn Fn(&Path) -> Occupant,
    ) -> Result<Self, Fault> {
        let is_input = |path: &Path| !document.is_spooled() && same_file(document.path(), path);
        let first = match asked {
            Some(path) if is_input(path) => {
                return Err(Fault::IsInput {
                    path: path.to_owned(),
                });
            }
            Some(path) => path.to_owned(),
            None => usual(document, form),
        };
        let extension = extension_of(&first);
        let fits = match form {
            Form::Text => !is_of_workbook(&extension),
            _ => extension == "xlsx",
        };
        if !fits {
            let extension = if form == Form::Text { "csv" } else { "xlsx" };
            return Err(Fault::Extension {
                path: first,
                extension,
            });
        }
        let (mut place, mut edited, mut stale) = (None, Vec::new(), Vec::new());
        let mut of_others = Vec::new();
        for path in (1..).map(|number| numbered(&first, number)) {
            match standing(&path, occupant)? {
                _ if is_input(&path) => {}
                Standing::Nothing => {
                    place.get_or_insert(path);
                    break;
                }
                Standing::Known(Occupant::Replaceable) if place.is_none() => place = Some(path),
                Standing::Known(Occupant::Replaceable) => stale.push(path),
                Standing::Known(Occupant::Edited) => edited.push(path),
                Standing::Known(Occupant::OfAnother) if place.is_none() => of_others.push(path),
                Standing::Known(Occupant::Unknown) if path == first => {
                    return Err(Fault::NotOurs { path });
                }
                Standing::Known(Occupant::Unknown | Occupant::Needed | Occupant::OfAnother) => {}
            }
        }
        Ok(Self {
            path: place.expect("the numbers do not end before a free name"),
            stale,
            edited,
            of_others,
        })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rejects in front of it that a person has edited, or may have; they are kept.
    pub fn edited(&self) -> &[PathBuf] {
        &self.edited
    }

    /// Rejects of other tables in front of it; they are kept.
    pub fn of_others(&self) -> &[PathBuf] {
        &self.of_others
    }

    /// Rejects of the same file behind it, which no longer say how things are.
    pub fn stale(&self) -> &[PathBuf] {
        &self.stale
    }

    /// Removes what an earlier run left here, and what is stale.
    pub(super) fn remove(&self) -> Result<(), Fault> {
        remove(&self.path)?;
        self.remove_stale()
    }

    /// Removes what is stale alone.
    pub(super) fn remove_stale(&self) -> Result<(), Fault> {
        self.stale.iter().try_for_each(|path| remove(path))
    }
}

enum Standing {
    Nothing,
    Known(Occupant),
}

fn standing(path: &Path, occupant: &dyn Fn(&Path) -> Occupant) -> Result<Standing, Fault> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
        Err(error) => return Err(unwritable(path, error)),
        // A link that leads nowhere is still something of the user's.
        Ok(found) if found.is_dir() || !path.exists() => {
            return Ok(Standing::Known(Occupant::Unknown));
        }
        Ok(_) => {}
    }
    let occupant = match occupant(path) {
        // Written with another journal, perhaps: whether it was edited cannot be told.
        Occupant::Unknown if ours::is_ours(path).map_err(|error| unwritable(path, error))? => {
            Occupant::Edited
        }
        known => known,
    };
    Ok(Standing::Known(occupant))
}

fn remove(path: &Path) -> Result<(), Fault> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(path, error)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, source: io::Error) -> Fault {
    Fault::Write {
        path: path.to_owned(),
        source,
    }
}

/// `leads.rejects.csv`, `leads.rejects-2.csv`, and so on.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn usual(document: &Document, form: Form) -> PathBuf {
    if document.is_spooled() {
        return PathBuf::from(match form {
            Form::Text => "stdin.rejects.csv",
            _ => "stdin.rejects.xlsx",
        });
    }
    let path = document.path();
    let extension = extension_of(path);
    let extension = match form {
        Form::Text if extension.is_empty() || is_of_workbook(&extension) => "csv".into(),
        Form::Text => path.extension().unwrap_or_default().to_owned(),
        _ => "xlsx".into(),
    };
    let mut name = original_stem(path.file_stem().unwrap_or_default());
    name.push(".rejects.");
    name.push(extension);
    path.with_file_name(name)
}

/// The stem of the file that rejects are of: rejects of rejects are named for the original.
fn original_stem(stem: &OsStr) -> OsString {
    let whole = || stem.to_owned();
    let Some((original, number)) = stem.to_str().and_then(|stem| stem.rsplit_once(".rejects"))
    else {
        return whole();
    };
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match number.strip_prefix('-') {
        _ if original.is_empty() => whole(),
        Some(number) if is_number(number) => original.into(),
        None if number.is_empty() => original.into(),
        _ => whole(),
    }
}

fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn is_of_workbook(extension: &str) -> bool {
    matches!(
        extension,
        "xlsx" | "xlsm" | "xltx" | "xltm" | "xls" | "xlsb" | "ods"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual_of(name: &str, form: Form) -> String {
        let path = usual(&Document::at(Path::new(name)), form);
        path.to_string_lossy().replace('\\', "/")
    }

    #[test]
    fn rejects_stand_beside_the_input_in_its_form() {
        assert_eq!(usual_of("a/leads.csv", Form::Text), "a/leads.rejects.csv");
        assert_eq!(usual_of("leads.TSV", Form::Text), "leads.rejects.TSV");
        assert_eq!(usual_of("leads", Form::Text), "leads.rejects.csv");
        assert_eq!(
            usual_of("leads.v2.xlsx", Form::Xlsx),
            "leads.v2.rejects.xlsx"
        );
        assert_eq!(usual_of("leads.ods", Form::Ods), "leads.rejects.xlsx");
        assert_eq!(usual_of("leads.xlsx", Form::Text), "leads.rejects.csv");
        assert_eq!(usual_of("leads.csv", Form::Xlsx), "leads.rejects.xlsx");
    }

    #[test]
    fn rejects_of_rejects_are_named_for_the_original() {
        for name in [
            "leads.rejects.csv",
            "leads.rejects-2.csv",
            "leads.rejects-17.csv",
        ] {
            assert_eq!(usual_of(name, Form::Text), "leads.rejects.csv");
        }
        for (name, own) in [
            ("leads.rejects-done.csv", "leads.rejects-done.rejects.csv"),
            (".rejects.csv", ".rejects.rejects.csv"),
            ("my.rejects.old.csv", "my.rejects.old.rejects.csv"),
        ] {
            assert_eq!(usual_of(name, Form::Text), own);
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
                    Occupant::Edited
                } else {
                    Occupant::Replaceable
                }
            };
            Place::find(&Document::at(&path(input)), Form::Text, None, &occupant).unwrap()
        };
        let place = find("leads.csv", "leads.rejects.csv");
        assert_eq!(place.path(), path("leads.rejects-2.csv"));
        assert_eq!(place.edited(), [path("leads.rejects.csv")]);
        assert_eq!(place.stale(), [path("leads.rejects-3.csv")]);
        let place = find("leads.rejects.csv", "leads.rejects-2.csv");
        assert_eq!(place.path(), path("leads.rejects-3.csv"));
        assert_eq!(place.edited(), [path("leads.rejects-2.csv")]);
    }

    #[test]
    fn a_name_that_promises_another_form_is_no_place() {
        let folder = tempfile::tempdir().unwrap();
        let document = Document::at(&folder.path().join("leads.csv"));
        let asked = folder.path().join("out.xlsx");
        let refused = Place::find(&document, Form::Text, Some(&asked), &|_| Occupant::Unknown);
        assert!(matches!(
            refused,
            Err(Error {
                fault: Fault::Extension {
                    extension: "csv",
                    ..
                },
                ..
            })
        ));
        let asked = folder.path().join("out.csv");
        let refused = Place::find(&document, Form::Ods, Some(&asked), &|_| Occupant::Unknown);
        assert!(matches!(
            refused,
            Err(Error {
                fault: Fault::Extension {
                    extension: "xlsx",
                    ..
                },
                ..
            })
        ));
    }
}
