//! Locks and links: what stands where the journal, its lock or a temporary file belongs.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::support::imports::sheet;
use crate::support::{Run, Stage};

fn imported() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage
}

fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_link_planted_as_the_lock_leaves_its_target_untouched() {
    let stage = imported();
    let lock = stage.journal().with_file_name("default.db.lock");
    fs::remove_file(&lock).unwrap();
    let target = stage.file("precious.txt", "precious");
    symlink(&target, &lock).unwrap();
    let run = stage.run(&["import", "leads.csv"]).expect(8);
    assert!(
        run.stderr
            .contains("default.db.lock is not a lock file of this program: it is a link"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
}

#[test]
fn a_file_that_is_no_lock_is_kept_and_no_journal_is_made_beside_it() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    let theirs = stage.file("Cargo.lock", "version = 4\n");
    let run = stage.run(&["import", "leads.csv", "--journal", "Cargo"]);
    let run = run.expect(8);
    assert!(
        run.stderr.contains("another program wrote it"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(theirs).unwrap(), "version = 4\n");
    assert!(!stage.path("Cargo").exists());
    assert_eq!(stage.sandbox().calls(), []);
}

#[test]
fn a_pipe_in_the_place_of_the_lock_or_the_journal_is_a_sentence() {
    let stage = imported();
    let lock = stage.journal().with_file_name("default.db.lock");
    fs::remove_file(&lock).unwrap();
    fifo(&lock);
    let run = stage.run(&["import", "leads.csv"]).expect(8);
    assert!(
        run.stderr.contains("it is not a regular file"),
        "{}",
        run.stderr
    );
    fifo(&stage.path("pipe.db"));
    for command in [&["import", "leads.csv"][..], &["status"]] {
        let args = [command, &["--journal", "pipe.db"]].concat();
        let run = stage.run(&args).expect(8);
        assert!(
            run.stderr
                .contains("the journal pipe.db cannot be used: it is not a regular file"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_pipe_or_a_folder_in_the_place_of_the_settings_is_a_sentence() {
    let stage = Stage::offline();
    let config = stage.file("home/config.toml", "");
    fs::remove_file(&config).unwrap();
    fifo(&config);
    for reason in ["it is not a regular file", "it is a folder"] {
        for command in ["status", "connect"] {
            let run = Run::of(stage.bare_command(&[command]).output().unwrap()).expect(8);
            assert!(
                run.stderr.contains(&format!("config.toml: {reason}\n")),
                "{command}: {}",
                run.stderr
            );
            assert!(run.stderr.contains("hint: "), "{}", run.stderr);
        }
        fs::remove_file(&config).ok();
        fs::create_dir_all(&config).unwrap();
    }
}

#[test]
fn an_export_to_a_pipe_or_a_device_says_that_it_is_no_file() {
    let stage = imported();
    fifo(&stage.path("pipe.csv"));
    symlink("/dev/null", stage.path("null.xlsx")).unwrap();
    for out in ["pipe.csv", "null.xlsx"] {
        let run = stage.run(&["export", out, "--offline"]).expect(8);
        assert!(
            run.stderr
                .contains(&format!("error: {out} is not a regular file")),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr.contains("gutterbatch export - --format csv"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_foreign_file_named_as_the_journal_keeps_its_mode_and_gets_nothing_beside_it() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    let folder = stage.path("theirs");
    fs::create_dir(&folder).unwrap();
    let notes = stage.file("theirs/notes.txt", "notes of mine, which are no database\n");
    let database = folder.join("app.db");
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE theirs (one TEXT);")
        .unwrap();
    drop(connection);
    for path in [&notes, &database] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        let before = fs::read(path).unwrap();
        for command in [
            &["import", "leads.csv"][..],
            &["status"],
            &["whoami"],
            &["export", "results.csv"],
        ] {
            let args = [command, &["--journal", path.to_str().unwrap()]].concat();
            let run = stage.run(&args).expect(8);
            assert!(
                run.stderr.contains("is damaged or is not a journal"),
                "{}",
                run.stderr
            );
        }
        assert_eq!(fs::read(path).unwrap(), before);
        assert_eq!(fs::metadata(path).unwrap().mode() & 0o777, 0o644);
    }
    assert_eq!(names(&folder), ["app.db", "notes.txt"]);
    assert_eq!(stage.sandbox().calls(), []);
}

#[test]
fn a_journal_reached_through_a_link_has_the_lock_of_the_real_file() {
    let stage = imported();
    let link = stage.path("link.db");
    symlink(stage.journal(), &link).unwrap();
    let holder = gutterbatch::journal::JournalAccess::Exclusive {
        holder: "the first run".to_owned(),
    };
    let held = gutterbatch::journal::Journal::open(&stage.journal(), &holder).unwrap();
    let args = ["import", "leads.csv", "--journal", "link.db"];
    let run = stage.run(&args).expect(7);
    assert!(run.stderr.contains("the first run"), "{}", run.stderr);
    drop(held);
    let held = gutterbatch::journal::Journal::open(&link, &holder).unwrap();
    stage.run(&["import", "leads.csv"]).expect(7);
    drop(held);
    let run = stage.run(&[&args[..], &["--json"]].concat()).expect(0);
    assert_eq!(run.json()["outcomes"]["known"], 3);
    assert!(!stage.path("link.db.lock").exists());
}

#[test]
fn a_journal_of_several_names_is_refused_before_anything_is_sent() {
    let stage = imported();
    let calls = stage.sandbox().calls().len();
    fs::hard_link(stage.journal(), stage.path("other.db")).unwrap();
    for command in [
        &["import", "leads.csv"][..],
        &["status"],
        &["import", "leads.csv", "--journal", "other.db"],
    ] {
        let run = stage.run(command).expect(8);
        assert!(run.stderr.contains("has 2 hard links"), "{}", run.stderr);
    }
    assert_eq!(stage.sandbox().calls().len(), calls);
    assert!(!stage.path("other.db.lock").exists());
    fs::remove_file(stage.path("other.db")).unwrap();
    stage.run(&["import", "leads.csv"]).expect(0);
}

#[test]
fn a_link_to_no_file_is_no_journal() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    symlink(stage.path("nowhere.db"), stage.path("link.db")).unwrap();
    let run = stage.run(&["import", "leads.csv", "--journal", "link.db"]);
    let run = run.expect(8);
    assert!(
        run.stderr
            .contains("it is a link to a file that does not exist"),
        "{}",
        run.stderr
    );
    assert!(!stage.path("nowhere.db").exists());
}

#[test]
fn a_pipe_named_like_a_temporary_file_holds_up_no_export() {
    let stage = imported();
    fifo(&stage.path(".gutterbatch-xxxxxx"));
    symlink(
        stage.path(".gutterbatch-xxxxxx"),
        stage.path(".gutterbatch-yyyyyy"),
    )
    .unwrap();
    for name in ["results.csv", "results.xlsx"] {
        stage.run(&["export", name]).expect(0);
    }
    assert!(stage.path(".gutterbatch-xxxxxx").exists());
}

#[test]
fn a_pipe_in_the_place_of_the_input_is_a_sentence() {
    let stage = Stage::offline();
    fifo(&stage.path("leads.csv"));
    let run = stage.run(&["check", "leads.csv"]).expect(10);
    assert!(
        run.stderr.contains("leads.csv: it is not a regular file"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("standard input"), "{}", run.stderr);
}

#[test]
fn a_pipe_in_the_place_of_the_rejects_is_a_sentence() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    fifo(&stage.path("leads.rejects.csv"));
    stage.run(&["import", "leads.csv"]).expect(8);
    assert_eq!(stage.sandbox().calls(), []);
}

#[test]
fn a_pipe_in_place_of_the_record_of_seals_or_of_the_token_is_refused_at_once() {
    let stage = imported();
    let record = stage.journal().with_extension("db.seals");
    fifo(&record);
    let run = stage.run(&["export", "bill.xlsx", "--new"]).expect(8);
    for text in ["default.db.seals", "it is not a regular file"] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
    assert!(!stage.path("bill.xlsx").exists());
    fs::remove_file(record).unwrap();
    let token = stage.path("home/secrets/default.json");
    fs::create_dir_all(token.parent().unwrap()).unwrap();
    fifo(&token);
    let mut command = stage.command(&["whoami", "--secrets", "file"]);
    let output = command.env_remove("GUTTERBATCH_TOKEN").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(8), "{stderr}");
    for text in ["default.json", "it is not a regular file"] {
        assert!(stderr.contains(text), "{text}: {stderr}");
    }
}
