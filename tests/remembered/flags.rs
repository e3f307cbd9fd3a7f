//! Reading flags are remembered: for the file, its rejects, and other files with the same headers.

use crate::support::{Run, Stage, shell_words};

pub(crate) const HEADERS: &str = "Key,Name,Street,City,State,Zip,Email";

pub(crate) fn row(id: u32) -> String {
    format!("{id},Ada,{id} Elm Street,Boston,MA,02134,a@example.com\n")
}

pub(crate) fn sheet(rows: &[u32]) -> String {
    let rows: String = rows.iter().map(|id| row(*id)).collect();
    format!("{HEADERS}\n{rows}")
}

pub(crate) fn ids(stage: &Stage) -> Vec<String> {
    let held = stage.sandbox().measurements();
    let mut ids: Vec<String> = held.into_iter().filter_map(|one| one.external_id).collect();
    ids.sort_unstable();
    ids
}

/// The command of the last hint, as a shell reads it.
fn hinted(run: &Run) -> Vec<String> {
    let line = run
        .stderr
        .lines()
        .rfind(|line| line.starts_with("hint: correct "));
    let line = line.unwrap_or_else(|| panic!("no hint in {}", run.stderr));
    let command = line.split("gutterbatch ").nth(1).unwrap();
    shell_words(command)
}

#[test]
fn the_hint_of_an_import_typed_word_for_word_sends_prefixed_ids() {
    let stage = Stage::open();
    let bad = "3,Cy,3 Elm Street,,MA,02134,c@example.com\n";
    let name = "my leads.csv";
    stage.file(name, sheet(&[1, 2]) + bad);
    let flags = [
        "--id-prefix",
        "acme-",
        "--map",
        "id=Key",
        "--profile",
        "crm",
    ];
    let mut words = vec!["import", name];
    words.extend(flags);
    let run = stage.run(&words).expect(3);
    let rejects = std::fs::read_to_string(stage.path("my leads.rejects.csv")).unwrap();
    stage.file(
        "my leads.rejects.csv",
        rejects.replace(",,MA", ",Boston,MA"),
    );
    let hinted = hinted(&run);
    let typed: Vec<&str> = hinted.iter().map(String::as_str).collect();
    stage.run(&typed).expect(0);
    assert_eq!(ids(&stage), ["acme-1", "acme-2", "acme-3"]);
}

#[test]
fn forgotten_flags_are_those_of_the_import_before() {
    let stage = Stage::open();
    let bad = "3,Cy,3 Elm Street,,MA,02134,c@example.com\n";
    stage.file("leads.csv", sheet(&[1, 2]) + bad);
    let flags = ["--id-prefix", "acme-", "--id-column", "Key"];
    stage
        .run(&[
            "import",
            "leads.csv",
            flags[0],
            flags[1],
            flags[2],
            flags[3],
        ])
        .expect(3);

    let check = stage.run(&["check", "leads.csv"]).expect(3);
    let said = "reading it as before: --id-column Key --id-prefix acme- (as in its import of ";
    assert!(check.stderr.contains(said), "{}", check.stderr);
    let again = stage.run(&["import", "leads.csv"]).expect(3);
    assert!(again.stderr.contains(said), "{}", again.stderr);
    let results = stage
        .run(&["export", "out.csv", "--for", "leads.csv"])
        .expect(0);
    assert!(results.stderr.contains(said), "{}", results.stderr);
    assert!(
        !std::fs::read_to_string(stage.path("out.csv"))
            .unwrap()
            .contains("never imported")
    );

    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("leads.rejects.csv", rejects.replace(",,MA", ",Boston,MA"));
    stage.run(&["import", "leads.rejects.csv"]).expect(0);
    assert_eq!(ids(&stage), ["acme-1", "acme-2", "acme-3"]);
}

#[test]
fn another_file_with_the_same_headers_is_read_alike_but_for_the_prefix() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&[1, 2]).replace(',', "~"));
    let how = [
        "--delimiter",
        "~",
        "--id-column",
        "Key",
        "--id-prefix",
        "oct-",
    ];
    stage
        .run(&[&["import", "october.csv"], &how[..]].concat())
        .expect(0);
    // The columns stand in another order there.
    let turned =
        "Name~Key~Street~City~State~Zip~Email\nAda~7~7 Elm Street~Boston~MA~02134~a@example.com\n";
    stage.file("november.csv", turned);
    let run = stage.run(&["import", "november.csv"]).expect(0);
    let said = "reading it as before: --delimiter '~' --id-column Key (as october.csv, which has the same headers, on ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(ids(&stage), ["7", "oct-1", "oct-2"]);
}

#[test]
fn a_copy_with_results_is_read_as_its_sheet_and_its_results_mark_no_row() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2]));
    let import = ["import", "leads.csv", "--id-column", "Key"];
    stage.run(&import).expect(0);
    for held in stage.sandbox().measurements() {
        stage.sandbox().complete(&held.measurement_id).unwrap();
    }
    let export = ["export", "results.csv", "--for", "leads.csv"];
    stage.run(&export).expect(0);
    let check = stage.run(&["check", "results.csv"]).expect(0);
    let read = "reading it as before: --id-column Key";
    assert!(check.stderr.contains(read), "{}", check.stderr);
    let known = "2 rows known already";
    assert!(check.stdout.contains(known), "{}", check.stdout);
    assert!(!check.stdout.contains("marked"), "{}", check.stdout);
}

#[test]
fn a_first_column_of_that_name_makes_no_layout_of_results() {
    let stage = Stage::open();
    let status = |ids: &[u32], more: &str| {
        let text = sheet(ids).replace("Key,", &format!("Measurement status,Key{more},"));
        text.replace("\n1,", "\n,1,").replace("\n2,", "\n,2,")
    };
    stage.file("acme.csv", status(&[1], ""));
    let acme = [
        "import",
        "acme.csv",
        "--id-column",
        "Key",
        "--external-label",
        "Acme",
    ];
    stage.run(&acme).expect(0);
    stage.file("zeta.csv", status(&[2], " of lead"));
    let check = stage
        .run(&["check", "zeta.csv", "--id-column", "Key of lead"])
        .expect(0);
    assert!(!check.stderr.contains("Acme"), "{}", check.stderr);
}

#[test]
fn a_flag_of_the_command_line_wins_and_is_remembered_from_then_on() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    let import = |rest: &[&str]| {
        stage
            .run(&[&["import", "leads.csv"], rest].concat())
            .expect(0)
    };
    import(&["--id-column", "Key", "--id-prefix", "a-"]);
    stage.file("leads.csv", sheet(&[1, 2]));
    let run = import(&["--dry-run", "--id-prefix", "", "--allow-same-house"]);
    assert!(run.stderr.contains("2 rows to submit"), "{}", run.stderr);
    // A dry run is not remembered.
    let run = import(&["--dry-run"]);
    assert!(
        run.stderr.contains("1 row to submit, 1 known"),
        "{}",
        run.stderr
    );
    stage.file("leads.csv", sheet(&[5]));
    import(&["--id-prefix", ""]);
    let run = import(&[]);
    assert!(!run.stderr.contains("id-prefix"), "{}", run.stderr);
    assert_eq!(ids(&stage), ["5", "a-1"]);
    let run = stage
        .run(&["check", "leads.csv", "--forget-reading"])
        .expect(10);
    assert!(!run.stderr.contains("as before"), "{}", run.stderr);
}

#[test]
fn a_check_or_an_import_that_sent_nothing_remembers_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    stage
        .run(&["check", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let mut without_token = stage.bare_command(&["import", "leads.csv", "--id-column", "Key"]);
    assert_ne!(without_token.status().unwrap().code(), Some(0));
    stage.run(&["check", "leads.csv"]).expect(10);
}

#[test]
fn a_file_whose_name_only_begins_like_that_of_rejects_is_not_read_as_they_are() {
    let stage = Stage::open();
    let bad = "3,Cy,3 Elm Street,,MA,02134,c@example.com\n";
    stage.file("sept.csv", sheet(&[1]) + bad);
    let how = ["--id-column", "Key", "--id-prefix", "s-"];
    let words = ["import", "sept.csv", "--rejects", "fix.csv"];
    stage.run(&[&words[..], &how[..]].concat()).expect(3);

    stage.file("fixtures-oct.csv", sheet(&[7]));
    let run = stage.run(&["import", "fixtures-oct.csv"]).expect(0);
    assert!(
        !run.stderr
            .contains("reading it as before: --id-column Key --id-prefix"),
        "{}",
        run.stderr
    );
    assert_eq!(ids(&stage), ["7", "s-1"]);

    // A copy of the rejects is.
    let rejects = std::fs::read_to_string(stage.path("fix.csv")).unwrap();
    stage.file("fix (2).csv", rejects.replace(",,MA", ",Boston,MA"));
    stage.run(&["import", "fix (2).csv"]).expect(0);
    assert_eq!(ids(&stage), ["7", "s-1", "s-3"]);
}

#[test]
fn flags_under_which_no_row_reached_the_service_are_not_remembered() {
    let stage = Stage::open();
    let headers = "id,name,address,city,region,postal code,email,other\n";
    let row = "1,Ada,1 Elm Street,Boston,MA,02134,a@example.com,\n";
    stage.file("leads.csv", format!("{headers}{row}"));
    let import = |flags: &[&str], code: i32| {
        let words = [&["import", "leads.csv"], flags].concat();
        let run = stage.run(&words).expect(code);
        run.stderr.contains("reading it as before")
    };
    import(&["--map", "city=other"], 3);
    assert!(!import(&["--id-prefix", "acme-"], 0));
    // The row is held as the house of the other id.
    for flags in [["--id-prefix", ""], ["--id-prefix", "other-"]] {
        import(&flags, 3);
        assert!(import(&[], 0), "{flags:?}");
    }
    assert_eq!(ids(&stage), ["acme-1"]);
}

#[test]
fn the_flags_of_an_import_that_did_not_end_are_remembered() {
    let stage = Stage::open();
    let rule = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
    stage.sandbox().set_faults(rule.parse().ok());
    stage.file("leads.csv", sheet(&[1]));
    stage
        .run(&[
            "import",
            "leads.csv",
            "--map",
            "id=Key",
            "--id-prefix",
            "acme-",
        ])
        .expect(9);
    stage.sandbox().set_faults(None);
    stage.run(&["import", "leads.csv"]).expect(0);
    assert_eq!(ids(&stage), ["acme-1"]);
}

#[test]
fn flags_are_remembered_while_the_service_has_another_house_under_an_id() {
    let stage = Stage::open();
    let theirs = row(2).replace("2 Elm", "99 Oak");
    stage.file("theirs.csv", format!("{HEADERS}\n{theirs}"));
    let words = [
        "import",
        "theirs.csv",
        "--id-column",
        "Key",
        "--journal",
        "other.db",
    ];
    stage.run(&words).expect(0);
    stage.file("leads.csv", sheet(&[1, 2]));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(3);
    let words = ["import", "leads.csv", "--delimiter", ","];
    stage.run(&words).expect(3);
    let check = stage.run(&["check", "leads.csv"]).expect(3);
    let said = "--delimiter";
    assert!(check.stderr.contains(said), "{}", check.stderr);
}
