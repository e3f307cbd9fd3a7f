//! What the machine lacks: file descriptors, a temporary folder, or the input itself once the run has begun.

use std::fs;
use std::process::Command;

use crate::support::canned::{self, Canned};
use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

/// The command in a shell that allows so many open files.
fn limited(command: &Command, files: usize) -> Run {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().unwrap());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    Run::of(shell.output().unwrap())
}

#[test]
fn too_few_file_descriptors_are_a_sentence_and_never_a_bug() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage.file("more.csv", sheet(2..4));
    for files in 6..=26 {
        for args in [
            &["whoami"][..],
            &["import", "more.csv"],
            &["export", "results.xlsx"],
        ] {
            let run = limited(&stage.command(args), files);
            assert!(
                matches!(run.code, Some(0 | 4 | 8)) && !run.stderr.contains("a bug"),
                "{files} {args:?}: {run:?}"
            );
            assert!(
                run.code == Some(0) || run.stderr.contains("error: "),
                "{files} {args:?}: {run:?}"
            );
        }
    }
    let run = limited(&stage.command(&["whoami"]), 14).expect(8);
    assert!(
        run.stderr.contains("too many files are open at once"),
        "{}",
        run.stderr
    );
    // Whatever stopped them, no house was requested twice.
    let run = stage
        .run(&["import", "more.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(
        run["outcomes"]["known"].as_u64().unwrap() + run["outcomes"]["created"].as_u64().unwrap(),
        2
    );
    let calls = stage.sandbox().calls();
    let created = calls.iter().filter(|call| call.status == Some(201)).count();
    assert_eq!(created, 4);
}

#[test]
fn a_temporary_folder_that_takes_no_sheets_of_an_open_document_has_its_own_sentence() {
    let stage = Stage::offline();
    stage.file("leads.ods", crate::support::parts::ods(""));
    let mut command = stage.bare_command(&["check", "leads.ods"]);
    command.env("TMPDIR", stage.path("missing"));
    let run = Run::of(command.output().unwrap()).expect(8);
    assert!(
        run.stderr
            .contains("its sheets cannot be unpacked to a temporary file"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("TMPDIR"), "{}", run.stderr);
}

#[test]
fn a_temporary_folder_that_takes_no_copy_of_standard_input_is_named() {
    let stage = Stage::offline();
    let leads = stage.file("leads.csv", sheet(0..1));
    let mut command = stage.bare_command(&["check", "-"]);
    command
        .env("TMPDIR", stage.path("missing"))
        .stdin(fs::File::open(leads).unwrap());
    let run = Run::of(command.output().unwrap()).expect(8);
    assert!(
        run.stderr.contains(
            "standard input: it cannot be copied to a temporary file: there is no such file or folder"
        ),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("TMPDIR"), "{}", run.stderr);
}

/// A sheet with one row that is invalid, which the end of a run reads once more.
fn with_an_invalid_row() -> String {
    sheet(0..3) + "A-9,Nobody,c9@example.com,,Ottawa,ON,K1A 0B1\n"
}

#[test]
fn a_run_whose_input_is_gone_at_its_end_is_recorded_and_its_real_ending_told() {
    let stage = Stage::offline();
    let input = stage.file("leads.csv", with_an_invalid_row());
    let removed = input.clone();
    let service = Canned::answering(move |request| {
        if request.starts_with("GET /me") {
            return canned::healthy(request);
        }
        let _ = fs::remove_file(&removed);
        canned::answer(
            "501 Not Implemented",
            "",
            "{\"error\":{\"code\":\"not_implemented\",\"message\":\"\"}}",
        )
    });
    let args = ["import", "leads.csv", "--json"];
    let run = Run::of(stage.against(&service, &args).output().unwrap()).expect(9);
    assert_eq!(
        outcomes(&run.json()),
        [("invalid", 1), ("pending", 3)].into()
    );
    assert!(
        run.stderr.contains("does not offer this call yet"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("the rejects could not be written"),
        "{}",
        run.stderr
    );
    assert_recorded(&stage);
}

#[test]
fn a_finished_run_whose_input_is_gone_is_recorded_and_says_so() {
    let stage = Stage::offline();
    let input = stage.file("leads.csv", with_an_invalid_row());
    let service = Canned::answering(move |request| {
        if !request.starts_with("GET /me") {
            let _ = fs::remove_file(&input);
        }
        canned::healthy(request)
    });
    let args = ["import", "leads.csv", "--json"];
    let run = Run::of(stage.against(&service, &args).output().unwrap()).expect(10);
    assert_eq!(
        outcomes(&run.json()),
        [("created", 3), ("invalid", 1)].into()
    );
    assert_recorded(&stage);
}

fn assert_recorded(stage: &Stage) {
    let status = Run::of(stage.bare_command(&["status", "--json"]).output().unwrap());
    let status = status.expect(0).json();
    let run = &status["last_runs"][0];
    assert!(!run["ended_at"].is_null(), "{status}");
    assert_eq!(run["outcomes"]["invalid"], 1, "{status}");
}
