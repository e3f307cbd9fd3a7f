//! Hints are copied into a shell: each command there has the words that were meant, whatever files and headers are
//! called.

use std::fs::File;
use std::process::Command;

use crate::support::{Run, Stage};

const HEADER: &str = "Cost $(touch x) `touch y` 'z'";
const FILE: &str = "jo's $(touch x) leads.csv";
const REJECTS: &str = "jo's $(touch x) leads.rejects.csv";
const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email";
const GOOD: &str = "1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com";
const SECOND: &str = "2,Bo,77 Oak Street,Boston,MA,02134,bo@example.com";

fn sheet(rows: &[&str]) -> String {
    format!("{HEADERS}\n{}\n", rows.join("\n"))
}

/// The words that a shell makes of a text after the program's name.
fn words(stage: &Stage, text: &str) -> Vec<String> {
    let script = format!("gutterbatch() {{ printf '%s\\n' \"$@\"; }}\n{text}");
    let run = Command::new("sh")
        .args(["-c", &script])
        .current_dir(stage.folder())
        .output();
    let run = Run::of(run.unwrap()).expect(0);
    for name in ["x", "y"] {
        assert!(!stage.path(name).exists(), "{text} ran a command");
    }
    run.stdout.lines().map(str::to_owned).collect()
}

/// The words of the command that a hint names behind `before`.
fn hinted(stage: &Stage, run: &Run, before: &str) -> Vec<String> {
    let said = &run.stderr;
    let (_, command) = said.split_once(before).unwrap_or_else(|| panic!("{said}"));
    let command = command.lines().next().unwrap();
    let command = command.split("` ").next().unwrap();
    assert!(command.starts_with("gutterbatch "), "{said}");
    words(stage, command)
}

#[test]
fn a_header_in_a_hint_is_one_word_for_the_shell() {
    let stage = Stage::offline();
    let row = "1,Ada,ada@example.com,\"12 Elm St, Boston, MA 02134\"\n";
    stage.file("leads.csv", format!("ID,Name,Email,{HEADER}\n{row}"));
    let run = stage.run(&["check", "leads.csv"]).expect(10);
    let hint = run.stderr.lines().nth(1).unwrap();
    let command = hint.strip_prefix("hint: ").unwrap();
    let typed = words(&stage, command);
    let map = format!("address={HEADER}");
    assert_eq!(typed, ["check", "leads.csv", "--map", &map]);
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    stage.run(&typed).expect(0);
}

#[test]
fn a_path_in_a_hint_is_one_word_for_the_shell() {
    let stage = Stage::open();
    let no_city = SECOND.replace("Boston", "");
    stage.file(FILE, sheet(&[GOOD, &no_city]));
    let run = stage.run(&["check", FILE]).expect(3);
    assert_eq!(hinted(&stage, &run, "again; `"), ["import", FILE]);
    let run = stage
        .run(&["rehearse", FILE, "-o", "results.xlsx"])
        .expect(3);
    assert_eq!(hinted(&stage, &run, "rows too: `"), ["check", FILE]);
    let run = stage.run(&["import", FILE]).expect(3);
    let import = ["import", REJECTS];
    assert_eq!(hinted(&stage, &run, "import that file: "), import);
    let named = words(
        &stage,
        &run.stderr
            .lines()
            .find_map(|line| line.strip_prefix("hint: correct the rows in "))
            .map(|rest| {
                format!(
                    "gutterbatch {}",
                    rest.split(" and import that file").next().unwrap()
                )
            })
            .unwrap(),
    );
    assert_eq!(named, [REJECTS]);

    let third = SECOND.replace("2,Bo,77", "3,Bo,79");
    stage.file(FILE, sheet(&[GOOD, SECOND, &third]));
    let run = stage.run(&["import", FILE, "--limit", "1"]).expect(4);
    let again = ["import", FILE, "--limit", "1"];
    assert_eq!(hinted(&stage, &run, "again to resume: "), again);
}

#[cfg(unix)]
#[test]
fn a_line_break_in_a_path_breaks_no_line_of_a_command() {
    let stage = Stage::open();
    let no_city = SECOND.replace("Boston", "");
    stage.file("north\nlist.csv", sheet(&[GOOD, &no_city]));
    let run = stage.run(&["import", "north\nlist.csv"]).expect(3);
    let import = r"gutterbatch import $'north\nlist.rejects.csv'";
    assert!(run.stderr.contains(import), "{}", run.stderr);
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("1 invalid in north list.csv"), "{status}");
    assert!(status.contains(r"list.rejects.csv'"), "{status}");
    assert!(!status.contains("north\n"), "{status}");
}

#[test]
fn the_command_that_follows_a_check_or_an_import_is_typed_word_for_word() {
    let stage = Stage::open();
    stage.file(FILE, sheet(&[GOOD, SECOND]));
    let flags = ["--id-prefix", "acme-", "--map", "name=Name"];
    let check = [&["check", FILE][..], &flags].concat();
    let run = stage.run(&check).expect(0);
    let typed = hinted(&stage, &run, "next: submit 2 rows: ");
    assert_eq!(typed, [&["import", FILE][..], &flags].concat());
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let dry = stage.run(&[&typed[..], &["--dry-run"]].concat()).expect(0);
    assert_eq!(hinted(&stage, &dry, "next: submit 2 rows: "), typed);
    let run = stage.run(&typed).expect(0);
    assert_eq!(
        hinted(&stage, &run, "next: see what is measured with `"),
        ["status", FILE]
    );
    let run = stage.run(&["check", FILE]).expect(0);
    let export = ["export", "results.xlsx"];
    assert_eq!(hinted(&stage, &run, "next: write the results: "), export);
    for quiet in [&["check", FILE, "-q"][..], &["import", FILE, "-q"]] {
        assert_eq!(stage.run(quiet).expect(0).stderr, "");
    }
}

#[test]
fn a_check_without_a_connection_is_followed_by_connect() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(&[GOOD, SECOND]));
    let run = stage.run(&["check", "leads.csv"]).expect(0);
    assert!(
        run.stderr.ends_with(
            "next: connect with `gutterbatch connect`, then submit 2 rows: gutterbatch import leads.csv\n"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn a_check_with_warnings_says_to_read_them_before_the_import() {
    let stage = Stage::open();
    let boxed = SECOND.replace("77 Oak Street", "PO Box 77");
    let unnumbered = GOOD.replace("12 Elm", "Elm");
    stage.file("leads.csv", sheet(&[&unnumbered, &boxed]));
    let run = stage.run(&["check", "leads.csv"]).expect(0);
    let next =
        "next: read the 2 warnings above, then submit 2 rows: gutterbatch import leads.csv\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(&[GOOD, &boxed]));
    let run = stage
        .run(&["check", "leads.csv", "--id-prefix", "a-"])
        .expect(0);
    let next = "next: read the 1 warning above, connect with `gutterbatch connect`, then submit 2 rows: gutterbatch import leads.csv --id-prefix a-\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
}

#[test]
fn a_check_of_rows_that_are_all_invalid_promises_to_send_none() {
    let stage = Stage::open();
    let no_city = GOOD.replace("Boston", "");
    stage.file("leads.csv", sheet(&[&no_city]));
    let run = stage.run(&["check", "leads.csv"]).expect(3);
    let hint = "check again; `gutterbatch import leads.csv` writes 1 rejected row to a file beside the input\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);
    let mut command = stage.command(&["check", "-"]);
    command.stdin(File::open(stage.path("leads.csv")).unwrap());
    let run = Run::of(command.output().unwrap()).expect(3);
    let hint = "`gutterbatch import -` writes 1 rejected row to stdin.rejects.csv in this folder\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);
}

#[test]
fn a_decision_is_typed_into_a_file_that_is_named_in_quotes() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&[GOOD]));
    stage.run(&["import", "october.csv"]).expect(0);
    let again = GOOD.replacen('1', "9", 1);
    stage.file(FILE, sheet(&[&again, SECOND]));
    let run = stage.run(&["import", FILE]).expect(3);
    let said = r"in the column same_house of 'jo'\''s $(touch x) leads.rejects.csv', type skip";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn a_hint_gives_the_id_prefix_once() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, SECOND]));
    let prefixed = |prefix: &str, code| {
        let args = ["import", "leads.csv", "--id-prefix", prefix];
        stage.run(&args).expect(code)
    };
    prefixed("it's $(touch x)-", 0);
    let run = prefixed("acme-", 3);
    let (_, command) = run.stderr.split_once("$(touch x)-: ").unwrap();
    let typed = words(&stage, command.lines().next().unwrap());
    assert_eq!(
        typed,
        ["import", "leads.csv", "--id-prefix", "it's $(touch x)-"]
    );
}

#[test]
fn a_header_that_is_missing_has_the_nearest_one_in_the_hint_or_none() {
    let stage = Stage::offline();
    stage.file("leads.csv", format!("Key,Notes,{HEADERS}\n7,,{GOOD}\n"));
    let hint = |flags: &[&str]| {
        let run = stage.run(&[&["check", "leads.csv"], flags].concat());
        let said = run.expect(10).stderr;
        let (_, hint) = said
            .split_once("hint: ")
            .unwrap_or_else(|| panic!("{said}"));
        hint.lines().next().unwrap().to_owned()
    };
    let headers = "the headers are Key, Notes, ID, Name, Street, City, State, Zip, Email";
    assert_eq!(hint(&["--id-column", "nope"]), headers);
    assert_eq!(
        hint(&["--id-column", "Kye"]),
        "gutterbatch check leads.csv --id-column Key"
    );
    assert_eq!(hint(&["--map", "notes=nope"]), headers);
    assert_eq!(
        hint(&["--map", "line1=Stret"]),
        "gutterbatch check leads.csv --map line1=Street"
    );
}

#[test]
fn rejects_whose_rows_were_all_deleted_say_what_to_do() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{GOOD}\n"));
    stage.file("leads.rejects.csv", format!("error,source_row,{HEADERS}\n"));
    let said = stage
        .run(&["import", "leads.rejects.csv"])
        .expect(10)
        .stderr;
    let hint = "if you deleted its rows because they are not to be imported, delete the file too";
    assert!(said.contains(hint), "{said}");
}

#[test]
fn a_column_is_offered_for_one_field_and_taken_for_one_part_of_the_address() {
    let stage = Stage::offline();
    let headers = "Name,Adress,Town,St,Zip,Tel,Mail";
    let rows = "Ada,12 Elm Street,Boston,MA,02134,617-555-0100,a@example.com";
    stage.file("leads.csv", format!("{headers}\n{rows}\n"));
    let said = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(said.contains("--map line1=Adress\n"), "{said}");

    // `St` is not offered where it is something else than a region.
    stage.file(
        "streets.csv",
        format!("{headers}\n{}\n", rows.replace("MA", "Elm")),
    );
    let said = stage.run(&["check", "streets.csv"]).expect(10).stderr;
    let add = "hint: gutterbatch check streets.csv --derive-id --map line1=Adress";
    assert!(said.contains(add), "{said}");
    let add = "region: if a column has it, write --map region=HEADER with its header; otherwise add a column such as `State` with `OH`\n";
    assert!(said.contains(add), "{said}");

    let flags = ["--derive-id", "--map", "line1=Adress", "--map", "region=B"];
    let said = stage
        .run(&[&["import", "leads.csv"], &flags[..]].concat())
        .expect(2)
        .stderr;
    assert!(
        said.contains("--map line1 and --map region name the same column, `Adress`"),
        "{said}"
    );
}

#[test]
fn a_hint_suggests_only_contacts_of_the_customer() {
    let stage = Stage::offline();
    let told = |headers: &str, row: &str| {
        let address = ("Street,City,State,Zip", "12 Elm Street,Boston,MA,02134");
        let text = format!("ID,{headers},{}\n1,{row},{}\n", address.0, address.1);
        stage.file("leads.csv", text);
        stage.run(&["check", "leads.csv"]).expect(10).stderr
    };
    let owner = told(
        "Tenant,Owner,Tenant Phone,Owner Phone",
        "Ty,Ada,613-555-0100,613-555-0101",
    );
    let command = "hint: gutterbatch check leads.csv --map name=Owner --map 'phone=Owner Phone'\n";
    assert!(owner.contains(command), "{owner}");
    // The names of persons are no emails.
    let site = told("Site Name,Site Contact,Site Phone", "Mall,Pam,613-555-0100");
    let command =
        "hint: gutterbatch check leads.csv --map 'name=Site Contact' --map 'phone=Site Phone'\n";
    assert!(site.contains(command), "{site}");
}

#[test]
fn contacts_behind_an_adjuster_or_agent_are_not_sent_as_the_customers() {
    let stage = Stage::offline();
    let checked = |headers: &str, row: &str| {
        let place = ("Street,City,State,Zip", "12 Elm Street,Boston,MA,02134");
        stage.file(
            "leads.csv",
            format!("ID,{headers},{}\n1,{row},{}\n", place.0, place.1),
        );
        stage.run(&["check", "leads.csv"])
    };
    let stopped = checked(
        "Adjuster,Phone,Email,Insured",
        "Al,613-555-0100,al@ins.example,Ada",
    );
    let stopped = stopped.expect(10).stderr;
    let person = "`Email` belongs to `Adjuster`; name it with --map if that is the customer";
    assert!(stopped.contains(person), "{stopped}");
    let headers = "Adjuster,Phone,Insured,Insured Phone";
    let page = checked(headers, "Al,613-555-0100,Ada,613-555-0101")
        .expect(0)
        .stdout;
    assert!(page.contains("Insured Phone  613-555-0101"), "{page}");
    // Behind the customer's name they are the customer's.
    checked("Name,Sales Rep,Phone", "Ada,Al,613-555-0100").expect(0);
}

#[test]
fn a_hint_names_the_owner_and_the_new_id_before_others() {
    let stage = Stage::offline();
    let told = |headers: &str, row: &str, flags: &[&str]| {
        let address = ("Street,City,State,Zip", "12 Elm Street,Boston,MA,02134");
        let text = format!("{headers},{}\n{row},{}\n", address.0, address.1);
        stage.file("leads.csv", text);
        let args = [&["check", "leads.csv"], flags].concat();
        stage.run(&args).expect(10).stderr
    };
    for (headers, row, flags, expected) in [
        (
            "ID,Applicant Name,Applicant Phone,Owner Name,Owner Phone",
            "1,Pat,613-555-0100,Ada,613-555-0101",
            &[][..],
            "--map 'name=Owner Name' --map 'phone=Owner Phone'\n",
        ),
        (
            "ID,Nom du propriétaire,Nom du locataire,Courriel du locataire,Courriel du propriétaire",
            "1,Ada,Luc,luc@example.com,ada@example.com",
            &["--map", "name=Nom du propriétaire"],
            "--map 'email=Courriel du propriétaire'\n",
        ),
        (
            "Old ID,New ID,Name,Email",
            "L-1,K-1,Ada,a@example.com",
            &[],
            "--map 'id=New ID'\n",
        ),
    ] {
        let stderr = told(headers, row, flags);
        let first = stderr.lines().find(|line| line.contains("hint: ")).unwrap();
        assert!(format!("{first}\n").ends_with(expected), "{stderr}");
    }
}

#[test]
fn two_columns_of_phones_are_offered_together_first() {
    let stage = Stage::open();
    let rows = "1,Ada,,613-555-0101,12 Elm Street,Boston,MA,02134\n2,Bo,613-555-0102,613-555-0103,77 Oak Street,Boston,MA,02134\n";
    let headers = "ID,Name,Phone,Phone,Street,City,State,Zip";
    stage.file("leads.csv", format!("{headers}\n{rows}"));
    let run = stage.run(&["import", "leads.csv"]).expect(10);
    let typed = hinted(&stage, &run, "hint: ");
    let both = [
        "import",
        "leads.csv",
        "--map",
        "phone=C",
        "--map",
        "phone=D",
    ];
    assert_eq!(typed, both);
    assert!(
        run.stderr.contains("leads.csv --map phone=D\n"),
        "{}",
        run.stderr
    );
    stage.run(&both).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

#[test]
fn a_file_whose_name_begins_with_a_dash_is_named_as_a_path() {
    let stage = Stage::open();
    stage.file("-leads.csv", sheet(&[GOOD]));
    let run = stage.run(&["check", "--", "-leads.csv"]).expect(0);
    let next = "submit 1 row: gutterbatch import ./-leads.csv\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
}

#[test]
fn a_dry_run_says_that_the_import_sends_the_other_rows() {
    let stage = Stage::open();
    let invalid = SECOND.replace("Boston", "");
    stage.file("leads.csv", format!("{HEADERS}\n{GOOD}\n{invalid}\n"));
    let run = stage.run(&["import", "leads.csv", "--dry-run"]).expect(3);
    let hint = "`gutterbatch import leads.csv` sends the other rows and writes 1 rejected row";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn the_command_of_a_hint_has_a_flag_for_each_column_that_a_sheet_lacks() {
    let stage = Stage::offline();
    stage.file("ab.csv", "a;b\n1;2\n3;4\n");
    let run = stage.run(&["check", "ab.csv"]).expect(10);
    let hint = "hint: gutterbatch check ab.csv --derive-id --map line1=HEADER ";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    for field in ["city", "region", "postal_code", "name", "email"] {
        let flag = format!(" --map {field}=HEADER");
        assert!(run.stderr.contains(&flag), "{}", run.stderr);
    }
}
