//! Bad places to write: what stood there stays, nothing is sealed, and nothing is left lying about.

use std::fs;
use std::path::Path;
use std::process::Command;

use rust_xlsxwriter::Workbook;
use serde_json::Value;

use crate::support::exports::complete;
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

fn measured(rows: usize) -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..rows));
    stage.run(&["import", "leads.csv"]).expect(0);
    complete(&stage, rows);
    stage.run(&["export", "now.csv"]).expect(0);
    stage
}

/// Runs the program where no file may grow past so many blocks, which is what a full disk looks like to it.
fn in_little_room(stage: &Stage, blocks: u32, args: &[&str]) -> Run {
    let program = stage.command(args);
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(program.get_program());
    command.args(args).current_dir(stage.folder());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Run::of(command.output().unwrap())
}

/// Enough for what stands beside the journal, and for none of the files that are written here.
const ROOM: u32 = 72;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn sealed(stage: &Stage) -> usize {
    let run = stage.run(&["export", "--sealed", "--json"]).expect(0);
    run.json()["sealed"].as_array().unwrap().len()
}

#[test]
fn a_full_disk_is_8_the_old_file_stays_and_nothing_is_sealed() {
    let stage = measured(150);
    let before = names(stage.folder());
    for name in ["old.xlsx", "old.csv", "old.json", "old.ndjson"] {
        stage.file(name, "old");
        for extra in [&["--offline"][..], &["--offline", "--new"]] {
            // What is no export is replaced by force alone.
            let words = [&["export", name, "--force"], extra].concat();
            let run = in_little_room(&stage, ROOM, &words).expect(8);
            assert!(
                run.stderr.starts_with("error: cannot write "),
                "{}",
                run.stderr
            );
        }
        assert_eq!(fs::read_to_string(stage.path(name)).unwrap(), "old");
        fs::remove_file(stage.path(name)).unwrap();
    }
    assert_eq!(sealed(&stage), 0);
    assert_eq!(names(stage.folder()), before);
}

#[test]
fn a_journal_that_cannot_be_opened_names_the_systems_reason() {
    let stage = measured(1);
    let run = in_little_room(&stage, 4, &["import", "leads.csv"]).expect(8);
    let error = run.stderr.lines().next().unwrap();
    assert!(
        error.ends_with("cannot be opened: the file exceeds the size limit of the system"),
        "{error}"
    );
    let hint = "hint: raise the limit for the size of files (ulimit -f)";
    assert_eq!(run.stderr.lines().nth(1), Some(hint));
    assert!(run.stdout.contains("1 known"), "{}", run.stdout);
}

#[test]
fn a_full_disk_keeps_the_users_own_sheet_and_a_sealed_file_as_they_were() {
    let stage = measured(60);
    stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    stage.file("old.csv", "old");
    stage.file("old.xlsx", "old");
    let own = [
        "export",
        "old.csv",
        "--for",
        "leads.csv",
        "--offline",
        "--force",
    ];
    in_little_room(&stage, 4, &own).expect(8);
    let again = ["export", "old.xlsx", "--again", "1", "--force"];
    in_little_room(&stage, 4, &again).expect(8);
    for name in ["old.csv", "old.xlsx"] {
        assert_eq!(fs::read_to_string(stage.path(name)).unwrap(), "old");
    }
}

#[test]
fn a_full_disk_in_the_middle_of_a_workbook_prints_one_error() {
    let stage = measured(1);
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in (0..).zip(crate::support::imports::sheet(0..1).lines()) {
        for (column, cell) in (0..).zip(line.split(',')) {
            sheet.write(row, column, cell).unwrap();
        }
    }
    for row in 2..3_000_u32 {
        // Digits that do not compress well.
        sheet
            .write(row, 0, f64::from(row).sqrt().to_string())
            .unwrap();
    }
    book.save(stage.path("leads.xlsx")).unwrap();
    let words = ["export", "own.xlsx", "--for", "leads.xlsx", "--offline"];
    let run = in_little_room(&stage, ROOM, &words).expect(8);
    let path = stage.path("own.xlsx");
    assert_eq!(
        run.stderr,
        format!(
            "error: cannot write {}: the file exceeds the size limit of the system\nhint: raise the limit for the size of files (ulimit -f)\n",
            path.display()
        )
    );
    assert!(!path.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn every_format_says_that_the_disk_is_full() {
    let stage = measured(1);
    for format in ["csv", "json", "ndjson"] {
        let mut command = stage.command(&["export", "-", "--offline", "--format", format]);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let run = Run::of(command.stdout(full).output().unwrap()).expect(8);
        assert!(run.stderr.contains("the disk is full"), "{}", run.stderr);
        assert!(
            run.stderr.contains("free space on the disk"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_file_that_may_not_be_replaced_is_8_and_stays() {
    let stage = measured(1);
    let path = stage.file("locked.xlsx", "old");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let words = ["export", "locked.xlsx", "--offline", "--new"];
    let run = stage.run(&words).expect(8);
    assert_eq!(
        run.stderr.lines().next(),
        Some("error: cannot write locked.xlsx: permission denied")
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(sealed(&stage), 0);
}

#[test]
fn a_sheet_that_rows_came_from_is_never_replaced() {
    let stage = measured(1);
    let before = fs::read(stage.path("leads.csv")).unwrap();
    for words in [
        &["export", "leads.csv", "--offline"][..],
        &["export", "leads.csv", "--offline", "--new"],
        &["export", "./leads.csv", "--offline", "--for", "leads.csv"],
    ] {
        stage.run(words).expect(8);
    }
    assert!(fs::read(stage.path("leads.csv")).unwrap() == before);
    assert_eq!(sealed(&stage), 0);
}

#[test]
fn a_sheet_of_ones_own_keeps_its_kind() {
    let stage = measured(1);
    for out in ["own.xlsx", "own.json", "own"] {
        let words = ["export", out, "--for", "leads.csv", "--offline"];
        let format: &[&str] = if out == "own" { &["--tz", "UTC"] } else { &[] };
        stage.run(&[&words, format].concat()).expect(2);
        assert!(!stage.path(out).exists());
    }
}

#[test]
fn a_pipe_that_is_closed_early_is_no_failure() {
    let stage = measured(1);
    let words = ["export", "-", "--format", "ndjson", "--offline"];
    let mut child = stage
        .command(&words)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let line: Value = serde_json::from_str(&stage.run(&words).expect(0).stdout).unwrap();
    assert_eq!(line["external_id"], "A-0");
}
