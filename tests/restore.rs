//! A lost journal comes back from any workbook of an export.

use std::fs;

use serde_json::Value;

use crate::export::{complete, export, imported};
use crate::support::Stage;
use crate::support::parts::rewritten;

/// The map of a workbook, which no menu shows.
const MAP: &str = "xl/worksheets/sheet7.xml";

fn restore(stage: &Stage, workbook: &str, journal: &str, code: i32) -> Value {
    let words = [
        "import",
        "--restore",
        workbook,
        "--journal",
        journal,
        "--json",
    ];
    stage.run(&words).expect(code).json()
}

/// Three measurements, two of them measured, in a workbook whose map is changed as said.
fn changed(change: impl Fn(Vec<&str>) -> Vec<&str>) -> Stage {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["all.xlsx", "--new"], 0);
    let workbook = fs::read(stage.path("all.xlsx")).unwrap();
    let other = rewritten(&workbook, MAP, |sheet| {
        let (head, rest) = sheet.split_once("<sheetData>").unwrap();
        let (rows, tail) = rest.split_once("</sheetData>").unwrap();
        let rows = change(rows.split_inclusive("</row>").collect()).concat();
        format!("{head}<sheetData>{rows}</sheetData>{tail}")
    });
    stage.file("changed.xlsx", other);
    stage
}

#[test]
fn a_row_that_is_gone_from_the_map_is_missed() {
    let stage = changed(|mut rows| {
        rows.remove(3);
        rows
    });
    let restored = restore(&stage, "changed.xlsx", "new.db", 3);
    assert_eq!(
        (&restored["restored"], &restored["unreadable"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn of_two_rows_that_claim_one_measurement_the_first_holds() {
    let stage = changed(|mut rows| {
        rows[3] = rows[2];
        rows
    });
    let restored = restore(&stage, "changed.xlsx", "new.db", 3);
    assert_eq!(
        (&restored["restored"], &restored["unreadable"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_lost_journal_is_restored_from_a_workbook_without_a_request() {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["sealed.xlsx", "--new"], 0);
    let before = stage.sandbox().calls().len();
    let journal = ["--journal", "new.db"];
    let restored = stage
        .run(
            &[
                &["import", "--restore", "sealed.xlsx", "--json"],
                &journal[..],
            ]
            .concat(),
        )
        .expect(0)
        .json();
    assert_eq!(
        (&restored["restored"], &restored["billed"]),
        (&3.into(), &2.into())
    );
    let rerun = stage.run(&[&["import", "leads.csv", "--json"], &journal[..]].concat());
    assert_eq!(rerun.expect(0).json()["outcomes"]["known"], 3);
    let posts = stage.sandbox().calls()[before..]
        .iter()
        .filter(|call| call.method == "POST")
        .count();
    assert_eq!(posts, 0);
    // The next export verifies, and bills nothing a second time.
    let again = export(
        &stage,
        &[&["b.xlsx", "--new", "--json"], &journal[..]].concat(),
        0,
    )
    .json();
    assert_eq!(again["sealed"], Value::Null);
    assert_eq!(again["requests"]["get"].as_u64(), Some(3));
    export(
        &stage,
        &[&["c.xlsx", "--again", "1"], &journal[..]].concat(),
        0,
    );
    let read = |name| fs::read(stage.path(name)).unwrap();
    assert!(read("c.xlsx") == read("sealed.xlsx"));
}
