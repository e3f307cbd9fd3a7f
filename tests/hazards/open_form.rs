//! Workbooks of the open form, as several programs write them: indented, with rows and cells that say how often they
//! repeat.

use crate::hazards::{HEADERS, check, problems};
use crate::support::parts::ods;

const LEAD: [&str; 10] = [
    "A-1",
    "Ada Lovelace",
    "ada@example.com",
    "(416) 555-0100",
    "12 Elm Street",
    "",
    "Boston",
    "MA",
    "02134",
    "US",
];

fn text(value: &str) -> String {
    if value.is_empty() {
        return "<table:table-cell/>".to_owned();
    }
    format!(
        "          <table:table-cell office:value-type=\"string\">\n            <text:p>{value}</text:p>\n          </table:table-cell>"
    )
}

/// A row, its cells indented; `changes` are cells in their own words.
fn row(attributes: &str, cells: &[&str], changes: &[(usize, &str)]) -> String {
    let cells = cells.iter().enumerate().map(|(column, value)| {
        let change = changes.iter().find(|(changed, _)| *changed == column);
        change.map_or_else(|| text(value), |(_, cell)| (*cell).to_owned())
    });
    let cells: Vec<String> = cells.collect();
    format!(
        "        <table:table-row {attributes}>\n{}\n        </table:table-row>\n",
        cells.join("\n")
    )
}

fn headers() -> String {
    row("", &HEADERS.split(',').collect::<Vec<_>>(), &[])
}

fn lead(id: &str, street: &str, attributes: &str, changes: &[(usize, &str)]) -> String {
    let mut cells = LEAD;
    (cells[0], cells[4]) = (id, street);
    row(attributes, &cells, changes)
}

fn read(rows: &[String], flags: &[&str]) -> serde_json::Value {
    check("leads.ods", ods(&rows.concat()), flags).json()
}

const CLEAN: [&str; 0] = [];

#[test]
fn an_indented_document_is_read_and_repeated_rows_keep_their_numbers() {
    let nothing = "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>".to_owned();
    let rest = nothing.replace("\"3\"", "\"1048570\"");
    let city = (6, "<table:table-cell/>");
    let rows = [
        headers(),
        lead("A-1", "12 Elm Street", "", &[]),
        nothing,
        lead("A-2", "99 Oak Street", "", &[city]),
        rest,
    ];
    let read = read(&rows, &[]);
    assert_eq!(
        read["reading"],
        "leads.ods: ODS, sheet `Leads`, headers in row 1"
    );
    assert_eq!(
        (read["rows"].as_u64(), read["blank_skipped"].as_u64()),
        (Some(2), Some(3))
    );
    assert_eq!(problems(&read), ["error G6: the city is empty"]);
}

#[test]
fn cells_that_repeat_stand_in_every_column() {
    let cells = row(
        "table:number-rows-repeated=\"2\"",
        &LEAD,
        &[
            (
                2,
                "<table:table-cell table:number-columns-repeated=\"2\" office:value-type=\"string\"><text:p>4165550100</text:p></table:table-cell>",
            ),
            (3, ""),
        ],
    );
    let read = read(&[headers(), cells], &[]);
    assert_eq!(
        (read["rows"].as_u64(), read["duplicate"].as_u64()),
        (Some(2), Some(1))
    );
}

#[test]
fn hidden_and_filtered_rows_are_told_or_left_out() {
    let rows = [
        headers(),
        lead("A-1", "12 Elm Street", "", &[]),
        lead("A-2", "99 Oak Street", "table:visibility=\"collapse\"", &[]),
        lead("A-3", "7 Pine Street", "table:visibility=\"filter\"", &[]),
    ];
    assert_eq!(
        problems(&read(&rows, &[])),
        ["warning row 3: 2 hidden rows (3, 4) are included; --visible-only leaves them out"]
    );
    assert_eq!(read(&rows, &["--visible-only"])["rows"], 1);
}

#[test]
fn merged_cells_are_told_and_what_they_cover_is_not_seen() {
    let merged = "<table:table-cell table:number-rows-spanned=\"2\" office:value-type=\"string\"><text:p>Boston</text:p></table:table-cell>";
    let covered = "<table:covered-table-cell office:value-type=\"string\"><text:p>Salem</text:p></table:covered-table-cell>";
    let rows = [
        headers(),
        lead("A-1", "12 Elm Street", "", &[(6, merged)]),
        lead("A-2", "99 Oak Street", "", &[(6, covered)]),
    ];
    assert_eq!(
        problems(&read(&rows, &[])),
        [
            "error G3: the city is empty",
            "error G3: G2:G3 are merged, so only G2 has the value; unmerge them in Excel (Home, Merge & Center) and fill each cell",
        ]
    );
}

#[test]
fn zeros_that_a_format_shows_are_read_and_dates_and_errors_are_told() {
    let zip = "<table:table-cell office:value-type=\"float\" office:value=\"2134\"><text:p>02134</text:p></table:table-cell>";
    let id = "<table:table-cell office:value-type=\"float\" office:value=\"100\"><text:p>0100</text:p></table:table-cell>";
    let unit = "<table:table-cell office:value-type=\"date\" office:date-value=\"2026-03-04\"><text:p>4-Mar</text:p></table:table-cell>";
    let city = "<table:table-cell table:formula=\"of:=NA()\" office:value-type=\"string\" office:string-value=\"\" calcext:value-type=\"error\"><text:p>#N/A</text:p></table:table-cell>";
    let formula = "<table:table-cell table:formula=\"of:=A1\"/>";
    assert_eq!(
        problems(&read(
            &[
                headers(),
                lead("", "12 Elm Street", "", &[(0, id), (8, zip)])
            ],
            &[]
        )),
        CLEAN
    );
    let told = lead(
        "A-1",
        "12 Elm Street",
        "",
        &[(5, unit), (6, city), (7, formula)],
    );
    assert_eq!(
        problems(&read(&[headers(), told], &[])),
        [
            "error F2: became a date (`2026-03-04`); was it 3-4 or 4-3? Format the column as text and type it again",
            "error G2: no value (#N/A); open the file in Excel, correct the formula and save",
            "error H2: the formula was never calculated; open the file in Excel and save it",
        ]
    );
}

#[test]
fn repetitions_that_no_sheet_holds_are_refused() {
    let many = row(
        "table:number-rows-repeated=\"1048576\"",
        &["x"],
        &[(
            0,
            "<table:table-cell table:number-columns-repeated=\"16384\" office:value-type=\"string\"><text:p>x</text:p></table:table-cell>",
        )],
    );
    let stopped = check("leads.ods", ods(&[headers(), many].concat()), &[]).expect(10);
    assert!(
        stopped
            .stderr
            .starts_with("error: leads.ods: the sheets span more than 8,388,608 cells\n"),
        "{}",
        stopped.stderr
    );
}

#[test]
fn a_text_of_the_open_form_is_no_table() {
    let content = b"<office:document-content><office:body><office:text><text:p>Dear Ada</text:p></office:text></office:body></office:document-content>";
    let letter = crate::support::parts::archive(&[("content.xml", content)]);
    let stopped = check("letter.odt", letter, &[]).expect(10);
    assert!(
        stopped
            .stderr
            .contains("it is a document of another office program, not a table"),
        "{}",
        stopped.stderr
    );
}

#[test]
fn the_table_of_a_chart_above_the_rows_is_not_read() {
    let chart = format!(
        "<table:shapes><table:table table:name=\"chart\">{}{}</table:table></table:shapes>",
        headers(),
        lead("X-9", "90 Pine Street", "", &[])
    );
    let rows = [
        chart,
        headers(),
        lead("A-1", "12 Elm Street", "", &[(6, "<table:table-cell/>")]),
    ];
    let read = read(&rows, &[]);
    assert_eq!(read["rows"], 1);
    assert_eq!(problems(&read), ["error G2: the city is empty"]);
}

#[test]
fn a_number_is_sent_with_the_words_that_its_format_shows_around_it() {
    let number = |value: &str, shown: &str| {
        format!(
            "<table:table-cell office:value-type=\"float\" office:value=\"{value}\"><text:p>{shown}</text:p></table:table-cell>"
        )
    };
    let (id, unit) = (number("123", "L-00123"), number("5", "Apt. 5"));
    let quarter = number("0.25", "1/4");
    let rows = [
        headers(),
        lead("", "12 Elm Street", "", &[(0, &id), (5, &unit)]),
        lead("A-2", "99 Oak Street", "", &[(5, &quarter)]),
    ];
    let stage = crate::support::Stage::open();
    stage.file("leads.ods", ods(&rows.concat()));
    let run = stage.run(&["import", "leads.ods", "--json"]).expect(3);
    assert_eq!(
        problems(&run.json()),
        [
            "error F3: holds `0.25`, but its number format displays something else; format the cell as text and type the right value"
        ]
    );
    let sent = stage.sandbox().measurements();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].external_id.as_deref(), Some("L-00123"));
    assert_eq!(sent[0].line2.as_deref(), Some("Apt. 5"));
}
