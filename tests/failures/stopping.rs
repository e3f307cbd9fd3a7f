//! Told to stop once and twice, suspended, kept waiting: what a person does to a run, and what a service that never
//! answers does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::failures::interrupted::signal;
#[cfg(target_os = "linux")]
use crate::failures::interrupted::{
    IMPORT, assert_nothing_is_doubled, posts, slow, start, until_posts,
};
use crate::support::canned::{self, Canned, Gate};
use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

/// How many requests are on their way at once, unless a flag says otherwise.
const IN_FLIGHT: usize = 8;

/// A healthy service but for what `misbehaves` makes of a POST request and its number, 1 for the first.
fn service(misbehaves: impl Fn(&str, usize) -> Option<Vec<u8>> + Send + Sync + 'static) -> Canned {
    let posted = AtomicUsize::new(0);
    Canned::answering(move |request| {
        let odd = request
            .starts_with("POST")
            .then(|| misbehaves(request, posted.fetch_add(1, Ordering::Relaxed) + 1));
        odd.flatten().unwrap_or_else(|| canned::healthy(request))
    })
}

/// Whether the tests, and so the programs that they start, ignore SIGHUP; only Linux says so.
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 1)
}

fn posted(heard: &[String]) -> usize {
    let posts = heard.iter().filter(|request| request.starts_with("POST"));
    posts.count()
}

fn import(stage: &Stage, service: &Canned, flags: &[&str]) -> Command {
    let mut command = stage.against(service, &["import", "leads.csv", "--json"]);
    command
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the line that says that the run is stopping; gives it back with the rest of standard error.
fn until_stopping(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = lines.find(|line| line.as_ref().unwrap().contains(": stopping: "));
    said.expect("the run says that it is stopping").unwrap()
}

#[test]
fn the_second_signal_ends_at_once_and_the_same_command_resumes() {
    for (first, second, code) in [
        ("INT", "INT", 130),
        ("TERM", "TERM", 143),
        ("TERM", "INT", 143),
        ("HUP", "HUP", 143),
    ] {
        // Under nohup the program has to ignore it.
        if first == "HUP" && is_hangup_ignored() {
            continue;
        }
        let stage = Stage::offline();
        stage.file("leads.csv", sheet(0..30));
        let gate = Arc::<Gate>::default();
        let closed = Arc::clone(&gate);
        // After ten rows the service receives everything and responds to nothing until the gate is open.
        let service = service(move |_, number| {
            if number > 10 {
                closed.pass();
            }
            None
        });
        let mut child = import(&stage, &service, &[]).spawn().unwrap();
        service.wait_for(|heard| posted(heard) >= 10 + IN_FLIGHT);
        signal(&child, first);
        let said = until_stopping(&mut child);
        let quit = match first {
            "INT" => "press Ctrl-C again to quit now",
            _ => "send the signal again to quit now",
        };
        assert!(said.contains(quit), "{said}");
        assert_eq!(said.contains("Ctrl-C"), first == "INT", "{said}");
        signal(&child, second);
        let run = Run::of(child.wait_with_output().unwrap())
            .expect(code)
            .json();
        assert_eq!(outcomes(&run), [("created", 10), ("pending", 20)].into());
        // What nobody waited for has left all the same.
        assert_eq!(run["requests"]["post"], 10 + IN_FLIGHT);
        gate.open();
        let resumed = Run::of(import(&stage, &service, &[]).output().unwrap()).expect(0);
        assert_eq!(
            outcomes(&resumed.json()),
            [("created", 20), ("known", 10)].into()
        );
    }
}

#[test]
fn what_was_written_down_ahead_and_never_left_is_taken_back() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..200));
    let gate = Arc::<Gate>::default();
    let closed = Arc::clone(&gate);
    // Quick answers have rows written down ahead of the wire; then none leaves for a while. So many lanes have some
    // ahead even where answers take a second.
    let lanes = 32;
    let service = service(move |_, number| {
        if number > 40 {
            closed.pass();
        }
        None
    });
    let flags = ["--concurrency", "32", "--rate", "100000/1h"];
    let mut child = import(&stage, &service, &flags).spawn().unwrap();
    let unanswered = || {
        let status = stage.run(&["status", "--json"]).expect(0).json();
        status["requests"]["unanswered"].as_u64().unwrap()
    };
    service.wait_for(|heard| posted(heard) >= 40 + lanes);
    while unanswered() <= lanes as u64 {}
    signal(&child, "INT");
    until_stopping(&mut child);
    gate.open();
    let run = Run::of(child.wait_with_output().unwrap())
        .expect(130)
        .json();
    assert_eq!(outcomes(&run), [("created", 72), ("pending", 128)].into());
    assert_eq!(unanswered(), 0);
}

/// Where the system says of a process that it is suspended.
#[cfg(target_os = "linux")]
#[test]
fn a_suspended_run_goes_on_where_it_was() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..60));
    let mut child = start(&stage);
    until_posts(&stage, &mut child, 20);
    signal(&child, "STOP");
    let proc_stat = format!("/proc/{}/stat", child.id());
    while !std::fs::read_to_string(&proc_stat).is_ok_and(|stat| stat.contains(") T ")) {
        std::thread::yield_now();
    }
    let seen = posts(&stage);
    // What was on its way is answered meanwhile; nothing else leaves.
    signal(&child, "CONT");
    let run = Run::of(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(outcomes(&run.json()), [("created", 60)].into());
    assert!(seen < 60, "it was suspended in the middle");
    assert_nothing_is_doubled(&stage);
    let calls = stage.sandbox().calls().len();
    stage.run(&IMPORT).expect(0);
    assert_eq!(stage.sandbox().calls().len(), calls);
}

#[test]
fn a_call_that_hangs_is_given_up_after_its_time_out_and_made_again() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..5));
    let service = service(|_, number| {
        if number == 2 {
            Gate::default().pass();
        }
        None
    });
    let mut command = import(&stage, &service, &["--call-timeout", "1s"]);
    let run = Run::of(command.output().unwrap()).expect(0).json();
    assert_eq!(outcomes(&run), [("created", 5)].into());
    // A busy machine may let further calls time out, and they end well all the same.
    assert!(run["requests"]["retried"].as_u64().unwrap() >= 1, "{run}");
}

#[test]
fn a_hundred_megabytes_in_place_of_an_answer_cost_a_retry() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..5));
    let service = service(|_, number| {
        (number == 2).then(|| canned::answer("201 Created", "", &" ".repeat(100 << 20)))
    });
    let run = Run::of(import(&stage, &service, &[]).output().unwrap())
        .expect(0)
        .json();
    assert_eq!(outcomes(&run), [("created", 5)].into());
    assert_eq!(run["requests"]["retried"], 1);
}

fn validation_failed(errors: &Value) -> Vec<u8> {
    let body = json!({"error": {"code": "validation_failed", "message": "no", "errors": errors}});
    canned::json("422 Unprocessable Content", &body)
}

#[test]
fn a_run_that_refusals_end_does_not_wait_for_the_quota() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..40));
    let refusal = json!([{"field": "notes", "message": "odd"}]);
    let service = service(move |_, _| Some(validation_failed(&refusal)));
    // A quota for GET /me and eleven rows: seven more wait for an hour when the tenth in a row is refused.
    let mut command = import(&stage, &service, &["--rate", "12/1h"]);
    let run = Run::of(command.output().unwrap()).expect(4).json();
    let refused = run["outcomes"]["refused"].as_u64().unwrap();
    assert!((10..=11).contains(&refused), "{run}");
}

#[test]
fn a_validation_failure_of_any_shape_refuses_its_row_and_no_other() {
    for (errors, shown) in [
        (
            json!([{"field": "address.planet[0]", "message": "odd"}]),
            "address.planet[0]: odd",
        ),
        (
            json!([{"field": "notes", "message": "odd\nfor: a lead"}]),
            "notes: odd",
        ),
        (json!([{"field": null, "message": "odd"}]), "service: odd"),
        (json!([{"message": "odd"}]), "service: odd"),
        (json!(["odd"]), "service: odd"),
        (json!({"notes": ["odd"]}), "notes"),
        (json!(null), "service: no"),
    ] {
        let stage = Stage::offline();
        stage.file("leads.csv", sheet(0..4));
        let answer = validation_failed(&errors);
        let service =
            service(move |request, _| request.contains("\"A-2\"").then(|| answer.clone()));
        let run = Run::of(import(&stage, &service, &[]).output().unwrap())
            .expect(3)
            .json();
        assert_eq!(
            outcomes(&run),
            [("created", 3), ("refused", 1)].into(),
            "{errors}"
        );
        let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
        assert!(rejects.contains(shown), "{errors}: {rejects}");
        let again = Run::of(import(&stage, &service, &[]).output().unwrap())
            .expect(3)
            .json();
        assert_eq!(again["requests"]["total"], 0);
        let same = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
        assert_eq!(same, rejects, "{errors}");
    }
}

#[test]
fn a_wait_beyond_the_users_own_time_is_not_waited_out() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    let service = service(|_, _| {
        Some(canned::answer(
            "503 Unavailable",
            "Retry-After: 7000\r\n",
            "",
        ))
    });
    let mut command = import(&stage, &service, &["--until", "1h"]);
    let run = Run::of(command.output().unwrap()).expect(4).json();
    assert_eq!(outcomes(&run), [("pending", 3)].into());
    assert_eq!(run["requests"]["post"], 3);
}

/// A service that hears everything and never answers.
fn silent() -> Canned {
    Canned::answering(|_| {
        std::thread::park();
        Vec::new()
    })
}

#[test]
fn a_signal_ends_whoami_at_once_with_one_error_and_a_document() {
    for (name, code, kind) in [("INT", 130, "interrupted"), ("TERM", 143, "terminated")] {
        let stage = Stage::offline();
        let service = silent();
        let mut command = stage.against(&service, &["whoami", "--json"]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        service.wait_for(|heard| !heard.is_empty());
        signal(&child, name);
        let run = Run::of(child.wait_with_output().unwrap()).expect(code);
        let hint = "hint: nothing is lost; run the same command again to resume";
        assert_eq!(run.stderr, format!("error: {kind}\n{hint}\n"));
        assert_eq!(run.json()["error"]["kind"], kind);
    }
}

#[test]
fn two_signals_end_an_export_with_one_error_and_a_document() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    let service = Canned::answering(move |request| {
        if request.starts_with("GET /measurements/") {
            std::thread::park();
        }
        canned::healthy(request)
    });
    Run::of(import(&stage, &service, &[]).output().unwrap()).expect(0);
    let heard = service.heard().len();
    let mut command = stage.against(&service, &["export", "out.csv", "--json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    service.wait_for(|requests| requests.len() > heard);
    signal(&child, "TERM");
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let said = lines.next().unwrap().unwrap();
    assert!(said.contains("send the signal again to quit now"), "{said}");
    signal(&child, "TERM");
    let errors: Vec<String> = lines.map(Result::unwrap).collect();
    let run = Run::of(child.wait_with_output().unwrap()).expect(143);
    assert!(errors[0].starts_with("error: terminated"), "{errors:?}");
    assert_eq!(
        errors
            .iter()
            .filter(|line| line.starts_with("error:"))
            .count(),
        1
    );
    assert_eq!(run.json()["error"]["kind"], "terminated");
    assert!(!stage.path("out.csv").exists());
}

#[test]
fn a_run_that_refusals_end_counts_all_of_them_and_names_the_next_commands() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..40));
    let refusal = json!([{"field": "notes", "message": "odd"}]);
    let service = service(move |_, _| Some(validation_failed(&refusal)));
    let command = || stage.against(&service, &["import", "leads.csv"]);
    let run = Run::of(command().output().unwrap()).expect(4);
    let refused = std::fs::read_to_string(stage.path("leads.rejects.csv"))
        .unwrap()
        .lines()
        .count()
        - 1;
    assert!(
        run.stdout.contains(&format!("{refused} refused")),
        "{}",
        run.stdout
    );
    let reached = "error: stopped when the service had refused 10 rows";
    assert!(run.stderr.contains(reached), "{}", run.stderr);
    let more = match refused - 10 {
        0 => format!("{reached}\n"),
        1 => format!("{reached}; it refused 1 more that was already sent\n"),
        more => format!("{reached}; it refused {more} more that were already sent\n"),
    };
    assert!(run.stderr.contains(&more), "{}", run.stderr);
    for next in [
        "hint: correct the rows in leads.rejects.csv and import that file: gutterbatch import leads.rejects.csv\n",
        "or submit the other rows first: gutterbatch import leads.csv --max-refused 50%\n",
    ] {
        assert!(run.stderr.contains(next), "{}", run.stderr);
    }
}

#[test]
fn a_signal_while_a_file_is_read_ends_at_once_with_one_document() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        for words in [&["check", "-"][..], &["import", "-"], &["rehearse", "-"]] {
            let stage = Stage::offline();
            let mut command = stage.command(&[words, &["--json"]].concat());
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // More than a pipe holds, so that the program reads by now; the rest never comes.
            let mut rows = child.stdin.take().unwrap();
            rows.write_all(sheet(0..4_000).as_bytes()).unwrap();
            signal(&child, name);
            let run = Run::of(child.wait_with_output().unwrap()).expect(code);
            drop(rows);
            let document = run.json();
            assert_eq!(document["command"], words[0]);
            assert_eq!(document["exit_code"], code);
            let hint = "run the same command again";
            assert!(run.stderr.contains(hint), "{}", run.stderr);
        }
    }
}
