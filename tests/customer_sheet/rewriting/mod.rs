//! The user's own sheet again: as text, as a workbook, whole or in part.

mod text;
mod workbook;

use std::path::{Path, PathBuf};

use gutterbatch::model::RowNumber;
use gutterbatch::sheet::rewrite::{
    AppendedColumn, AppendedValue, EarlierColumns, RewritePlan, Rewritten, RowAddition,
};
use gutterbatch::sheet::{Error, InputFile, SheetError};
use gutterbatch::table::{self, KnownTable, Table, TableOptions, annotate};

const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// Echoes a text file with one more column, `Status`, that says `ok`.
    fn text(&self, content: impl AsRef<[u8]>) -> Vec<u8> {
        let source = self.file("leads.csv", content);
        let to = self.path("out.csv");
        echoed(&source, &to, &mut |_| Some(said("ok"))).unwrap();
        std::fs::read(to).unwrap()
    }
}

fn said(text: &str) -> RowAddition {
    RowAddition {
        values: vec![AppendedValue::Text(text.to_owned())],
        highlights: Vec::new(),
    }
}

fn status() -> [AppendedColumn; 1] {
    [AppendedColumn {
        header: "Status".to_owned(),
        number_format: None,
        max_width: 30,
    }]
}

fn plan(appended: &[AppendedColumn]) -> RewritePlan<'_> {
    RewritePlan {
        appended,
        earlier: EarlierColumns::Block(&[]),
        keeps_surroundings: false,
        fills_short_rows: false,
        adds_mark: false,
    }
}

fn original(source: &Path) -> Result<Table, table::Error> {
    table::open(&InputFile::at(source), &TableOptions::default())
}

/// An open table, as later passes over its file know it.
pub(crate) fn known<'a>(table: &'a Table, input_file: &'a InputFile) -> KnownTable<'a> {
    KnownTable {
        input_file,
        fingerprint: table.fingerprint(),
        layout: table.layout(),
        columns: table.columns(),
        visible_only: false,
    }
}

type Each<'a> = &'a mut (dyn FnMut(RowNumber) -> Option<RowAddition> + Send);

fn echoed(source: &Path, to: &Path, each: Each<'_>) -> Result<Rewritten, Error> {
    let status = status();
    let plan = plan(&status);
    annotate::write(
        known(&original(source).unwrap(), &InputFile::at(source)),
        &plan,
        |_, row| each(row),
        to,
        &mut |_| Ok(()),
    )
}

#[test]
fn a_copy_is_private_and_leaves_nothing_behind_when_it_fails() {
    let folder = Folder::new();
    let source = folder.file(
        "leads.csv",
        format!("{HEADERS}\n1,Bo,1 Elm,A,ON,K1A,b@c.ca\n"),
    );
    let to = folder.file("out.csv", "what was there");
    let status = status();
    let table = original(&source).unwrap();
    folder.file(
        "leads.csv",
        format!("{HEADERS}\n1,Bo,1 Elm,A,ON,K1A,another@c.ca\n"),
    );
    let error = annotate::write(
        known(&table, &InputFile::at(&source)),
        &plan(&status),
        |_, _| Some(said("ok")),
        &to,
        &mut |_| Ok(()),
    )
    .unwrap_err();
    assert!(matches!(error.cause, SheetError::Changed), "{error}");
    assert_eq!(std::fs::read_to_string(&to).unwrap(), "what was there");
    let names = std::fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(names, 2);

    echoed(&source, &to, &mut |_| Some(said("ok"))).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(to.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
