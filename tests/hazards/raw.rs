//! Sheets as other programs write them: dates of 1904, no cell addresses, prefixes, escapes, gaps, wrong dimensions.

use crate::hazards::{HEADERS, check, problems};
use crate::support::parts::{rewritten, with_part, xlsx, xlsx_listing};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

const LEAD: [&str; 11] = [
    "A-1",
    "Ada Lovelace",
    "ada@example.com",
    "",
    "12 Elm Street",
    "",
    "Boston",
    "MA",
    "02134",
    "US",
    "",
];

fn letter(column: usize) -> char {
    ('A'..='K').nth(column).unwrap()
}

/// The cells of a row with their addresses, all inline text.
fn row(number: u32, values: &[&str]) -> String {
    let cells: Vec<String> = (0..)
        .zip(values)
        .filter(|(_, value)| !value.is_empty())
        .map(|(column, value)| {
            let letter = letter(column);
            format!("<c r=\"{letter}{number}\" t=\"inlineStr\"><is><t>{value}</t></is></c>")
        })
        .collect();
    let cells = cells.concat();
    format!("<row r=\"{number}\">{cells}</row>")
}

fn headers() -> Vec<&'static str> {
    HEADERS.split(',').collect()
}

fn sheet(rows: &str) -> String {
    format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
}

fn found(properties: &str, sheet: &str) -> (u64, Vec<String>) {
    let read = check("leads.xlsx", xlsx(properties, sheet), &[]).json();
    (read["valid"].as_u64().unwrap(), problems(&read))
}

#[test]
fn dates_count_from_1904_where_the_workbook_says_so() {
    let date = |serial: u32| {
        let lead = row(2, &LEAD).replace("</row>", "");
        let cell = format!("<c r=\"F2\" s=\"1\"><v>{serial}</v></c></row>");
        sheet(&format!("{}{lead}{cell}", row(1, &headers())))
    };
    let became = "error F2: became a date (`2026-03-04`); was it 3-4 or 4-3? Format the column as text and type it again";
    assert_eq!(found("", &date(46_085)).1, [became]);
    let of_1904 = "<workbookPr date1904=\"1\"/>";
    assert_eq!(found(of_1904, &date(46_085 - 1_462)).1, [became]);
}

#[test]
fn cells_without_addresses_stand_one_after_the_other() {
    let cells = |values: &[&str]| -> String {
        let cell = |value: &&str| format!("<c t=\"inlineStr\"><is><t>{value}</t></is></c>");
        let cells: Vec<String> = values.iter().map(cell).collect();
        format!("<row>{}</row>", cells.concat())
    };
    let rows = format!("{}{}", cells(&headers()), cells(&LEAD));
    assert_eq!(found("", &sheet(&rows)), (1, vec![]));
}

#[test]
fn names_with_a_prefix_are_the_same_names() {
    let rows = format!("{}{}", row(1, &headers()), row(2, &LEAD));
    let prefixed = rows
        .replace("</", "</x:")
        .replace('<', "<x:")
        .replace("<x:/x:", "</x:");
    let text = format!(
        "<x:worksheet xmlns:x=\"{MAIN}\"><x:sheetData>{prefixed}</x:sheetData></x:worksheet>"
    );
    assert_eq!(found("", &text), (1, vec![]));
}

#[test]
fn gaps_between_rows_and_a_wrong_dimension_move_nothing() {
    let mut second = LEAD;
    (second[0], second[4], second[6]) = ("A-2", "99 Oak Street", "");
    let rows = format!(
        "{}{}{}",
        row(3, &headers()),
        row(7, &LEAD),
        row(1_000, &second)
    );
    let text = sheet(&rows).replace("<sheetData>", "<dimension ref=\"A1:B2\"/><sheetData>");
    assert_eq!(
        found("", &text),
        (1, vec!["error G1000: the city is empty".to_owned()])
    );
}

#[test]
fn escapes_rich_text_and_phonetic_hints_are_read_as_they_are_shown() {
    let rich = "<c r=\"E2\" t=\"inlineStr\"><is><r><t xml:space=\"preserve\">12 </t></r><r><t xml:space=\"preserve\">Elm Street</t></r><rPh sb=\"0\" eb=\"1\"><t>no</t></rPh></is></c>";
    let mut lead = LEAD;
    lead[1] = "Ada &amp; Bo_x0020_Lovelace";
    let plain = "<c r=\"E2\" t=\"inlineStr\"><is><t>12 Elm Street</t></is></c>";
    let rows = format!("{}{}", row(1, &headers()), row(2, &lead)).replace(plain, rich);
    let page = crate::support::Stage::offline();
    page.file("leads.xlsx", xlsx("", &sheet(&rows)));
    let text = page.run(&["check", "leads.xlsx"]).expect(0).stdout;
    assert!(text.contains("Ada & Bo Lovelace"), "{text}");
    assert!(text.contains("12 Elm Street"), "{text}");
    assert!(!text.contains("no\n"), "{text}");
}

#[test]
fn what_excel_ignores_does_not_damage_a_workbook() {
    let rows = format!("{}{}", row(1, &headers()), row(2, &LEAD));
    let listed = |others: &str| xlsx_listing(others, "", &sheet(&rows));
    let plain = listed("");
    let claiming = sheet(&rows).replace("<sheetData>", "<dimension ref=\"1:2\"/><sheetData>");
    let shown = |list: &str| list.replace("sheetId", "state=\"show\" sheetId");
    for book in [
        listed(r#"<sheet name="Module1" sheetId="2" state="veryHidden" r:id=""/>"#),
        listed(r#"<sheet name="Macro1" sheetId="2" r:id="rId9"></sheet>"#),
        xlsx("", &claiming),
        rewritten(&plain, "xl/workbook.xml", shown),
    ] {
        let read = check("leads.xlsm", book, &[]).json();
        assert_eq!((&read["valid"], problems(&read)), (&1.into(), vec![]));
    }
    let hidden = rewritten(&plain, "xl/workbook.xml", |list| {
        let module = r#"<sheet name="Module1" sheetId="2" r:id=""/></sheets>"#;
        let list = list.replace("sheetId", "state=\"hidden\" sheetId");
        list.replace("</sheets>", module)
    });
    check("leads.xlsm", &hidden, &[]).expect(10);
    check("leads.xlsm", hidden, &["--sheet", "1"]).expect(0);
}

#[test]
fn a_sheet_that_cannot_be_read_is_passed_over_for_another_one() {
    let rows = format!("{}{}", row(1, &headers()), row(2, &LEAD));
    let others = r#"<sheet name="Old" sheetId="2" r:id="rId2"/>"#;
    let book = xlsx_listing(others, "", &sheet(&rows));
    let book = rewritten(&book, "xl/_rels/workbook.xml.rels", |relations| {
        let missing = relations
            .replace("rId1", "rId2")
            .replace("sheet1", "sheet2");
        let missing = &missing[missing.find("<Relationship ").unwrap()..];
        relations.replace("</Relationships>", missing)
    });
    assert_eq!(check("leads.xlsx", book, &[]).json()["valid"], 1);
}

#[test]
fn more_shared_texts_may_be_claimed_than_there_are() {
    let cell = |number: u32| format!("<c r=\"F{number}\" t=\"s\"><v>0</v></c></row>");
    let second = row(2, &LEAD).replace("</row>", &cell(2));
    let text = sheet(&format!("{}{second}", row(1, &headers())));
    let strings = "<sst uniqueCount=\"4000000\"><si><t>TBD</t></si></sst>";
    let book = with_part(&xlsx("", &text), "xl/sharedStrings.xml", strings);
    let read = check("leads.xlsx", book, &[]).expect(0).json();
    assert_eq!(problems(&read), ["tidied F2: `TBD` is taken as empty"]);
}

#[test]
fn a_row_that_comes_twice_cannot_be_used() {
    let other = LEAD.map(|value| value.replace("12 Elm", "99 Oak"));
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    let (headers, lead, after) = (row(1, &headers()), row(2, &LEAD), row(3, &other));
    let misnamed = after.replace("\"B3\"", "\"B4\"");
    for rows in [
        format!("{headers}{lead}{}", row(2, &other)),
        format!("{headers}{lead}{after}{lead}"),
        format!("{headers}{lead}{misnamed}"),
    ] {
        let read = check("leads.xlsx", xlsx("", &sheet(&rows)), &[]).expect(10);
        assert!(read.stderr.contains("comes twice"), "{}", read.stderr);
        let order = "its rows are not in order, or row ";
        assert!(read.stderr.contains(order), "{}", read.stderr);
    }
}
