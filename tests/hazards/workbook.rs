//! What only workbooks do: number cells, dates, formulas, sheets, hidden rows.

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};

use crate::hazards::{HEADERS, check, problems};
use crate::support::Stage;

/// A sheet of headers and one row without a fault in row 2.
pub(super) fn fill(sheet: &mut Worksheet) {
    for (column, header) in (0..).zip(HEADERS.split(',')) {
        sheet.write_string(0, column, header).unwrap();
    }
    row(sheet, 1, "A-1", "12 Elm Street");
}

pub(super) fn row(sheet: &mut Worksheet, at: u32, id: &str, street: &str) {
    let cells = [
        id,
        "Ada Lovelace",
        "ada@example.com",
        "(416) 555-0100",
        street,
        "",
        "Boston",
        "MA",
        "02134",
        "US",
    ];
    for (column, cell) in (0..).zip(cells) {
        if !cell.is_empty() {
            sheet.write_string(at, column, cell).unwrap();
        }
    }
}

pub(super) fn workbook(change: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    fill(sheet);
    change(sheet);
    workbook.save_to_buffer().unwrap()
}

fn found(change: impl FnOnce(&mut Worksheet)) -> Vec<String> {
    problems(&check("leads.xlsx", workbook(change), &[]).json())
}

const CLEAN: [&str; 0] = [];

#[test]
fn numbers_are_taken_as_they_are_shown() {
    let zip = Format::new().set_num_format("00000");
    assert_eq!(
        found(|sheet| {
            sheet.write_number(1, 0, 1001.0).unwrap();
            sheet.write_number(1, 3, 4_165_550_100.0).unwrap();
            sheet.write_number_with_format(1, 8, 2134.0, &zip).unwrap();
        }),
        CLEAN
    );
}

#[test]
fn a_number_whose_format_shows_another_one_is_invalid() {
    for (number, code) in [
        (12_000.0, "0,"),
        (100.5, "# ?/?"),
        (12.6, "0"),
        (0.5, "0%"),
        (60.0, "[<50]0;\"10\""),
    ] {
        let format = Format::new().set_num_format(code);
        let found = found(|sheet| {
            sheet
                .write_number_with_format(1, 5, number, &format)
                .unwrap();
            sheet
                .write_number_with_format(1, 10, number, &format)
                .unwrap();
        });
        let message = format!(
            "error F2: holds `{number}`, but its number format displays something else; format the cell as text and type the right value"
        );
        assert_eq!(found, [message], "{code}");
    }
}

#[test]
fn a_number_is_read_by_the_section_of_its_format_that_excel_shows() {
    let found = found(|sheet| {
        for (column, number, code) in [
            (
                3,
                5_550_101.0,
                "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####",
            ),
            (5, 12.0, "[<=99]\"Apt \"0;\"Ste \"0"),
            (8, 2134.0, "[<=99999]00000;00000\\-0000"),
        ] {
            let format = Format::new().set_num_format(code);
            sheet
                .write_number_with_format(1, column, number, &format)
                .unwrap();
        }
    });
    assert_eq!(found, ["warning D2: no area code; sent unchanged"]);
}

#[test]
fn a_zip_number_gets_its_zero_back_where_the_state_proves_it() {
    let found = found(|sheet| {
        sheet.write_number(1, 8, 2134.0).unwrap();
    });
    assert_eq!(found, ["tidied I2: `2134` → `02134`"]);
}

#[test]
fn an_id_number_beyond_fifteen_digits_is_invalid() {
    let found = found(|sheet| {
        sheet
            .write_number(1, 0, 1_234_567_890_123_456_789.0)
            .unwrap();
    });
    assert_eq!(
        found,
        [
            "error A2: Excel keeps 15 digits, so the id may be wrong; format the column as text and export again"
        ]
    );
}

#[test]
fn float_artefacts_are_what_excel_shows() {
    let stage = Stage::offline();
    let bytes = workbook(|sheet| {
        sheet.write_number(1, 5, 7.000_000_000_000_001).unwrap();
    });
    stage.file("leads.xlsx", bytes);
    let page = stage.run(&["check", "leads.xlsx"]).expect(0).stdout;
    let unit = page.lines().find(|line| line.contains("line2"));
    assert!(unit.is_some_and(|line| line.ends_with("  7")), "{page}");
}

#[test]
fn a_date_where_text_belongs_is_invalid() {
    let found = found(|sheet| {
        let date = ExcelDateTime::from_ymd(2026, 3, 4).unwrap();
        let format = Format::new().set_num_format("d-mmm");
        sheet
            .write_datetime_with_format(1, 5, &date, &format)
            .unwrap();
    });
    assert_eq!(
        found,
        [
            "error F2: became a date (`2026-03-04`); was it 3-4 or 4-3? Format the column as text and type it again"
        ]
    );
}

#[test]
fn formulas_count_by_their_saved_value() {
    let calculated = found(|sheet| {
        sheet
            .write_formula(
                1,
                6,
                Formula::new("=UPPER(\"boston\")").set_result("BOSTON"),
            )
            .unwrap();
    });
    assert_eq!(calculated, CLEAN);
    let error = found(|sheet| {
        sheet
            .write_formula(1, 6, Formula::new("=NA()").set_result("#N/A"))
            .unwrap();
    });
    assert_eq!(
        error,
        ["error G2: no value (#N/A); open the file in Excel, correct the formula and save"]
    );
    let newer = found(|sheet| {
        sheet
            .write_formula(1, 6, Formula::new("=A1:A9").set_result("#SPILL!"))
            .unwrap();
    });
    assert_eq!(
        newer,
        ["error G2: no value (#SPILL!); open the file in Excel, correct the formula and save"]
    );
}

#[test]
fn a_sheet_that_claims_every_row_holds_those_with_data() {
    let bytes = workbook(|sheet| {
        let format = Format::new().set_bold();
        sheet.write_blank(1_048_575, 0, &format).unwrap();
        row(sheet, 9, "A-2", "99 Oak Street");
    });
    let document = check("leads.xlsx", bytes, &[]).expect(0).json();
    assert_eq!(
        (
            document["rows"].as_u64(),
            document["blank_skipped"].as_u64()
        ),
        (Some(2), Some(7))
    );
}

#[test]
fn two_sheets_that_fit_stop_and_hidden_ones_are_no_choice() {
    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet().set_name("North").unwrap());
    fill(workbook.add_worksheet().set_name("South").unwrap());
    let bytes = workbook.save_to_buffer().unwrap();
    let stopped = check("leads.xlsx", &bytes, &[]).expect(10);
    assert_eq!(
        stopped.stderr,
        "error: leads.xlsx: several sheets have fitting headers: `North` and `South`\nhint: gutterbatch check leads.xlsx --json --sheet North\n      \
         or gutterbatch check leads.xlsx --json --sheet South\n      choose one\n"
    );
    for sheet in ["South", "2", "south"] {
        let read = check("leads.xlsx", &bytes, &["--sheet", sheet])
            .expect(0)
            .json();
        assert_eq!(read["sheet"], "South", "{sheet}");
    }
    let missing = check("leads.xlsx", &bytes, &["--sheet", "West"]).expect(10);
    assert!(
        missing
            .stderr
            .ends_with("hint: the sheets are North, South; name one with --sheet\n"),
        "{}",
        missing.stderr
    );

    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet().set_name("North").unwrap());
    fill(
        workbook
            .add_worksheet()
            .set_name("Old")
            .unwrap()
            .set_hidden(true),
    );
    let read = check("leads.xlsx", workbook.save_to_buffer().unwrap(), &[])
        .expect(0)
        .json();
    assert_eq!(read["sheet"], "North");
    let reading = read["reading"].as_str().unwrap();
    assert!(reading.contains("`Old` (hidden)"), "{reading}");
}

#[test]
fn a_hidden_sheet_beside_none_that_fits_is_named() {
    let mut workbook = Workbook::new();
    let notes = workbook.add_worksheet();
    notes.write(0, 0, "Call Ann on Monday").unwrap();
    let leads = workbook.add_worksheet().set_name("Leads").unwrap();
    fill(leads.set_hidden(true));
    let bytes = workbook.save_to_buffer().unwrap();
    let stopped = check("leads.xlsx", &bytes, &[]).expect(10);
    assert_eq!(
        stopped.stderr,
        "error: leads.xlsx: only hidden sheets have fitting headers: `Leads`\n\
         hint: gutterbatch check leads.xlsx --json --sheet Leads\n      \
         hidden sheets are read if you name them\n"
    );
    let read = check("leads.xlsx", &bytes, &["--sheet", "Leads"]).expect(0);
    assert_eq!(read.json()["sheet"], "Leads");
}

#[test]
fn hidden_rows_are_read_with_a_warning_or_left_out() {
    let bytes = workbook(|sheet| {
        row(sheet, 2, "A-2", "99 Oak Street");
        sheet.set_row_hidden(2).unwrap();
    });
    let read = check("leads.xlsx", &bytes, &[]).expect(0).json();
    assert_eq!(
        problems(&read),
        ["warning row 3: 1 hidden row is included; --visible-only leaves them out"]
    );
    let read = check("leads.xlsx", &bytes, &["--visible-only"])
        .expect(0)
        .json();
    assert_eq!(read["rows"], 1);
}

#[test]
fn crossed_out_rows_are_read_with_a_warning_that_lists_the_first_five() {
    let bytes = workbook(|sheet| {
        for id in 2..9 {
            row(sheet, id, &format!("A-{id}"), &format!("{id}9 Oak Street"));
            let struck = Format::new().set_font_strikethrough();
            sheet
                .write_string_with_format(id, 1, "Ada Lovelace", &struck)
                .unwrap();
        }
    });
    let read = check("leads.xlsx", &bytes, &[]).expect(0).json();
    assert_eq!(
        problems(&read),
        [
            "warning row 3: 7 rows (3, 4, 5, 6, 7, …) with crossed-out cells are included; delete what should not be requested"
        ]
    );
}

#[test]
fn a_workbook_with_title_rows_is_read_below_them() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_string(0, 0, "Leads of October").unwrap();
    for (column, header) in (0..).zip(HEADERS.split(',')) {
        sheet.write_string(3, column, header).unwrap();
    }
    row(sheet, 4, "A-1", "12 Elm Street");
    let read = check("leads.csv", workbook.save_to_buffer().unwrap(), &[])
        .expect(0)
        .json();
    assert_eq!(
        read["reading"],
        "leads.csv: XLSX though its name says CSV, sheet `Sheet1`, headers in row 4"
    );
}
