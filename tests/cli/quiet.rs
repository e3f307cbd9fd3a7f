//! `-q` prints nothing when everything is done, and everything that a person needs otherwise.

use crate::support::imports::sheet;
use crate::support::{Run, Stage};

/// A stage with a sheet without faults, and one with an invalid row.
fn stage() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    let invalid = "A-9,Nobody,c9@example.com,,Ottawa,ON,K1A 0B1\n";
    stage.file("faulty.csv", sheet(3..5) + invalid);
    stage
}

#[test]
fn flags_of_output_may_be_repeated() {
    let stage = stage();
    let words = ["check", "leads.csv", "-q", "--json", "--quiet", "--json"];
    assert_eq!(stage.run(&words).expect(0).json()["exit_code"], 0);
}

#[test]
fn quiet_commands_that_are_done_print_nothing() {
    let stage = stage();
    let commands: [&[&str]; 9] = [
        &["check", "leads.csv"],
        &["import", "leads.csv"],
        &["import", "leads.csv"],
        &["export", "results.xlsx"],
        &["status"],
        &["whoami"],
        &["backup", "copy.db"],
        &["template", "empty.xlsx"],
        &["rehearse", "leads.csv", "-o", "rehearsed.xlsx"],
    ];
    for command in commands {
        let words = [command, &["-q"]].concat();
        let run = stage.run(&words).expect(0);
        assert_eq!(
            (run.stdout, run.stderr),
            (String::new(), String::new()),
            "{command:?}"
        );
    }
}

#[test]
fn a_quiet_warning_of_a_run_that_is_done_is_not_printed() {
    let stage = Stage::open();
    let without_at = sheet(0..1).replace("c0@example.com", "nobody");
    stage.file("leads.csv", without_at);
    let loud = stage.run(&["check", "leads.csv"]).expect(0);
    assert!(loud.stdout.contains("warning"), "{}", loud.stdout);
    let quiet = stage.run(&["import", "leads.csv", "-q"]).expect(0);
    assert_eq!((quiet.stdout, quiet.stderr), (String::new(), String::new()));
}

#[test]
fn a_quiet_run_that_needs_a_person_prints_its_answer_and_its_hints() {
    let stage = stage();
    let loud = stage.run(&["import", "faulty.csv", "--dry-run"]).expect(3);
    let quiet = stage
        .run(&["import", "faulty.csv", "--dry-run", "-q"])
        .expect(3);
    assert_eq!(quiet.stdout, loud.stdout);
    let quiet = stage.run(&["import", "faulty.csv", "-q"]).expect(3);
    assert!(quiet.stdout.contains("1 invalid"), "{}", quiet.stdout);
    let first = "warning: D4: invalid: line1: the street address is empty\n\
        hint: correct the rows in faulty.rejects.csv";
    assert!(quiet.stderr.starts_with(first), "{}", quiet.stderr);
}

#[test]
fn a_quiet_failure_prints_error_and_hint() {
    let run = stage().run(&["check", "missing.csv", "-q"]).expect(10);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
}

#[test]
fn a_quiet_document_and_a_quiet_script_are_printed() {
    let stage = stage();
    let run = stage.run(&["check", "leads.csv", "-q", "--json"]).expect(0);
    assert_eq!(run.json()["valid"], 3);
    assert_eq!(run.stderr, "");
    let script = Run::of(
        stage
            .bare_command(&["completions", "bash", "-q"])
            .output()
            .unwrap(),
    );
    assert!(script.stdout.contains("_gutterbatch"));
}

#[test]
fn a_quiet_run_that_used_up_its_quota_says_when_to_run_it_again() {
    let stage = stage();
    let words = ["import", "leads.csv", "--no-wait", "--rate", "3/1h", "-q"];
    let run = stage.run(&words).expect(4);
    let first = run.stderr.lines().next().unwrap();
    assert!(
        first.starts_with("stopped: the quota is used up until "),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("gutterbatch import leads.csv"),
        "{}",
        run.stderr
    );
}

#[test]
fn rejects_are_printed_or_left_out_on_request() {
    let stage = stage();
    let import = |more: &[&str], code| {
        let words = [&["import", "faulty.csv"], more].concat();
        stage.run(&words).expect(code)
    };
    let run = import(&["--rejects", "-", "-q"], 3);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    assert!(lines[0].ends_with("error,source_row"), "{}", run.stdout);
    assert!(lines[1].starts_with("A-9,"), "{}", run.stdout);
    assert!(
        run.stderr.contains("\n         1 invalid\n"),
        "{}",
        run.stderr
    );
    let untied = "hint: correct the rows in faulty.csv, or save the printed ones as a file, and correct and ";
    assert!(run.stderr.contains(untied), "{}", run.stderr);
    assert!(!run.stderr.contains("/tmp"), "{}", run.stderr);
    let run = import(&["--rejects", "-", "-q", "--id-prefix", "x-"], 3);
    // Without the prefix the corrected rows would get other ids.
    let next = "import that: gutterbatch import rejects.csv --id-prefix x-\n";
    assert!(run.stderr.contains(next), "{}", run.stderr);
    let document = import(&["--rejects", "-", "--json"], 2).json();
    assert_eq!(document["error"]["kind"], "usage");

    // A workbook keeps its extension, and no terminal gets it.
    crate::rejects::written::workbook(&stage.path("book.xlsx"));
    let book = ["import", "book.xlsx", "--rejects", "-", "-q"];
    let stderr = stage.command(&book).output().unwrap().stderr;
    let stderr = String::from_utf8(stderr).unwrap();
    let next = "import that: gutterbatch import rejects.xlsx";
    assert!(stderr.contains(next), "{stderr}");
    #[cfg(target_os = "linux")]
    {
        let shown =
            crate::connect::hidden::Sitting::at(&stage, "gutterbatch import book.xlsx --rejects -");
        let shown = shown.end().expect(2).stdout;
        assert!(shown.contains("cannot carry a workbook"), "{shown}");
    }

    // Who reads them may end early; then they were not delivered, and the exit code says so.
    let mut command = stage.command(&["import", "faulty.csv", "--rejects", "-"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let run = Run::of(command.stdout(writer).output().unwrap()).expect(8);
    let message = "error: the rejected rows are not printed: cannot write to standard output: its reader has ended";
    assert!(run.stderr.contains(message), "{}", run.stderr);

    let run = import(&["--no-rejects"], 3);
    assert!(
        run.stderr
            .contains("hint: correct the rejected rows in your sheet"),
        "{}",
        run.stderr
    );
    assert!(!stage.path("faulty.rejects.csv").exists());
    import(&["--no-rejects", "--rejects", "x.csv"], 2);
    import(&[], 3);
    let before = std::fs::read(stage.path("faulty.rejects.csv")).unwrap();
    assert!(import(&["--no-rejects", "--json"], 3).json()["rejects"].is_null());
    assert_eq!(
        std::fs::read(stage.path("faulty.rejects.csv")).unwrap(),
        before
    );
}

#[test]
fn the_first_cells_of_rejected_rows_are_named_and_the_others_counted() {
    let stage = Stage::open();
    let faulty = |id| format!("B-{id},Nobody,c{id}@example.com,,Montr?al {id},QC,H3K 2B4\n");
    stage.file(
        "leads.csv",
        sheet(0..1) + &(0..7).map(faulty).collect::<String>(),
    );
    let run = stage.run(&["import", "leads.csv", "-q"]).expect(3);
    let empty =
        "warning: D3, D4, D5, D6, D7, …: invalid: line1: the street address is empty (in 7 cells)";
    assert!(run.stderr.contains(empty), "{}", run.stderr);
    let named = run.stderr.matches(": invalid: city: a letter was lost");
    assert_eq!(named.count(), 5, "{}", run.stderr);
    let more = "warning: and 2 more in leads.rejects.csv\n";
    assert!(run.stderr.contains(more), "{}", run.stderr);
}

#[test]
fn a_quiet_import_repeats_what_it_said_before_in_one_line() {
    let stage = stage();
    stage.run(&["import", "faulty.csv", "-q"]).expect(3);
    let quiet = stage.run(&["import", "faulty.csv", "-q"]).expect(3);
    let line = "faulty.csv: 1 row still to be corrected\n";
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", line));
    let loud = stage.run(&["import", "faulty.csv"]).expect(3);
    assert!(loud.stdout.contains("1 invalid"), "{}", loud.stdout);
    // Another invalid row is news.
    let invalid = "A-8,Nobody,c8@example.com,,Ottawa,ON,K1A 0B1\n";
    let faulty = std::fs::read_to_string(stage.path("faulty.csv")).unwrap();
    stage.file("faulty.csv", faulty + invalid);
    let quiet = stage.run(&["import", "faulty.csv", "-q"]).expect(3);
    assert!(quiet.stdout.contains("2 invalid"), "{}", quiet.stdout);
}
