//! Rejected rows in the user's own layout.

use std::path::Path;

use gutterbatch::model::{Field, RowNumber};
use gutterbatch::table::rejects::{Reason, Rejected, write};
use gutterbatch::table::{Document, Options};
use rust_xlsxwriter::{Color, Format, Workbook};

use crate::hazards::{HEADERS, row};
use crate::support::Stage;

fn rejected(row: u32, cell: &str, message: &str) -> Rejected {
    Rejected {
        row: RowNumber(row),
        reasons: vec![Reason {
            field: Some(Field::City),
            cell: Some(cell.to_owned()),
            message: message.to_owned(),
        }],
    }
}

fn written(input: &Path, out: &Path, rejected: Vec<Rejected>) -> u64 {
    write(&Document::at(input), &Options::default(), out, rejected).unwrap()
}

#[test]
fn text_keeps_encoding_delimiter_line_ends_and_columns() {
    let stage = Stage::offline();
    let table = format!(
        "exported by Ada\r\n{}\r\n{}\r\n{}\r\n",
        HEADERS,
        row(&[]),
        row(&[
            ("ID", "A-2"),
            ("City", ""),
            ("Street", "12 rue Québec; côté cour")
        ])
    );
    let encode =
        |text: &str| encoding(&text.replace("; ", "|").replace(',', ";").replace('|', ", "));
    let input = stage.file("leads.csv", encode(&table));
    let out = stage.path("leads.rejects.csv");
    assert_eq!(
        written(&input, &out, vec![rejected(4, "G4", "the city is empty")]),
        1
    );
    let expected = format!(
        "{HEADERS},error,source_row\r\nA-2,Ada Lovelace,ada@example.com,(416) 555-0100,12 rue Québec| côté cour,,,ON,M5V 1A1,CA,,city: the city is empty,4\r\n"
    );
    let expected = expected.replace(',', ";").replace('|', ",");
    assert_eq!(std::fs::read(&out).unwrap(), encoding(&expected));
}

/// Windows-1252, for text of Latin letters.
fn encoding(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

#[test]
fn a_mended_file_is_imported_as_it_is() {
    let stage = Stage::offline();
    let input = stage.file(
        "leads.csv",
        format!("{HEADERS}\n{}\n", row(&[("City", "")])),
    );
    let out = stage.path("leads.rejects.csv");
    written(&input, &out, vec![rejected(2, "G2", "the city is empty")]);
    let mended = std::fs::read_to_string(&out)
        .unwrap()
        .replace("12 Elm Street,,,", "12 Elm Street,,Toronto,");
    stage.file("leads.rejects.csv", mended);
    let document = stage
        .run(&["check", "leads.rejects.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(document["valid"], 1);
    assert_eq!(
        document["unused_columns"],
        serde_json::json!(["error", "source_row"])
    );
}

#[test]
fn rejects_of_rejects_have_our_columns_once() {
    let stage = Stage::offline();
    let input = stage.file(
        "leads.csv",
        format!("{HEADERS}\n{}\n", row(&[("City", "")])),
    );
    let (first, second) = (stage.path("a.csv"), stage.path("b.csv"));
    written(&input, &first, vec![rejected(2, "G2", "the city is empty")]);
    written(
        &first,
        &second,
        vec![rejected(2, "G2", "the city is empty")],
    );
    let headers = std::fs::read_to_string(&second).unwrap();
    assert_eq!(
        headers.lines().next(),
        Some(&*format!("{HEADERS},error,source_row"))
    );
}

#[test]
fn nothing_rejected_removes_our_file_and_no_other() {
    let stage = Stage::offline();
    let input = stage.file("leads.csv", format!("{HEADERS}\n{}\n", row(&[])));
    let ours = stage.path("leads.rejects.csv");
    written(&input, &ours, vec![rejected(2, "G2", "no")]);
    written(&input, &ours, Vec::new());
    assert!(!ours.exists());
    let theirs = stage.file("mine.csv", "id,name\n1,Ada\n");
    written(&input, &theirs, Vec::new());
    assert!(theirs.exists());
    let refused = write(
        &Document::at(&input),
        &Options::default(),
        &theirs,
        vec![rejected(2, "G2", "no")],
    );
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .ends_with("mine.csv is not a file of rejected rows, so it is not replaced")
    );
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::offline();
    let input = stage.file("leads.csv", format!("{HEADERS}\n{}\n", row(&[])));
    let out = stage.path("leads.rejects.csv");
    written(&input, &out, vec![rejected(2, "G2", "no")]);
    assert_eq!(
        std::fs::metadata(&out).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn a_workbook_keeps_header_styles_and_marks_faulty_cells() {
    let stage = Stage::offline();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let bold = Format::new()
        .set_bold()
        .set_background_color(Color::RGB(0x001F_4E78));
    for (column, header) in (0..).zip(HEADERS.split(',')) {
        sheet
            .write_string_with_format(0, column, header, &bold)
            .unwrap();
    }
    let cells = row(&[("City", "")]);
    for (column, cell) in (0..).zip(cells.split(',')) {
        sheet.write_string(1, column, cell).unwrap();
    }
    let input = stage.file("leads.xlsx", workbook.save_to_buffer().unwrap());
    let out = stage.path("leads.rejects.xlsx");
    assert_eq!(
        written(&input, &out, vec![rejected(2, "G2", "the city is empty")]),
        1
    );
    let parts = |name: &str| part(&out, name);
    assert!(
        parts("xl/styles.xml").contains("1F4E78"),
        "the header's colour is kept"
    );
    assert!(
        parts("xl/styles.xml").contains("FFC7CE"),
        "the faulty cell is marked"
    );
    assert!(
        parts("xl/comments1.xml").contains("the city is empty"),
        "a note says why"
    );
    let document = stage
        .run(&["check", "leads.rejects.xlsx", "--json"])
        .expect(3)
        .json();
    assert_eq!(document["rows"], 1);
}

fn part(path: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}
