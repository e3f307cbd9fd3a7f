//! Where the rejects go: beside the input, under a name that says what they are.

use std::io;
use std::path::{Path, PathBuf};

use crate::table::rejects::echo::same_file;
use crate::table::rejects::ours;
use crate::table::{Document, Error, Fault, Form};

/// A path at which rejects may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: PathBuf,
}

impl Place {
    /// The place asked for, or the usual one: `leads.csv` has its rejects in `leads.rejects.csv`, and standard input in
    /// `stdin.rejects.csv` of the working folder. Proved before anything is sent, so that no run ends with rejects that
    /// cannot be written.
    ///
    /// The form is what the input is by content; a workbook of any form has its rejects in an `.xlsx`.
    ///
    /// # Errors
    /// [`Fault::NotOurs`] where another file stands, [`Fault::IsInput`], and [`Fault::Extension`] for a
    /// name that no program would open.
    pub fn find(document: &Document, form: Form, asked: Option<&Path>) -> Result<Self, Error> {
        Self::proved(document, form, asked).map_err(|fault| fault.of(&document.name()))
    }

    fn proved(document: &Document, form: Form, asked: Option<&Path>) -> Result<Self, Fault> {
        let path = match asked {
            Some(path) => path.to_owned(),
            None => usual(document, form),
        };
        if !document.is_spooled() && same_file(document.path(), &path) {
            return Err(Fault::IsInput { path });
        }
        let extension = extension_of(&path);
        let fits = match form {
            Form::Text => !is_of_workbook(&extension),
            _ => extension == "xlsx",
        };
        if !fits {
            let extension = if form == Form::Text { "csv" } else { "xlsx" };
            return Err(Fault::Extension { path, extension });
        }
        let place = Self { path };
        place.prove_ours()?;
        Ok(place)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Nothing stands there, or rejects of ours.
    pub(super) fn prove_ours(&self) -> Result<(), Fault> {
        match ours::is_ours(&self.path) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Fault::NotOurs {
                path: self.path.clone(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.unwritable(error)),
        }
    }

    /// Removes what an earlier run left; the caller has proved that it is ours.
    pub(super) fn remove(&self) -> Result<(), Fault> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.unwritable(error)),
            _ => Ok(()),
        }
    }

    fn unwritable(&self, source: io::Error) -> Fault {
        Fault::Write {
            path: self.path.clone(),
            source,
        }
    }
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
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".rejects.");
    name.push(extension);
    path.with_file_name(name)
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
    fn rejects_of_rejects_have_a_name_of_their_own() {
        assert_eq!(
            usual_of("leads.rejects.csv", Form::Text),
            "leads.rejects.rejects.csv"
        );
    }

    #[test]
    fn a_name_that_promises_another_form_is_no_place() {
        let folder = tempfile::tempdir().unwrap();
        let document = Document::at(&folder.path().join("leads.csv"));
        let asked = folder.path().join("out.xlsx");
        let refused = Place::find(&document, Form::Text, Some(&asked));
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
        let refused = Place::find(&document, Form::Ods, Some(&asked));
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
