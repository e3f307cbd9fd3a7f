//! Two addresses side by side: one question, and never the street of one with the city of the other.

use rust_xlsxwriter::{Format, Workbook};

use crate::support::{Stage, parts};

const HEADERS: &str = "Job ID,Client name,Email,Phone,Lead owner,Street,City,Province,Postal code,Street,City,Province,Postal code,Notes";
const TITLES: &str = "Client,,,,,Billing address,,,,Service property,,,,";

const ROWS: [&str; 2] = [
    "J-1,Ada Lovelace,ada@example.com,,Bob,1 Bank St,Ottawa,ON,K1A 0B1,12 Elm St,Toronto,ON,M5V 1A1,gate",
    "J-2,Grace Hopper,,416-555-0100,Bob,2 Bank St,Ottawa,ON,K1A 0B1,14 Oak St,Montréal,QC,H3B 4W5,",
];

fn text() -> String {
    format!(
        "Jobs of October\n{TITLES}\n{HEADERS}\n{}\n",
        ROWS.join("\n")
    )
}

/// The same as a workbook, with the titles merged over their columns.
fn workbook(change: impl Fn(&str) -> String) -> Vec<u8> {
    book(change).save_to_buffer().unwrap()
}

fn book(change: impl Fn(&str) -> String) -> Workbook {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let bold = Format::new().set_bold();
    sheet
        .merge_range(0, 5, 0, 8, "Billing address", &bold)
        .unwrap();
    sheet
        .merge_range(0, 9, 0, 12, "Service property", &bold)
        .unwrap();
    for (row, line) in (1..).zip([HEADERS].iter().chain(&ROWS)) {
        for (column, cell) in (0..).zip(line.split(',')) {
            sheet.write_string(row, column, change(cell)).unwrap();
        }
    }
    workbook
}

const QUESTION: &str = "two addresses: Service property (J–M) and Billing address (F–I); they differ in the first 2 rows";

/// The hint of a check of the file: a whole command for each of the addresses.
fn hint(file: &str) -> String {
    let command = format!("gutterbatch check {file} --address");
    format!(
        "hint: {command} 'Service property'\n      or {command} 'Billing address'\n      choose the address of the house"
    )
}

#[test]
fn two_addresses_under_merged_headers_are_one_question() {
    let stage = Stage::offline();
    stage.file("jobs.csv", text());
    stage.file("jobs.xlsx", workbook(str::to_owned));
    for file in ["jobs.csv", "jobs.xlsx"] {
        let stopped = stage.run(&["check", file]).expect(10).stderr;
        let hint = hint(file);
        assert_eq!(stopped.trim(), format!("error: {file}: {QUESTION}\n{hint}"));
    }
}

#[test]
fn numbered_lines_of_french_streets_are_of_two_addresses() {
    let stage = Stage::offline();
    let of = |what: &str| {
        format!(
            "Rue de {what} 1,Rue de {what} 2,Ville de {what},Province de {what},Code postal de {what}"
        )
    };
    let headers = [
        "J-ID,Nom complet,Courriels",
        &of("facturation"),
        &of("service"),
    ]
    .join(",");
    let row = "1,Ann Roy,ann@example.com,1 rue Rachel,,Laval,QC,H7N 3Z2,2 rue Rachel,app. 3,Laval,QC,H7N 3Z2";
    stage.file("jobber.csv", format!("{headers}\n{row}\n"));
    let stopped = stage.run(&["check", "jobber.csv"]).expect(10).stderr;
    let command = "gutterbatch check jobber.csv --address 'de service'";
    assert!(stopped.contains(command), "{stopped}");
    let args = ["check", "jobber.csv", "--address", "service", "--json"];
    let mapping = stage.run(&args).expect(0).json()["mapping"].clone();
    assert_eq!(mapping["line1"], "Rue de service 1");
    assert_eq!(mapping["line2"], "Rue de service 2");
    assert_eq!(mapping["city"], "Ville de service");
    assert_eq!(mapping["email"], "Courriels");
}

#[test]
fn a_zip_that_lost_its_zero_is_no_other_house() {
    let stage = Stage::offline();
    let headers = "ID,Name,Email,Job Address,Job City,Job State,Job Zip,Billing Address,Billing City,Billing State,Billing Zip";
    let rows = "1,Ann,a@example.com,2 Elm St,Nutley,NJ,7110,2 Elm St,Nutley,NJ,07110\n2,Bo,b@example.com,4 Elm St,Nutley,NJ,7110,9 Oak St,Nutley,NJ,07110";
    stage.file("leap.csv", format!("{headers}\n{rows}\n"));
    let stopped = stage.run(&["check", "leap.csv"]).expect(10).stderr;
    assert!(
        stopped.contains("they differ in 1 of the first 2 rows"),
        "{stopped}"
    );
}

#[test]
fn an_empty_street_is_no_rival_of_the_house_s() {
    let stage = Stage::offline();
    let headers = "ID,Name,Email,Home Street,Home City,Home State,Home Postal Code,Other Street";
    let sheet = |other: &str| {
        format!(
            "{headers}\n1,Ann,a@example.com,2 Elm St,Dublin,OH,43016,\n2,Bo,b@example.com,4 Elm St,Dublin,OH,43016,{other}\n"
        )
    };
    stage.file("contacts.csv", sheet(""));
    let found = stage
        .run(&["check", "contacts.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(found["mapping"]["line1"], "Home Street");
    stage.file("contacts.csv", sheet("9 Oak St"));
    let stopped = stage.run(&["check", "contacts.csv"]).expect(10).stderr;
    assert!(stopped.contains("could both be line1"), "{stopped}");
}

#[test]
fn totals_and_footers_are_no_rows_in_which_addresses_differ() {
    let stage = Stage::offline();
    let commas = ",".repeat(13);
    let footer = format!("Total{commas}\nCopyright 2026 Acme{commas}\n");
    stage.file("jobs.csv", text() + &footer);
    let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
    assert!(stopped.contains(QUESTION), "{stopped}");
}

#[test]
fn an_address_that_says_same_is_no_other_one() {
    let stage = Stage::offline();
    let row = ["same", "Same as above", "see above"];
    let row = row.map(|same| {
        format!("J-3,Bo Roy,bo@example.com,,Bob,{same},,,,16 Elm St,Toronto,ON,M5V 1A1,\n")
    });
    stage.file("jobs.csv", text() + &row.concat());
    let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
    assert!(
        stopped.contains("they differ in 2 of the first 5 rows"),
        "{stopped}"
    );
}

#[test]
fn an_address_is_chosen_whole() {
    let stage = Stage::open();
    for (file, content) in [
        ("jobs.csv", text().into_bytes()),
        ("jobs.xlsx", workbook(str::to_owned)),
    ] {
        stage.file(file, content);
        let checked = stage
            .run(&["check", file, "--address", "service property", "--json"])
            .expect(0)
            .json();
        assert_eq!(checked["valid"], 2, "{checked}");
        let sample = stage
            .run(&["check", file, "--address", "Service property"])
            .expect(0)
            .stdout;
        assert!(
            sample.contains("12 Elm St · 14 Oak St") && sample.contains("Toronto · Montréal"),
            "{sample}"
        );
        assert!(
            sample.contains("line1        Service property / Street ")
                && sample.contains("Billing address / Street,"),
            "{sample}"
        );
        assert!(
            !sample.contains("Bank St") && !sample.contains("Ottawa"),
            "{sample}"
        );
        let billing = stage
            .run(&["check", file, "--address", "F"])
            .expect(0)
            .stdout;
        assert!(
            billing.contains("1 Bank St · 2 Bank St") && !billing.contains("Toronto"),
            "{billing}"
        );
    }
}

#[test]
fn a_page_of_notes_beside_the_table_is_not_asked_for_its_address() {
    let stage = Stage::offline();
    let mut with_notes = book(|cell| cell.replace("Job ID", "Ticket"));
    let notes = with_notes.add_worksheet().set_name("Read me").unwrap();
    notes.write_string(0, 0, "Exported on Monday").unwrap();
    stage.file("jobs.xlsx", with_notes.save_to_buffer().unwrap());
    let stopped = stage.run(&["check", "jobs.xlsx"]).expect(10).stderr;
    assert!(stopped.contains(QUESTION), "{stopped}");
    let choice = ["check", "jobs.xlsx", "--address", "Service property"];
    let stopped = stage.run(&choice).expect(10).stderr;
    assert!(stopped.contains("no column for id"), "{stopped}");
    assert!(!stopped.contains("there is no address"), "{stopped}");
}

#[test]
fn an_address_that_the_sheet_lacks_is_answered_with_those_it_has() {
    let stage = Stage::offline();
    stage.file("jobs.csv", text());
    let stopped = stage
        .run(&["check", "jobs.csv", "--address", "Shipping"])
        .expect(10)
        .stderr;
    assert_eq!(
        stopped.trim(),
        format!(
            "error: jobs.csv: there is no address `Shipping`\n{}",
            hint("jobs.csv")
        )
    );
}

#[test]
fn the_question_names_what_else_is_missing() {
    let stage = Stage::offline();
    stage.file(
        "jobs.csv",
        text()
            .replace("Job ID,", "Color,")
            .replace("Lead owner", "Salesperson"),
    );
    let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
    assert!(
        stopped.contains(QUESTION) && stopped.contains("--derive-id"),
        "{stopped}"
    );
    stage
        .run(&[
            "check",
            "jobs.csv",
            "--address",
            "Service property",
            "--derive-id",
        ])
        .expect(0);
}

#[test]
fn rejects_keep_the_titles_that_tell_the_addresses_apart() {
    let stage = Stage::open();
    let faulty = text().replace("14 Oak St", "");
    let more = workbook(|cell| cell.replace("14 Oak St", "").replace("J-", "X-"));
    for (file, rejects, content) in [
        ("jobs.csv", "jobs.rejects.csv", faulty.into_bytes()),
        ("more.xlsx", "more.rejects.xlsx", more),
    ] {
        stage.file(file, content);
        // The second file has the houses of the first under other ids.
        let flags = [
            "--address",
            "Service property",
            "--yes",
            "--allow-same-house",
        ];
        stage
            .run(&[&["import", file], flags.as_slice()].concat())
            .expect(3);
        let again = stage
            .run(&["check", rejects, "--address", "Service property", "--json"])
            .expect(3)
            .json();
        assert_eq!(
            (&again["rows"], &again["invalid"]),
            (&1.into(), &1.into()),
            "{again}"
        );
    }
}

#[test]
fn rejects_below_titles_are_recognized_in_every_format() {
    let rejected = |cell: &str| cell.replace("14 Oak St", "");
    let header_line = format!("{HEADERS},error,source_row");
    let corrected = format!("{},no street,4", ROWS[1]);
    let lines = [TITLES, &header_line, &corrected];
    let row = |line: &&str| {
        let cell = |text| {
            format!(
                r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#
            )
        };
        let cells: String = line.split(',').map(cell).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let mut copy = Workbook::new();
    let sheet = copy.add_worksheet();
    for (row, line) in (0..).zip(lines) {
        for (column, cell) in (0..).zip(line.split(',')) {
            sheet.write_string(row, column, cell).unwrap();
        }
    }
    for (file, saved) in [
        ("jobs.rejects.csv", lines.join("\n").into_bytes()),
        (
            "jobs.rejects.ods",
            parts::ods(&lines.iter().map(row).collect::<String>()),
        ),
        ("jobs.rejects (1).xlsx", copy.save_to_buffer().unwrap()),
        ("Copy of jobs.rejects.xlsx", copy.save_to_buffer().unwrap()),
    ] {
        let stage = Stage::open();
        stage.file("jobs.xlsx", workbook(rejected));
        let import = |file: &str, code| {
            let run = stage.run(&["import", file, "--address", "Service property", "--json"]);
            run.expect(code).json()["outcomes"].clone()
        };
        assert_eq!(import("jobs.xlsx", 3)["invalid"], 1);
        assert!(stage.path("jobs.rejects.xlsx").exists());
        stage.file(file, saved);
        assert_eq!(import(file, 0)["created"], 1, "{file}");
        assert_eq!(import("jobs.xlsx", 0)["known"], 2, "{file}");
    }
}

#[test]
fn another_address_of_an_imported_file_is_not_sent_under_derived_ids() {
    let stage = Stage::open();
    let service = ["--address", "Service property", "--derive-id"];
    let billing = ["--address", "Billing address", "--derive-id"];
    let run = |words: &[&str], flags: &[&str]| {
        let flags: &[&str] = if words[0] == "import" {
            &[flags, &["--yes"]].concat()
        } else {
            flags
        };
        stage.run(&[words, flags].concat())
    };
    let requested = || stage.sandbox().measurements().len();
    let without_ids = |notes: &str| {
        text()
            .replace("Job ID,", "")
            .replace("J-1,", "")
            .replace("J-2,", "")
            .replace("Client,,,,,", "Client,,,,")
            .replace("Notes", notes)
    };
    stage.file("jobs.csv", without_ids("Notes"));
    run(&["import", "jobs.csv"], &service).expect(0);
    assert_eq!(requested(), 2);

    let named = "--address 'Billing address' chooses another address than --address 'Service property' (as ";
    // A column was renamed since.
    for notes in ["Notes", "Remarks"] {
        stage.file("jobs.csv", without_ids(notes));
        let stopped = run(&["import", "jobs.csv"], &billing).expect(2).stderr;
        assert!(stopped.contains(named), "{stopped}");
        assert!(
            stopped.contains("leave --address 'Billing address' out"),
            "{stopped}"
        );
        assert!(stopped.contains("--forget-reading"), "{stopped}");
        let warned = run(&["check", "jobs.csv"], &billing).expect(0).stderr;
        assert!(warned.contains(named), "{warned}");
    }
    // Another month's file with the same headers.
    stage.file("jobs of november.csv", without_ids("Notes"));
    let stopped = run(&["import", "jobs of november.csv"], &billing).expect(2);
    assert!(stopped.stderr.contains(named), "{}", stopped.stderr);
    assert!(
        stopped
            .stderr
            .contains("jobs.csv, which has the same headers"),
        "{}",
        stopped.stderr
    );
    assert_eq!(requested(), 2);
    // The address is not in the file any more.
    stage.file(
        "jobs.csv",
        without_ids("Notes").replace("Service property", ""),
    );
    let stopped = run(&["import", "jobs.csv"], &[]).expect(10).stderr;
    let danger = "another address would request other houses of the same customers";
    assert!(stopped.contains(danger), "{stopped}");
    stage.file("jobs.csv", without_ids("Notes"));
    // The choice that was stopped is not remembered.
    run(&["import", "jobs.csv"], &[]).expect(0);
    assert_eq!(requested(), 2);
    run(&["import", "jobs.csv", "--forget-reading"], &billing).expect(0);
    assert_eq!(requested(), 4);
}

#[test]
fn a_house_number_belongs_to_the_address_that_it_stands_in() {
    let stage = Stage::open();
    let rest = "Country,Email\n";
    let rows = "1,Ann,12,Elm St,Columbus,OH,43201,99,Oak St,Dayton,OH,45402,US,a@b.c\n\
        2,Bob,14,Elm St,Columbus,OH,43201,97,Oak St,Dayton,OH,45402,US,b@b.c\n";
    let headers = "ID,Name,Billing Number,Billing Street,Billing City,Billing State,Billing Zip,\
        House No,Service Street,Service City,Service State,Service Zip,";
    stage.file("leads.csv", format!("{headers}{rest}{rows}"));
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(stopped.contains("Service (H–"), "{stopped}");
    assert!(stopped.contains("and Billing ("), "{stopped}");
    let run = stage.run(&["check", "leads.csv", "--address", "Service", "--json"]);
    let document = run.expect(0).json();
    let problems = document["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 0, "{document}");
    let run = ["import", "leads.csv", "--address", "Service", "--yes"];
    stage.run(&run).expect(0);
    stage.run(&["export", "out.csv", "--offline"]).expect(0);
    let sent = std::fs::read_to_string(stage.path("out.csv")).unwrap();
    assert!(
        sent.contains("99 Oak St") && sent.contains("97 Oak St"),
        "{sent}"
    );
}

#[test]
fn a_place_behind_two_streets_is_that_of_the_street_that_is_named() {
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        "Lead ID,Name,Email,Billing Address,Service Address,City,State,Zip\n\
        L-1,Ada,a@example.com,10 Beech St,90 Oak St,Dublin,OH,43017\n",
    );
    for (flags, street) in [
        (["--address", "Service"], "90 Oak St"),
        (["--map", "line1=Service Address"], "90 Oak St"),
    ] {
        let page = stage
            .run(&["check", "leads.csv", flags[0], flags[1]])
            .expect(0)
            .stdout;
        assert!(page.contains(street) && page.contains("Dublin"), "{page}");
    } // The other one takes it only if each part is named.
    let maps = [
        "line1=Billing Address",
        "city=City",
        "region=State",
        "postal_code=Zip",
    ];
    let maps = maps.map(|map| ["--map", map]).concat();
    let check = |maps: &[&str]| stage.run(&[&["check", "leads.csv"], maps].concat());
    let stopped = check(&maps[..2]).expect(10).stderr;
    assert!(
        stopped.contains("belong to different addresses"),
        "{stopped}"
    );
    let page = check(&maps).expect(0).stdout;
    assert!(
        page.contains("10 Beech St") && page.contains("Dublin"),
        "{page}"
    );
}

#[test]
fn a_part_whose_header_both_addresses_have_is_named_by_the_column_of_the_chosen_one() {
    let stage = Stage::offline();
    stage.file("jobs.csv", text().replace("Province", "Provnce"));
    let chosen = ["check", "jobs.csv", "--address", "Service property"];
    let stopped = stage.run(&chosen).expect(10).stderr;
    let hint = "hint: gutterbatch check jobs.csv --address 'Service property' --map region=L\n      region: did you mean Provnce?";
    assert!(stopped.contains(hint), "{stopped}");
    stage
        .run(&[&chosen[..], &["--map", "region=L"]].concat())
        .expect(0);
}

/// A sheet of a program that leaves the address of the house empty where it is the billing address.
const EMPTY_IF_EQUAL: &str = "\
ID,Name,Email,Billing Street,Billing City,Billing State,Billing Zip,Service Street,Service City,Service State,Service Zip
1,Ada,a@example.com,10 Elm St,Columbus,OH,43215,90 Oak Ave,Dublin,OH,43017
2,Bo,b@example.com,12 Elm St,Columbus,OH,43215,,,,
3,Cy,c@example.com,14 Elm St,Columbus,OH,43215,,,,
";

#[test]
fn a_street_of_another_address_does_not_replace_those_of_the_chosen_one() {
    let stage = Stage::offline();
    stage.file("leads.csv", EMPTY_IF_EQUAL);
    let chosen = ["check", "leads.csv", "--address", "Service"];
    let page = stage.run(&chosen).expect(3).stdout;
    assert!(page.contains("1 valid, 2 invalid"), "{page}");
    assert!(
        page.contains("the other address of this row, type it here"),
        "{page}"
    );
    assert!(!page.contains("if another column holds it"), "{page}");
    let whole = "ID,Name,Email,Bill address,Ship address\n\
        1,Ada,a@example.com,\"10 Elm St, Columbus, OH 43215\",\"90 Oak Ave, Dublin, OH 43017\"\n\
        2,Bo,b@example.com,\"12 Elm St, Columbus, OH 43215\",\n";
    stage.file("orders.csv", whole);
    let shipped = ["check", "orders.csv", "--map", "address=Ship address"];
    let page = stage.run(&shipped).expect(3).stdout;
    assert!(
        page.contains("the address is empty; if the house has"),
        "{page}"
    );
    let street = ["--map", "line1=Billing Street"];
    let others = [
        "--map",
        "city=E",
        "--map",
        "region=F",
        "--map",
        "postal_code=G",
    ];
    for map in [&street[..], &[&street[..], &others].concat()] {
        let stopped = stage.run(&[&chosen[..], map].concat()).expect(10).stderr;
        assert!(
            stopped.contains("belong to different addresses"),
            "{stopped}"
        );
        assert!(!stopped.contains("gutterbatch check"), "{stopped}");
    }
}

#[test]
fn an_address_that_is_empty_in_most_rows_comes_last() {
    let text = EMPTY_IF_EQUAL.replace("Service", "Other");
    let stage = Stage::offline();
    stage.file("leads.csv", &text);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let question = "two addresses: Billing (D–G) and Other (H–K, mostly empty)";
    assert!(stopped.contains(question), "{stopped}");
    stage.file("leads.csv", EMPTY_IF_EQUAL);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(
        stopped.contains("two addresses: Service (H–K, mostly empty)"),
        "{stopped}"
    );
}
