//! Rejects in each format and encoding are read back as the same rows.

use gutterbatch::model::Field;
use gutterbatch::table::TableOptions;

use crate::rejects::written::{HEADERS, NO_CITY, Office, invalid, workbook};
use crate::support::Stage;

#[test]
fn rejects_in_every_encoding_are_known_again() {
    let office = Office::new();
    let text = format!("{HEADERS}\r\n{NO_CITY}\r\n").replace(',', ";");
    let utf16 = |little: fn(u16) -> [u8; 2], mark: [u8; 2]| -> Vec<u8> {
        mark.into_iter()
            .chain(text.encode_utf16().flat_map(little))
            .collect()
    };
    let all = [
        text.clone().into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        utf16(u16::to_le_bytes, [0xFF, 0xFE]),
        utf16(u16::to_be_bytes, [0xFE, 0xFF]),
        text.replace("Bo", "Zo\u{e9}")
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect(),
        text.replace(';', "~").into_bytes(),
    ];
    for (index, bytes) in all.into_iter().enumerate() {
        let leads = office.file(&format!("leads{index}.csv"), bytes);
        let mut options = TableOptions::default();
        if index == 5 {
            options.delimiter = gutterbatch::sheet::Delimiter::parse("~");
        }
        let office = Office {
            folder: tempfile::tempdir_in(office.folder.path()).unwrap(),
            options,
        };
        assert_eq!(office.reject(&leads).unwrap().unwrap().rows, 1, "{index}");
        assert_eq!(office.reject(&leads).unwrap().unwrap().rows, 1, "{index}");
    }
}

#[test]
fn a_sheet_name_that_excel_refuses_is_shortened_in_the_rejects() {
    let office = Office::new();
    let leads = office.path("leads.xlsx");
    workbook(&leads);
    let name = "hubspot-crm-exports-all-contacts";
    let long = crate::support::parts::rewritten(
        &std::fs::read(&leads).unwrap(),
        "xl/workbook.xml",
        |book| book.replace("Leads", name),
    );
    std::fs::write(&leads, long).unwrap();
    let written = office.reject(&leads).unwrap().unwrap();
    let rejects: calamine::Xlsx<_> = calamine::open_workbook(&written.path).unwrap();
    assert_eq!(calamine::Reader::sheet_names(&rejects), [&name[..31]]);
    let (_, checked) = office.checked(&written.path);
    assert_eq!(invalid(&checked).len(), 1);
}

#[test]
fn rejects_of_a_workbook_come_back_and_are_the_same_rows() {
    let office = Office::new();
    let leads = office.path("leads.xlsx");
    workbook(&leads);
    let first = office.reject(&leads).unwrap().unwrap();
    assert_eq!(first.rows, 1);
    let (_, checked) = office.checked(&first.path);
    assert_eq!(invalid(&checked).len(), 1);
    assert_eq!(checked.unused, Vec::<String>::new());
    let zips = checked
        .mapping
        .iter()
        .find(|column| column.field == Field::PostalCode)
        .unwrap();
    assert_eq!(zips.samples, ["02134"]);
    let rejects = std::fs::read(&first.path).unwrap();
    let notes = crate::workbook::entries(&rejects, "xl/comments");
    let summary = "1 red cell in 1 row; the reason is in column I, error";
    assert!(notes[0].contains(summary), "{notes:?}");
    let sheet = &crate::workbook::entries(&rejects, "xl/worksheets/sheet")[0];
    assert!(
        sheet.contains("fitToHeight=\"0\" orientation=\"landscape\""),
        "{sheet}"
    );
    assert_eq!(office.reject(&leads).unwrap().unwrap().rows, 1);
}

#[test]
fn a_row_of_a_rejects_workbook_is_as_high_as_its_reason() {
    let office = Office::new();
    let leads = office.path("leads.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let many = NO_CITY.replace("MA,02134,bo@example.com", "Nowhere,zip,bo");
    for (row, line) in (0..).zip([HEADERS, NO_CITY, &many]) {
        sheet.write_row(row, 0, line.split(',')).unwrap();
    }
    book.save(&leads).unwrap();
    let written = office.reject(&leads).unwrap().unwrap();
    let rejects = std::fs::read(&written.path).unwrap();
    let sheet = &crate::workbook::entries(&rejects, "xl/worksheets/sheet")[0];
    assert_eq!(sheet.matches(" customHeight=\"1\"").count(), 1, "{sheet}");
}

#[test]
fn rejects_of_a_utf_8_text_with_accents_have_a_byte_order_mark_and_are_read_back() {
    let office = Office::new();
    let accents = format!("{HEADERS}\n{}\n", NO_CITY.replace("Bo,", "Chloé,"));
    let file = office.file("leads.csv", &accents);
    let written = office.reject(&file).unwrap().unwrap();
    let text = std::fs::read_to_string(&written.path).unwrap();
    assert!(text.starts_with("\u{feff}ID,Name,"), "{text}");
    assert_eq!(text.matches('\u{feff}').count(), 1, "{text}");
    assert!(text.contains("2,Chloé,"), "{text}");
    let (_, checked) = office.checked(&written.path);
    assert_eq!(checked.rows.len(), 1);
    assert_eq!(checked.mapping[0].header, "ID");

    // Plain ASCII needs none.
    let file = office.file("plain.csv", format!("{HEADERS}\n{NO_CITY}\n"));
    let written = office.reject(&file).unwrap().unwrap();
    let text = std::fs::read_to_string(&written.path).unwrap();
    assert!(text.starts_with("ID,Name,"), "{text}");
}

#[test]
fn rejects_are_read_with_the_columns_of_their_sheet() {
    let units = (1..=8).map(|unit| {
        format!("{unit} rue Roy,app. {unit},Gatineau,QC,J8Y 4K2,Luc Roy {unit},819-555-000{unit}\n")
    });
    // These alone do not look like units.
    let rejected = "88 rue Eddy,sous-sol,Gatineau,QC,J8X 4K3,Paul Roy,\n92 rue Eddy,bas,Gatineau,QC,J8X 4K3,Guy Roy,\n";
    let header = "Adresse,Logement,Ville,Province,Code postal,Nom,Téléphone";
    let text = format!("{header}\n{}{rejected}", units.collect::<String>());
    let stage = Stage::open();
    stage.file("leads.csv", text);
    let flags = ["import", "leads.csv", "--derive-id"];
    let told = stage.run(&flags).expect(3).stderr;
    let hint = "gutterbatch import leads.rejects.csv --derive-id --map line2=B";
    assert!(told.contains(hint), "{told}");
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file(
        "leads.rejects.csv",
        rejects.replace("Roy,,", "Roy,819-555-0102,"),
    );
    stage.run(&["import", "leads.rejects.csv"]).expect(0);
    let held = stage.sandbox().measurements();
    let units = held.iter().filter_map(|held| held.line2.as_deref());
    let sent: Vec<&str> = units
        .filter(|unit| ["sous-sol", "bas"].contains(unit))
        .collect();
    assert_eq!(sent.len(), 2, "{held:?}");
    stage.run(&["import", "leads.csv"]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 10);
}

#[test]
fn the_reason_of_wide_rejects_is_in_sight_beside_the_first_column() {
    let office = Office::new();
    let leads = office.path("leads.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in (0..).zip([HEADERS, NO_CITY]) {
        sheet.write_row(row, 0, line.split(',')).unwrap();
    }
    for column in 7..30 {
        sheet.write(0, column, format!("Remark {column}")).unwrap();
        sheet.write(1, column, "none").unwrap();
    }
    book.save(&leads).unwrap();
    let written = office.reject(&leads).unwrap().unwrap();
    let rejects = std::fs::read(&written.path).unwrap();
    let sheet = &crate::workbook::entries(&rejects, "xl/worksheets/sheet")[0];
    let pane = "<pane xSplit=\"1\" ySplit=\"1\" topLeftCell=\"AE2\"";
    assert!(sheet.contains(pane), "{sheet}");
}
