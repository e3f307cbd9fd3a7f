//! The file as a whole: encodings, delimiters, line ends, what stands around the table.

use std::fmt::Write as _;

use crate::hazards::{HEADERS, check, document, problems, row, stopped, table};
use crate::support::Stage;

fn reading(content: impl AsRef<[u8]>) -> String {
    document(content, &[])["reading"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_header() {
    let document = document(format!("\u{feff}{}", table(&[])), &[]);
    assert_eq!(document["mapping"]["id"], "ID");
    assert_eq!(
        document["reading"],
        "leads.csv: UTF-8 with a byte order mark, commas, headers in row 1"
    );
}

#[test]
fn excels_unicode_text_is_read() {
    let text = table(&[("City", "Montréal")]).replace(',', "\t");
    for (mark, bytes) in [
        (&b"\xFF\xFE"[..], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        (&b"\xFE\xFF"[..], u16::to_be_bytes),
    ] {
        let encoded: Vec<u8> = mark
            .iter()
            .copied()
            .chain(text.encode_utf16().flat_map(bytes))
            .collect();
        let document = document(encoded, &[]);
        assert_eq!(document["valid"], 1);
        assert_eq!(
            document["reading"],
            "leads.csv: UTF-16, tabs, headers in row 1"
        );
    }
}

#[test]
fn windows_1252_is_said_aloud() {
    let bytes: Vec<u8> = table(&[("Street", "12 rue Québec")])
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let document = document(bytes, &[]);
    assert_eq!(document["valid"], 1);
    assert_eq!(
        problems(&document),
        [
            "warning E2: the file is not UTF-8 and was read as Windows-1252: does `12 rue Québec` look right? Else give --encoding"
        ]
    );
}

#[test]
fn text_of_a_mac_is_not_read_as_windows_1252() {
    let text = table(&[("Street", "12 rue C\u{99}t\u{8e}"), ("City", "Qu\u{8e}bec")]);
    let bytes: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    // Once one text proves the encoding wrong, all are wrong.
    let said = stopped("leads.csv", &bytes, &[]);
    assert_eq!(
        said,
        "error: leads.csv: E2: `12 rue C™tŽ` is garbled: the file is probably not Windows-1252\n\
         hint: save the file as CSV UTF-8; one of an old Mac is read with --encoding macintosh\n"
    );
    for encoding in ["macintosh", "windows-1252"] {
        let read = check("leads.csv", &bytes, &["--encoding", encoding]).json();
        assert_eq!(read["valid"], 1, "{encoding}");
    }
}

#[test]
fn stray_bytes_in_utf8_stop_with_their_line() {
    let mut bytes = table(&[("City", "Montréal")]).into_bytes();
    bytes.extend_from_slice(b"A-2,Jos\xE9,jo@example.com,,1 Elm,,Toronto,ON,M5V 1A1,CA,\n");
    let stderr = stopped("leads.csv", &bytes, &[]);
    assert_eq!(
        stderr,
        "error: leads.csv: line 3 is not UTF-8 while the rest is\n\
         hint: type line 3 again in a text editor (`A-2,Jos�,jo@example.com,,1 Elm,,Toronto,ON,M5V 1A1,CA,`) and save the file as UTF-8; or export it again as \"CSV UTF-8\", or name the encoding of the whole file with --encoding\n"
    );
    let read = check("leads.csv", &bytes, &["--encoding", "windows-1252"])
        .expect(0)
        .json();
    assert_eq!(read["rows"], 2);
}

#[test]
fn text_that_was_garbled_before_is_told() {
    let found = crate::hazards::found(&[("City", "MontrÃ©al")]);
    assert_eq!(
        found,
        ["warning G2: an earlier program used a wrong encoding; was it `Montréal`?"]
    );
    // A derived id would change with the correction.
    let text = table(&[("ID", ""), ("City", "MontrÃ©al")]);
    assert_eq!(
        problems(&document(text, &["--derive-id"])),
        ["error G2: an earlier program used a wrong encoding; was it `Montréal`? Correct it first"]
    );
}

#[test]
fn columns_are_separated_by_whatever_makes_the_headers_fit() {
    for (delimiter, name) in [(';', "semicolons"), ('\t', "tabs"), ('|', "pipes")] {
        let text = table(&[]).replace(',', &delimiter.to_string());
        assert_eq!(
            reading(text),
            format!("leads.csv: UTF-8, {name}, headers in row 1")
        );
    }
}

#[test]
fn excels_line_about_the_separator_is_honoured() {
    let text = format!("sep=;\r\n{}", table(&[("Notes", "a, b")]).replace(',', ";"));
    assert_eq!(
        reading(text),
        "leads.csv: UTF-8, semicolons, headers in row 2"
    );
}

#[test]
fn rows_stand_on_the_editors_lines_whatever_ends_them() {
    for end in ["\n", "\r\n", "\r"] {
        let bad = row(&[("ID", "A-2"), ("City", "")]);
        let notes = row(&[("Notes", &format!("gate{end}code"))]);
        let text = [HEADERS, &notes, "", &bad, ""].join(end);
        let document = document(text, &[]);
        assert_eq!(
            problems(&document),
            ["error G5: the city is empty"],
            "{end:?}"
        );
        assert_eq!(document["blank_skipped"], 1, "{end:?}");
    }
}

#[test]
fn line_ends_may_be_mixed() {
    let bad = row(&[("ID", "A-2"), ("City", "")]);
    let text = format!(
        "{HEADERS}\r\n{}\r{}\n{bad}\r\n",
        row(&[]),
        row(&[("ID", "A-3"), ("Street", "7 Oak Street")])
    );
    assert_eq!(
        problems(&document(text, &[])),
        ["error G4: the city is empty"]
    );
}

#[test]
fn a_quote_that_never_closes_is_found_where_it_opens() {
    let text = format!(
        "{HEADERS}\n{}\nA-2,Bo,bo@example.com,,\"7 Oak,,Toronto,ON,M5V 1A1,CA,\n",
        row(&[])
    );
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: a quote opened at line 3, column E, is never closed\n\
         hint: close the quote there, or double it if it is part of the text\n"
    );
}

#[test]
fn quotes_behind_spaces_are_refused_where_the_first_is() {
    let spaced = |row: &str| row.trim_end().replace(',', "\", \"");
    let row = spaced(&row(&[]));
    for text in [
        format!("{HEADERS}\n\"{row}\"\n"),
        format!("\"{}\"\n\"{row}\"\n", spaced(HEADERS)),
    ] {
        let shown = stopped("leads.csv", text, &[]);
        assert!(
            shown.contains(", column B, is behind a space, so it is part of the text"),
            "{shown}"
        );
    }
    // A quote that begins no cell in quotes is text.
    for note in [
        "ask for \"\"Bo\"\"",
        "\" \"\"call first\"\"\"",
        " \"Bo\" said: \"call\"",
    ] {
        let problems = problems(&document(table(&[("Notes", note)]), &[]));
        let is_tidied = |problem: &String| problem.starts_with("tidied");
        assert!(problems.iter().all(is_tidied), "{note}: {problems:?}");
    }
}

#[test]
fn a_lost_character_is_typed_again_and_only_warned_of_in_notes() {
    let lost = "has lost a character (\u{fffd}); type it again, or export the file again as UTF-8";
    let text = table(&[
        ("Name", "Chlo\u{fffd} Patel"),
        ("Street", "12 rue Fran\u{fffd}ois"),
        ("Notes", "la cl\u{fffd}"),
    ]);
    assert_eq!(
        problems(&document(&text, &[])),
        [
            format!("error B2: `Chlo\u{fffd} Patel` {lost}"),
            format!("error E2: `12 rue Fran\u{fffd}ois` {lost}"),
            format!("warning K2: `la cl\u{fffd}` {lost}"),
        ]
    );
    assert_eq!(problems(&document(&text, &["--as-is"])), [""; 0]);

    let text = table(&[
        ("Name", "Chlo? Patel"),
        ("City", "Montr?al"),
        ("Notes", "la cl?s"),
    ]);
    assert_eq!(
        problems(&document(&text, &[])),
        [
            "error G2: a letter was lost when the file was saved: `Montr?al`; type it again, or export the file again as CSV UTF-8"
        ]
    );
    assert_eq!(problems(&document(&text, &["--as-is"])), [""; 0]);
}

#[test]
fn ragged_rows_are_invalid() {
    let text = format!(
        "{}A-2,Bo,bo@example.com,,7 Oak, Rear,,Toronto,ON,M5V 1A1,CA,\nA-3,Cy,cy@example.com\n",
        table(&[])
    );
    let document = document(text, &[]);
    assert_eq!(
        problems(&document),
        [
            "error row 3: 12 values for 11 columns; a comma without quotes in the address?",
            "error row 4: 3 values for 11 columns; a line break without quotes?",
        ]
    );
}

#[test]
fn a_delimiter_at_the_end_of_every_row_is_no_value() {
    let row = |id: &str, street: &str| row(&[("ID", id), ("Street", street)]);
    let text = format!(
        "{HEADERS}\n{},\n{},\n",
        row("A-1", "12 Elm Street"),
        row("A-2", "99 Oak Street")
    );
    assert_eq!(document(text, &[])["valid"], 2);
}

#[test]
fn blank_rows_are_skipped_and_counted() {
    let text = format!(
        "{}\n   \n,,,,,,,,,,\n,,\n{}\n",
        table(&[]),
        row(&[("ID", "A-2"), ("Street", "9 Oak Street")])
    );
    let document = document(text, &[]);
    assert_eq!(
        (
            document["rows"].as_u64(),
            document["blank_skipped"].as_u64()
        ),
        (Some(2), Some(4))
    );
    assert_eq!(problems(&document), Vec::<String>::new());
}

#[test]
fn rows_of_checkboxes_alone_are_blank() {
    let headers = "Done,Paid,ID,Name,Street,City,State,Zip,Email";
    let ada = "TRUE,FALSE,A-1,Ada,12 Elm Street,Boston,MA,02134,a@example.com";
    let unused = "FALSE,,,,,,,,\n,TRUE,,,,,,,\nFALSE,FALSE,,,,,,,\n".repeat(100);
    let document = document(format!("{headers}\n{ada}\n{unused}"), &[]);
    assert_eq!(
        (&document["rows"], &document["valid"]),
        (&1.into(), &1.into())
    );
    assert_eq!(document["blank_skipped"], 300);
}

#[test]
fn title_rows_above_the_headers_are_no_rows() {
    let text = format!("Leads of October\n\nexported by Ada\n{}", table(&[]));
    assert_eq!(reading(text), "leads.csv: UTF-8, commas, headers in row 4");
}

#[test]
fn a_table_without_headers_stops() {
    let stderr = stopped("leads.csv", format!("{}\n", row(&[])), &[]);
    assert_eq!(
        stderr.lines().next(),
        Some(
            "error: leads.csv: no headers found: row 1 looks like data (A-1, Ada Lovelace, ada@example.com)"
        )
    );
    let letters = [
        "--header-row",
        "0",
        "--map",
        "id=A",
        "--map",
        "name=B",
        "--map",
        "email=C",
        "--map",
        "line1=E",
        "--map",
        "city=G",
        "--map",
        "region=H",
        "--map",
        "postal_code=I",
    ];
    let read = check("leads.csv", format!("{}\n", row(&[])), &letters)
        .expect(0)
        .json();
    assert_eq!(
        (read["rows"].as_u64(), read["valid"].as_u64()),
        (Some(1), Some(1))
    );
}

#[test]
fn a_line_of_dashes_and_a_description_of_the_columns_are_no_customers() {
    let below = row(&[("ID", "A-2"), ("Street", "14 Elm Street")]);
    let types =
        "Text(18),Text(120),Text(80),Text(20),Text(120),,Text(80),Char(2),Char(10),Char(2),";
    let text = format!(
        "{}---,---,---,---,---,---,---,---,---,---,---\n{types}\n{below}\n",
        table(&[])
    );
    assert_eq!(document(text, &[])["invalid"], 2);
    let text = "ID,Name,Email,Street,City,State,Zip\n---,---,---,---,---,---,---\n\
        A-1,Ada,ada@example.com,12 Elm St,Boston,MA,02134\n";
    let document = document(text, &[]);
    let error =
        "error F2: `---` is not a province or state: are cells of this row in the wrong columns?";
    assert!(
        problems(&document).contains(&error.to_owned()),
        "{document}"
    );
}

#[test]
fn the_headers_again_and_a_total_are_told_as_what_they_are() {
    let below = row(&[("ID", "A-2"), ("Street", "14 Elm Street")]);
    let text = format!("{}{HEADERS}\n,Total,,,,,,,,,2\n{below}\n", table(&[]));
    let document = document(text, &[]);
    assert_eq!(
        problems(&document),
        [
            "error row 3: the row repeats the headers; delete it",
            "error row 4: the row looks like a total; delete it",
        ]
    );
}

#[test]
fn headings_between_the_rows_take_one_line() {
    let stage = Stage::offline();
    let below = |id: &str, street: &str| row(&[("ID", id), ("Street", street)]);
    let headings = ["--- octobre ---", "--- novembre ---", "Route 7"];
    let mut text = table(&[]);
    for (number, heading) in (14..).zip(headings) {
        let lead = below(&format!("A-{number}"), &format!("{number} Elm Street"));
        write!(text, "{heading},,,,,,,,,,\n{lead}\n").unwrap();
    }
    stage.file("leads.csv", text);
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let line = "  rows 3, 5, 7  only one cell is filled; delete the row if it is a heading: `--- octobre ---`, … (in 3 rows)\n";
    assert!(page.contains(line), "{page}");
    assert_eq!(page.matches("only one cell").count(), 1, "{page}");
}

#[test]
fn standard_input_is_read() {
    use std::io::Write as _;
    let stage = Stage::offline();
    let mut command = stage.command(&["check", "-", "--json"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(table(&[]).as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (document["file"].as_str(), document["valid"].as_u64()),
        (Some("-"), Some(1))
    );
}
