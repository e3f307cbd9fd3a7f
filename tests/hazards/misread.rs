//! Workbooks whose cells the library underneath reads as others, or not at all: they cannot be used.

use crate::hazards::{HEADERS, check, problems, row, stopped};
use crate::support::parts::{ods, xlsx};

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

#[test]
fn a_truth_value_that_is_none_cannot_be_used() {
    let lead = row(&[("Unit", "<c t='b'><v>maybe</v></c>")]);
    let stderr = stopped("leads.xlsx", without_addresses(&[HEADERS, &lead]), &[]);
    assert!(stderr.contains("the workbook is damaged: "), "{stderr}");
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
