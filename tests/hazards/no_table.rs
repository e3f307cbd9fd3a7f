//! Files that are no tables of homeowners.

use crate::hazards::{HEADERS, check, stopped, table};
use crate::support::Stage;

#[test]
fn nothing_to_import_stops() {
    assert!(stopped("leads.csv", "", &[]).starts_with("error: leads.csv: the file is empty\n"));
    assert!(stopped("leads.csv", "\n\n", &[]).starts_with("error: leads.csv: the file is empty\n"));
    assert!(
        stopped("leads.csv", format!("{HEADERS}\n"), &[]).starts_with(
            "error: leads.csv: no rows to import: there is nothing below the headers in row 1\n"
        )
    );
}

#[test]
fn content_counts_and_not_the_name() {
    let read = check("leads.xlsx", table(&[]), &[]).expect(0).json();
    assert_eq!(
        read["reading"],
        "leads.xlsx: CSV though its name says XLSX, UTF-8, commas, headers in row 1"
    );
}

#[test]
fn what_is_no_table_stops_with_what_it_is() {
    for (bytes, what) in [
        (&b"\x89PNG\r\n\x1a\n"[..], "it is a picture, not a table"),
        (b"%PDF-1.7\n", "it is a PDF, not a table"),
        (
            b"\xEF\xBB\xBF\n<HTML><table>",
            "it is a web page or XML, not a table",
        ),
        (
            b"<?xml version=\"1.0\"?>\n",
            "it is a web page or XML, not a table",
        ),
        (b"[{\"name\":\"Ann\"}]\n", "it is JSON, not a table"),
        (b"\x00\x01\x02\x03", "it is binary data, not a table"),
        (b"\x1F\x8B\x08", "it is a gzip archive, not a table"),
    ] {
        let stderr = stopped("leads.csv", bytes, &[]);
        assert!(
            stderr.starts_with(&format!("error: leads.csv: {what}\n")),
            "{stderr}"
        );
    }
}

#[test]
fn an_archive_is_to_be_unpacked() {
    let zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    for (bytes, what) in [(&b"\x1F\x8B\x08"[..], "gzip"), (zip, "ZIP")] {
        assert_eq!(
            stopped("leads.csv.gz", bytes, &[]),
            format!(
                "error: leads.csv.gz: it is a {what} archive, not a table\nhint: unpack it, and give the file that it contains\n"
            )
        );
    }
}

#[test]
fn a_text_without_columns_gets_no_flags_for_its_only_header() {
    let title = stopped(
        "leads.xlsx",
        b"Street addresses of our customers\nA;B\n",
        &[],
    );
    let hint = title.lines().nth(1).unwrap();
    assert_eq!(
        hint,
        "hint: row 1 was read as the headers: Street addresses of our customers"
    );
    assert!(!title.contains("--map"), "{title}");
}

#[test]
fn a_folder_and_a_file_that_is_not_there_stop() {
    let stage = Stage::offline();
    let device = stage.run(&["check", "/dev/null"]).expect(10);
    let error = "error: /dev/null: it is not a regular file\n";
    assert!(device.stderr.starts_with(error), "{}", device.stderr);
    let folder = stage.run(&["check", "."]).expect(10);
    assert!(
        folder.stderr.contains("it is a folder"),
        "{}",
        folder.stderr
    );
    let missing = stage.run(&["check", "nowhere.csv"]).expect(10);
    assert!(
        missing
            .stderr
            .starts_with("error: nowhere.csv: there is no such file\n"),
        "{}",
        missing.stderr
    );
    stage.file("leads.csv", "");
    let missing = stage.run(&["check", "leadz.csv"]).expect(10).stderr;
    assert!(missing.contains("did you mean leads.csv?"), "{missing}");
    let other = stage.run(&["check", "leagues.csv"]).expect(10).stderr;
    assert!(!other.contains("did you mean"), "{other}");
}

#[test]
fn a_canadian_sheet_without_provinces_is_told_of_a_province() {
    let said = |code: &str| {
        let headers = "ID,Name,Email,Street,City,Postal Code";
        let row = format!("1,Ada,ada@example.com,12 Elm Street,Springfield,{code}");
        stopped("leads.csv", format!("{headers}\n{row}\n"), &[])
    };
    let canadian = said("j8x 3s6");
    assert!(
        canadian.contains("such as `Province` with `QC`"),
        "{canadian}"
    );
    let other = said("43215");
    assert!(other.contains("such as `State` with `OH`"), "{other}");
}
