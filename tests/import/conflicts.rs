//! Rows in conflict: one or two are named with the way out, and of several the likely cause is named once.

use crate::support::{Run, Stage};

const HEADERS: &str = "ID,Name,Email,Billing Street,Billing City,Billing State,Billing Zip,Service Street,Service City,Service State,Service Zip";

fn street(number: usize) -> &'static str {
    ["Elm", "Oak", "Pine", "Cedar", "Birch", "Walnut"][number]
}

/// Rows of a customer each, with a house at both addresses.
fn two_addresses() -> String {
    let row = |i: usize| {
        let (id, name) = (i + 1, street(i));
        format!(
            "{id},Ann {name},ann{id}@example.com,{id}1 {name} St,Boston,MA,02134,{id}2 {name} Ave,Albany,NY,12207\n"
        )
    };
    format!("{HEADERS}\n{}", (0..6).map(row).collect::<String>())
}

/// Rows with ids from 1; `streets` has the number of each row's street.
fn leads(zip: &str, streets: &[usize]) -> String {
    let row = |(i, street_of_row): (usize, &usize)| {
        let (id, name) = (i + 1, street(*street_of_row));
        format!("{id},Ann,ann{id}@example.com,{street_of_row}5 {name} St,Boston,MA,{zip}\n")
    };
    let rows: String = streets.iter().enumerate().map(row).collect();
    format!("id,name,email,line1,city,region,postal_code\n{rows}")
}

fn import(stage: &Stage, args: &[&str], code: i32) -> Run {
    stage.run(&[&["import"], args].concat()).expect(code)
}

fn assert_said(run: &Run, texts: &[&str]) {
    for text in texts {
        let lines = run.stderr.lines();
        let found = lines.filter(|line| line.contains(text)).count();
        assert_eq!(found, 1, "{text}\n{}", run.stderr);
    }
}

const IN_ORDER: [usize; 6] = [0, 1, 2, 3, 4, 5];
const SORTED: [usize; 6] = [4, 3, 0, 1, 2, 5];

#[test]
fn a_few_conflicts_are_named_one_by_one() {
    let stage = Stage::open();
    stage.file("leads.csv", leads("02134", &IN_ORDER[..3]));
    import(&stage, &["leads.csv"], 0);
    stage.file("leads.csv", leads("02134", &[0, 3, 2]));
    let run = import(&stage, &["leads.csv"], 3);
    let named = "A3: conflict: `2`: id: this id was submitted for another house: 15 Oak St, Boston, MA 02134; if 35 Cedar St is right, give the row a new id, for example 2-2; if 15 Oak St is right, put it back";
    assert_said(&run, &[named]);
}

/// Rows with ids from 1, of a customer for each unit.
fn units(units: impl IntoIterator<Item = usize>) -> String {
    let row = |(id, unit): (usize, usize)| {
        format!(
            "{id},Tenant {unit},tenant{unit}@example.com,{id}5 Elm St,Apt {unit},Boston,MA,02134\n"
        )
    };
    let rows: String = (1..).zip(units).map(row).collect();
    format!("id,name,email,line1,line2,city,region,postal_code\n{rows}")
}

#[test]
fn other_units_of_the_same_streets_are_named_by_unit_and_are_no_sort() {
    let stage = Stage::open();
    stage.file("leads.csv", units(1..13));
    import(&stage, &["leads.csv"], 0);
    stage.file("leads.csv", units((21..23).chain(3..13)));
    let run = import(&stage, &["leads.csv"], 3);
    let named = "A2: conflict: `1`: id: this id was submitted for another house: 15 Elm St, Apt 1, Boston, MA 02134; if 15 Elm St, Apt 21 is right, give the row a new id, for example 1-2; if 15 Elm St, Apt 1 is right, put it back";
    assert_said(&run, &[named]);
    assert!(!run.stderr.contains("sort"), "{}", run.stderr);
}

#[test]
fn the_causes_of_a_wrong_address_of_two_are_named_once() {
    let stage = Stage::open();
    stage.file("leads.csv", two_addresses());
    import(&stage, &["leads.csv", "--address", "D"], 0);
    let run = import(&stage, &["leads.csv", "--address", "H"], 3);
    let cause = "6 rows in conflict: another house was requested under the same id; remembered flags: --address D (as in its import of ";
    assert_said(&run, &[cause]);
    assert!(
        run.stderr.contains("flags given now: --address H\n"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("hint: correct"), "{}", run.stderr);
    import(&stage, &["leads.csv", "--address=D"], 0);
}

/// Rows of a customer each; those with the first ids have another house at the billing address.
fn billed(ids: std::ops::Range<usize>, others: usize) -> String {
    let row = |id: usize| {
        let billing = if id <= others { 1000 + id } else { id };
        format!(
            "{id},Ann {id},ann{id}@example.com,{billing} Elm St,Boston,MA,02134,{id} Elm St,Boston,MA,02134\n"
        )
    };
    format!("{HEADERS}\n{}", ids.map(row).collect::<String>())
}

#[test]
fn a_wrong_flag_is_named_before_anything_is_sent_and_reads_no_later_file() {
    let stage = Stage::open();
    stage.file("october.csv", billed(1..41, 3));
    import(&stage, &["october.csv", "--address", "Service"], 0);
    stage.file("november.csv", billed(1..61, 3));
    let checked = stage.run(&["check", "november.csv", "--address", "Billing"]);
    let cause = "3 rows in conflict: another house was requested under the same id; remembered flags: --address Service (as october.csv, which has the same headers, on ";
    let way_back = "hint: leave --address Billing out to read the file as before\n";
    let run = checked.expect(3);
    assert_said(&run, &[cause, way_back.trim()]);
    assert!(!run.stdout.contains("new id"), "{}", run.stdout);
    // Nothing to submit, and rows to submit.
    for file in ["october.csv", "november.csv"] {
        let words = [file, "--address", "Billing", "--limit", "1"];
        let run = import(&stage, &words, if file == "october.csv" { 3 } else { 4 });
        assert_said(&run, &["flags given now: --address Billing"]);
        assert!(!run.stderr.contains("new id"), "{}", run.stderr);
    }
    for file in ["october.csv", "november.csv", "december.csv"] {
        stage.file("december.csv", billed(1..41, 3));
        let run = stage.run(&["check", file]).expect(0);
        assert!(run.stderr.contains("--address Service"), "{}", run.stderr);
        assert!(!run.stdout.contains("in conflict"), "{}", run.stdout);
    }
}

#[test]
fn a_flag_that_the_first_import_had_not_is_not_remembered_by_one_that_sent_nothing() {
    let stage = Stage::open();
    let headers = "id,name,email,line1,city,region,postal_code,Mailing\n";
    let row = |id: u32| {
        let mailing = if id < 3 { 4000 + id } else { id };
        format!(
            "{id},Ann {id},ann{id}@example.com,{id} Elm St,Boston,MA,02134,\"{mailing} Elm St, Boston, MA 02134\"\n"
        )
    };
    let rows: String = (1..30).map(row).collect();
    stage.file("leads.csv", format!("{headers}{rows}"));
    import(&stage, &["leads.csv"], 0);
    let run = import(&stage, &["leads.csv", "--map", "address=Mailing"], 3);
    assert_said(
        &run,
        &[
            "2 rows in conflict: another house was requested",
            "remembered flags: none",
        ],
    );
    assert_said(
        &run,
        &["hint: leave --map address=Mailing out to read the file as before"],
    );
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    assert!(!rejects.contains("new id"), "{rejects}");
    import(&stage, &["leads.csv"], 0);
}

#[test]
fn ids_that_start_again_in_some_rows_are_told_apart_by_a_prefix_that_is_named() {
    let stage = Stage::open();
    let row = |id: u32, street: &str| {
        format!("{id},Ann {street},{street}{id}@example.com,{id} {street} St,Boston,MA,02134\n")
    };
    let headers = "id,name,email,line1,city,region,postal_code\n";
    let sheet = |ids: std::ops::Range<u32>, street: &str| {
        let rows: String = ids.map(|id| row(id, street)).collect();
        format!("{headers}{rows}")
    };
    stage.file("leads.csv", sheet(1..11, "Elm"));
    import(&stage, &["leads.csv"], 0);
    stage.file("Dublin branch.csv", sheet(8..31, "Oak"));
    let command = "--id-prefix dublin-branch-";
    for words in [
        ["check", "Dublin branch.csv", "-v"],
        ["import", "Dublin branch.csv", "--dry-run"],
    ] {
        let run = stage.run(&words).expect(3);
        assert_said(
            &run,
            &[
                "3 rows in conflict, with other houses and other customers: the file may use the ids",
                command,
            ],
        );
        assert!(!run.stderr.contains("new id"), "{}", run.stderr);
        assert!(!run.stdout.contains("new id"), "{}", run.stdout);
    }
    import(
        &stage,
        &["Dublin branch.csv", "--id-prefix", "dublin-branch-"],
        0,
    );
    assert_eq!(stage.sandbox().measurements().len(), 33);
}

#[test]
fn the_causes_of_ids_that_start_again_are_named_once() {
    let stage = Stage::open();
    stage.file("october.csv", leads("02134", &IN_ORDER));
    import(&stage, &["october.csv"], 0);
    stage.file("november leads.csv", leads("02139", &SORTED));
    let causes = "6 rows in conflict; possible causes: another --address, --map or --sheet was meant, the file uses the ids of another file again (--id-prefix), or one column was sorted without the others";
    let run = stage.run(&["check", "november leads.csv"]).expect(3);
    assert_said(&run, &[causes]);
    let run = import(&stage, &["november leads.csv"], 3);
    assert_said(
        &run,
        &[
            causes,
            "A2: conflict: `1`: id: this id was submitted for another house",
        ],
    );
    let prefixed = ["november leads.csv", "--id-prefix", "november leads-"];
    import(&stage, &prefixed, 0);
    assert_eq!(stage.sandbox().measurements().len(), 12);
}

#[test]
fn the_causes_of_a_column_that_was_sorted_alone_are_named_once() {
    let stage = Stage::open();
    stage.file("leads.csv", leads("02134", &IN_ORDER));
    import(&stage, &["leads.csv"], 0);
    stage.file("leads.csv", leads("02134", &SORTED));
    let run = import(&stage, &["leads.csv"], 3);
    assert_said(
        &run,
        &["5 rows in conflict; possible causes: another --address,"],
    );
    stage.file("leads.csv", leads("02134", &IN_ORDER));
    import(&stage, &["leads.csv"], 0);
}

#[test]
fn flags_that_the_rows_contradict_are_not_remembered() {
    let stage = Stage::open();
    stage.file("leads.csv", two_addresses());
    import(&stage, &["leads.csv", "--address", "D"], 0);
    import(&stage, &["leads.csv", "--address", "H"], 3);
    import(&stage, &["leads.csv"], 0);
}

#[test]
fn the_prefix_that_is_named_for_rejects_is_that_of_their_original() {
    let stage = Stage::open();
    let sheet = |street: &str, city: &str| {
        let row = |id: u32| {
            format!("{id},Ann {street},{street}{id}@example.com,{id} {street} St,{city},MA,02134\n")
        };
        let rows: String = (1..7).map(row).collect();
        format!("id,name,email,line1,city,region,postal_code\n{rows}")
    };
    stage.file("leads.csv", sheet("Elm", "Boston"));
    import(&stage, &["leads.csv"], 0);
    stage.file("south.csv", sheet("Oak", ""));
    import(&stage, &["south.csv"], 3);
    let rejects = std::fs::read_to_string(stage.path("south.rejects.csv")).unwrap();
    stage.file("south.rejects.csv", rejects.replace(" St,,", " St,Boston,"));
    let run = import(&stage, &["south.rejects.csv"], 3);
    assert_said(&run, &["south.rejects.csv --id-prefix south-"]);
    assert!(!run.stderr.contains("south-rejects-"), "{}", run.stderr);
}
