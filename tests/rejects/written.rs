//! Rejected rows: beside the input, in its form, ready to be mended and imported again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gutterbatch::import::{CheckRules, CheckedFile, ImportInput, check};
use gutterbatch::model::{Field, Outcome, Problem, RowNumber, Severity};
use gutterbatch::sheet::{Error, InputFile, SheetError};
use gutterbatch::table::rejects::{self, ExistingFile, RejectsFile, RejectsPath, RowRejection};
use gutterbatch::table::{HeaderRow, TableOptions};
use rust_xlsxwriter::{Format, Workbook};

pub(crate) const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email";
const GOOD: &str = "1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com";
pub(crate) const NO_CITY: &str = "2,Bo,14 Elm Street,,MA,02134,bo@example.com";
const NO_CONTACT: &str = "3,Cy,16 Elm Street,Boston,MA,02134,";

pub(crate) struct Office {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) options: TableOptions,
}

impl Office {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            options: TableOptions::default(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    pub(crate) fn checked(&self, file: &Path) -> (ImportInput, CheckedFile) {
        let input = ImportInput::new(file, self.options.clone(), CheckRules::default()).unwrap();
        let checked = check(&input, &mut |_| {}).unwrap();
        (input, checked)
    }

    /// Checks a file and writes its invalid rows where they usually go.
    pub(crate) fn reject(&self, file: &Path) -> Result<Option<RejectsFile>, Error> {
        let (input, checked) = self.checked(file);
        let place = RejectsPath::find(&input.file, checked.layout.format, None, &written)?;
        let table = checked.table(&input);
        let written = rejects::update(table, &invalid(&checked), &place, &mut |_| Ok(()))?;
        if let Some(written) = &written {
            let bytes = std::fs::read(&written.path).unwrap();
            WRITTEN.with_borrow_mut(|all| all.insert(written.path.clone(), bytes));
        }
        Ok(written)
    }
}

thread_local! {
    /// What the test's files were when they were written.
    static WRITTEN: RefCell<HashMap<PathBuf, Vec<u8>>> = RefCell::default();
}

/// What was written and not touched since may be replaced.
fn written(path: &Path) -> ExistingFile {
    let now = std::fs::read(path).ok();
    WRITTEN.with_borrow(|written| match written.get(path) {
        Some(then) if Some(then) == now.as_ref() => ExistingFile::Replaceable,
        Some(_) => ExistingFile::Edited,
        None => ExistingFile::Unknown,
    })
}

pub(crate) fn invalid(checked: &CheckedFile) -> Vec<RowRejection> {
    let rejected = |(row, problems): (RowNumber, Vec<Problem>)| RowRejection {
        external_id: None,
        row,
        source_row: Some(row),
        outcome: Outcome::Invalid,
        problems,
        decision: None,
        decision_column: None,
    };
    let errors = checked.errors_by_row().unwrap();
    errors.into_iter().map(rejected).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn each_rejected_row_says_what_is_wrong_and_where_it_stood() {
    let office = Office::new();
    let leads = office.file(
        "leads.csv",
        format!("Leads\n\n{HEADERS}\n{GOOD}\n{NO_CITY}\n{NO_CONTACT}\n"),
    );
    let written = office.reject(&leads).unwrap().unwrap();
    assert_eq!(
        (written.path.clone(), written.rows),
        (office.path("leads.rejects.csv"), 2)
    );
    let copy = read(&written.path);
    let lines: Vec<&str> = copy.lines().collect();
    assert_eq!(lines[0], format!("{HEADERS},error,source_row"));
    assert!(
        lines[1].starts_with(NO_CITY) && lines[1].ends_with(",5"),
        "{}",
        lines[1]
    );
    assert!(lines[1].contains("City: the city is empty"), "{}", lines[1]);
    assert!(
        lines[2].starts_with(NO_CONTACT) && lines[2].ends_with(",6"),
        "{}",
        lines[2]
    );
}

#[test]
fn rejects_that_nobody_mended_are_rejected_again_and_mended_ones_are_clean() {
    let office = Office::new();
    let leads = office.file("leads.csv", format!("{HEADERS}\n{NO_CITY}\n{NO_CONTACT}\n"));
    let first = office.reject(&leads).unwrap().unwrap().path;
    let (_, checked) = office.checked(&first);
    assert_eq!(invalid(&checked).len(), 2);
    assert_eq!(checked.unused, Vec::<String>::new());

    let again = office.reject(&first).unwrap().unwrap().path;
    assert_eq!(again, office.path("leads.rejects-2.csv"));
    let headers = read(&again).lines().next().unwrap().to_owned();
    assert_eq!(headers, format!("{HEADERS},error,source_row"));

    let mended = read(&first)
        .replace("Street,,MA", "Street,Boston,MA")
        .replace("02134,,", "02134,cy@example.com,");
    office.file("leads.rejects.csv", mended);
    let (_, checked) = office.checked(&first);
    assert_eq!(invalid(&checked), []);
}

#[test]
fn every_run_writes_them_again_and_nothing_rejected_removes_them() {
    let office = Office::new();
    let leads = office.file("leads.csv", format!("{HEADERS}\n{NO_CITY}\n{NO_CONTACT}\n"));
    let path = office.reject(&leads).unwrap().unwrap().path;
    office.file("leads.csv", format!("{HEADERS}\n{NO_CITY}\n{GOOD}\n"));
    assert_eq!(office.reject(&leads).unwrap().unwrap().rows, 1);
    assert_eq!(read(&path).lines().count(), 2);
    office.file("leads.csv", format!("{HEADERS}\n{GOOD}\n"));
    assert_eq!(office.reject(&leads).unwrap(), None);
    assert!(!path.exists());
    assert_eq!(office.reject(&leads).unwrap(), None);
}

#[test]
fn a_file_that_is_not_ours_is_neither_replaced_nor_removed() {
    let office = Office::new();
    for content in [
        "my own list\n",
        "",
        "ID,Name,error\n1,Bo,none\n",
        "\u{feff}ID;source_row\n1;2\n",
        "PK\u{3}\u{4} not a workbook",
    ] {
        let theirs = office.file("leads.rejects.csv", content);
        for rows in [NO_CITY, GOOD] {
            let leads = office.file("leads.csv", format!("{HEADERS}\n{rows}\n"));
            let error = office.reject(&leads).unwrap_err();
            assert!(
                matches!(error.cause, SheetError::NotOurs(_)),
                "{content:?}: {error}"
            );
        }
        assert_eq!(read(&theirs), content);
    }
    std::fs::remove_file(office.path("leads.rejects.csv")).unwrap();
    std::fs::create_dir(office.path("leads.rejects.csv")).unwrap();
    assert!(office.reject(&office.path("leads.csv")).is_err());
}

#[test]
fn a_table_without_headers_has_rejects_that_are_known_again() {
    let mut office = Office::new();
    office.options.header_row = HeaderRow::Absent;
    let fields = [
        Field::Id,
        Field::Name,
        Field::Line1,
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Email,
    ];
    office.options.map = fields
        .into_iter()
        .zip("ABCDEFG".chars().map(String::from))
        .collect();
    let leads = office.file("leads.csv", format!("{NO_CITY}\n{GOOD}\n"));
    let path = office.reject(&leads).unwrap().unwrap().path;
    let copy = read(&path);
    assert!(
        copy.starts_with(&format!("{NO_CITY},error: column D: ")),
        "{copy}"
    );
    assert!(copy.ends_with(",source_row: 1\n"), "{copy}");
    assert_eq!(office.reject(&leads).unwrap().unwrap().rows, 1);
    let (_, checked) = office.checked(&path);
    assert_eq!(invalid(&checked).len(), 1);
}

#[test]
fn the_input_is_never_overwritten() {
    let office = Office::new();
    let leads = office.file(
        "leads.csv",
        format!("{HEADERS},error,source_row\n{NO_CITY},x,2\n"),
    );
    let document = InputFile::at(&leads);
    let form = office.checked(&leads).1.layout.format;
    let refused = |asked: &Path| match RejectsPath::find(&document, form, Some(asked), &written) {
        Err(error) => matches!(error.cause, SheetError::IsInput(_)),
        Ok(_) => false,
    };
    assert!(refused(&leads));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&leads, office.path("link.csv")).unwrap();
        assert!(refused(&office.path("link.csv")));
        std::fs::hard_link(&leads, office.path("linked.csv")).unwrap();
        assert!(refused(&office.path("linked.csv")));
    }
}

#[test]
fn standard_input_has_its_rejects_in_the_working_folder() {
    let stream = format!("{HEADERS}\n{NO_CITY}\n");
    let document = InputFile::spooled(&mut stream.as_bytes()).unwrap();
    let place = RejectsPath::find(
        &document,
        gutterbatch::sheet::FileFormat::Text,
        None,
        &written,
    )
    .unwrap();
    assert_eq!(place.path(), Path::new("stdin.rejects.csv"));
}

#[test]
fn what_the_service_said_marks_the_column_of_the_field() {
    let office = Office::new();
    let leads = office.path("leads.xlsx");
    workbook(&leads);
    let (input, checked) = office.checked(&leads);
    let said = |field, text: &str| Problem {
        row: RowNumber(2),
        cell: None,
        column_index: None,
        column: None,
        field,
        severity: Severity::Error,
        kind: text.to_owned().into(),
        message: text.to_owned(),
    };
    let rejected = [
        RowRejection {
            external_id: None,
            row: RowNumber(2),
            source_row: Some(RowNumber(2)),
            outcome: Outcome::Refused,
            problems: vec![
                said(Some(Field::PostalCode), "is not known"),
                said(Some(Field::Name), "is odd"),
                said(None, "no idea"),
            ],
            decision: None,
            decision_column: None,
        },
        RowRejection {
            external_id: None,
            row: RowNumber(3),
            source_row: Some(RowNumber(3)),
            outcome: Outcome::Conflict,
            problems: vec![said(Some(Field::Id), "belongs to another house")],
            decision: None,
            decision_column: None,
        },
    ];
    let place = RejectsPath::find(&input.file, checked.layout.format, None, &written).unwrap();
    let table = checked.table(&input);
    let written = rejects::update(table, &rejected, &place, &mut |_| Ok(()));
    let path = written.unwrap().unwrap().path;
    assert_eq!(path, office.path("leads.rejects.xlsx"));

    let mut book: calamine::Xlsx<_> = calamine::open_workbook(&path).unwrap();
    let range = calamine::Reader::worksheet_range_at(&mut book, 0)
        .unwrap()
        .unwrap();
    let cell = |row, column| range.get((row, column)).unwrap().to_string();
    assert_eq!([cell(0, 8), cell(0, 9)], ["error", "source_row"]);
    assert_eq!(
        cell(1, 8),
        "refused by the service: Zip: is not known; First Name: is odd; no idea"
    );
    assert_eq!(cell(2, 8), "conflict: ID: belongs to another house");
    assert_eq!([cell(1, 9), cell(2, 9)], ["2", "3"]);

    let styles = book.worksheet_style("Leads").unwrap();
    let is_marked = |row, column| {
        let fill = styles
            .get((row, column))
            .and_then(|style| style.fill.clone());
        fill.and_then(|fill| fill.get_color())
            .is_some_and(|color| color.to_string() == "#FFC7CE")
    };
    let marked: Vec<(u32, u32)> = (0..3)
        .flat_map(|row| (0..10).map(move |column| (row, column)))
        .filter(|&(row, column)| is_marked(row, column))
        .collect();
    assert_eq!(marked, [(1, 1), (1, 6), (2, 0)]);
}

pub(crate) fn workbook(path: &Path) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Leads").unwrap();
    let bold = Format::new().set_bold();
    let zip = Format::new().set_num_format("00000");
    let headers = "ID,First Name,Last Name,Street,City,State,Zip,Email";
    for (column, header) in (0..).zip(headers.split(',')) {
        sheet
            .write_string_with_format(0, column, header, &bold)
            .unwrap();
    }
    for row in 1..4 {
        sheet.write_number(row, 0, f64::from(row)).unwrap();
        for (column, text) in (1..).zip(["Ada", "Hall", "12 Elm Street", "Boston", "MA"]) {
            sheet.write_string(row, column, text).unwrap();
        }
        sheet.write_number_with_format(row, 6, 2134, &zip).unwrap();
        if row > 1 {
            sheet.write_string(row, 7, "ada@example.com").unwrap();
        }
    }
    book.save(path).unwrap();
}

#[test]
fn a_changed_input_leaves_the_rejects_as_they_were() {
    let office = Office::new();
    let leads = office.file("leads.csv", format!("{HEADERS}\n{NO_CITY}\n"));
    let path = office.reject(&leads).unwrap().unwrap().path;
    let before = read(&path);
    let (input, checked) = office.checked(&leads);
    office.file("leads.csv", format!("{HEADERS}\n{GOOD}\n{NO_CITY}\n"));
    let place = RejectsPath::find(&input.file, checked.layout.format, None, &written).unwrap();
    let rejected = invalid(&checked);
    let table = checked.table(&input);
    let error = rejects::update(table, &rejected, &place, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error.cause, SheetError::Changed), "{error}");
    assert_eq!(read(&path), before);
}

#[test]
fn what_a_killed_run_left_beside_the_rejects_is_removed_by_the_next() {
    let office = Office::new();
    let left = office.file(".gutterbatch-left01", "a customer");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = File::options().write(true).open(&left).unwrap();
    file.set_modified(long_ago).unwrap();
    drop(file);
    let leads = office.file("leads.csv", format!("{HEADERS}\n{GOOD}\n{NO_CITY}\n"));
    office.reject(&leads).unwrap();
    assert!(!left.exists());
}
