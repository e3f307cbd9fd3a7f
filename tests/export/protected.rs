//! An export replaces its own unsealed exports and nothing else.

use std::fs;

use gutterbatch::export::{ExportFormat, OutputFile, OverwritePolicy, to_file};
use gutterbatch::journal::{Journal, JournalAccess};

use crate::billing::sealed::everything;
use crate::support::Stage;
use crate::support::exports::{complete, export};
use crate::support::parts::rewritten;

const SHEET: &str = "ID,Name,Street,City,State,Zip,Email
1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com
2,Bo,14 Elm Street,Boston,MA,02134,bo@example.com
";

fn imported() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", SHEET);
    stage.run(&["import", "leads.csv"]).expect(0);
    stage
}

/// An export is refused with this reason, and what stands there stays.
#[track_caller]
fn refused(stage: &Stage, words: &[&str], reason: &str) {
    let before = fs::read(stage.path(words[1])).unwrap();
    let run = stage.run(words).expect(8);
    assert!(run.stderr.contains(reason), "{}", run.stderr);
    assert_eq!(fs::read(stage.path(words[1])).unwrap(), before);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
}

#[test]
fn a_sheet_is_never_replaced_whether_it_was_imported_or_not() {
    let stage = imported();
    refused(
        &stage,
        &["export", "leads.csv"],
        "leads.csv is an imported sheet",
    );
    stage.file("others.csv", SHEET);
    stage.run(&["template", "others.xlsx"]).expect(0);
    for name in ["others.csv", "others.xlsx"] {
        refused(
            &stage,
            &["export", name],
            "is not known to be an export of this program",
        );
    }
    refused(
        &stage,
        &["export", "others.csv", "--for", "leads.csv"],
        "is not known",
    );
    stage.run(&["export", "others.xlsx", "--force"]).expect(0);
    stage.run(&["export", "others.xlsx"]).expect(0);
}

#[test]
fn exports_of_every_format_replace_themselves_until_somebody_edits_them() {
    let stage = imported();
    for name in ["out.xlsx", "out.csv", "out.json", "out.ndjson"] {
        for _ in 0..2 {
            stage.run(&["export", name]).expect(0);
        }
        // Renamed, it is the same export.
        let renamed = format!("renamed-{name}");
        fs::rename(stage.path(name), stage.path(&renamed)).unwrap();
        stage.run(&["export", &renamed]).expect(0);
    }
    for name in ["renamed-out.csv", "renamed-out.json"] {
        let text = fs::read_to_string(stage.path(name)).unwrap();
        stage.file(name, text.replace("Ada", "Ada Byron"));
        refused(
            &stage,
            &["export", name],
            "is an export that was changed after it was written",
        );
    }
    let book = fs::read(stage.path("renamed-out.xlsx")).unwrap();
    let saved = rewritten(&book, "docProps/core.xml", |text| {
        text.replace("<cp:lastModifiedBy>gutterbatch", "<cp:lastModifiedBy>Ann")
    });
    stage.file("renamed-out.xlsx", saved);
    let reason = "is an export that was changed after it was written";
    refused(&stage, &["export", "renamed-out.xlsx"], reason);
    for _ in 0..2 {
        stage
            .run(&["export", "own.csv", "--for", "leads.csv"])
            .expect(0);
    }
}

#[test]
fn a_sealed_export_is_never_replaced_edited_or_renamed() {
    let stage = imported();
    complete(&stage, 2);
    stage.run(&["export", "now.csv"]).expect(0);
    stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    // A billing job that is run again under the same name has nothing to seal, and replaces nothing.
    let sealed = fs::read(stage.path("bill.xlsx")).unwrap();
    let again = stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    assert!(
        again.stdout.contains("nothing new to bill"),
        "{}",
        again.stdout
    );
    assert_eq!(fs::read(stage.path("bill.xlsx")).unwrap(), sealed);
    for more in [&[][..], &["--offline"]] {
        refused(
            &stage,
            &[&["export", "bill.xlsx"], more].concat(),
            "bill.xlsx is sealed export 1, so it is",
        );
    }
    stage.file("copy.xlsx", &sealed);
    refused(
        &stage,
        &["export", "copy.xlsx"],
        "copy.xlsx is sealed export 1",
    );
    let saved = rewritten(&sealed, "docProps/core.xml", |text| {
        text.replace("<cp:lastModifiedBy>gutterbatch", "<cp:lastModifiedBy>Ann")
    });
    stage.file("copy.xlsx", &saved);
    refused(
        &stage,
        &["export", "copy.xlsx"],
        "copy.xlsx is a sealed export",
    );
    stage.file("bill.xlsx", &saved);
    refused(
        &stage,
        &["export", "bill.xlsx", "--again", "1"],
        "bill.xlsx is sealed export 1, edited since",
    );
    stage
        .run(&["export", "bill.xlsx", "--again", "1", "--force"])
        .expect(0);
    stage
        .run(&["export", "bill.xlsx", "--again", "1"])
        .expect(0);
    assert_eq!(fs::read(stage.path("bill.xlsx")).unwrap(), sealed);
}

#[test]
fn new_results_are_not_sealed_into_the_file_of_an_earlier_sealed_export() {
    let stage = imported();
    complete(&stage, 1);
    stage.run(&["export", "bill.csv", "--new"]).expect(0);
    let second = &crate::support::exports::ids(&stage)[1];
    stage.sandbox().complete(second).unwrap();
    refused(
        &stage,
        &["export", "bill.csv", "--new"],
        "bill.csv is sealed export 1",
    );
    stage.run(&["export", "next.csv", "--new"]).expect(0);
    // The first bill was moved, and another has its name: none of them is replaced by the other.
    fs::rename(stage.path("bill.csv"), stage.path("first.csv")).unwrap();
    fs::rename(stage.path("next.csv"), stage.path("bill.csv")).unwrap();
    for forced in [&[][..], &["--force"]] {
        let words = [&["export", "bill.csv", "--again", "1"], forced].concat();
        refused(&stage, &words, "bill.csv is sealed export 2");
    }
}

#[test]
fn an_export_with_the_bytes_of_a_bill_replaces_itself() {
    let stage = imported();
    complete(&stage, 2);
    stage.run(&["export", "bill.csv", "--new"]).expect(0);
    for _ in 0..2 {
        stage.run(&["export", "results.csv"]).expect(0);
    }
    let [bill, results] = ["bill.csv", "results.csv"].map(|name| fs::read(stage.path(name)));
    assert_eq!(bill.unwrap(), results.unwrap());
    refused(&stage, &["export", "bill.csv"], "is sealed export 1");
    // A bill that is written there again is one.
    stage
        .run(&["export", "results.csv", "--again", "1"])
        .expect(0);
    refused(&stage, &["export", "results.csv"], "is sealed export 1");
}

#[test]
fn a_bill_that_is_archived_leaves_its_path_to_other_exports() {
    let stage = imported();
    complete(&stage, 2);
    stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    fs::rename(stage.path("bill.xlsx"), stage.path("archived.xlsx")).unwrap();
    for _ in 0..2 {
        stage.run(&["export", "bill.xlsx"]).expect(0);
    }
    refused(&stage, &["export", "archived.xlsx"], "is sealed export 1");
    fs::rename(stage.path("archived.xlsx"), stage.path("bill.xlsx")).unwrap();
    refused(&stage, &["export", "bill.xlsx"], "is sealed export 1");
}

#[test]
fn a_file_saved_while_an_export_is_written_is_kept() {
    let stage = imported();
    let journal = Journal::open(&stage.journal(), &JournalAccess::Shared).unwrap();
    let snapshot = journal.snapshot().unwrap();
    let place = OutputFile::new(&stage.path("results.csv")).unwrap();
    for policy in [
        OverwritePolicy::UnchangedExports,
        OverwritePolicy::OtherFiles,
    ] {
        let export = to_file(&snapshot, &everything(ExportFormat::Csv), &place).unwrap();
        fs::copy(stage.path("leads.csv"), stage.path("results.csv")).unwrap();
        let put = export.put(&journal, policy);
        assert_eq!(put.is_ok(), policy == OverwritePolicy::OtherFiles);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_share_that_is_missing_stays_a_link() {
    let stage = imported();
    std::os::unix::fs::symlink("share/results.xlsx", stage.path("results.xlsx")).unwrap();
    let run = stage.run(&["export", "results.xlsx"]).expect(8);
    assert!(run.stderr.contains("share"), "{}", run.stderr);
    assert!(stage.path("results.xlsx").is_symlink());
    fs::create_dir(stage.path("share")).unwrap();
    for _ in 0..2 {
        stage.run(&["export", "results.xlsx"]).expect(0);
    }
    assert!(stage.path("results.xlsx").is_symlink());
    assert!(stage.path("share/results.xlsx").is_file());
}

#[test]
fn a_rehearsal_replaces_no_export_of_a_real_team() {
    let stage = imported();
    complete(&stage, 2);
    stage.run(&["export", "results.xlsx"]).expect(0);
    let real = fs::read(stage.path("results.xlsx")).unwrap();
    let run = stage
        .run(&["rehearse", "leads.csv", "-o", "results.xlsx"])
        .expect(8);
    assert!(run.stderr.contains("name another file"), "{}", run.stderr);
    assert_eq!(fs::read(stage.path("results.xlsx")).unwrap(), real);
}

#[test]
fn an_export_with_nothing_imported_replaces_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", SHEET);
    let rehearse = ["rehearse", "leads.csv", "-o", "results.xlsx"];
    stage.run(&rehearse).expect(0);
    // A rehearsal replaces what a rehearsal wrote.
    stage.run(&rehearse).expect(0);
    let rehearsed = fs::read(stage.path("results.xlsx")).unwrap();
    stage.run(&["export", "results.xlsx"]).expect(8);
    stage.run(&["whoami"]).expect(0);
    let run = stage.run(&["export", "results.xlsx"]).expect(8);
    assert!(run.stderr.contains("import a file first"), "{}", run.stderr);
    assert_eq!(fs::read(stage.path("results.xlsx")).unwrap(), rehearsed);
    // Once there is something, the real results take the place of the rehearsed ones.
    stage.run(&["import", "leads.csv"]).expect(0);
    stage.run(&["export", "results.xlsx"]).expect(0);
}

#[test]
fn a_rehearsal_replaces_no_sheet() {
    let stage = Stage::offline();
    stage.file("leads.csv", SHEET);
    for name in ["leads.csv", "mine.csv"] {
        stage.file(name, SHEET);
        let run = stage.run(&["rehearse", "leads.csv", "-o", name]).expect(8);
        assert!(
            run.stderr.contains("name another file with -o"),
            "{}",
            run.stderr
        );
        assert_eq!(fs::read_to_string(stage.path(name)).unwrap(), SHEET);
    }
}

#[test]
fn an_export_killed_before_or_after_its_rename_is_replaced_by_the_next() {
    let stage = imported();
    for name in ["out.csv", "out.json", "out.ndjson"] {
        stage.run(&["export", name, "--offline"]).expect(0);
        let first = fs::read(stage.path(name)).unwrap();
        // The results change, so that the two files differ.
        complete(&stage, if name == "out.csv" { 1 } else { 2 });
        stage
            .run(&["export", "other.xlsx", "--refresh", "all"])
            .expect(0);
        let second = unrecorded(&stage, name);
        for bytes in [first, second] {
            stage.file(name, &bytes);
            stage.run(&["export", name, "--offline"]).expect(0);
        }
    }
}

/// What an export writes whose run dies before the journal hears of the rename.
fn unrecorded(stage: &Stage, name: &str) -> Vec<u8> {
    let journal = Journal::open(&stage.journal(), &JournalAccess::Shared).unwrap();
    let snapshot = journal.snapshot().unwrap();
    let format = ExportFormat::from_path(name.as_ref()).unwrap();
    let place = OutputFile::new(&stage.path(name)).unwrap();
    let export = to_file(&snapshot, &everything(format), &place).unwrap();
    // A folder in the place fails the rename; what the journal was told before it stays.
    fs::remove_file(stage.path(name)).unwrap();
    fs::create_dir(stage.path(name)).unwrap();
    export
        .put(&journal, OverwritePolicy::UnchangedExports)
        .unwrap_err();
    fs::remove_dir(stage.path(name)).unwrap();
    let mut bytes = Vec::new();
    gutterbatch::export::to_stream(&snapshot, &everything(format), &mut bytes).unwrap();
    bytes
}

#[test]
fn a_sealed_export_or_a_sheet_is_not_replaced_by_force_either() {
    let stage = imported();
    complete(&stage, 2);
    stage.run(&["export", "bill.csv", "--new"]).expect(0);
    let sealed = fs::read(stage.path("bill.csv")).unwrap();
    for (file, advice) in [
        ("leads.csv", "hint: give the export another name"),
        ("bill.csv", "gutterbatch export bill-1.csv --again 1"),
    ] {
        let run = stage.run(&["export", file]).expect(8);
        assert!(run.stderr.contains(advice), "{}", run.stderr);
        assert!(!run.stderr.contains("--force"), "{}", run.stderr);
    }
    // No flag replaces what nobody can want to lose, whatever the command.
    refused(
        &stage,
        &["export", "leads.csv", "--force"],
        "leads.csv is an imported sheet",
    );
    refused(
        &stage,
        &["export", "bill.csv", "--force"],
        "bill.csv is sealed export 1",
    );
    for name in ["leads.csv", "bill.csv"] {
        refused(&stage, &["backup", name], "is not replaced");
    }
    let third = SHEET.replace("\n2,", "\n3,").replace("14 Elm", "99 Oak");
    stage.file("third.csv", third);
    stage.run(&["import", "third.csv"]).expect(0);
    complete(&stage, 3);
    refused(
        &stage,
        &["export", "bill.csv", "--new", "--force"],
        "bill.csv is sealed export 1",
    );
    assert_eq!(fs::read(stage.path("bill.csv")).unwrap(), sealed);
}

/// A run is refused because of a path, and nothing is written there.
#[track_caller]
fn refused_path(stage: &Stage, words: &[&str], message: &str) {
    let before = fs::read(stage.path(words[words.len() - 1])).ok();
    let run = stage.run(words).expect(8);
    let first = run.stderr.lines().next().unwrap();
    assert_eq!(first, format!("error: {message}"));
    assert!(run.stderr.contains("\nhint: "), "{}", run.stderr);
    assert_eq!(fs::read(stage.path(words[words.len() - 1])).ok(), before);
}

#[test]
fn no_command_writes_to_a_path_that_the_program_needs() {
    let stage = imported();
    fs::create_dir_all(stage.path("home/secrets")).unwrap();
    let home = stage.path("home");
    for (name, what) in [
        ("config.toml", "the settings file"),
        ("secrets/default.json", "a stored token"),
        ("journals/default.db", "the journal"),
        ("journals/default.db-wal", "a file beside a journal"),
        ("journals/default.db.seals", "a file beside a journal"),
        ("journals/default.db.lock", "a file beside a journal"),
    ] {
        let path = home.join(name).display().to_string();
        for words in [
            &["check", "leads.csv", "--log"][..],
            &["import", "leads.csv", "--rejects"],
            &["export", "--format", "csv", "--force"],
            &["backup"],
            &["template"],
            &["rehearse", "leads.csv", "--output"],
        ] {
            let flag = match words[0] {
                "export" | "backup" | "template" => "OUT",
                _ => words[words.len() - 1],
            };
            let message = format!("{flag} {path} is the path of {what}, so it is not written to");
            refused_path(&stage, &[words, &[&path]].concat(), &message);
        }
    }
    let message = "--log j.db-shm is the path of a file beside a journal, so it is not written to";
    let words = ["status", "--journal", "j.db", "--log", "j.db-shm"];
    refused_path(&stage, &words, message);
}

#[test]
fn nothing_is_written_into_the_folder_of_the_tokens() {
    let stage = imported();
    let folder = stage.path("home/secrets");
    fs::create_dir_all(&folder).unwrap();
    let token = folder.join("other.json");
    fs::write(&token, "{}").unwrap();
    export(&stage, &[token.to_str().unwrap(), "--force"], 8);
    assert_eq!(fs::read_to_string(&token).unwrap(), "{}");
}

#[test]
fn a_journal_is_not_replaced_wherever_it_is_and_whoever_uses_it() {
    let stage = imported();
    let journal = ["--journal", "results.xlsx", "--profile", "north"];
    let words = [&["import", "leads.csv"], &journal[..]].concat();
    stage.run(&words).expect(0);
    for more in [&[][..], &["--force"], &["--new", "--force"]] {
        let words = [&["export", "results.xlsx"], more].concat();
        refused(
            &stage,
            &words,
            "results.xlsx is a journal, so it is not replaced",
        );
    }
    stage.run(&[&["status"], &journal[..]].concat()).expect(0);
}
