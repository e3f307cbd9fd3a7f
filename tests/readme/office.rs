//! README's page for the office: its commands run in their order against the stand-in, and do what it says.

use std::path::Path;

use crate::connect::hidden::Sitting;
use crate::readme::tables::{readme, sample, story};
use crate::support::{Run, Stage};

/// The page.
fn page() -> String {
    let text = readme();
    let page = text.split("\n## For the office\n").nth(1).unwrap();
    page.split("\n## ").next().unwrap().to_owned()
}

/// The commands of the page, in their order. The month of the bill has not ended yet.
fn commands() -> Vec<String> {
    let page = page().replace(" 2026-1", " 2999-1");
    let quoted = page.split('`').skip(1).step_by(2);
    let ours = quoted.filter_map(|part| part.strip_prefix("gutterbatch "));
    ours.map(str::to_owned).collect()
}

/// The cells of the sample.
fn sample_rows() -> Vec<Vec<String>> {
    let text = sample();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_slice());
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| row.iter().map(str::to_owned).collect())
        .collect()
}

fn write_workbook(path: &Path, rows: &[Vec<String>]) {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in (0..).zip(rows) {
        sheet.write_row(row, 0, cells).unwrap();
    }
    book.save(path).unwrap();
}

fn workbook_rows(path: &Path) -> Vec<Vec<String>> {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let sheet = calamine::Reader::worksheet_range_at(&mut book, 0).unwrap();
    let rows = sheet.unwrap();
    let rows = rows.rows();
    rows.map(|row| row.iter().map(ToString::to_string).collect())
        .collect()
}

fn column(rows: &[Vec<String>], header: &str) -> usize {
    rows[0].iter().position(|cell| cell == header).unwrap()
}

/// Runs a command as typed, with the settings that `connect` saved and no others.
fn run(stage: &Stage, line: &str) -> Run {
    let words: Vec<&str> = line.split(' ').collect();
    Run::of(stage.bare_command(&words).output().unwrap())
}

/// Connects as the page says: four questions, and the browser.
fn connect(stage: &Stage, command: &str) {
    let service = stage.sandbox().connection_info().clone();
    let browser = "BROWSER=/nonexistent/browser PATH=/nonexistent";
    let unset = "unset GUTTERBATCH_BASE_URL GUTTERBATCH_SERVICE_VERSION GUTTERBATCH_CLIENT_ID";
    let mut sitting = Sitting::at(stage, &format!("{unset}; {browser} gutterbatch {command}"));
    for (question, answer) in [
        ("service's address (", &service.base_url),
        ("service's version (", &service.service_version),
        ("client id (", &service.client_id),
        ("client secret (", &service.client_secret),
    ] {
        sitting.until(question);
        sitting.until("): ");
        sitting.press(&format!("{answer}\n"));
    }
    let shown = sitting.until("code_challenge_method=S256\r\n");
    let link = shown.lines().find(|line| line.starts_with("http")).unwrap();
    stage.allow(link);
    let shown = sitting.end().expect(0).stdout;
    assert!(shown.contains("connected to "), "{shown}");
}

#[test]
fn the_commands_of_the_page_for_the_office_do_what_it_says() {
    let stage = story();
    let commands = commands();
    let [rehearse, connect_once, check, import, status, bill, again] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    run(&stage, rehearse).expect(0);
    assert!(stage.path("sample.rehearsal.xlsx").is_file());
    connect(&stage, connect_once);

    // A sheet without ids, with a header of its own, and with an empty cell.
    let mut rows = sample_rows();
    let region = column(&rows, "State/Region");
    rows[0][region] = "Jurisdiction".to_owned();
    let city = column(&rows, "City");
    let missing = std::mem::take(&mut rows[5][city]);
    let id = column(&rows, "Record ID");
    for row in &mut rows {
        row.remove(id);
    }
    write_workbook(&stage.path("leads.xlsx"), &rows);
    let mut line = check.clone();
    let mut refused = run(&stage, &line);
    while refused.code == Some(10) {
        let hint = refused.stderr.split("\nhint: ").nth(1).unwrap();
        let hint = hint.lines().next().unwrap();
        let typed = hint.strip_prefix("gutterbatch ").unwrap();
        assert_ne!(typed, line, "{}", refused.stderr);
        line = typed.replace("HEADER", "Jurisdiction");
        refused = run(&stage, &line);
    }
    let found = refused.expect(3).stdout;
    assert!(found.contains("City: the city is empty"), "{found}");
    let flags = line.strip_prefix(check.as_str()).unwrap();
    assert!(flags.contains(" --derive-id"), "{flags}");
    assert!(flags.contains(" --map region="), "{flags}");

    let mut sitting = Sitting::at(&stage, &format!("gutterbatch {import}{flags}"));
    let asked = sitting.until("submit them? [y/N] ");
    assert!(asked.contains("team Evergreen Gutters"), "{asked}");
    assert!(asked.contains("first: 1859, rue Centre"), "{asked}");
    sitting.press("y\n");
    let shown = sitting.end().expect(3).stdout;
    assert!(shown.contains("59 created"), "{shown}");

    let said = run(&stage, status).expect(0).stdout;
    assert!(said.contains("needs you     1 invalid in leads.xlsx; correct the rejects"));
    let rejects = stage.path("leads.rejects.xlsx");
    let mut rejected = workbook_rows(&rejects);
    let error = column(&rejected, "error");
    assert_eq!(rejected[1][error], "City: the city is empty");
    let city = column(&rejected, "City");
    rejected[1][city] = missing;
    write_workbook(&rejects, &rejected);
    // The sheet's flags are remembered, also for its rejects.
    let corrected = format!("{} --yes", import.replace("leads", "leads.rejects"));
    run(&stage, &corrected).expect(0);
    let known = run(&stage, &format!("{import} --yes")).expect(0).stdout;
    assert!(known.contains("60 known"), "{known}");
    let said = run(&stage, status).expect(0).stdout;
    assert!(said.starts_with("done          yes: "), "{said}");

    let billed = run(&stage, bill).expect(0).stdout;
    assert!(billed.contains("60 measurements"), "{billed}");
    assert!(
        billed.contains("requested 60 measurements again\n"),
        "{billed}"
    );
    let next = bill
        .replace("october", "november")
        .replace("2999-11", "2999-12");
    let nothing = run(&stage, &format!("{next} --refresh all"))
        .expect(0)
        .stdout;
    assert!(nothing.contains("nothing new to bill"), "{nothing}");
    run(&stage, again).expect(0);
    let bytes = |name: &str| std::fs::read(stage.path(name)).unwrap();
    assert_eq!(bytes("again.xlsx"), bytes("october.xlsx"));
}

#[test]
fn each_flag_of_the_page_for_the_office_is_one_that_a_sheet_needs() {
    let rows = sample_rows();
    let page = page();
    let named = |flag: &str| {
        let value = page.split(&format!("`{flag}\"")).nth(1).unwrap();
        value.split('"').next().unwrap().to_owned()
    };
    let renamed = |rows: &mut Vec<Vec<String>>, header: &str, to: String| {
        let at = column(rows, header);
        rows[0][at] = to;
    };
    let mut of_region = rows.clone();
    let region = named("--map region=");
    renamed(&mut of_region, "State/Region", region.clone());

    let mut of_address = rows.clone();
    let address = named("--map address=");
    renamed(&mut of_address, "Street Address", address.clone());
    let parts = ["City", "State/Region", "Postal Code", "Street Address 2"];
    for part in parts {
        let at = column(&of_address, part);
        let street = column(&of_address, &address);
        for row in &mut of_address {
            let removed = row.remove(at);
            if row[street] != address {
                row[street] = format!("{}, {removed}", row[street]);
            }
        }
    }

    let mut of_two = rows.clone();
    let chosen = named("--address ");
    let mailing = ["Street Address", "City", "State/Region", "Postal Code"];
    for header in mailing {
        let at = column(&of_two, header);
        let name = header.trim_start_matches("Street ");
        for row in &mut of_two {
            let cell = match row[at].as_str() {
                cell if cell == header => format!("Mailing {name}"),
                cell => cell.to_owned(),
            };
            row.push(cell);
        }
        of_two[0][at] = format!("{chosen} {name}");
    }
    for (rows, flag) in [
        (
            of_region,
            vec!["--map".to_owned(), format!("region={region}")],
        ),
        (
            of_address,
            vec!["--map".to_owned(), format!("address={address}")],
        ),
        (of_two, vec!["--address".to_owned(), chosen]),
    ] {
        let stage = Stage::offline();
        write_workbook(&stage.path("leads.xlsx"), &rows);
        let check = ["check", "leads.xlsx"];
        let without = stage.run(&check).expect(10).stderr;
        let flag: Vec<&str> = flag.iter().map(String::as_str).collect();
        let hint = without.split("\nhint: ").nth(1).unwrap();
        assert!(hint.contains(&format!("{} ", flag[0])), "{without}");
        let with = stage.run(&[&check[..], &flag].concat());
        assert!(
            matches!(with.code, Some(0 | 3)),
            "{flag:?}: {}",
            with.stderr
        );
    }
}
