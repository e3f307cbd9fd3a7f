//! A journal that is somebody else's, newer, damaged or readable by others.

use std::fs;
use std::process::Command;

use gutterbatch::sandbox::Options;

use crate::support::imports::sheet;
use crate::support::{Run, Stage};

fn imported() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage
}

/// The program as `command` has it, connected to the sandbox of `other`.
fn connected_to(other: &Stage, mut command: Command) -> Run {
    let announced = other.sandbox().connection_info();
    command
        .env("GUTTERBATCH_BASE_URL", &announced.base_url)
        .env("GUTTERBATCH_SERVICE_VERSION", &announced.service_version)
        .env("GUTTERBATCH_TOKEN", &announced.token);
    Run::of(command.output().unwrap())
}

fn posts(stage: &Stage) -> usize {
    let calls = stage.sandbox().calls();
    calls.iter().filter(|call| call.method == "POST").count()
}

#[test]
fn a_journal_of_another_address_stops_with_6_before_any_request() {
    let (ours, theirs) = (imported(), Stage::open());
    ours.file("leads.csv", sheet(0..5));
    let run = connected_to(
        &theirs,
        ours.bare_command(&["import", "leads.csv", "--json"]),
    )
    .expect(6);
    assert_eq!(run.json()["outcomes"]["pending"], 2);
    assert_eq!(theirs.sandbox().calls(), []);
}

#[test]
fn an_export_asks_no_other_address_with_the_token_that_the_journal_knows() {
    let (ours, theirs) = (imported(), Stage::open());
    let address = theirs.sandbox().connection_info().base_url.clone();
    for more in [&["--new"][..], &["--refresh", "all"]] {
        let export = [&["export", "out.xlsx", "--base-url", &address], more].concat();
        let run = ours.run(&export).expect(6);
        assert!(run.stderr.contains(&address), "{}", run.stderr);
    }
    assert_eq!(theirs.sandbox().calls(), []);
    assert!(!ours.path("out.xlsx").exists());
}

#[test]
fn a_journal_of_another_team_or_app_stops_with_6_before_any_post() {
    let other_team = Options {
        team_names: vec!["Somebody Else".to_owned()],
        seed: 99,
        ..Options::default()
    };
    let (ours, theirs) = (imported(), Stage::with(other_team));
    let announced = ours.sandbox().connection_info().base_url.clone();
    let address = theirs.sandbox().connection_info().base_url.clone();
    // The same address is what the journal is bound to first; so say that it is theirs.
    rebind(&ours, &announced, &address);
    ours.file("leads.csv", sheet(0..5));
    let run = connected_to(
        &theirs,
        ours.bare_command(&["import", "leads.csv", "--json"]),
    )
    .expect(6);
    assert_eq!(run.json()["requests"]["get"], 1);
    assert_eq!(posts(&theirs), 0);
}

/// Replaces a text of the same length in the journal's file; a port has five digits.
fn rebind(stage: &Stage, from: &str, to: &str) {
    assert_eq!(from.len(), to.len(), "{from} {to}");
    let bytes = fs::read(stage.journal()).unwrap();
    let at = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .unwrap();
    let mut bytes = bytes;
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    fs::write(stage.journal(), bytes).unwrap();
}

#[test]
fn a_damaged_or_foreign_file_is_left_untouched_with_a_sentence() {
    let stage = imported();
    let whole = fs::read(stage.journal()).unwrap();
    let damaged = [
        b"not a database at all, but somebody's notes about gutters".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        {
            let mut torn = whole.clone();
            torn[4096..3 * 4096].fill(0xaa);
            torn
        },
    ];
    for bytes in damaged {
        fs::write(stage.journal(), &bytes).unwrap();
        let run = stage.run(&["import", "leads.csv", "--json"]).expect(8);
        assert!(run.stderr.contains("hint:"), "{}", run.stderr);
        assert!(run.stderr.contains("damaged"), "{}", run.stderr);
        assert!(
            fs::read(stage.journal()).unwrap() == bytes,
            "it was touched"
        );
    }
}

#[test]
fn a_journal_that_cannot_be_opened_is_not_called_damaged() {
    let stage = imported();
    let folder = stage.folder().display().to_string();
    for args in [
        &["status", "--journal", folder.as_str()][..],
        &["import", "leads.csv", "--journal", folder.as_str()],
    ] {
        let run = stage.run(args).expect(8);
        // A folder is named as one now; it is still not called damaged.
        assert!(
            run.stderr.contains("cannot be used: it is a folder"),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains("damaged"), "{}", run.stderr);
    }
}

#[test]
fn a_journal_is_read_where_nothing_can_be_written() {
    let stage = imported();
    // Permissions would not stop root; a folder in the place of what SQLite keeps beside the file stops all.
    fs::create_dir(stage.journal().with_extension("db-shm")).unwrap();
    let before = fs::read(stage.journal()).unwrap();
    let status = stage.run(&["status", "--json"]).expect(0);
    assert_eq!(status.json()["requests"]["created"], 3);
    stage.run(&["status", "--id", "A-1"]).expect(0);
    assert!(fs::read(stage.journal()).unwrap() == before);
}

#[test]
fn a_newer_programs_journal_is_left_untouched_with_a_sentence() {
    left_untouched(99, "newer version");
}

#[test]
fn an_earlier_programs_journal_is_left_untouched_with_a_sentence() {
    left_untouched(19, "earlier version");
}

/// Every command refuses a journal whose schema has this number, and does not change it.
fn left_untouched(schema: u32, said: &str) {
    let stage = imported();
    // The number of the schema stands in the file's header, at byte 60.
    let mut other = fs::read(stage.journal()).unwrap();
    other[60..64].copy_from_slice(&schema.to_be_bytes());
    fs::write(stage.journal(), &other).unwrap();
    for args in [
        &["import", "leads.csv"][..],
        &["check", "leads.csv"],
        &["status"],
        &["export", "results.csv"],
        &["backup", "copy.db"],
        &["whoami"],
    ] {
        let run = stage.run(args).expect(8);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(fs::read(stage.journal()).unwrap() == other, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn the_journal_and_the_files_beside_it_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let stage = imported();
    let folder = stage.journal().parent().unwrap().to_owned();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
    }
}

#[cfg(unix)]
#[test]
fn a_journal_may_have_any_name() {
    for name in ["file:leads.db", ":memory:"] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(0..3));
        let import = ["import", "leads.csv", "--journal", name, "--json"];
        stage.run(&import).expect(0);
        let again = stage.run(&import).expect(0).json();
        assert_eq!(again["outcomes"]["known"], 3, "{name}");
        assert!(stage.path(name).metadata().unwrap().len() > 0, "{name}");
        assert!(!stage.path("leads.db").exists());
    }
}

#[test]
fn a_finished_import_with_a_new_token_is_done_while_the_service_does_not_answer() {
    let stage = imported();
    let dropped = r#"{"rules": [{"do": "drop", "method": "GET"}]}"#;
    stage.sandbox().set_faults(dropped.parse().ok());
    let mut command = stage.command(&["import", "leads.csv", "--json"]);
    let run = Run::of(
        command
            .env("GUTTERBATCH_TOKEN", "gbt_new")
            .output()
            .unwrap(),
    )
    .expect(0);
    assert_eq!(run.json()["outcomes"]["known"], 3);
    let said = "there is nothing to send, but the new token could not be verified: ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

/// The program as another user, if this one may do everything.
#[cfg(target_os = "linux")]
fn run_as_nobody(stage: &Stage, args: &[&str]) -> Run {
    let mut command = std::process::Command::new("setpriv");
    if rustix::process::geteuid().is_root() {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    }
    let program = stage.command(args);
    command.arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    Run::of(command.current_dir(stage.folder()).output().unwrap())
}

#[cfg(target_os = "linux")]
fn allow(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_was_read_only_for_a_while_works_again() {
    let stage = imported();
    let journal = stage.journal();
    let home = journal.parent().unwrap();
    for path in [stage.folder(), &stage.path("home"), home] {
        allow(path, 0o777);
    }
    for file in fs::read_dir(home).unwrap() {
        let path = file.unwrap().path();
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(path, Some(65534), Some(65534)).unwrap();
        }
    }
    allow(&journal, 0o444);
    run_as_nobody(&stage, &["status"]).expect(0);
    allow(&journal, 0o600);
    run_as_nobody(&stage, &["import", "leads.csv", "--dry-run"]).expect(0);
    run_as_nobody(&stage, &["import", "leads.csv"]).expect(0);
}

#[cfg(target_os = "linux")]
#[test]
fn an_offline_export_with_a_journal_that_cannot_be_written_names_the_permission() {
    let stage = imported();
    let home = stage.journal().parent().unwrap().to_owned();
    allow(stage.folder(), 0o777);
    allow(&stage.path("home"), 0o755);
    for file in fs::read_dir(&home).unwrap() {
        allow(&file.unwrap().path(), 0o444);
    }
    allow(&home, 0o555);
    let run = run_as_nobody(&stage, &["export", "results.csv", "--offline"]).expect(8);
    allow(&home, 0o755);
    let said = format!(
        "error: the journal {} cannot be opened: permission denied\nhint: give your account access",
        stage.journal().display()
    );
    assert!(run.stderr.starts_with(&said), "{}", run.stderr);
}
