//! Filters and tables of the user's own sheet contain the results too, so that sorting by them moves whole rows.

use std::fs;
use std::path::Path;

use gutterbatch::sandbox::Options;
use gutterbatch::sheet::column_letters;
use rust_xlsxwriter::{Table, TableColumn, Workbook, Worksheet};

use crate::customer_sheet::appended::{APPENDED, given_back};
use crate::support::Stage;
use crate::support::imports::sheet;
use crate::workbook::entries;

/// A workbook with a table of leads, its headers in the third row, and columns of the user's with these headers.
fn with_table(path: &Path, own: &[&str]) {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Notes & more").unwrap();
    let leads = book.add_worksheet().set_name("Leads").unwrap();
    let text = sheet(0..3);
    let headers = text
        .lines()
        .next()
        .unwrap()
        .split(',')
        .chain(own.iter().copied());
    let headers: Vec<TableColumn> = headers
        .map(|name| TableColumn::new().set_header(name))
        .collect();
    let last = u16::try_from(headers.len()).unwrap() - 1;
    let table = Table::new().set_name("Leads").set_columns(&headers);
    leads.add_table(2, 0, 5, last, &table).unwrap();
    for (row, line) in (3..).zip(text.lines().skip(1)) {
        for (column, word) in (0..).zip(line.split(',')) {
            leads.write(row, column, word).unwrap();
        }
        leads.write(row, last, "mine").unwrap();
    }
    book.save(path).unwrap();
}

fn imported(make: impl Fn(&Path)) -> Stage {
    let stage = Stage::with(Options::default());
    make(&stage.path("leads.xlsx"));
    stage.run(&["import", "leads.xlsx"]).expect(0);
    stage
}

fn part(stage: &Stage, file: &str, name: &str) -> String {
    entries(&fs::read(stage.path(file)).unwrap(), name).swap_remove(0)
}

/// The values of an attribute in a part.
fn values<'x>(xml: &'x str, tag: &str, attribute: &str) -> Vec<&'x str> {
    let start = format!("<{tag} ");
    let tags = xml.split(start.as_str()).skip(1);
    let attribute = format!("{attribute}=\"");
    let values = tags.filter_map(|tag| tag.split_once(attribute.as_str())?.1.split('"').next());
    values.collect()
}

#[test]
fn a_table_contains_the_results_beside_it_and_is_extended_once() {
    let stage = imported(|path| with_table(path, &["Estimator"]));
    given_back(&stage, "leads.xlsx", "back.xlsx");
    given_back(&stage, "back.xlsx", "again.xlsx");
    let own = values(
        &part(&stage, "leads.xlsx", "xl/tables/table1.xml"),
        "tableColumn",
        "name",
    )
    .len();
    let last = column_letters(own + APPENDED.len() - 1);
    for file in ["back.xlsx", "again.xlsx"] {
        let table = part(&stage, file, "xl/tables/table1.xml");
        let range = format!("A3:{last}6");
        assert_eq!(values(&table, "table", "ref"), [range.as_str()], "{file}");
        assert_eq!(values(&table, "autoFilter", "ref"), [range.as_str()]);
        assert_eq!(values(&table, "tableColumn", "name")[own..], *APPENDED);
        let ids: Vec<String> = (1..=own + APPENDED.len())
            .map(|id| id.to_string())
            .collect();
        assert_eq!(values(&table, "tableColumn", "id"), ids);
        assert_eq!(
            values(&table, "tableColumns", "count"),
            [ids.last().unwrap()]
        );
    }
    // Another time zone is another header.
    let words = ["export", "utc.xlsx", "--for", "again.xlsx", "--tz", "UTC"];
    stage.run(&words).expect(0);
    let table = part(&stage, "utc.xlsx", "xl/tables/table1.xml");
    assert_eq!(
        values(&table, "tableColumn", "name")[own + 2],
        "Completed (UTC)"
    );
}

#[test]
fn a_table_with_a_column_of_a_result_s_name_stays() {
    let stage = imported(|path| with_table(path, &["corners"]));
    let warning = "are outside the table Leads (A3:H6), and sorting by it would leave them beside other rows: before you sort by it, convert it to a range";
    assert!(warned(&stage, "leads.xlsx", "back.xlsx").contains(warning));
    let [before, after] =
        ["leads.xlsx", "back.xlsx"].map(|file| part(&stage, file, "xl/tables/table1.xml"));
    assert_eq!(before, after);
}

/// The table Leads in A3:G6, or these cells without a table, with more on their sheet.
fn with_more(path: &Path, table: Option<&Table>, more: impl Fn(&mut Worksheet)) {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Notes & more").unwrap();
    let leads = book.add_worksheet().set_name("Leads").unwrap();
    for (row, line) in (2..).zip(sheet(0..3).lines()) {
        leads.write_row(row, 0, line.split(',')).unwrap();
    }
    if let Some(table) = table {
        let headers = sheet(0..0);
        let headers = headers.trim_end().split(',');
        let columns: Vec<TableColumn> = headers
            .map(|name| TableColumn::new().set_header(name))
            .collect();
        let table = table.clone().set_name("Leads").set_columns(&columns);
        leads.add_table(2, 0, 5, 6, &table).unwrap();
    }
    more(leads);
    book.save(path).unwrap();
}

/// A table of two columns and rows, its headers in the row.
fn add_rates(leads: &mut Worksheet, row: u32) {
    let headers = ["Rate", "Value"].map(|name| TableColumn::new().set_header(name));
    let table = Table::new().set_name("Rates").set_columns(&headers);
    leads.write_row(row + 1, 8, ["a", "b"]).unwrap();
    leads.add_table(row, 8, row + 1, 9, &table).unwrap();
}

/// What an export with the sheet says on standard error.
fn warned(stage: &Stage, own: &str, to: &str) -> String {
    let words = ["export", to, "--for", own, "--tz", "America/Toronto"];
    stage.run(&words).expect(0).stderr
}

#[test]
fn a_table_of_other_cells_never_gets_the_results_and_one_that_cannot_reach_them_is_named() {
    let leads = Table::new();
    let stage = imported(|path| with_more(path, Some(&leads), |sheet| add_rates(sheet, 2)));
    let warning = "the results, from column K on, are outside the table Leads (A3:G6), and sorting by it would leave them beside other rows: before you sort by it, move what is in columns H to J to another sheet, delete the emptied columns H to J and export again";
    for (own, to) in [("leads.xlsx", "back.xlsx"), ("back.xlsx", "again.xlsx")] {
        let stderr = warned(&stage, own, to);
        assert_eq!(stderr.matches("outside").count(), 1, "{stderr}");
        assert!(stderr.contains(warning), "{stderr}");
        for table in ["xl/tables/table1.xml", "xl/tables/table2.xml"] {
            assert_eq!(part(&stage, "leads.xlsx", table), part(&stage, to, table));
        }
    }
    let stage = imported(|path| with_more(path, None, |sheet| add_rates(sheet, 2)));
    let stderr = warned(&stage, "leads.xlsx", "back.xlsx");
    assert!(!stderr.contains("outside"), "{stderr}");
    let rates = "xl/tables/table1.xml";
    assert_eq!(
        part(&stage, "leads.xlsx", rates),
        part(&stage, "back.xlsx", rates)
    );
}

#[test]
fn results_are_not_written_under_merged_cells() {
    let note = |leads: &mut Worksheet| {
        let format = rust_xlsxwriter::Format::new();
        leads
            .merge_range(4, 8, 4, 11, "call first", &format)
            .unwrap();
        leads
            .merge_range(0, 0, 0, 25, "Our leads", &format)
            .unwrap();
    };
    let stage = imported(|path| with_more(path, Some(&Table::new()), note));
    let stderr = warned(&stage, "leads.xlsx", "back.xlsx");
    assert!(stderr.contains("from column M on"), "{stderr}");
}

#[test]
fn a_merged_sum_below_the_rows_does_not_move_the_results() {
    let sum = |leads: &mut Worksheet| {
        leads.write(8, 3, "Total").unwrap();
        leads.write(8, 4, 3).unwrap();
        let format = rust_xlsxwriter::Format::new();
        leads.merge_range(8, 6, 8, 25, "", &format).unwrap();
        leads.merge_range(9, 0, 9, 25, "", &format).unwrap();
    };
    let stage = imported(|path| with_more(path, Some(&Table::new()), sum));
    let stderr = warned(&stage, "leads.xlsx", "back.xlsx");
    assert!(!stderr.contains("outside"), "{stderr}");
    let table = part(&stage, "back.xlsx", "xl/tables/table1.xml");
    assert!(!table.contains("A3:G6"), "{table}");
}

#[test]
fn a_table_is_not_extended_over_a_cell_beside_it() {
    let note = |leads: &mut Worksheet| {
        leads.write(4, 8, "call first").unwrap();
    };
    let stage = imported(|path| with_more(path, Some(&Table::new()), note));
    let stderr = warned(&stage, "leads.xlsx", "back.xlsx");
    assert!(stderr.contains("what is in columns H to I"), "{stderr}");
    let table = "xl/tables/table1.xml";
    assert_eq!(
        part(&stage, "leads.xlsx", table),
        part(&stage, "back.xlsx", table)
    );
}

#[test]
fn a_filter_is_extended_over_cells_without_a_header_but_over_no_other_list() {
    type More = fn(&mut Worksheet);
    let cases: [(More, Option<usize>); 4] = [
        (
            |leads| {
                leads.write(4, 8, "call first").unwrap();
            },
            Some(9),
        ),
        (
            |leads| {
                leads.write(2, 8, "Rates").unwrap();
            },
            None,
        ),
        (|leads| add_rates(leads, 3), None),
        // Above the filter's rows.
        (|leads| add_rates(leads, 0), Some(7)),
    ];
    for (index, (more, first)) in cases.into_iter().enumerate() {
        let stage = imported(|path| {
            with_more(path, None, |leads| {
                leads.autofilter(2, 0, 5, 6).unwrap();
                more(leads);
            });
        });
        let stderr = warned(&stage, "leads.xlsx", "back.xlsx");
        let last = first.map_or(6, |first| first + APPENDED.len() - 1);
        let last = column_letters(last);
        let leads = part(&stage, "back.xlsx", "xl/worksheets/sheet2.xml");
        assert_eq!(
            values(&leads, "autoFilter", "ref"),
            [format!("A3:{last}6")],
            "{index}"
        );
        let book = part(&stage, "back.xlsx", "xl/workbook.xml");
        let name = format!(">Leads!$A$3:${last}$6</definedName>");
        assert!(book.contains(&name), "{index}: {book}");
        let warning = "are outside the filter (A3:G6), and sorting by it would leave them beside other rows: before you sort by it, set it again over all columns";
        assert_eq!(
            stderr.contains(warning),
            first.is_none(),
            "{index}: {stderr}"
        );
    }
}

#[test]
fn a_filter_contains_the_results_beside_it_and_is_extended_once() {
    let make = |path: &Path| {
        let mut book = Workbook::new();
        book.add_worksheet().set_name("Notes & more").unwrap();
        let leads = book.add_worksheet().set_name("Leads").unwrap();
        for (row, line) in (1..).zip(sheet(0..3).lines()) {
            for (column, word) in (0..).zip(line.split(',')) {
                leads.write(row, column, word).unwrap();
            }
        }
        leads.autofilter(1, 0, 4, 6).unwrap();
        book.save(path).unwrap();
    };
    let stage = imported(make);
    let before = part(&stage, "leads.xlsx", "xl/workbook.xml");
    assert!(
        before.contains(">Leads!$A$2:$G$5</definedName>"),
        "{before}"
    );
    given_back(&stage, "leads.xlsx", "back.xlsx");
    given_back(&stage, "back.xlsx", "again.xlsx");
    let last = column_letters(6 + APPENDED.len());
    for file in ["back.xlsx", "again.xlsx"] {
        let leads = part(&stage, file, "xl/worksheets/sheet2.xml");
        assert_eq!(
            values(&leads, "autoFilter", "ref"),
            [format!("A2:{last}5")],
            "{file}"
        );
        let book = part(&stage, file, "xl/workbook.xml");
        let name = format!(">Leads!$A$2:${last}$5</definedName>");
        assert!(book.contains(&name), "{book}");
    }
}
