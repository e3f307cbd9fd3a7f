//! Rows that another row would take in or hide: after a stray quote, and above or below the headers of a second table.

use crate::hazards::{HEADERS, check, document, problems, row, stopped, table};

const HINT: &str = "hint: remove the quote there if it means inches or ditto; a quote that belongs to the text is doubled, in a cell in quotes\n";

fn houses(count: u32) -> Vec<String> {
    (1..=count)
        .map(|id| {
            row(&[
                ("ID", &format!("A-{id}")),
                ("Street", &format!("{id}2 Elm Street")),
            ])
        })
        .collect()
}

#[test]
fn a_stray_quote_does_not_take_other_rows_into_its_cell() {
    let stray = |rows: &[String]| {
        let text = format!("{HEADERS}\n{}\n", rows.join("\n"));
        stopped("leads.csv", text, &[])
    };
    let said = |line: u32, column: &str, last: u32| {
        format!(
            "error: leads.csv: the quote at line {line}, column {column}, makes the lines up to {last} one cell\n{HINT}"
        )
    };
    // Inches far below close what a nickname opened.
    let mut rows = houses(9);
    rows[1] += "\"Kim";
    rows[7] += "wants 6\" gutters";
    assert_eq!(stray(&rows), said(3, "K", 9));
    // Ditto marks pair up, so that every second row would be lost.
    let mut rows = houses(9);
    for row in &mut rows[1..] {
        *row += "\"";
    }
    assert_eq!(stray(&rows), said(3, "K", 4));
    let opened = houses(2)
        .into_iter()
        .map(|row| row.replacen(",12", ",\"12", 1).replacen(",22", ",\"22", 1));
    let opened: Vec<String> = opened.collect();
    assert_eq!(stray(&opened), said(2, "E", 3));
    let text = format!("{HEADERS},\"x\n{},\n{},y\"\n", row(&[]), row(&[]));
    assert_eq!(stopped("leads.csv", text, &[]), said(1, "L", 3));
}

#[test]
fn cells_with_several_lines_are_read_whatever_they_list() {
    for notes in [
        "Gate code 12\nBack, front, left, right, shed, barn, porch, deck, garage, attic, fence: all",
        "said \"call\nfirst\"",
        "a,b\nc,d",
    ] {
        let text = format!("{HEADERS}\n{}\n", row(&[("Notes", notes)]));
        check("leads.csv", text, &[]).expect(0);
    }
    let spaced = row(&[("Notes", "one\ntwo")]).replace("two\"", "two\" ");
    check("leads.csv", format!("{HEADERS}\n{spaced}\n"), &[]).expect(0);
}

#[test]
fn the_first_complete_headers_count_although_later_ones_name_more() {
    let more = "ID,Name,Email,Phone,Street,Unit,City,State,Zip,Country,Notes,Label";
    let text = format!(
        "{HEADERS}\n{}\n{more}\n{},x\n",
        houses(2).join("\n"),
        row(&[("ID", "A-9"), ("Street", "90 Oak Street")])
    );
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: rows 1 and 4 are headers of different columns\n\
         hint: move row 4 and the rows below it into a file of their own\n"
    );
}

#[test]
fn a_second_table_with_other_columns_is_not_read_as_the_first() {
    let text = format!(
        "{HEADERS}\n{}\nEmail,Name,ID,Phone,Street,Unit,City,State,Zip,Country,Notes\n{}\n",
        houses(2).join("\n"),
        row(&[("ID", "b@example.com"), ("Email", "A-9")])
    );
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: rows 1 and 4 are headers of different columns\n\
         hint: move row 4 and the rows below it into a file of their own\n"
    );
}

#[test]
fn headers_in_another_order_stop_the_check_wherever_they_stand() {
    let (front, back) = ("ID,Name,Email,Phone,Street", "City,State,Zip,Country");
    for (name, headers) in [
        ("units and notes", format!("{front},Notes,{back},Unit")),
        (
            "email and phone",
            format!("ID,Name,Phone,Email,Street,Unit,{back},Notes"),
        ),
        (
            "other words",
            format!("Record ID,Full Name,Mobile,E-mail,Address,Apt,{back},Comments"),
        ),
        ("a second line", format!("{front},Address 2,{back},Unit")),
    ] {
        let text = format!(
            "{HEADERS}\n{}\n{headers}\n{}\n",
            houses(70).join("\n"),
            row(&[("ID", "B-1"), ("Street", "90 Oak Street")])
        );
        assert_eq!(
            stopped("leads.csv", text, &[]),
            "error: leads.csv: rows 1 and 72 are headers of different columns\n\
             hint: move row 72 and the rows below it into a file of their own\n",
            "{name}"
        );
    }
    let text = format!("{HEADERS}\n{}\n{HEADERS}\n", houses(70).join("\n"));
    assert_eq!(
        problems(&document(text, &[])),
        ["error row 72: the row repeats the headers; delete it"]
    );
}

#[test]
fn a_customer_above_the_headers_is_not_taken_for_a_title() {
    let text = format!("{}\n{HEADERS}\n{}\n", houses(2).join("\n"), row(&[]));
    assert_eq!(
        stopped("leads.csv", &text, &[]),
        "error: leads.csv: row 1 is above the headers (row 3) and looks like data (A-1, Ada Lovelace, ada@example.com)\n\
         hint: gutterbatch check leads.csv --json --header-row 3\n      \
         this leaves out the rows above the headers; if they are customers, put the headers above them\n"
    );
    check("leads.csv", text, &["--header-row", "3"]).expect(0);
    let letterhead = format!(
        "Elm Gutters,12 Main St,555-0100,office@example.com\n\n{HEADERS}\n{}\n",
        row(&[])
    );
    check("leads.csv", letterhead, &[]).expect(0);
}

#[test]
fn headers_in_other_words_are_not_a_customer() {
    let text = format!(
        "{HEADERS}\n{}\nRecord ID,Full Name,E-mail,Mobile,Address,Apt,Town,Province,Postal Code,Country,Comments\n",
        row(&[])
    );
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: rows 1 and 3 are headers of different columns\n\
         hint: move row 3 and the rows below it into a file of their own\n"
    );
}

#[test]
fn stray_quotes_in_any_column_are_found() {
    for (cell, column) in [(",Toronto,", "G"), ("A-", "A")] {
        let mut rows = houses(3);
        for row in &mut rows[1..] {
            *row = match cell {
                "A-" => format!("\"{}", &row[row.find(',').unwrap()..]),
                cell => row.replace(cell, ",\","),
            };
        }
        for line_end in ["\n", "\r\n", "\r"] {
            let text = format!("{HEADERS}\n{}\n", rows.join("\n")).replace('\n', line_end);
            let stopped = stopped("leads.csv", text, &[]);
            let said =
                format!("the quote at line 3, column {column}, makes the lines up to 4 one cell");
            assert!(stopped.contains(&said), "{stopped}");
        }
    }
}

#[test]
fn a_quoted_header_of_two_lines_is_read_whatever_delimiter_is_tried() {
    for delimiter in [",", ";", "\t"] {
        let headers = HEADERS.replacen("ID", "\"Lead\nID\"", 1);
        let text = format!("{headers}\n{}\n", row(&[("Notes", "gate; dog; ladder")]));
        let text = text.replace(';', " ").replace(',', delimiter);
        check("leads.csv", text, &[]).expect(0);
    }
    let listed = format!(
        "{}\n{}\n{}\n",
        HEADERS.replace(',', ";"),
        row(&[]).replace(',', ";") + "gate, dog, ladder, ok",
        row(&[("ID", "A-2"), ("Street", "14 Elm Street")]).replace(',', ";") + "call, phone, email"
    );
    check("leads.csv", listed, &[]).expect(0);
}

#[test]
fn a_second_line_of_headers_is_one_invalid_row() {
    let text = format!(
        "id,name,email,phone,street,unit,city,state,zip,country,notes\n{HEADERS}\n{}\n",
        row(&[])
    );
    let document = document(text, &[]);
    assert_eq!(
        (&document["rows"], &document["valid"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_heading_between_the_rows_is_one_error() {
    let below = |id: &str, street: &str| row(&[("ID", id), ("Street", street)]);
    let text = format!(
        "{}--- octobre ---,,,,,,,,,,\n{}\n,,,,Route 7,,,,,,\n--- novembre ---\nTotal,,,,,,,,,,\n{}\n",
        table(&[]),
        below("A-2", "14 Elm Street"),
        below("A-3", "16 Elm Street")
    );
    assert_eq!(
        problems(&document(text, &[])),
        [
            "error row 3: only one cell is filled; delete the row if it is a heading: `--- octobre ---`",
            "error row 5: only one cell is filled; delete the row if it is a heading: `Route 7`",
            "error row 6: 1 value for 11 columns; a line break without quotes, or a heading to delete?",
            "error row 7: the row looks like a total; delete it",
        ]
    );

    // Nor does it become something else in the rejects.
    let text = format!(
        "{HEADERS},error,source_row\nRoute 7,,,,,,,,,,,why,3\nTotal,,,,,,,,,,2,why,4\n{},,\n",
        row(&[])
    );
    assert_eq!(
        problems(&document(text, &[])),
        [
            "error row 2: only one cell is filled; delete the row if it is a heading: `Route 7`",
            "error row 3: the row looks like a total; delete it",
        ]
    );
}

#[test]
fn a_heading_beside_its_result_in_a_copy_is_one_error() {
    let text = format!(
        "{HEADERS},Measurement status,Why no result\nNOVEMBER,,,,,,,,,,,,row is invalid\n{},,\n",
        row(&[])
    );
    assert_eq!(
        problems(&document(text, &[])),
        ["error row 2: only one cell is filled; delete the row if it is a heading: `NOVEMBER`"]
    );
}
