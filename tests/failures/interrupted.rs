//! Killed, stopped, copied, starved of disk: the same command again, and nothing is lost or doubled.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gutterbatch::sandbox::Options;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};

use crate::support::imports::{outcomes, sheet};
use crate::support::{Canned, Run, Stage, canned};

const ROWS: usize = 60;

pub(crate) fn slow() -> Stage {
    Stage::with(Options {
        latency: Duration::from_millis(5),
        rate: "1000000/1s".parse().unwrap(),
        ..Options::default()
    })
}

pub(crate) fn posts(stage: &Stage) -> usize {
    let calls = stage.sandbox().calls();
    calls.iter().filter(|call| call.method == "POST").count()
}

/// An import whose quota is in nobody's way.
pub(crate) const IMPORT: [&str; 5] = ["import", "leads.csv", "--json", "--rate", "1000000/1s"];

pub(crate) fn start(stage: &Stage) -> Child {
    let mut command = stage.command(&IMPORT);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until the service has seen so many POST requests, or the program has ended.
pub(crate) fn until_posts(stage: &Stage, child: &mut Child, count: usize) {
    while posts(stage) < count && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
}

#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
}

/// No external id has two measurements.
pub(crate) fn assert_nothing_is_doubled(stage: &Stage) {
    let held = stage.sandbox().measurements();
    let ids: BTreeSet<_> = held.iter().map(|held| &held.external_id).collect();
    assert_eq!(ids.len(), held.len());
}

#[test]
fn a_run_killed_at_any_point_loses_nothing_and_doubles_nothing() {
    for seed in 0..6 {
        let stage = slow();
        stage.file("leads.csv", sheet(0..ROWS));
        let mut rng = StdRng::seed_from_u64(seed);
        let mut kills = 0;
        while posts(&stage) < ROWS {
            let mut child = start(&stage);
            let more = rng.random_range(1..20);
            until_posts(&stage, &mut child, posts(&stage) + more);
            for _ in 0..rng.random_range(0..20_000) {
                std::hint::spin_loop();
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            assert_nothing_is_doubled(&stage);
        }
        let last = stage.run(&IMPORT).expect(0).json();
        let done: u64 = outcomes(&last).values().sum();
        assert_eq!(done, ROWS as u64);
        assert_eq!(last["outcomes"]["pending"], 0);
        assert_nothing_is_doubled(&stage);
        assert_eq!(stage.sandbox().measurements().len(), ROWS, "seed {seed}");
        // At most the requests in flight are sent again: eight a kill.
        assert!(posts(&stage) <= ROWS + kills * 8, "seed {seed}");
    }
}

#[test]
fn a_killed_import_of_a_copy_of_rejects_corrects_the_rows_that_were_answered() {
    let stage = slow();
    let invalid = |rows| sheet(rows).replace("Ottawa", "");
    stage.file(
        "list.csv",
        sheet(ROWS..ROWS + 1) + invalid(0..ROWS).split_once('\n').unwrap().1,
    );
    stage.run(&["import", "list.csv"]).expect(3);
    let rejects = fs::read_to_string(stage.path("list.rejects.csv")).unwrap();
    stage.file("leads.csv", rejects.replace("Street,,", "Street,Ottawa,"));
    let mut child = start(&stage);
    until_posts(&stage, &mut child, ROWS / 2);
    child.kill().unwrap();
    child.wait().unwrap();
    for (file, known) in [("leads.csv", None), ("list.csv", Some(ROWS as u64 + 1))] {
        let run = stage.run(&["import", file, "--json"]).expect(0).json();
        let counts = outcomes(&run);
        assert!(known.is_none_or(|known| counts == [("known", known)].into()));
    }
    assert_nothing_is_doubled(&stage);
}

#[test]
fn a_copy_of_the_journal_and_its_log_in_the_middle_of_a_run_is_whole() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..ROWS));
    let mut child = start(&stage);
    until_posts(&stage, &mut child, ROWS / 2);
    let journal = stage.journal();
    let beside = |suffix: &str| {
        let mut name = journal.clone().into_os_string();
        name.push(suffix);
        name
    };
    // The log first: what it lacks then is in neither, and its rows are asked for again.
    let log = fs::read(beside("-wal")).unwrap_or_default();
    let file = fs::read(&journal).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    fs::write(&journal, file).unwrap();
    fs::write(beside("-wal"), log).unwrap();
    let _ = fs::remove_file(beside("-shm"));
    let run = stage
        .run(&["import", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(run["outcomes"]["pending"], 0);
    assert_nothing_is_doubled(&stage);
    assert_eq!(stage.sandbox().measurements().len(), ROWS);
}

#[cfg(unix)]
#[test]
fn a_signal_lets_rows_in_flight_settle_and_the_same_command_resumes() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 143)] {
        let stage = slow();
        stage.file("leads.csv", sheet(0..ROWS * 10));
        let mut child = start(&stage);
        until_posts(&stage, &mut child, 20);
        signal(&child, name);
        let run = Run::of(child.wait_with_output().unwrap()).expect(code);
        let document = run.json();
        assert_eq!(document["exit_code"], code);
        let created = document["outcomes"]["created"].as_u64().unwrap();
        assert_eq!(
            usize::try_from(created).unwrap(),
            posts(&stage),
            "what left has settled"
        );
        assert!(
            run.stderr.contains("gutterbatch import leads.csv"),
            "{}",
            run.stderr
        );
        stage.run(&IMPORT).expect(0);
        assert_eq!(posts(&stage), ROWS * 10, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_waits_for_the_quota_ends_at_once_when_told() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let mut command = stage.command(&["import", "leads.csv", "--json", "--rate", "10/1h"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until_posts(&stage, &mut child, 9);
    signal(&child, "INT");
    let run = Run::of(child.wait_with_output().unwrap())
        .expect(130)
        .json();
    assert_eq!(outcomes(&run), [("created", 9), ("pending", 21)].into());
}

#[test]
fn a_second_run_beside_the_first_is_told_who_holds_the_journal() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..ROWS * 20));
    let mut first = start(&stage);
    until_posts(&stage, &mut first, 1);
    let second = stage.run(&["import", "leads.csv", "--json"]).expect(7);
    assert!(
        second.stderr.contains(&format!("process {}", first.id())),
        "{}",
        second.stderr
    );
    assert_eq!(second.json()["exit_code"], 7);
    first.kill().unwrap();
    first.wait().unwrap();
}

/// The first run, which is held at a request, keeps a second one waiting; that one finds all rows known.
fn assert_the_second_run_waits(held: &'static str, flags: &[&str]) {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..ROWS));
    // The request is not answered while the gate is closed, so the first run cannot end.
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap();
    let answers = Canned::answering({
        let gate = Arc::clone(&gate);
        move |request| {
            if request.starts_with(held) {
                drop(gate.lock());
            }
            canned::healthy(request)
        }
    });
    let import = |flags: &[&str]| {
        let args = [&["import", "leads.csv", "--json"], flags].concat();
        let mut command = stage.against(&answers, &args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let first = import(flags);
    answers.wait_for(|heard| heard.iter().any(|one| one.starts_with(held)));
    let short = import(&["--lock-wait", "10ms"]);
    let short = Run::of(short.wait_with_output().unwrap()).expect(7);
    let longer = "hint: give a longer --lock-wait";
    assert!(short.stderr.contains(longer), "{}", short.stderr);
    let mut second = import(&["--lock-wait", "10m"]);
    let mut said = BufReader::new(second.stderr.take().unwrap()).lines();
    let waits = |line: &str| line.contains("waiting for another run to end");
    assert!(said.any(|line| waits(&line.unwrap())), "it did not wait");
    drop(closed);
    said.for_each(drop);
    let second = Run::of(second.wait_with_output().unwrap()).expect(0);
    assert_eq!(outcomes(&second.json()), [("known", ROWS as u64)].into());
    assert!(first.wait_with_output().unwrap().status.success());
}

#[test]
fn a_second_run_with_lock_wait_starts_when_the_first_has_ended() {
    assert_the_second_run_waits("POST", &[]);
}

#[test]
fn a_run_that_waited_for_the_first_import_of_a_file_reads_it_with_its_flags() {
    // The flags are not stored before the first request, and nothing is requested before the account is known.
    assert_the_second_run_waits("GET /me", &["--id-prefix", "A-"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_run_and_nothing_is_sent_that_is_not_recorded() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..2_000));
    // The system allows no file to grow past the limit, which is what a full disk looks like to the journal.
    let program = env!("CARGO_BIN_EXE_gutterbatch");
    let script =
        format!("ulimit -f 800; exec '{program}' import leads.csv --json --rate 1000000/1s");
    let mut command = stage.command(&[]);
    let environment: Vec<_> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect();
    command = std::process::Command::new("sh");
    command.args(["-c", &script]).current_dir(stage.folder());
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let run = Run::of(command.output().unwrap()).expect(8);
    let document = run.json();
    assert!(document["outcomes"]["pending"].as_u64().unwrap() > 0);
    let sent = posts(&stage);
    let counted = document["outcomes"]["created"].as_u64().unwrap();
    let counted = usize::try_from(counted).unwrap();
    assert!(sent >= counted && sent <= counted + 8, "{sent} {counted}");
    stage.run(&IMPORT).expect(0);
    assert_nothing_is_doubled(&stage);
    assert_eq!(stage.sandbox().measurements().len(), 2_000);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_was_ignored_at_the_start_ends_nothing() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..ROWS));
    let program = stage.command(&IMPORT);
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(stage.folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for (name, value) in program.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    let mut child = shell.spawn().unwrap();
    until_posts(&stage, &mut child, 10);
    signal(&child, "HUP");
    let run = Run::of(child.wait_with_output().unwrap()).expect(0).json();
    assert_eq!(outcomes(&run), [("created", ROWS as u64)].into());
}

#[cfg(unix)]
#[test]
fn an_import_that_runs_is_told_from_one_that_was_killed() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..ROWS));
    let mut child = start(&stage);
    until_posts(&stage, &mut child, 1);
    signal(&child, "STOP");
    let status = stage.run(&["status"]).expect(0).stdout;
    let held = format!(
        "has not ended (process {}: gutterbatch {} uses the journal)\n",
        child.id(),
        IMPORT.join(" ")
    );
    let done = format!("done          no: the import of leads.csv {held}");
    assert!(status.starts_with(&done), "{status}");
    assert!(status.contains(&format!("leads.csv: {held}")), "{status}");
    for args in [&["status"][..], &["status", "leads.csv"]] {
        let status = stage.run(args).expect(0).stdout;
        assert!(status.contains("\nends          about "), "{status}");
        let needs = "\nneeds you     nothing while that import runs\n";
        assert!(status.contains(needs), "{status}");
        let pending = format!(" of {ROWS} rows of this import pending\n");
        assert!(status.contains(&pending), "{status}");
    }
    let unfinished = |running: bool| {
        let status = stage.run(&["status", "--json"]).expect(0).json();
        let run = &status["last_runs"][0];
        let answered = &status["requests"]["created"];
        let pending = ROWS as u64 - answered.as_u64().unwrap();
        assert!(run["outcomes"].is_null(), "{run}");
        assert_eq!(
            run["unfinished"],
            serde_json::json!({"running": running, "rows": ROWS, "pending": pending})
        );
    };
    unfinished(true);
    // The message quotes the other command, whose flags are not those of a profile.
    stage.file("home/config.toml", "[profile.default]\nrate = \"600/1h\"\n");
    let locked = stage.run(&["import", "leads.csv"]).expect(7).stderr;
    assert!(
        locked.contains("error: another run uses the journal"),
        "{locked}"
    );
    assert!(!locked.contains("is set in"), "{locked}");
    child.kill().unwrap();
    child.wait().unwrap();
    let status = stage.run(&["status"]).expect(0).stdout;
    let interrupted =
        "no: the import of leads.csv was interrupted: run the same command again to resume\n";
    assert!(status.contains(interrupted), "{status}");
    unfinished(false);
    // Neither an export nor an import that has not begun to submit is the run that was killed.
    for command in ["export bill.xlsx --new", "import other.csv"] {
        let holder = gutterbatch::journal::JournalAccess::Exclusive {
            holder: format!("process 5: gutterbatch {command}"),
        };
        let _held = gutterbatch::journal::Journal::open(&stage.journal(), &holder).unwrap();
        let status = stage.run(&["status"]).expect(0).stdout;
        assert!(status.contains(interrupted), "{status}");
        let needs = "\nneeds you     the import was interrupted: gutterbatch import ";
        assert!(status.contains(needs), "{status}");
        assert!(status.contains(" if the import resumes now: "), "{status}");
    }
}
