//! A text again: its encoding, its delimiter, its line ends and its quotes.

use gutterbatch::sheet::InputFile;
use gutterbatch::sheet::rewrite::{
    AppendedColumn, AppendedValue, RewriteNote, RewritePlan, RowAddition,
};
use gutterbatch::table::annotate;

use crate::customer_sheet::rewriting::{
    Folder, HEADERS, echoed, known, original, plan, said, status,
};

#[test]
fn line_ends_quotes_and_delimiters_stay_as_they_were() {
    let folder = Folder::new();
    let semicolons = HEADERS.replace(',', ";");
    for end in ["\r\n", "\n", "\r"] {
        let source =
            format!("{semicolons}{end}007;\"O;Neil \"\"Bo\"\"\";1 Elm;A;ON;K1A 0B1;a@b.ca{end}");
        let copy = format!(
            "{semicolons};Status{end}007;\"O;Neil \"\"Bo\"\"\";1 Elm;A;ON;K1A 0B1;a@b.ca;ok{end}"
        );
        assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
    }
}

#[test]
fn a_file_that_quotes_every_field_is_quoted_again() {
    let folder = Folder::new();
    let quoted = |line: &str| format!("\"{}\"", line.replace(',', "\",\""));
    let source = format!(
        "{}\n{}\n",
        quoted(HEADERS),
        quoted("1,Bo,1 Elm,A,ON,K1A,b@c.ca")
    );
    let copy = format!(
        "{},\"Status\"\n{},\"ok\"\n",
        quoted(HEADERS),
        quoted("1,Bo,1 Elm,A,ON,K1A,b@c.ca")
    );
    assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
}

#[test]
fn lines_above_the_headers_and_blank_lines_are_left_out() {
    let folder = Folder::new();
    let source =
        format!("sep=,\nLeads of May\n\n{HEADERS}\n\n1,Bo,1 Elm,A,ON,K1A,b@c.ca\n,,,,,,\n");
    let copy = format!("{HEADERS},Status\n1,Bo,1 Elm,A,ON,K1A,b@c.ca,ok\n");
    assert_eq!(String::from_utf8(folder.text(source)).unwrap(), copy);
}

#[test]
fn every_encoding_is_written_as_it_was_read() {
    let folder = Folder::new();
    let source = format!("{HEADERS}\r\n1,Zoé,1 Élm,Montréal,QC,H2X,b@c.ca\r\n");
    let copy = format!("{HEADERS},Status\r\n1,Zoé,1 Élm,Montréal,QC,H2X,b@c.ca,ok\r\n");
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xFF, 0xFE].into_iter().chain(units).collect()
    };
    let latin = |text: &str| -> Vec<u8> {
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect()
    };
    assert_eq!(folder.text(&source), copy.as_bytes());
    assert_eq!(
        folder.text(format!("\u{feff}{source}")),
        format!("\u{feff}{copy}").as_bytes()
    );
    assert_eq!(folder.text(utf16(&source)), utf16(&copy));
    assert_eq!(folder.text(latin(&source)), latin(&copy));
}

#[test]
fn what_the_encoding_lacks_is_replaced_and_told() {
    let folder = Folder::new();
    let source = folder.file(
        "leads.csv",
        [HEADERS.as_bytes(), b"\n1,Zo\xE9,1 Elm,A,ON,K1A,b@c.ca\n"].concat(),
    );
    let to = folder.path("out.csv");
    let echoed = echoed(&source, &to, &mut |_| Some(said("a → b"))).unwrap();
    assert_eq!(echoed.notes, [RewriteNote::Replaced { characters: 1 }]);
    let copy = std::fs::read(to).unwrap();
    assert!(
        copy.ends_with(b"1,Zo\xE9,1 Elm,A,ON,K1A,b@c.ca,a ? b\n"),
        "{copy:?}"
    );
}

#[test]
fn a_row_with_another_number_of_values_has_them_below_its_headers_and_something_behind_the_last() {
    let folder = Folder::new();
    let long = "1,Bo,1 Elm, Unit 4,A,ON,K1A,b@c.ca";
    let blanks = "2,Bo,1 Elm,A,ON,K1A,b@c.ca,,";
    let copy = folder.text(format!("{HEADERS}\n{long}\n{blanks}\n3,Bo\n"));
    assert_eq!(
        String::from_utf8(copy).unwrap(),
        format!(
            "{HEADERS},Status\n1,Bo,1 Elm, Unit 4,A,ON,K1A,ok,b@c.ca\n2,Bo,1 Elm,A,ON,K1A,b@c.ca,ok\n\
            3,Bo,,,,,,ok,5 values missing; delete this cell when the row is right\n"
        )
    );
}

#[test]
fn short_rows_are_filled_where_that_is_asked_for() {
    let folder = Folder::new();
    let source = folder.file("leads.csv", format!("{HEADERS}\n3,Bo\n"));
    let to = folder.path("out.csv");
    let status = status();
    let plan = RewritePlan {
        fills_short_rows: true,
        ..plan(&status)
    };
    annotate::write(
        known(&original(&source).unwrap(), &InputFile::at(&source)),
        &plan,
        |_, _| Some(said("ok")),
        &to,
        &mut |_| Ok(()),
    )
    .unwrap();
    assert_eq!(
        std::fs::read_to_string(to).unwrap(),
        format!("{HEADERS},Status\n3,Bo,,,,,,ok\n")
    );
}

#[test]
fn only_the_rows_that_are_wanted_are_written_in_their_order() {
    let folder = Folder::new();
    let rows: Vec<String> = (2..=9)
        .map(|row| format!("{row},Bo,1 Elm,A,ON,K1A,b@c.ca\n"))
        .collect();
    let rows = rows.concat();
    let source = folder.file("leads.csv", format!("{HEADERS}\n{rows}"));
    let to = folder.path("out.csv");
    let echoed = echoed(&source, &to, &mut |row| {
        (row.0 % 4 == 0).then(|| said("ok"))
    })
    .unwrap();
    assert_eq!(echoed.rows, 2);
    let copy = std::fs::read_to_string(to).unwrap();
    let ids: Vec<&str> = copy
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(ids, ["4", "8"]);
}

#[test]
fn numbers_and_dates_of_ours_are_plain_in_text() {
    let folder = Folder::new();
    let source = folder.file(
        "leads.csv",
        format!("{HEADERS}\n1,Bo,1 Elm,A,ON,K1A,b@c.ca\n"),
    );
    let appended = ["Feet", "Moment", "None"].map(|header| AppendedColumn {
        header: header.to_owned(),
        number_format: None,
        max_width: 20,
    });
    let values = vec![
        AppendedValue::Number(182.5),
        AppendedValue::Moment(jiff::civil::date(2026, 10, 3).at(14, 5, 9, 0)),
        AppendedValue::Empty,
    ];
    let plan = plan(&appended);
    let to = folder.path("out.csv");
    let addition = RowAddition {
        values,
        highlights: Vec::new(),
    };
    annotate::write(
        known(&original(&source).unwrap(), &InputFile::at(&source)),
        &plan,
        |_, _| Some(addition.clone()),
        &to,
        &mut |_| Ok(()),
    )
    .unwrap();
    let copy = std::fs::read_to_string(to).unwrap();
    assert!(
        copy.ends_with("b@c.ca,182.5,2026-10-03 14:05:09,\n"),
        "{copy}"
    );
}
