//! System calls that fail or kill the program: every measurement stays in exactly one sealed export.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;
use crate::support::strace::{can_trace, injected};
use crate::support::{Run, Stage};

fn sealed(stage: &Stage) -> usize {
    let run = stage.run(&["export", "--sealed", "--json"]).expect(0);
    run.json()["sealed"].as_array().unwrap().len()
}

#[test]
fn a_folder_that_cannot_be_synced_unseals_nothing_that_was_delivered() {
    if !can_trace() {
        return;
    }
    for inject in [
        "openat:error=EACCES",
        "fsync:error=EIO",
        "fsync:error=ENOSPC",
    ] {
        let stage = imported(2);
        complete(&stage, 2);
        let folder = stage.path("out");
        fs::create_dir(&folder).unwrap();
        // A workbook keeps unnamed temporary files in the folder, and so opens it before.
        let args = ["export", "out/bill.csv", "--new"];
        let run = injected(&stage.command(&args), inject, Some(&folder), Stdio::null()).expect(0);
        assert!(!run.stderr.contains("error:"), "{inject}: {}", run.stderr);
        assert!(run.stdout.contains("sealed export 1"), "{}", run.stdout);
        assert!(stage.path("out/bill.csv").exists());
        assert_eq!(sealed(&stage), 1, "{inject}");
        let again = stage.run(&["export", "next.xlsx", "--new"]).expect(0);
        assert!(again.stdout.contains("nothing new to bill"), "{inject}");
    }
}

#[test]
fn rejects_in_a_folder_that_cannot_be_synced_are_written() {
    if !can_trace() {
        return;
    }
    let stage = Stage::open();
    let folder = stage.path("in");
    let invalid = sheet(0..2) + "A-9,,,,,,\n";
    stage.file("in/leads.csv", invalid);
    let args = ["import", "in/leads.csv"];
    let command = stage.command(&args);
    let run = injected(&command, "fsync:error=EIO", Some(&folder), Stdio::null()).expect(3);
    assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    assert!(stage.path("in/leads.rejects.csv").exists());
}

#[test]
fn rejects_of_a_run_that_was_killed_once_they_stood_in_their_place_were_not_edited() {
    if !can_trace() {
        return;
    }
    let stage = Stage::open();
    let folder = stage.path("in");
    for invalid in ["A-9,,,,,,\n", "A-9,,,,,,\nA-8,,,,,,\n"] {
        stage.file("in/leads.csv", sheet(0..2) + invalid);
        let command = stage.command(&["import", "in/leads.csv"]);
        // The folder is synced when the file has been renamed.
        let run = injected(&command, "fsync:signal=KILL", Some(&folder), Stdio::null());
        assert!(run.code.is_none_or(|code| code > 128), "{run:?}");
        let rejects = fs::read_to_string(stage.path("in/leads.rejects.csv")).unwrap();
        assert_eq!(rejects.lines().count(), 1 + invalid.lines().count());
    }
    let run = stage.run(&["import", "in/leads.csv", "--json"]).expect(3);
    assert!(!run.stderr.contains("was edited"), "{}", run.stderr);
    assert_eq!(run.json()["rejects"], "in/leads.rejects.csv");
    assert!(!stage.path("in/leads.rejects-2.csv").exists());
}

#[test]
fn rejects_that_were_not_renamed_into_their_place_leave_unedited_ones_there() {
    if !can_trace() {
        return;
    }
    let stage = Stage::open();
    stage.file("in/leads.csv", sheet(0..2) + "A-9,,,,,,\n");
    stage.run(&["import", "in/leads.csv"]).expect(3);
    stage.file("in/leads.csv", sheet(0..2) + "A-9,,,,,,\nA-8,,,,,,\n");
    let rejects = stage.path("in/leads.rejects.csv");
    let before = fs::read(&rejects).unwrap();
    let command = stage.command(&["import", "in/leads.csv"]);
    let run = injected(&command, "/^rename:error=EIO", None, Stdio::null());
    assert!(run.stderr.contains("error:"), "{}", run.stderr);
    assert_eq!(fs::read(&rejects).unwrap(), before);
    let run = stage.run(&["import", "in/leads.csv", "--json"]).expect(3);
    assert_eq!(run.json()["rejects"], "in/leads.rejects.csv");
    assert_ne!(fs::read(&rejects).unwrap(), before);
}

#[test]
fn a_token_in_a_folder_that_cannot_be_synced_is_stored() {
    if !can_trace() {
        return;
    }
    let stage = Stage::open();
    let token = stage.sandbox().connection_info().token.clone();
    let token = File::open(stage.file("token", token)).unwrap();
    let secrets = stage.path("home/secrets");
    fs::create_dir_all(&secrets).unwrap();
    let command = stage.command(&["connect", "--token-stdin"]);
    let run = injected(&command, "fsync:error=EIO", Some(&secrets), token.into()).expect(0);
    assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    let mut saved = stage.command(&["whoami"]);
    saved.env_remove("GUTTERBATCH_TOKEN");
    Run::of(saved.output().unwrap()).expect(0);
}

#[test]
fn whatever_call_fails_each_measurement_is_in_exactly_one_sealed_export() {
    if !can_trace() {
        return;
    }
    let stage = imported(2);
    complete(&stage, 2);
    export(&stage, &["now.csv"], 0);
    let calls = [
        ("fsync", 1),
        ("fsync", 4),
        ("/^rename", 1),
        ("/^rename", 2),
        ("pwrite64", 9),
    ];
    for (number, (call, nth)) in calls.into_iter().enumerate() {
        for action in ["signal=KILL", "error=EIO"] {
            let what = format!("{call} {nth} {action}");
            let journal = format!("{number}-{}.db", action.len());
            let out = format!("{number}-{}.csv", action.len());
            fs::copy(stage.journal(), stage.path(&journal)).unwrap();
            let args = ["export", &out, "--new", "--offline", "--journal", &journal];
            let inject = format!("{call}:{action}:when={nth}");
            let run = injected(&stage.command(&args), &inject, None, Stdio::null());
            let list = ["--sealed", "--json", "--journal", &journal];
            let sealed = export(&stage, &list, 0).json()["sealed"]
                .as_array()
                .unwrap()
                .len();
            if run.stderr.contains("nothing was sealed") {
                assert_eq!(sealed, 0, "{what}: {}", run.stderr);
            }
            if run.code == Some(0) {
                assert_eq!(sealed, 1, "{what}: {}", run.stderr);
            }
            stage.run(&args).expect(0);
            assert!(stage.path(&out).exists(), "{what}");
            let next = ["next.csv", "--new", "--offline", "--journal", &journal];
            let next = export(&stage, &next, 0);
            assert!(
                next.stdout.contains("nothing new to bill"),
                "{what}: {}",
                next.stdout
            );
            let words = ["-", "--format", "json", "--offline", "--journal", &journal];
            let lines = export(&stage, &words, 0).json();
            for line in lines.as_array().unwrap() {
                assert_eq!(line["sealed"], 1, "{what}");
            }
        }
    }
}

#[test]
fn a_refused_wake_up_of_the_runtime_is_a_sentence_with_8_and_never_a_bug() {
    if !can_trace() {
        return;
    }
    let stage = imported(2);
    complete(&stage, 2);
    let args = ["export", "bill.csv", "--new"];
    let wake_ups = Path::new("anon_inode:[eventfd]");
    for inject in [
        "write:error=EIO",
        "write:error=ENOSPC",
        "write:error=EIO:when=2",
    ] {
        let run = injected(&stage.command(&args), inject, Some(wake_ups), Stdio::null()).expect(8);
        assert!(
            run.stderr
                .contains("error: the operating system refused a call"),
            "{inject}: {}",
            run.stderr
        );
        assert!(
            run.stderr.contains("run the same command again to resume"),
            "{inject}: {}",
            run.stderr
        );
        assert_eq!(run.stderr.matches("error:").count(), 1, "{}", run.stderr);
    }
    stage.run(&args).expect(0);
    assert_eq!(sealed(&stage), 1);
}

#[test]
fn an_export_that_ends_in_its_middle_leaves_no_temporary_folder() {
    if !can_trace() {
        return;
    }
    let stage = imported(2);
    complete(&stage, 2);
    let folder = stage.path("temporary");
    fs::create_dir(&folder).unwrap();
    let args = ["export", "bill.xlsx", "--images", "embed", "--force"];
    let mut refused = 0;
    for nth in 1..=6 {
        let mut command = stage.command(&args);
        command.env("TMPDIR", &folder);
        let inject = format!("write:error=EIO:when={nth}");
        let wake_ups = Path::new("anon_inode:[eventfd]");
        let run = injected(&command, &inject, Some(wake_ups), Stdio::null());
        refused += u32::from(run.stderr.contains("the operating system refused a call"));
        let left: Vec<_> = folder.read_dir().unwrap().flatten().collect();
        assert!(left.is_empty(), "{nth}: {left:?}");
    }
    assert!(refused > 0);
}

#[test]
fn a_refused_thread_is_a_sentence_with_8_and_never_a_bug() {
    if !can_trace() {
        return;
    }
    let stage = imported(2);
    complete(&stage, 2);
    stage.file("more.csv", sheet(2..3));
    let mut refused = 0;
    for nth in 1..=9 {
        for args in [
            &["check", "more.csv"][..],
            &["import", "leads.csv"],
            &["export", "results.xlsx"],
            &["whoami"],
        ] {
            let inject = format!("clone3:error=EAGAIN:when={nth}");
            let run = injected(&stage.command(args), &inject, None, Stdio::null());
            assert!(
                matches!(run.code, Some(0 | 8)) && !run.stderr.contains("a bug"),
                "{nth} {args:?}: {run:?}"
            );
            if run.code == Some(8) {
                refused += 1;
                assert_eq!(run.stderr.matches("error:").count(), 1, "{}", run.stderr);
            }
        }
    }
    assert!(refused > 0, "no thread was refused");
}
