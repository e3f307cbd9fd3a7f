//! What remembered flags name when columns of the file were inserted, renamed or removed.

use crate::support::{Run, Stage};

const BOXES: &str = "Id,Name,Street,Box,City,State,Zip,Email";

fn boxes(headers: &str, ids: &[u32]) -> String {
    let row =
        |id: &u32| format!("{id},Ada,{id} Elm Street,Apt {id},Boston,MA,02134,a@example.com\n");
    format!("{headers}\n{}", ids.iter().map(row).collect::<String>())
}

/// A table with a column in front of the one at `at`.
fn inserted(table: &str, at: usize, (header, cell): (&str, &str)) -> String {
    let insert = |(number, line): (usize, &str)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.insert(at, if number == 0 { header } else { cell });
        cells.join(",") + "\n"
    };
    table.lines().enumerate().map(insert).collect()
}

fn import(stage: &Stage, flags: &[&str], code: i32) -> Run {
    let words = ["import", "leads.csv", "--yes"];
    stage.run(&[&words[..], flags].concat()).expect(code)
}

/// Street and unit of each request, in the order of its id.
fn sent(stage: &Stage) -> Vec<String> {
    let mut held = stage.sandbox().measurements();
    held.sort_by_key(|one| one.external_id.clone());
    let address = |one: &gutterbatch::sandbox::StoredMeasurement| {
        let unit = one.line2.clone().unwrap_or_default();
        format!("{} {unit}", one.line1).trim().to_owned()
    };
    held.iter().map(address).collect()
}

#[test]
fn columns_that_were_named_by_letters_stop_after_a_column_was_inserted() {
    for flags in [
        ["--map", "line2=D"],
        ["--id-column", "A"],
        ["--address", "C"],
    ] {
        let stage = Stage::open();
        let headers = BOXES.replace("Box", "Apt") + ",Mailing Street,Mailing City,Mailing Zip";
        let table =
            boxes(&headers, &[1]).replace("a@example.com", "a@example.com,9 Oak St,Dublin,43017");
        stage.file("leads.csv", table.clone());
        import(&stage, &flags, if flags[0] == "--address" { 0 } else { 10 });
        let plain = boxes(BOXES, &[1]);
        let table = if flags[0] == "--address" {
            table
        } else {
            plain
        };
        stage.file("leads.csv", table.clone());
        import(&stage, &flags, 0);
        stage.file("leads.csv", inserted(&table, 0, ("Color", "Red")));
        let run = import(&stage, &[], 10);
        let told = "is remembered from the last import of this file";
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
}

#[test]
fn the_letter_of_a_column_without_a_header_applies_to_the_same_headers_only() {
    let stage = Stage::open();
    let headers = BOXES.replace("Box", "");
    stage.file("leads.csv", boxes(&headers, &[1]));
    import(&stage, &["--map", "line2=D"], 0);
    stage.file("leads.csv", boxes(&headers, &[1, 2]));
    let run = import(&stage, &[], 0);
    assert!(
        run.stderr.contains("before: --map line2=D ("),
        "{}",
        run.stderr
    );
    stage.file(
        "leads.csv",
        inserted(&boxes(&headers, &[3]), 3, ("Color", "Red")),
    );
    let run = import(&stage, &[], 10);
    for told in [
        "its headers have changed",
        "`--map line2=D` is remembered",
        "add --forget-reading",
    ] {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    assert_eq!(sent(&stage).len(), 2);
    import(&stage, &["--map", "line2=E"], 0);
    assert_eq!(sent(&stage)[2], "3 Elm Street Apt 3");
}

#[test]
fn the_letters_of_a_table_without_headers_apply_while_it_has_the_same_columns() {
    let stage = Stage::open();
    let table = |ids: &[u32]| boxes(BOXES, ids).split_once('\n').unwrap().1.to_owned();
    let letters = [
        "id=A",
        "name=B",
        "line1=C",
        "line2=D",
        "city=E",
        "region=F",
        "postal_code=G",
        "email=H",
    ];
    let maps = letters.iter().flat_map(|map| ["--map", map]);
    let flags: Vec<&str> = ["--header-row", "0"].into_iter().chain(maps).collect();
    stage.file("leads.csv", table(&[1]));
    import(&stage, &flags, 0);
    let bad = table(&[3]).replace("MA", "");
    stage.file("leads.csv", table(&[1, 2]) + &bad);
    import(&stage, &[], 3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file(
        "leads.rejects.csv",
        rejects.replace("Boston,,", "Boston,MA,"),
    );
    stage
        .run(&["import", "leads.rejects.csv", "--yes"])
        .expect(0);
    assert_eq!(sent(&stage).len(), 3);
    stage.file("leads.csv", inserted(&table(&[4, 5]), 2, ("x", "x")));
    import(&stage, &[], 10);
}

#[test]
fn a_letter_typed_again_with_derived_ids_is_the_same_address() {
    let stage = Stage::open();
    stage.file("leads.csv", boxes(BOXES, &[1]));
    let flags = ["--derive-id", "--map", "line1=C", "--map", "id=Id"];
    import(&stage, &flags, 0);
    stage.file("leads.csv", boxes(BOXES, &[1, 2]));
    import(&stage, &flags, 0);
    assert_eq!(sent(&stage).len(), 2);
}

#[test]
fn a_remembered_column_that_the_file_lacks_stops() {
    let stage = Stage::open();
    stage.file("leads.csv", boxes(BOXES, &[1]));
    let flags = [
        "--map",
        "line2=Box",
        "--map",
        "email=Email",
        "--id-prefix",
        "a-",
    ];
    import(&stage, &flags, 0);
    let headers = BOXES.replace("Box", "Box No.");
    stage.file("leads.csv", boxes(&headers, &[1, 2]));
    let run = import(&stage, &[], 10);
    for told in [
        "there is no column `Box` for line2",
        "`--id-prefix a- --map line2=Box --map email=Email` is remembered from the last import",
        "the headers are Id, Name, Street, Box No., City",
    ] {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    let run = import(&stage, &["--map", "line2=Box No."], 0);
    assert!(
        run.stderr
            .contains("before: --id-prefix a- --map email=Email ("),
        "{}",
        run.stderr
    );
    assert_eq!(sent(&stage), ["1 Elm Street Apt 1", "2 Elm Street Apt 2"]);
}

#[test]
fn a_remembered_column_that_the_file_lacks_stops_until_its_flags_are_given_again() {
    let stage = Stage::open();
    let headers = BOXES.replace("Email", "Mail 9");
    stage.file("leads.csv", boxes(&headers, &[1]));
    import(&stage, &["--map", "email=Mail 9", "--map", "line2=Box"], 0);
    stage.file("leads.csv", boxes(BOXES, &[2]));
    let run = import(&stage, &[], 10);
    for told in [
        "there is no column `Mail 9` for email",
        "`--map 'email=Mail 9' --map line2=Box` is remembered from the last import of this file",
        "add --forget-reading",
    ] {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    import(&stage, &["--forget-reading", "--map", "line2=Box"], 0);
    assert_eq!(sent(&stage), ["1 Elm Street Apt 1", "2 Elm Street Apt 2"]);
}

#[test]
fn names_of_another_file_are_read_as_they_are_written_there() {
    let stage = Stage::open();
    let table = |name: &str, ids: &[u32]| boxes(BOXES, ids).replace("Ada", &format!("\"{name}\""));
    let headers = |text: String| text.replace("Box", "Apt");
    stage.file("leads.csv", headers(table("Patel, Zoe", &[1, 2, 3])));
    import(&stage, &["--id-prefix", "a-"], 0);
    stage.file(
        "october.csv",
        headers(table("Hilltop Dental, East Side", &[7])),
    );
    let run = stage.run(&["import", "october.csv", "--yes"]).expect(0);
    assert!(
        !run.stderr.contains("before: --last-name-first"),
        "{}",
        run.stderr
    );
    let held = stage.sandbox().measurements();
    let names = held.iter().map(|one| one.customer.as_str());
    let names: Vec<&str> = names.filter(|name| name.contains("Dental")).collect();
    assert_eq!(names, ["Hilltop Dental, East Side"]);
}

#[test]
fn the_mailing_addresses_of_known_customers_are_not_sent_in_place_of_their_houses() {
    let stage = Stage::open();
    let export = |kind: &str, street: &str| {
        let headers = ["Street", "City", "State", "Zip"].map(|part| format!("{kind} {part}"));
        format!(
            "Name,Email,{}\nAda Poe,ada@example.com,{street},Boston,MA,02134\n",
            headers.join(",")
        )
    };
    stage.file("leads.csv", export("Property", "12 Elm St"));
    let import = ["import", "leads.csv", "--yes", "-q"];
    stage
        .run(&[&import[..], &["--derive-id"]].concat())
        .expect(0);
    stage.file("leads.csv", export("Mailing", "900 Post Rd"));
    let change = "the column `Mailing Street` chooses another address than `Property Street` in its last import";
    let warned = stage.run(&["check", "leads.csv"]).expect(0).stderr;
    assert!(warned.contains(change), "{warned}");
    let stopped = stage.run(&import).expect(10).stderr;
    assert!(stopped.contains(change), "{stopped}");
    assert_eq!(stage.sandbox().measurements().len(), 1);
    // The same houses below another header are known.
    stage.file("leads.csv", export("Mailing", "12 Elm St"));
    stage.run(&import).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 1);
    // Or they are written otherwise.
    let rows =
        export("Property", "12 Elm Street") + "Bo Fox,bo@example.com,14 Elm St,Boston,MA,02134\n";
    stage.file("leads.csv", rows);
    stage.run(&import).expect(3);
    assert_eq!(stage.sandbox().measurements().len(), 2);
    stage.file("leads.csv", export("Property", "900 Post Rd"));
    stage
        .run(&[&import[..], &["--forget-reading", "--derive-id"]].concat())
        .expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 3);
}

#[test]
fn new_addresses_of_most_customers_under_derived_ids_are_warned_of() {
    let stage = Stage::open();
    let rows = |customers: std::ops::Range<u32>, street: &str| {
        let row = |n: u32| format!("Customer {n},c{n}@example.com,{n} {street},Boston,MA,02134\n");
        customers.map(row).collect::<String>()
    };
    let sheet = |rows: String| format!("Name,Email,Street,City,State,Zip\n{rows}");
    stage.file("october.csv", sheet(rows(1..6, "Elm St")));
    let derived = ["october.csv", "--derive-id"];
    stage.run(&[&["import"], &derived[..]].concat()).expect(0);
    let said = "5 of 5 customers in new rows were submitted before for other addresses";
    for (name, rows, is_warned) in [
        ("mailing.csv", rows(1..6, "Post Rd"), true),
        ("again.csv", rows(1..6, "Elm St"), false),
        ("few.csv", rows(1..5, "Post Rd"), false),
        ("others.csv", rows(6..12, "Post Rd"), false),
    ] {
        stage.file(name, sheet(rows));
        let check = stage.run(&["check", name, "--derive-id"]).expect(0);
        assert_eq!(check.stdout.contains(said), is_warned, "{}", check.stdout);
    }
}

#[test]
fn a_column_that_is_named_leaves_those_of_other_fields_as_they_were_named_before() {
    let stage = Stage::open();
    let table = |ids: &[u32]| {
        let row = |id: &u32| {
            format!("{id},Maple Court,Ada {id},{id} Elm Street,Boston,MA,02134,a@example.com,red\n")
        };
        let headers = "Id,Name,Dweller,Street,City,State,Zip,Email,Color\n";
        format!("{headers}{}", ids.iter().map(row).collect::<String>())
    };
    stage.file("leads.csv", table(&[1]));
    import(&stage, &["--map", "name=Dweller"], 0);
    // At the same path, and in another file with the same headers.
    stage.file("leads.csv", table(&[1, 2]));
    let said = import(&stage, &["--map", "notes=Color"], 0).stderr;
    assert!(said.contains("name=Dweller"), "{said}");
    stage.file("next.csv", table(&[3]));
    let next = ["import", "next.csv", "--yes", "--map", "notes=Color"];
    stage.run(&next).expect(0);
    let mut held = stage.sandbox().measurements();
    held.sort_by_key(|one| one.external_id.clone());
    let names: Vec<&str> = held.iter().map(|one| one.customer.as_str()).collect();
    assert_eq!(names, ["Ada 1", "Ada 2", "Ada 3"]);
}

#[test]
fn what_is_remembered_of_a_file_wins_over_a_profile_that_has_changed_since() {
    let stage = Stage::open();
    stage.file("leads.csv", boxes(BOXES, &[1]));
    let settings = |prefix: &str, notes: &str| {
        let lines = format!("id-prefix = \"{prefix}\"\nmap = [\"line2=Box\", \"notes={notes}\"]\n");
        stage.file("home/config.toml", format!("[profile.default]\n{lines}"));
    };
    settings("a-", "Box");
    import(&stage, &[], 0);
    settings("b-", "City");
    stage.file("leads.csv", boxes(BOXES, &[1, 2]));
    import(&stage, &["--map", "line2=Box"], 0);
    let mut held = stage.sandbox().measurements();
    held.sort_by_key(|one| one.external_id.clone());
    let sent = held.iter().map(|one| {
        let notes = one.notes.as_deref().unwrap_or_default();
        (one.external_id.as_deref().unwrap_or_default(), notes)
    });
    let sent: Vec<(&str, &str)> = sent.collect();
    assert_eq!(sent, [("a-1", "Apt 1"), ("a-2", "Apt 2")]);
}
