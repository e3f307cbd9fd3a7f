//! The user's own sheet again: as text, as a workbook, whole or in part.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use calamine::{Data, Reader, Xlsx, open_workbook};
use gutterbatch::model::RowNumber;
use gutterbatch::table::rejects::echo::{
    self, Addition, Appended, Around, Echoed, Mark, Note, Plan, ShortRows, Value,
};
use gutterbatch::table::{Document, Error, Fault, Options};
use rust_xlsxwriter::{ExcelDateTime, Format, FormatAlign, Formula, Workbook};

use crate::support::parts::rewritten;

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

fn said(text: &str) -> Addition {
    Addition {
        values: vec![Value::Text(text.to_owned())],
        marks: Vec::new(),
    }
}

fn status() -> [Appended; 1] {
    [Appended {
        header: "Status".to_owned(),
        number_format: None,
        widest: 30,
    }]
}

fn plan(appended: &[Appended], short_rows: ShortRows) -> Plan<'_> {
    Plan {
        appended,
        dropped: &[],
        around: Around::LeftOut,
        short_rows,
        fingerprint: None,
    }
}

type Each<'a> = &'a mut (dyn FnMut(RowNumber) -> Option<Addition> + Send);

fn echoed(source: &Path, to: &Path, each: Each<'_>) -> Result<Echoed, Error> {
    let status = status();
    let plan = plan(&status, ShortRows::Kept);
    let document = Document::at(source);
    echo::write(
        &document,
        &Options::default(),
        &plan,
        |_, row| each(row),
        to,
    )
}

fn cells(path: &Path) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

fn text(text: &str) -> Data {
    Data::String(text.to_owned())
}

#[test]
fn line_ends_quotes_and_delimiters_stay_as_they_were() {
    let folder = Folder::new();
    let semicolons = HEADERS.replace(',', ";");
    for end in ["\r\n", "\n", "\r"] {
        let source =
            format!("{semicolons}{end}007;\"O;Neil \"\"Bo\"\"\";1 Elm;A;ON;K1A 0B1;a@b.ca{end}");
        let copy = format!(
            "{semicolons};Status{end}007;\"O;Neil \"\"Bo\"\"\";1 Elm;A;ON;K1A 0B1;a@b.ca;ok{end}"
        );
        assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
    }
}

#[test]
fn a_file_that_quotes_every_field_is_quoted_again() {
    let folder = Folder::new();
    let quoted = |line: &str| format!("\"{}\"", line.replace(',', "\",\""));
    let source = format!(
        "{}\n{}\n",
        quoted(HEADERS),
        quoted("1,Bo,1 Elm,A,ON,K1A,b@c.ca")
    );
    let copy = format!(
        "{},\"Status\"\n{},\"ok\"\n",
        quoted(HEADERS),
        quoted("1,Bo,1 Elm,A,ON,K1A,b@c.ca")
    );
    assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
}

#[test]
fn lines_above_the_headers_and_blank_lines_are_left_out() {
    let folder = Folder::new();
    let source =
        format!("sep=,\nLeads of May\n\n{HEADERS}\n\n1,Bo,1 Elm,A,ON,K1A,b@c.ca\n,,,,,,\n");
    let copy = format!("{HEADERS},Status\n1,Bo,1 Elm,A,ON,K1A,b@c.ca,ok\n");
    assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
}

#[test]
fn every_encoding_is_written_as_it_was_read() {
    let folder = Folder::new();
    let source = format!("{HEADERS}\r\n1,Zoé,1 Élm,Montréal,QC,H2X,b@c.ca\r\n");
    let copy = format!("{HEADERS},Status\r\n1,Zoé,1 Élm,Montréal,QC,H2X,b@c.ca,ok\r\n");
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xFF, 0xFE].into_iter().chain(units).collect()
    };
    let latin = |text: &str| -> Vec<u8> {
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect()
    };
    assert_eq!(folder.text(&source), copy.as_bytes());
    assert_eq!(
        folder.text(format!("\u{feff}{source}")),
        format!("\u{feff}{copy}").as_bytes()
    );
    assert_eq!(folder.text(utf16(&source)), utf16(&copy));
    assert_eq!(folder.text(latin(&source)), latin(&copy));
}

#[test]
fn what_the_encoding_lacks_is_replaced_and_told() {
    let folder = Folder::new();
    let source = folder.file(
        "leads.csv",
        [HEADERS.as_bytes(), b"\n1,Zo\xE9,1 Elm,A,ON,K1A,b@c.ca\n"].concat(),
    );
    let to = folder.path("out.csv");
    let echoed = echoed(&source, &to, &mut |_| Some(said("a → b"))).unwrap();
    assert_eq!(echoed.notes, [Note::Replaced { characters: 1 }]);
    let copy = std::fs::read(to).unwrap();
    assert!(
        copy.ends_with(b"1,Zo\xE9,1 Elm,A,ON,K1A,b@c.ca,a ? b\n"),
        "{copy:?}"
    );
}

#[test]
fn a_broken_row_stays_broken_and_comes_right_when_it_is_mended() {
    let folder = Folder::new();
    let long = "1,Bo,1 Elm, Unit 4,A,ON,K1A,b@c.ca";
    let blanks = "2,Bo,1 Elm,A,ON,K1A,b@c.ca,,";
    let copy = folder.text(format!("{HEADERS}\n{long}\n{blanks}\n3,Bo\n"));
    assert_eq!(
        String::from_utf8(copy).unwrap(),
        format!("{HEADERS},Status\n{long},ok\n2,Bo,1 Elm,A,ON,K1A,b@c.ca,ok\n3,Bo,ok\n")
    );
}

#[test]
fn short_rows_are_filled_where_that_is_asked_for() {
    let folder = Folder::new();
    let source = folder.file("leads.csv", format!("{HEADERS}\n3,Bo\n"));
    let to = folder.path("out.csv");
    let status = status();
    let plan = plan(&status, ShortRows::Filled);
    let document = Document::at(&source);
    echo::write(
        &document,
        &Options::default(),
        &plan,
        |_, _| Some(said("ok")),
        &to,
    )
    .unwrap();
    assert_eq!(
        std::fs::read_to_string(to).unwrap(),
        format!("{HEADERS},Status\n3,Bo,,,,,,ok\n")
    );
}

#[test]
fn only_the_rows_that_are_wanted_are_written_in_their_order() {
    let folder = Folder::new();
    let rows: Vec<String> = (2..=9)
        .map(|row| format!("{row},Bo,1 Elm,A,ON,K1A,b@c.ca\n"))
        .collect();
    let rows = rows.concat();
    let source = folder.file("leads.csv", format!("{HEADERS}\n{rows}"));
    let to = folder.path("out.csv");
    let echoed = echoed(&source, &to, &mut |row| {
        (row.0 % 4 == 0).then(|| said("ok"))
    })
    .unwrap();
    assert_eq!(echoed.rows, 2);
    let copy = std::fs::read_to_string(to).unwrap();
    let ids: Vec<&str> = copy
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(ids, ["4", "8"]);
}

#[test]
fn numbers_and_dates_of_ours_are_plain_in_text() {
    let folder = Folder::new();
    let source = folder.file(
        "leads.csv",
        format!("{HEADERS}\n1,Bo,1 Elm,A,ON,K1A,b@c.ca\n"),
    );
    let appended = ["Feet", "Day", "Moment", "None"].map(|header| Appended {
        header: header.to_owned(),
        number_format: None,
        widest: 20,
    });
    let values = vec![
        Value::Number(182.5),
        Value::Date(jiff::civil::date(2026, 10, 3)),
        Value::Moment(jiff::civil::date(2026, 10, 3).at(14, 5, 9, 0)),
        Value::Empty,
    ];
    let plan = plan(&appended, ShortRows::Kept);
    let to = folder.path("out.csv");
    let addition = Addition {
        values,
        marks: Vec::new(),
    };
    let document = Document::at(&source);
    echo::write(
        &document,
        &Options::default(),
        &plan,
        |_, _| Some(addition.clone()),
        &to,
    )
    .unwrap();
    let copy = std::fs::read_to_string(to).unwrap();
    assert!(
        copy.ends_with("b@c.ca,182.5,2026-10-03,2026-10-03 14:05:09,\n"),
        "{copy}"
    );
}

/// A sheet as an office keeps it: a title, styled headers, formats, dates, an error, a formula.
fn office_sheet(path: &Path) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Leads of May").unwrap();
    sheet.write_string(0, 0, "Leads").unwrap();
    let head = Format::new()
        .set_bold()
        .set_font_color(0x00FF_FFFF)
        .set_background_color(0x0033_66CC)
        .set_align(FormatAlign::Center);
    let headers = [
        "ID", "Name", "Street", "City", "State", "Zip", "Email", "Seen",
    ];
    for (column, header) in (0..).zip(headers) {
        sheet
            .write_string_with_format(2, column, header, &head)
            .unwrap();
    }
    let zip = Format::new().set_num_format("00000");
    let day = Format::new().set_num_format("d mmm yyyy");
    for row in 3..6 {
        sheet.write_number(row, 0, f64::from(row)).unwrap();
        sheet.write_string(row, 1, "=SUM(A1)").unwrap();
        sheet.write_string(row, 2, "1 Elm").unwrap();
        sheet
            .write_formula(row, 3, Formula::new("=NA()").set_result("#N/A"))
            .unwrap();
        sheet.write_string(row, 4, "MA").unwrap();
        sheet.write_number_with_format(row, 5, 2134, &zip).unwrap();
        let seen = ExcelDateTime::from_ymd(2026, 5, 4).unwrap();
        sheet
            .write_datetime_with_format(row, 7, seen, &day)
            .unwrap();
        sheet.write_string(row, 9, "beside the table").unwrap();
    }
    book.save(path).unwrap();
}

#[test]
fn a_workbook_keeps_what_its_cells_are() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    let echoed = echoed(&source, &to, &mut |row| (row.0 == 5).then(|| said("=1+1"))).unwrap();
    assert_eq!((echoed.rows, echoed.notes), (1, Vec::new()));

    let rows = cells(&to);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0][8], text("Status"));
    assert_eq!(rows[1][0], Data::Float(4.0));
    assert_eq!(rows[1][1], text("=SUM(A1)"));
    assert_eq!(rows[1][3], Data::Error(calamine::CellErrorType::NA));
    assert_eq!(rows[1][5], Data::Float(2134.0));
    assert!(matches!(rows[1][7], Data::DateTime(_)), "{:?}", rows[1][7]);
    assert_eq!(rows[1][8], text("=1+1"));
    assert_eq!(rows[1][10], text("beside the table"));

    let mut book: Xlsx<_> = open_workbook(&to).unwrap();
    assert_eq!(book.sheet_names(), ["Leads of May"]);
    let styles = book.worksheet_style("Leads of May").unwrap();
    for column in [0, 8] {
        let header = styles.get((0, column)).unwrap();
        assert!(header.font.as_ref().unwrap().is_bold());
        assert_eq!(
            header
                .fill
                .as_ref()
                .unwrap()
                .get_color()
                .unwrap()
                .to_string(),
            "#3366CC"
        );
        let alignment = header.alignment.as_ref().unwrap();
        assert_eq!(alignment.horizontal, calamine::HorizontalAlignment::Center);
    }
    let format = |column| {
        let style = styles.get((1, column)).unwrap();
        style.number_format.as_ref().unwrap().format_code.clone()
    };
    assert_eq!(format(5), "00000");
    assert_eq!(format(7), "d mmm yyyy");
}

#[test]
fn a_marked_cell_has_a_fill_and_a_note_even_where_nothing_stands() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    let mark = |column: usize, note: &str| Mark {
        column,
        note: note.to_owned(),
    };
    let marks = vec![mark(5, "no such ZIP code"), mark(6, "no email")];
    let addition = Addition {
        values: vec![Value::Empty],
        marks,
    };
    echoed(&source, &to, &mut |_| Some(addition.clone())).unwrap();

    let mut book: Xlsx<_> = open_workbook(&to).unwrap();
    let styles = book.worksheet_style("Leads of May").unwrap();
    for column in [5, 6] {
        let fill = styles.get((1, column)).unwrap().fill.clone().unwrap();
        assert_eq!(fill.get_color().unwrap().to_string(), "#FFC7CE");
    }
    let zip = styles.get((1, 5)).unwrap().number_format.clone().unwrap();
    assert_eq!(zip.format_code, "00000");
    let notes = part(&to, "xl/comments1.xml");
    assert!(
        notes.contains("ref=\"F2\"") && notes.contains("no such ZIP code"),
        "{notes}"
    );
    assert!(
        notes.contains("ref=\"G4\"") && notes.contains("no email"),
        "{notes}"
    );
}

fn part(path: &Path, name: &str) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn the_date_system_of_1904_gives_the_same_days() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    // The same serials, counted from 1904.
    let bytes = std::fs::read(&source).unwrap();
    let of_1904 = rewritten(&bytes, "xl/workbook.xml", |book| {
        book.replace("<workbookPr ", "<workbookPr date1904=\"1\" ")
    });
    std::fs::write(&source, of_1904).unwrap();

    let day = |path: &Path, row: usize| match cells(path)[row][7] {
        Data::DateTime(moment) => moment.to_ymd_hms_milli(),
        ref other => panic!("{other:?}"),
    };
    echoed(&source, &to, &mut |_| Some(said("ok"))).unwrap();
    assert_eq!(day(&source, 3), (2030, 5, 5, 0, 0, 0, 0));
    assert_eq!(day(&to, 1), (2030, 5, 5, 0, 0, 0, 0));
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
    let document = Document::at(&source);
    let known = document.fingerprint().unwrap();
    folder.file(
        "leads.csv",
        format!("{HEADERS}\n1,Bo,1 Elm,A,ON,K1A,another@c.ca\n"),
    );
    let plan = Plan {
        fingerprint: Some(known),
        ..plan(&status, ShortRows::Kept)
    };
    let error = echo::write(
        &document,
        &Options::default(),
        &plan,
        |_, _| Some(said("ok")),
        &to,
    )
    .unwrap_err();
    assert!(matches!(error.fault, Fault::Changed), "{error}");
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
