//! Rejects that a spreadsheet or another person changed: columns were deleted, ids lost their zeros, and rows had another
//! number of values than headers.

use serde_json::json;

use crate::rejects::corrected::{
    GOOD, HEADERS, NO_CITY, edit, import, outcomes, read, rejected, sheet,
};
use crate::remembered::flags::ids;
use crate::support::Stage;

/// Deletes the columns with these headers, as a person does whose other programs do not know them.
fn delete_columns(stage: &Stage, name: &str, deleted: &[&str]) {
    let text = read(stage, name);
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let headers = rows.headers().unwrap().clone();
    let mut kept = csv::Writer::from_writer(Vec::new());
    let is_kept = |(header, _): &(&str, &str)| !deleted.contains(header);
    for row in std::iter::once(headers.clone()).chain(rows.records().map(Result::unwrap)) {
        let cells = headers.iter().zip(&row).filter(is_kept);
        kept.write_record(cells.map(|(_, cell)| cell)).unwrap();
    }
    stage.file(name, kept.into_inner().unwrap());
}

#[test]
fn a_row_that_was_corrected_in_rejects_without_source_row_is_known_in_the_original() {
    let stage = Stage::open();
    let no_street = "3,Cy,,Boston,MA,02134,cy@example.com";
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, no_street]));
    import(&stage, "leads.csv", 3);
    delete_columns(&stage, "leads.rejects.csv", &["source_row"]);
    edit(&stage, "leads.rejects.csv", "Cy,,", "Cy,16 Elm St,");
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(outcomes(&run), json!({"created": 1, "invalid": 1}));
    // The other row has its number again.
    let second = read(&stage, "leads.rejects-2.csv");
    assert!(second.lines().nth(1).unwrap().ends_with(",3"), "{second}");
    assert_eq!(rejected(&stage), 1);
    delete_columns(&stage, "leads.rejects-2.csv", &["error", "source_row"]);
    edit(&stage, "leads.rejects-2.csv", "Street,,", "Street,Boston,");
    import(&stage, "leads.rejects-2.csv", 0);
    assert_eq!(
        outcomes(&import(&stage, "leads.csv", 0)),
        json!({"known": 3})
    );
    let export = stage.run(&["export", "out.csv", "--for", "leads.csv"]);
    let warned = export.expect(0).stderr;
    assert!(!warned.contains("no numbers"), "{warned}");
}

#[test]
fn a_requested_row_without_source_row_corrects_no_other_house_that_has_its_id() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    delete_columns(&stage, "leads.rejects.csv", &["source_row"]);
    let corrected = edit(&stage, "leads.rejects.csv", "Street,,", "Street,Boston,");
    import(&stage, "leads.rejects.csv", 0);
    // The id is another house's now.
    let other = NO_CITY.replace("14 Elm", "90 Oak");
    stage.file("leads.csv", sheet(&[GOOD, &other]));
    import(&stage, "leads.csv", 3);
    stage.file("leads.rejects.csv", corrected);
    let run = import(&stage, "leads.rejects.csv", 0);
    assert_eq!(outcomes(&run), json!({"known": 1}));
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(outcomes(&run), json!({"known": 1, "invalid": 1}));
}

#[test]
fn an_id_that_lost_its_zeros_in_the_rejects_is_that_of_the_original() {
    let row = |id: &str, street: &str, city: &str| {
        format!("{id},Ada {id},{street},{city},MA,02134,a{id}@example.com")
    };
    let rows = [
        row("0011", "12 Elm St", "Boston"),
        row("0021", "14 Elm St", ""),
        row("0031", "", "Boston"),
    ];
    for (name, deleted) in [
        ("leads.rejects.csv", ""),
        ("fix.csv", ""),
        ("fix.csv", "error"),
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(&rows.each_ref().map(String::as_str)));
        import(&stage, "leads.csv", 3);
        let rejects = read(&stage, "leads.rejects.csv");
        let corrected = rejects.replace("\n00", "\n").replace("St,,", "St,Boston,");
        stage.file(name, corrected.replace("31,,", "31,16 Elm St,"));
        delete_columns(&stage, name, &[deleted]);
        // The file is imported twice.
        stage.run(&["import", name, "--limit", "1"]).expect(4);
        let run = import(&stage, name, 0);
        assert_eq!(outcomes(&run), json!({"created": 1, "known": 1}));
        assert_eq!(ids(&stage), ["0011", "0021", "0031"]);
        let checked = stage.run(&["check", name]).expect(0).stdout;
        assert!(
            checked.contains("`21` → `0021` (as in the original"),
            "{checked}"
        );
        assert_eq!(
            outcomes(&import(&stage, "leads.csv", 0)),
            json!({"known": 3})
        );
    }
}

#[test]
fn an_id_that_was_typed_without_zeros_is_its_own() {
    let stage = Stage::open();
    let row = |id: &str, name: &str, street: &str| {
        format!("{id},{name},{street},Boston,MA,02134,office@example.com")
    };
    let rows = [row("0011", "Ada", "12 Elm St"), row("", "Bo", "14 Pine St")];
    let rows = rows.map(|row| row.replace("12 Elm St,Boston", "12 Elm St,"));
    stage.file("leads.csv", sheet(&rows.each_ref().map(String::as_str)));
    import(&stage, "leads.csv", 3);
    let rejects = read(&stage, "leads.rejects.csv");
    // The row of 0011 becomes another customer, and the row without an id gets one.
    let other = rejects.replace("0011,Ada,12 Elm St,,", "11,Cy,77 Bay St,Boston,");
    stage.file("leads.rejects.csv", other.replace("\n,Bo", "\n12,Bo"));
    import(&stage, "leads.rejects.csv", 0);
    assert_eq!(ids(&stage), ["11", "12"]);
    assert_eq!(outcomes(&import(&stage, "leads.csv", 3))["known"], 1);
}

#[test]
fn a_remark_beside_rejects_in_a_workbook_is_no_error() {
    let stage = Stage::open();
    let path = stage.path("leads.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let header = "ID,Name,Street,City,State,Zip,Email";
    let row = "1,Ada,12 Elm St,,MA,02134,a@example.com,call first";
    for (at, line) in [header, row].into_iter().enumerate() {
        let at = u32::try_from(at).unwrap();
        for (column, text) in (0..).zip(line.split(',')) {
            sheet.write(at, column, text).unwrap();
        }
    }
    book.save(&path).unwrap();
    import(&stage, "leads.xlsx", 3);
    let checked = stage.run(&["check", "leads.rejects.xlsx"]).expect(3).stdout;
    assert!(!checked.contains("behind the last header"), "{checked}");
}

/// A row with a comma too many, and one with a cell too few.
const RAGGED: [&str; 2] = [
    "2,Tom,55 Mill Rd, Rear,Dublin,OH,43017,tom@example.com",
    "3,Bob,9 Hope St,RI,02906,bob@example.com",
];

/// The cells of the rejects below the headers, and of a copy in which all rows have as many cells, as a spreadsheet saves
/// it.
fn saved_by_a_spreadsheet(stage: &Stage, name: &str) -> [Vec<Vec<String>>; 2] {
    let text = read(stage, name);
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true);
    let rows = reader.from_reader(text.as_bytes()).into_records();
    let rows: Vec<Vec<String>> = rows
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap();
    let mut saved = rows.clone();
    for row in &mut saved {
        row.resize(width, String::new());
    }
    [rows, saved]
}

fn save(stage: &Stage, name: &str, rows: &[Vec<String>]) {
    let mut text = csv::Writer::from_writer(Vec::new());
    for row in rows {
        text.write_record(row).unwrap();
    }
    stage.file(name, text.into_inner().unwrap());
}

#[test]
fn a_row_with_another_number_of_values_is_corrected_below_its_headers() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, RAGGED[0], RAGGED[1]]));
    import(&stage, "leads.csv", 3);
    let [rows, mut saved] = saved_by_a_spreadsheet(&stage, "leads.rejects.csv");
    for (row, (error, number)) in rows[1..].iter().zip([("8 values", "3"), ("6 values", "4")]) {
        assert!(row[7].starts_with(error) && row[8] == number, "{row:?}");
        assert_eq!(row.len(), 10);
    }
    assert_eq!(rows[1][9], "tom@example.com");
    // Saved as it is, nothing of it is sent.
    save(&stage, "leads.rejects.csv", &saved);
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(outcomes(&run), json!({"invalid": 2}));
    let corrected = [
        [
            "2",
            "Tom",
            "55 Mill Rd, Rear",
            "Dublin",
            "OH",
            "43017",
            "tom@example.com",
        ],
        [
            "3",
            "Bob",
            "9 Hope St",
            "Providence",
            "RI",
            "02906",
            "bob@example.com",
        ],
    ];
    for (row, cells) in saved[1..].iter_mut().zip(corrected) {
        row.splice(..7, cells.map(str::to_owned));
    }
    save(&stage, "leads.rejects.csv", &saved);
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(outcomes(&run), json!({"invalid": 2}));
    let told = run.json()["problems"][0]["message"].to_string();
    assert!(
        told.contains("delete what is behind the last header"),
        "{told}"
    );
    for row in &mut saved[1..] {
        row[9].clear();
    }
    save(&stage, "leads.rejects.csv", &saved);
    import(&stage, "leads.rejects.csv", 0);
    assert_eq!(
        outcomes(&import(&stage, "leads.csv", 0)),
        json!({"known": 3})
    );
}

#[test]
fn rejects_whose_quotes_were_typed_in_a_text_editor_are_not_sent_with_the_error_as_a_value() {
    for last in ["tom@example.com", "43017"] {
        let stage = Stage::open();
        let ragged = RAGGED[0].replace("tom@example.com", last);
        stage.file("leads.csv", sheet(&[GOOD, &ragged]));
        import(&stage, "leads.csv", 3);
        edit(
            &stage,
            "leads.rejects.csv",
            "55 Mill Rd, Rear",
            "\"55 Mill Rd, Rear\"",
        );
        let run = import(&stage, "leads.rejects.csv", 3);
        assert_eq!(outcomes(&run), json!({"invalid": 1}));
    }
}

#[test]
fn the_results_of_a_row_with_too_many_values_are_below_their_headers() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, RAGGED[0], RAGGED[1]]));
    import(&stage, "leads.csv", 3);
    for name in ["leads.csv", "again.csv"] {
        stage.run(&["export", "out.csv", "--for", name]).expect(0);
        let [rows, _] = saved_by_a_spreadsheet(&stage, "out.csv");
        let why = rows[0].iter().position(|header| header == "Why no result");
        for row in &rows[2..] {
            assert!(row[why.unwrap()].starts_with("invalid: "), "{row:?}");
        }
        assert_eq!(rows[2].last().unwrap(), "tom@example.com");
        assert_eq!(rows[3].len(), rows[0].len());
        std::fs::rename(stage.path("out.csv"), stage.path("again.csv")).unwrap();
    }
}

#[test]
fn a_list_of_other_houses_of_one_customer_is_no_copy_of_rejects_and_corrects_none() {
    let row = |n: usize, street: &str, city: &str| {
        format!("C-{n},Acme Homes,{n} {street},{city},MA,02134,office@example.com")
    };
    for prefix in [&[][..], &["--id-prefix", "south-"]] {
        let stage = Stage::open();
        let south = [row(1, "Elm St", "Boston"), row(2, "Elm St", "")];
        stage.file("south.csv", sheet(&south.each_ref().map(String::as_str)));
        stage
            .run(&[&["import", "south.csv"], prefix].concat())
            .expect(3);
        let north =
            (if prefix.is_empty() { 2..5 } else { 1..4 }).map(|n| row(n, "Bay St", "Salem") + ",");
        let north: Vec<String> = north.collect();
        let text = format!("{HEADERS},error\n{}\n", north.join("\n"));
        stage.file("north.csv", text);
        import(&stage, "north.csv", 0);
        assert_eq!(
            ids(&stage).iter().filter(|id| id.starts_with("C-")).count(),
            3 + usize::from(prefix.is_empty())
        );
        let of_south = outcomes(&import(&stage, "south.csv", 3));
        assert_eq!(of_south["known"], 1, "{of_south}");
    }
}
