//! Which sheet of a workbook is read again.

use crate::remembered::flags::{ids, sheet};
use crate::support::Stage;

/// A workbook with a sheet of one row for each name.
fn months(stage: &Stage, names: &[&str]) {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for name in names {
        let worksheet = workbook.add_worksheet().set_name(*name).unwrap();
        let months = ["August", "September", "October", "November"];
        let number = (1..).zip(months).find(|(_, month)| month == name);
        let text = match number {
            Some((number, _)) => sheet(&[number]),
            None => "Notes\nCall before noon\n".to_owned(),
        };
        for (row, line) in (0..).zip(text.lines()) {
            worksheet.write_row(row, 0, line.split(',')).unwrap();
        }
    }
    workbook.save(stage.path("leads.xlsx")).unwrap();
}

#[test]
fn a_sheet_that_is_new_since_the_last_import_is_not_passed_over_in_silence() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--yes", "-q"];
    months(&stage, &["October", "Notes"]);
    stage
        .run(&[&import[..], &["--sheet", "October", "--id-column", "Key"]].concat())
        .expect(0);
    assert_eq!(stage.run(&import).expect(0).stderr, "");
    months(&stage, &["October", "Notes", "November"]);
    let run = stage.run(&import).expect(10);
    let told = "several sheets have fitting headers: `October` and `November`";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    stage
        .run(&[&import[..], &["--sheet", "November", "--id-column", "Key"]].concat())
        .expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

#[test]
fn a_sheet_that_was_chosen_by_its_number_is_remembered_by_its_name() {
    let stage = Stage::open();
    months(&stage, &["Notes", "October"]);
    let import = ["import", "leads.xlsx", "--yes", "--json"];
    let second = ["--sheet", "2", "--id-column", "Key"];
    stage.run(&[&import[..], &second].concat()).expect(0);
    // The second sheet is another one now.
    months(&stage, &["More notes", "Notes", "October"]);
    let run = stage.run(&import).expect(0);
    assert!(
        run.stderr
            .contains("before: --id-column Key --sheet October"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["outcomes"]["known"], 1);
}

#[test]
fn no_sheet_is_chosen_for_the_user_where_several_were_imported() {
    let stage = Stage::open();
    months(&stage, &["September", "October"]);
    let import = ["import", "leads.xlsx", "--yes"];
    for month in ["September", "October"] {
        let sheet = ["--sheet", month, "--id-column", "Key"];
        let run = stage.run(&[&import[..], &sheet].concat()).expect(0);
        let next = format!("gutterbatch status leads.xlsx --sheet {month}");
        assert!(run.stderr.contains(&next), "{}", run.stderr);
    }
    for words in [
        &["import", "leads.xlsx", "-q"][..],
        &["check", "leads.xlsx"],
        &["status", "leads.xlsx"],
        &["export", "out.xlsx", "--for", "leads.xlsx"],
    ] {
        let run = stage.run(words).expect(10);
        let asked = "several sheets have fitting headers: `October` and `September`";
        assert!(run.stderr.contains(asked), "{}", run.stderr);
        let command = format!("gutterbatch {} --sheet October", words.join(" "));
        assert!(run.stderr.contains(&command), "{}", run.stderr);
        stage
            .run(&[words, &["--sheet", "September"]].concat())
            .expect(0);
    }
    // A sheet that is new since then may be meant, too.
    months(&stage, &["September", "October", "November"]);
    let run = stage.run(&import).expect(10);
    let asked = "several sheets have fitting headers: `November`, `October` and `September`";
    assert!(run.stderr.contains(asked), "{}", run.stderr);
    // Of a sheet that the workbook no longer has, no rows are missed.
    months(&stage, &["October"]);
    let run = stage.run(&import).expect(0);
    assert!(run.stderr.contains("--id-column Key"), "{}", run.stderr);
}

#[test]
fn a_sheet_that_fits_by_itself_and_one_that_was_chosen_are_told_apart_by_the_user() {
    let stage = Stage::open();
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let text = sheet(&[1, 2]);
    let lines: Vec<&str> = text.lines().collect();
    let of_archive = lines[0].replacen("Street", "Road name", 1);
    for (name, headers, row) in [
        ("Leads", lines[0].replacen("Key", "Id", 1), lines[1]),
        ("Archive", of_archive, lines[2]),
    ] {
        let worksheet = workbook.add_worksheet().set_name(name).unwrap();
        worksheet.write_row(0, 0, headers.split(',')).unwrap();
        worksheet.write_row(1, 0, row.split(',')).unwrap();
    }
    workbook.save(stage.path("leads.xlsx")).unwrap();
    let import = ["import", "leads.xlsx", "--yes"];
    stage.run(&import).expect(0);
    let archive = [
        "--sheet",
        "Archive",
        "--map",
        "line1=Road name",
        "--id-column",
        "Key",
    ];
    stage.run(&[&import[..], &archive].concat()).expect(0);
    let run = stage.run(&import).expect(10);
    assert!(run.stderr.contains("--sheet Archive"), "{}", run.stderr);
    stage
        .run(&[&import[..], &["--sheet", "Leads"]].concat())
        .expect(0);
}

/// Imports a workbook with the addresses of owners beside those of properties; its second row has no postal code.
fn import_leads(stage: &Stage, (first, street): (u32, &str), address: &str) {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let worksheet = workbook.add_worksheet().set_name("Leads").unwrap();
    let headers = "Id,Name,Email,Property street,Property city,Property state,Property zip,Owner street,Owner city,Owner state,Owner zip";
    let row = |id: u32, zip: &str| {
        format!(
            "{id},Customer {id},c{id}@example.com,{id} {street},Boston,MA,{zip},{id} Bank Plaza,Boston,MA,{zip}"
        )
    };
    let lines = [headers.to_owned(), row(first, "02134"), row(first + 1, "")];
    for (number, line) in (0..).zip(lines) {
        worksheet.write_row(number, 0, line.split(',')).unwrap();
    }
    workbook.save(stage.path("leads.xlsx")).unwrap();
    let import = ["import", "leads.xlsx", "--yes", "--address", address];
    stage.run(&import).expect(3);
}

/// Fills in the postal codes of the only row of the rejects.
fn correct_rejects(stage: &Stage) {
    let path = stage.path("leads.rejects.xlsx");
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(&path).unwrap();
    let rows = calamine::Reader::worksheet_range(&mut book, "Leads").unwrap();
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let worksheet = workbook.add_worksheet().set_name("Leads").unwrap();
    for (number, row) in (0..).zip(rows.rows()) {
        for (column, cell) in (0..).zip(row) {
            let is_zip = number == 1 && [6, 10].contains(&column);
            let text = if is_zip {
                "02134".to_owned()
            } else {
                cell.to_string()
            };
            worksheet.write_string(number, column, text).unwrap();
        }
    }
    workbook.save(path).unwrap();
}

#[test]
fn rejects_of_a_workbook_are_read_as_their_sheet_and_not_as_earlier_rejects_at_their_path() {
    let stage = Stage::open();
    import_leads(&stage, (1, "Elm Street"), "Owner");
    correct_rejects(&stage);
    let import = ["import", "leads.rejects.xlsx", "--yes"];
    stage.run(&import).expect(0);
    std::fs::remove_file(stage.path("leads.rejects.xlsx")).unwrap();
    import_leads(&stage, (11, "Low Road"), "Property");
    correct_rejects(&stage);
    let run = stage.run(&[&import[..], &["--sheet", "Leads"]].concat());
    let read_as = "reading it as before: --address Property";
    assert!(run.expect(0).stderr.contains(read_as));
    let measurements = stage.sandbox().measurements().into_iter();
    let mut streets: Vec<String> = measurements.map(|one| one.line1).collect();
    streets.sort();
    let expected = ["1 Bank Plaza", "11 Low Road", "12 Low Road", "2 Bank Plaza"];
    assert_eq!(streets, expected);
}

/// A workbook of sheets, each with its name and its lines.
pub(super) fn workbook(stage: &Stage, file: &str, sheets: &[(&str, &str)]) {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for (name, text) in sheets {
        let worksheet = workbook.add_worksheet().set_name(*name).unwrap();
        for (row, line) in (0..).zip(text.lines()) {
            worksheet.write_row(row, 0, line.split(',')).unwrap();
        }
    }
    workbook.save(stage.path(file)).unwrap();
}

/// Rows of customers of a street.
pub(super) fn customers(ids: std::ops::Range<u32>, street: &str) -> String {
    let row = |id: u32| {
        format!("{id},Ann {street},{street}{id}@example.com,{id} {street} St,Boston,MA,02134\n")
    };
    let rows: String = ids.map(row).collect();
    format!("id,name,email,line1,city,region,postal_code\n{rows}")
}

#[test]
fn a_new_sheet_of_a_workbook_with_a_prefix_is_not_sent_without_one() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--yes", "-q"];
    let (september, october) = (customers(1..4, "Elm"), customers(4..6, "Oak"));
    workbook(&stage, "leads.xlsx", &[("Sep", &september)]);
    stage
        .run(&[&import[..], &["--id-prefix", "n-"]].concat())
        .expect(0);
    let months = [("Sep", september.as_str()), ("Oct", &october)];
    workbook(&stage, "leads.xlsx", &months);
    let run = stage.run(&import).expect(10);
    let hinted = "-q --sheet Oct --id-prefix n-\n";
    assert!(run.stderr.contains(hinted), "{}", run.stderr);
    let own = "-q --sheet Sep\n";
    assert!(run.stderr.contains(own), "{}", run.stderr);
    let of_october = [&import[..], &["--sheet", "Oct"]].concat();
    let run = stage.run(&of_october).expect(10);
    let told = "error: the sheet `Sep` of this workbook was imported with the prefix n-, and the rows of this new sheet would be without a prefix\nhint: if this sheet has ids of the same kind, add --id-prefix=n-; to send it without a prefix, add --id-prefix=\n";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert_eq!(ids(&stage), ["n-1", "n-2", "n-3"]);
    stage
        .run(&[&of_october[..], &["--id-prefix="]].concat())
        .expect(0);
    assert_eq!(ids(&stage), ["4", "5", "n-1", "n-2", "n-3"]);
    stage.run(&of_october).expect(0);
}

#[test]
fn a_check_of_a_sheet_whose_import_stops_does_not_say_that_it_sends_rows() {
    let stage = Stage::open();
    let (september, october) = (customers(1..4, "Elm"), customers(4..6, "Oak"));
    workbook(&stage, "leads.xlsx", &[("Sep", &september)]);
    let import = ["import", "leads.xlsx", "--yes", "--id-prefix", "n-"];
    stage.run(&import).expect(0);
    let october = october.replacen("02134", "", 1);
    let months = [("Sep", september.as_str()), ("Oct", &october)];
    workbook(&stage, "leads.xlsx", &months);
    for words in [
        &["check", "leads.xlsx"][..],
        &["import", "leads.xlsx", "--dry-run"],
    ] {
        let run = stage.run(&[words, &["--sheet", "Oct"]].concat()).expect(3);
        let hint = "hint: correct the cells above";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
        let sends = "sends the other rows";
        assert!(!run.stderr.contains(sends), "{}", run.stderr);
    }
}

#[test]
fn a_prefix_under_which_the_ids_of_a_new_sheet_are_taken_is_not_named() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--yes", "-q"];
    let months = ["Oct", "Nov"].map(|month| (month, customers(1..5, month)));
    stage.file("leads.csv", customers(1..5, "Elm"));
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    workbook(&stage, "leads.xlsx", &[("Oct", &months[0].1)]);
    let october = [&import[..], &["--id-prefix", "oct-"]].concat();
    stage.run(&october).expect(0);
    let months: Vec<_> = months.iter().map(|(name, text)| (*name, &**text)).collect();
    workbook(&stage, "leads.xlsx", &months);
    let november = [&import[..], &["--sheet", "Nov"]].concat();
    let run = stage.run(&november).expect(3);
    assert!(!run.stderr.contains("oct-"), "{}", run.stderr);
    let later = customers(7..9, "Pine") + months[1].1.split_once('\n').unwrap().1;
    stage
        .run(&[&october[..], &["--sheet", "Oct"]].concat())
        .expect(0);
    workbook(&stage, "leads.xlsx", &[months[0], ("Dec", &later)]);
    stage.file("others.csv", customers(7..9, "Bay"));
    stage
        .run(&["import", "others.csv", "--yes", "--id-prefix", "oct-"])
        .expect(0);
    let run = stage
        .run(&[&import[..], &["--sheet", "Dec"]].concat())
        .expect(10);
    let told = "hint: its ids are taken with that prefix: add --id-prefix TEXT, with a text for this sheet; to send it without a prefix, add --id-prefix=\n";
    assert!(run.stderr.contains(told), "{}", run.stderr);
}

#[test]
fn rejects_that_are_pasted_into_their_workbook_are_sent_with_its_prefix() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--yes", "-q"];
    let leads = customers(1..3, "Elm").replacen("02134", "", 1);
    workbook(&stage, "leads.xlsx", &[("Leads", &leads)]);
    stage
        .run(&[&import[..], &["--id-prefix", "a-"]].concat())
        .expect(3);
    let header = "id,name,email,line1,city,region,postal_code,error,source_row";
    let fixed =
        format!("{header}\n1,Ann Elm,Elm1@example.com,1 Elm St,Boston,MA,02134,the code,2\n");
    workbook(&stage, "leads.xlsx", &[("Leads", &leads), ("Fix", &fixed)]);
    let run = stage.run(&import).expect(10);
    let hinted = "-q --sheet Fix --id-prefix a-\n";
    assert!(run.stderr.contains(hinted), "{}", run.stderr);
    stage
        .run(&[&import[..], &["--sheet", "Fix"]].concat())
        .expect(10);
    let words = ["--sheet", "Fix", "--id-prefix", "a-"];
    stage.run(&[&import[..], &words].concat()).expect(0);
    assert_eq!(ids(&stage), ["a-1", "a-2"]);
}

#[test]
fn the_prefix_that_is_named_for_conflicts_is_that_of_the_other_sheets_of_the_workbook() {
    let stage = Stage::open();
    stage.file("leads.csv", customers(21..27, "Elm"));
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    let (october, november) = (customers(11..15, "Oak"), customers(21..27, "Oak"));
    workbook(&stage, "south.xlsx", &[("Oct", &october)]);
    let import = ["import", "south.xlsx", "--yes"];
    stage
        .run(&[&import[..], &["--id-prefix", "s-"]].concat())
        .expect(0);
    let months = [("Oct", october.as_str()), ("Nov", &november)];
    workbook(&stage, "south.xlsx", &months);
    let run = stage
        .run(&[&import[..], &["--sheet", "Nov"]].concat())
        .expect(3);
    let told = "give it the prefix of the sheet `Oct`: gutterbatch import south.xlsx --id-prefix s- --sheet Nov\n";
    assert!(run.stderr.contains(told), "{}", run.stderr);
}
