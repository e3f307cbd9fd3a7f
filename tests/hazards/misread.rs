//! Workbooks whose cells the library underneath reads as others, or not at all: they cannot be used.

use crate::hazards::{HEADERS, check, problems, row, stopped};
use crate::support::parts::{ods, rewritten, xlsx};

const SHEET: &str = "xl/worksheets/sheet1.xml";

/// A cell of a row: a text, or XML as it is.
fn cell(value: &str) -> String {
    if value.starts_with('<') {
        return value.to_owned();
    }
    format!("<c t=\"inlineStr\"><is><t>{value}</t></is></c>")
}

/// A sheet whose rows and cells have no addresses.
fn without_addresses(rows: &[&str]) -> Vec<u8> {
    let rows = rows.iter().map(|row| {
        let cells: String = row.split(',').map(cell).collect();
        format!("<row>{cells}</row>")
    });
    let rows: String = rows.collect();
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    xlsx(
        "",
        &format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
    )
}

/// A workbook with shared texts, the value of one of its cells changed; the cells around it are many.
fn with_value(address: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut rows = vec![HEADERS.to_owned()];
    rows.extend((1..=40).map(|id| row(&[("ID", &format!("A-{id}")), ("Unit", "4")])));
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (number, row) in (0..).zip(&rows) {
        for (column, value) in (0..).zip(row.split(',')) {
            sheet.write_string(number, column, value).unwrap();
        }
    }
    rewritten(&book.save_to_buffer().unwrap(), SHEET, |xml| {
        let start = xml.find(&format!("<c r=\"{address}\"")).unwrap();
        let value = start + xml[start..].find("<v>").unwrap() + 3;
        let end = value + xml[value..].find('<').unwrap();
        [&xml[..value], &change(&xml[value..end]), &xml[end..]].concat()
    })
}

#[test]
fn cells_without_addresses_after_an_unknown_error_are_not_read_as_their_neighbors() {
    let spill = "<c t=\"e\"><v>#SPILL!</v></c>";
    let lead = row(&[]).replacen("12 Elm Street", spill, 1);
    let book = without_addresses(&[HEADERS, &lead]);
    let stderr = stopped("leads.xlsx", book, &[]);
    assert!(
        stderr.starts_with(
            "error: leads.xlsx: the workbook is damaged: cell F2 has no address and comes after an error value\n"
        ),
        "{stderr}"
    );
    let last = format!("{}{spill}", row(&[]));
    let next = row(&[("ID", "A-2"), ("Street", "14 Elm Street")]);
    let read = check(
        "leads.xlsx",
        without_addresses(&[HEADERS, &last, &next]),
        &[],
    );
    let read = read.json();
    assert_eq!(read["rows"], 2);
    assert_eq!(
        problems(&read),
        ["error K2: no value (#SPILL!); open the file in Excel, correct the formula and save"]
    );
}

#[test]
fn a_truth_value_that_is_none_cannot_be_used() {
    let lead = row(&[("Unit", "<c t='b'><v>maybe</v></c>")]);
    let stderr = stopped("leads.xlsx", without_addresses(&[HEADERS, &lead]), &[]);
    assert!(stderr.contains("boolean cell value"), "{stderr}");
}

#[test]
fn a_value_that_is_no_index_is_not_read_as_the_first_text() {
    let read = check("leads.xlsx", with_value("F30", str::to_owned), &[]).json();
    assert_eq!(read["valid"], 40);
    for change in [
        |index: &str| format!("{index}.0"),
        |index: &str| format!("\n {index}\n"),
        |index: &str| format!("-{index}"),
        |_: &str| "x".to_owned(),
        |_: &str| "9".repeat(30),
    ] {
        let stderr = stopped("leads.xlsx", with_value("F30", change), &[]);
        assert!(
            stderr.contains("cell F30 does not name its text by a whole number"),
            "{stderr}"
        );
    }
}

#[test]
fn values_with_markup_or_references_are_not_cut() {
    for change in [
        |index: &str| format!("<!-- an index -->{index}"),
        |index: &str| format!("{index}<!-- an index -->"),
        |index: &str| format!("<![CDATA[{index}]]>"),
        |index: &str| format!("{index}&#48;"),
    ] {
        let stderr = stopped("leads.xlsx", with_value("F30", change), &[]);
        assert!(
            stderr.contains("cell F30 has markup within its value"),
            "{stderr}"
        );
    }
    for number in ["<v>61&#52;5550101</v>", "<v><![CDATA[6145550101]]></v>"] {
        let lead = row(&[("Phone", &format!("<c>{number}</c>"))]);
        let stderr = stopped("leads.xlsx", without_addresses(&[HEADERS, &lead]), &[]);
        assert!(
            stderr.contains("cell D2 has markup within its value"),
            "{stderr}"
        );
    }
}

#[test]
fn a_value_before_its_formula_is_not_lost() {
    let lead = row(&[("Unit", "<c><v>4</v><f>2+2</f></c>")]);
    let stderr = stopped("leads.xlsx", without_addresses(&[HEADERS, &lead]), &[]);
    assert!(
        stderr.contains("cell F2 has its value before its formula"),
        "{stderr}"
    );
}

#[test]
fn a_number_that_is_none_is_an_error_of_its_cell() {
    let told = ["error D2: no value (#NUM!); open the file in Excel, correct the formula and save"];
    for number in ["NaN", "1e999", "-inf"] {
        let lead = row(&[("Phone", &format!("<c><v>{number}</v></c>"))]);
        let book = without_addresses(&[HEADERS, &lead]);
        assert_eq!(problems(&check("leads.xlsx", book, &[]).json()), told);
        let cell = format!("<table:table-cell office:value-type='float' office:value='{number}'/>");
        let book = ods(&open_rows(&[HEADERS, &row(&[("Phone", &cell)])]));
        assert_eq!(problems(&check("leads.ods", book, &[]).json()), told);
    }
}

/// Rows of the open form.
fn open_rows(rows: &[&str]) -> String {
    let cell = |value: &str| {
        if value.starts_with('<') {
            return value.to_owned();
        }
        format!("<table:table-cell><text:p>{value}</text:p></table:table-cell>")
    };
    let row = |row: &&str| {
        let cells: String = row.split(',').map(cell).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    rows.iter().map(row).collect()
}

#[test]
fn rows_of_the_open_form_that_are_not_closed_do_not_become_one() {
    let other = row(&[("ID", "A-2"), ("Street", "14 Elm Street")]);
    let whole = open_rows(&[HEADERS, &row(&[]), &other]);
    assert_eq!(check("leads.ods", ods(&whole), &[]).json()["rows"], 2);
    for end in ["</table:table-row>", "</table:table-cell>", "</text:p>"] {
        for (at, _) in whole.match_indices(end) {
            let without = [&whole[..at], &whole[at + end.len()..]].concat();
            let stderr = stopped("leads.ods", ods(&without), &[]);
            assert!(stderr.contains("the workbook is damaged"), "{stderr}");
        }
    }
    let nested = whole.replacen("</table:table-row>", "", 2) + &"</table:table-row>".repeat(2);
    let stderr = stopped("leads.ods", ods(&nested), &[]);
    assert!(stderr.contains("row 1 has another row in it"), "{stderr}");
}
