//! `rehearse`: the whole job against the stand-in, and the count that a rough one ends with.

use std::io::Write;
use std::process::{Command, Stdio};

use gutterbatch::api::{ApiCall, ApiClient, BearerToken, HttpResponse, Timeouts};
use gutterbatch::journal::{Journal, JournalAccess};
use gutterbatch::model::{Account, Address, Customer, Request};

#[cfg(target_os = "linux")]
use crate::connect::hidden::Sitting;
use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

fn rehearse(stage: &Stage, args: &[&str]) -> Command {
    let mut command = stage.bare_command(&["rehearse"]);
    command
        .args(args)
        .args(["-o", "results.xlsx", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_rough_rehearsal_loses_nothing_and_doubles_nothing() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..200));
    let mut command = rehearse(&stage, &["leads.csv", "--rough", "--seed", "3"]);
    let run = Run::of(command.output().unwrap()).expect(0).json();
    let rough = &run["rough"];
    assert_eq!((&rough["lost"], &rough["doubled"]), (&0.into(), &0.into()));
    assert_eq!(rough["rows"], 200);
    assert!(rough["kills"].as_u64().unwrap() > 0, "{rough}");
    assert!(rough["faults"].as_u64().unwrap() > 0, "{rough}");
    // The killed runs count too.
    let import = &run["import"];
    let outcomes = outcomes(import);
    assert_eq!(outcomes.get("known"), None, "{import}");
    assert_eq!(outcomes.values().sum::<u64>(), 200, "{import}");
    assert!(
        import["requests"]["post"].as_u64().unwrap() >= 200,
        "{import}"
    );
}

#[test]
fn a_measurement_that_no_row_accounts_for_is_counted_and_ends_with_1() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..200));
    let args = ["leads.csv", "--rough", "--seed", "3", "--keep", "kept"];
    let mut child = rehearse(&stage, &args).spawn().unwrap();
    // As if a row had been sent under an id of its own making, beside the run.
    let (binding, token) = loop {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        if let (Some(binding), Some(token)) = (bound(&stage), token(&stage)) {
            break (binding, token);
        }
    };
    stage.block_on(plant(&binding, &token, "wandered"));
    let run = Run::of(child.wait_with_output().unwrap()).expect(1).json();
    assert_eq!(run["rough"]["lost"], 0);
    assert_eq!(run["rough"]["doubled"], 1);
    assert_eq!(outcomes(&run["import"]).get("pending"), None);
}

fn bound(stage: &Stage) -> Option<Account> {
    let journal = stage.path("kept/journals/rehearsal.db");
    if !journal.exists() {
        return None;
    }
    Journal::open(&journal, &JournalAccess::Shared)
        .ok()?
        .binding()
        .ok()?
}

fn token(stage: &Stage) -> Option<BearerToken> {
    let text = std::fs::read(stage.path("kept/secrets/rehearsal.json")).ok()?;
    let json: serde_json::Value = serde_json::from_slice(&text).ok()?;
    BearerToken::new(json["held"]["token"].as_str()?)
}

/// Creates a measurement, however often the service fails on purpose.
async fn plant(binding: &Account, token: &BearerToken, external_id: &str) {
    let request = Request {
        external_id: external_id.to_owned(),
        address: Address {
            line1: "10 Elm Street".to_owned(),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country: None,
        },
        customer: Customer {
            name: "Customer 0".to_owned(),
            email: Some("c0@example.com".to_owned()),
            phone: None,
        },
        notes: None,
        url: None,
        label: None,
    };
    let client = ApiClient::new(
        binding.base_url.parse().unwrap(),
        "2026-01-15".parse().unwrap(),
        token.clone(),
        Timeouts::default(),
    );
    let client = client.unwrap();
    while !matches!(
        client.send(ApiCall::Create(&request)).await,
        Ok(HttpResponse {
            status: 200 | 201,
            ..
        })
    ) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn standard_input_is_rehearsed_like_a_file() {
    let stage = Stage::offline();
    for rough in [&["-"][..], &["-", "--rough"]] {
        let mut command = rehearse(&stage, rough);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(sheet(0..5).as_bytes()).unwrap();
        drop(stdin);
        let run = Run::of(child.wait_with_output().unwrap()).expect(0).json();
        assert_eq!(run["import"]["rows"], 5);
        assert_eq!(run["export"]["measurements"], 5);
    }
}

#[test]
fn advice_after_a_rehearsal_names_no_file_that_is_gone() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2) + ",,,,,,\n,nobody\n");
    let advice = |extra: &[&str]| {
        let words = [&["rehearse", "leads.csv", "-o", "results.xlsx"], extra].concat();
        let run = Run::of(stage.bare_command(&words).output().unwrap()).expect(3);
        let hint = run.stderr.lines().find(|line| line.starts_with("hint: "));
        hint.unwrap_or_else(|| panic!("{}", run.stderr)).to_owned()
    };
    assert_eq!(
        advice(&[]),
        "hint: the real import would reject those rows too: `gutterbatch check leads.csv` lists what to correct"
    );
    assert!(advice(&["--keep", "kept"]).contains("leads.rejects.csv"));
    assert!(stage.path("kept/leads.rejects.csv").is_file());
}

#[test]
fn a_rehearsal_is_kept_in_a_new_or_empty_folder_only() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    let mine = stage.file("mine/standard-input.csv", "mine");
    let keep = |folder: &str| {
        let words = ["rehearse", "leads.csv", "--keep", folder];
        Run::of(stage.bare_command(&words).output().unwrap())
    };
    let refused = keep("mine").expect(8);
    assert!(
        refused
            .stderr
            .contains("--keep mine: the folder is not empty\n"),
        "{}",
        refused.stderr
    );
    assert_eq!(std::fs::read_to_string(mine).unwrap(), "mine");
    assert!(!stage.path("leads.rehearsal.xlsx").exists());
    stage.file("afile", "mine");
    let refused = keep("afile").expect(8);
    assert!(
        refused.stderr.starts_with("error: cannot create afile: "),
        "{}",
        refused.stderr
    );
    std::fs::create_dir(stage.path("empty")).unwrap();
    keep("empty").expect(0);
    let said = keep("kept").expect(0).stderr;
    let kept = "journal, settings and rejects are kept in kept\n";
    assert!(said.contains(kept), "{said}");
    let journal = std::fs::read(stage.path("kept/journals/rehearsal.db")).unwrap();
    let refused = keep("kept").expect(8);
    assert!(
        refused.stderr.contains("in a new folder\n"),
        "{}",
        refused.stderr
    );
    let after = std::fs::read(stage.path("kept/journals/rehearsal.db")).unwrap();
    assert!(journal == after);
}

#[test]
fn a_rehearsal_without_a_file_uses_the_built_in_sample() {
    let stage = Stage::offline();
    let run = Run::of(stage.bare_command(&["rehearse"]).output().unwrap()).expect(0);
    assert!(
        run.stdout.starts_with("rehearsed the built-in sample"),
        "{}",
        run.stdout
    );
    assert!(stage.path("sample.rehearsal.xlsx").is_file());
}

#[test]
fn the_workbook_of_a_rehearsal_restores_no_journal() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    Run::of(rehearse(&stage, &["leads.csv"]).output().unwrap()).expect(0);
    for words in [
        &["import", "results.xlsx"][..],
        &["import", "--restore", "results.xlsx"],
    ] {
        let refused = Run::of(stage.bare_command(words).output().unwrap()).expect(10);
        let stderr = &refused.stderr;
        assert!(stderr.contains("are invented"), "{stderr}");
        assert!(!stderr.contains("--restore"), "{stderr}");
    }
}

#[test]
fn a_rehearsal_is_not_written_to_standard_output() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let run = stage.run(&["rehearse", "leads.csv", "-o", "-"]).expect(2);
    let error = "error: standard output cannot carry a rehearsal\nhint: name a file\n";
    assert_eq!(run.stderr, error);
}

#[test]
fn a_rehearsal_without_an_output_names_it_for_the_file() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    let command = || stage.bare_command(&["rehearse", "leads.csv"]).output();
    let run = Run::of(command().unwrap()).expect(0);
    let next =
        "next: compare the sheet with what was requested before: gutterbatch check leads.csv\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
    assert!(stage.path("leads.rehearsal.xlsx").is_file());
    // A second rehearsal replaces the workbook of the first.
    Run::of(command().unwrap()).expect(0);
}

#[test]
fn the_rejects_of_any_workbook_have_the_format_that_is_written() {
    let stage = Stage::offline();
    let ods = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sheets/leads.ods");
    let args = [
        "rehearse",
        ods,
        "-o",
        "results.xlsx",
        "--keep",
        "kept",
        "--json",
    ];
    let run = Run::of(stage.bare_command(&args).output().unwrap()).expect(3);
    let rejects = stage.path("kept/leads.rejects.xlsx");
    assert_eq!(run.json()["import"]["rejects"], rejects.to_str().unwrap());
    assert!(rejects.is_file());
    // Text with the name of a workbook.
    stage.file("leads.xlsx", sheet(0..2) + ",,,,,,\n,nobody\n");
    let args = [
        "rehearse",
        "leads.xlsx",
        "-o",
        "results.xlsx",
        "--keep",
        "kept-2",
    ];
    Run::of(stage.bare_command(&args).output().unwrap()).expect(3);
    let rejects = std::fs::read_to_string(stage.path("kept-2/leads.rejects.csv"));
    assert!(rejects.unwrap().contains("nobody"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_rehearsal_that_is_terminated_leaves_no_process_and_no_folder() {
    let is_of = |stage: &Stage, process: &std::path::Path| {
        std::fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == stage.folder())
    };
    // With more rows than the quota has requests, the import waits while it is stopped.
    for (rough, rows, drawn) in [
        (" --rough", 200, "of at most 70; Ctrl-C is safe"),
        ("", 700, "requests to the stand-in; running `import`"),
    ] {
        let stage = Stage::offline();
        stage.file("leads.csv", sheet(0..rows));
        std::fs::create_dir(stage.path("temporary")).unwrap();
        let command = format!(
            "TERM=xterm TMPDIR=temporary gutterbatch rehearse leads.csv{rough} & p=$!; read x; kill -TERM $p; wait $p; echo code $?"
        );
        let mut sitting = Sitting::at(&stage, &command);
        sitting.until(drawn);
        sitting.press("\n");
        let shown = sitting.end().stdout;
        assert!(shown.contains("code 143"), "{shown}");
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let hint = "nothing was sent to the service; the same command starts from the beginning";
        assert!(flat.contains(hint), "{shown}");
        let left: Vec<_> = std::fs::read_dir(stage.path("temporary"))
            .unwrap()
            .collect();
        assert!(left.is_empty(), "{left:?}");
        let processes = std::fs::read_dir("/proc").unwrap();
        let left = processes.filter(|process| is_of(&stage, &process.as_ref().unwrap().path()));
        assert_eq!(left.count(), 0, "{shown}");
    }
}
