//! Tokens and secrets are in the one place made for them, and nowhere else: no output, no other file, no command line.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::connect::asking::Asking;
use crate::support::imports::sheet;
use crate::support::{Canned, Run, Stage, canned};

/// Everything below the stage's folder that holds one of the secrets, by its path there.
fn holders(stage: &Stage, secrets: &[&str]) -> Vec<String> {
    let mut holders = Vec::new();
    let mut folders = vec![stage.folder().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if holds(&path, secrets) {
                let below = path.strip_prefix(stage.folder()).unwrap();
                holders.push(below.display().to_string());
            }
        }
    }
    holders
}

fn holds(file: &Path, secrets: &[&str]) -> bool {
    let bytes = fs::read(file).unwrap();
    let holds = |secret: &str| {
        bytes
            .windows(secret.len())
            .any(|part| part == secret.as_bytes())
    };
    secrets.iter().any(|secret| holds(secret))
}

fn token_of(stage: &Stage) -> String {
    token_in(&stage.path("home/secrets/default.json"))
}

fn token_in(file: &Path) -> String {
    let text = fs::read(file).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    json["held"]["token"].as_str().unwrap().to_owned()
}

#[test]
fn every_command_at_vvv_keeps_token_and_secret_to_itself() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..5));
    let secret = stage.sandbox().connection_info().client_secret.clone();
    let asking = Asking::start(&stage, &["-vvv"]);
    stage.allow(&asking.link);
    let mut runs = vec![asking.end().expect(0)];
    let token = token_of(&stage);
    let secrets = [token.as_str(), secret.as_str()];
    for args in [
        &["whoami", "-vvv"][..],
        &["whoami", "--json", "-vvv"],
        &["status", "-vvv"],
        &["status", "--json"],
        &["check", "leads.csv", "-vvv"],
        &["import", "leads.csv", "--yes", "-vvv"],
        &["import", "leads.csv", "--json", "-vvv"],
        &["status", "--id", "A-1", "--json", "-vvv"],
        &["export", "results.xlsx", "-vvv"],
        &["export", "results.json", "--json", "-vvv"],
        &["whoami", "--base-url", "http://127.0.0.1:1", "-vvv"],
        &[
            "import",
            "leads.csv",
            "--service-version",
            "1999-01-01",
            "-vvv",
        ],
    ] {
        runs.push(Run::of(stage.bare_command(args).output().unwrap()));
    }
    let only = ["home/secrets/default.json"];
    assert_eq!(holders(&stage, &secrets), only);
    runs.push(
        Run::of(
            stage
                .bare_command(&["disconnect", "-vvv"])
                .output()
                .unwrap(),
        )
        .expect(0),
    );
    runs.push(Run::of(stage.bare_command(&["whoami", "-vvv"]).output().unwrap()).expect(5));
    assert!(holders(&stage, &secrets).is_empty());
    for Run { stdout, stderr, .. } in &runs {
        for secret in secrets {
            assert!(
                !stdout.contains(secret) && !stderr.contains(secret),
                "{stdout}\n{stderr}"
            );
        }
    }
}

#[test]
fn commands_that_need_no_token_pass_none_on() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    let given = ["env-t0ken-4711", "env-s3cret-4711"];
    let run = |args: &[&str]| {
        let mut command = stage.bare_command(args);
        command
            .env("GUTTERBATCH_TOKEN", given[0])
            .env("GUTTERBATCH_CLIENT_SECRET", given[1]);
        Run::of(command.output().unwrap())
    };
    for args in [
        &["check", "leads.csv", "-vv"][..],
        &["check", "leads.csv", "--json", "-vv"],
        &["import", "leads.csv", "--dry-run", "-vv"],
        &["import", "leads.csv", "-vv"],
        &["status", "-vv"],
        &["status", "leads.csv", "--json", "-vv"],
        &["export", "results.xlsx", "--offline", "-vv"],
        &["template", "leads.xlsx", "-vv"],
        &["completions", "bash", "-vv"],
        &["man", "-vv"],
        &["man", "pages", "-vv"],
        &[
            "rehearse",
            "leads.csv",
            "-o",
            "r.xlsx",
            "--keep",
            "calm",
            "-vv",
        ],
        &[
            "rehearse",
            "leads.csv",
            "-o",
            "r.csv",
            "--rough",
            "--keep",
            "rough",
            "-vv",
        ],
        &["sandbox", "--listen", "0.0.0.0:1", "-vv"],
        &["whoami", "--help"],
        &["nonsense", "-vv"],
    ] {
        let Run { stdout, stderr, .. } = run(args);
        for secret in given {
            assert!(!stdout.contains(secret), "{args:?}: {stdout}");
            assert!(!stderr.contains(secret), "{args:?}: {stderr}");
        }
    }
    assert!(holders(&stage, &given).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn the_processes_that_a_rough_rehearsal_starts_are_handed_no_secret() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..100));
    let mut command = stage.bare_command(&["rehearse", "leads.csv", "-o", "r.csv", "--rough"]);
    command
        .args(["--seed", "3", "--keep", "kept", "--json"])
        .env("GUTTERBATCH_TOKEN", "env-t0ken-4711")
        .env("GUTTERBATCH_CLIENT_SECRET", "env-s3cret-4711");
    let mut rehearsal = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = Vec::new();
    while rehearsal.try_wait().unwrap().is_none() {
        seen.extend(children(rehearsal.id()));
    }
    let token = token_in(&stage.path("kept/secrets/rehearsal.json"));
    assert!(!seen.is_empty(), "no process was seen");
    for process in seen {
        for secret in ["env-t0ken-4711", "env-s3cret-4711", &token] {
            assert!(!process.contains(secret), "{process}");
        }
    }
}

/// Command line and environment of every process that this one started and that lives.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<String> {
    let list = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let list = list.unwrap_or_default();
    let told = |id: &str, what: &str| {
        let bytes = fs::read(format!("/proc/{id}/{what}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    list.split_whitespace()
        .map(|id| (told(id, "cmdline"), told(id, "environ")))
        // Between fork and exec it is still its parent.
        .filter(|(words, _)| words.contains("\0import\0"))
        .map(|(words, environment)| words + &environment)
        .collect()
}

#[test]
fn a_token_of_the_environment_is_saved_nowhere() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    let announced = stage.sandbox().connection_info();
    stage.run(&["import", "leads.csv", "-vvv"]).expect(0);
    stage.run(&["export", "results.xlsx", "-vvv"]).expect(0);
    assert!(holders(&stage, &[&announced.token, &announced.client_secret]).is_empty());
}

#[test]
fn a_token_that_the_service_refuses_is_not_shown() {
    let stage = Stage::open();
    let mut command = stage.command(&["whoami", "-vvv"]);
    let run = Run::of(
        command
            .env("GUTTERBATCH_TOKEN", "s3cret-token")
            .output()
            .unwrap(),
    )
    .expect(5);
    assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
    let mut command = stage.command(&["whoami", "-vvv"]);
    let run = Run::of(
        command
            .env("GUTTERBATCH_TOKEN", "s3cret token")
            .output()
            .unwrap(),
    )
    .expect(2);
    assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
}

#[test]
fn status_says_where_the_token_is() {
    let stage = Stage::open();
    let place = |run: Run| run.json()["token"]["place"].clone();
    let status = || Run::of(stage.bare_command(&["status", "--json"]).output().unwrap()).expect(0);
    assert_eq!(place(status()), serde_json::Value::Null);
    assert_eq!(
        place(stage.run(&["status", "--json"]).expect(0)),
        "environment"
    );
    let asking = Asking::start(&stage, &[]);
    stage.allow(&asking.link);
    asking.end().expect(0);
    assert_eq!(place(status()), "file");
}

#[test]
fn a_response_that_quotes_the_request_gives_no_token_away() {
    let token = "env-t0ken-4711";
    for status in ["400 Bad Request", "422 Unprocessable"] {
        let stage = Stage::offline();
        stage.file("leads.csv", sheet(0..1));
        let service = Canned::answering(move |request| {
            if request.starts_with("GET /me") {
                return canned::healthy(request);
            }
            let head = request.split_once("\r\n\r\n").unwrap().0;
            let quoted = json!({ "field": "notes", "message": head });
            let error = json!({ "code": head, "message": head, "errors": [quoted] });
            canned::json(status, &json!({ "error": error }))
        });
        let import = ["import", "leads.csv", "--log", "requests.log"];
        for args in [&import[..], &["status", "--id", "A-0", "--json"]] {
            let mut command = stage.against(&service, args);
            let run = Run::of(command.env("GUTTERBATCH_TOKEN", token).output().unwrap());
            let said = run.stdout + &run.stderr;
            assert!(!said.contains(token), "{status}: {said}");
        }
        assert!(
            service
                .heard()
                .iter()
                .any(|request| request.contains(token))
        );
        assert!(holders(&stage, &[token]).is_empty(), "{status}");
    }
}

#[test]
fn the_password_of_a_base_address_is_told_by_no_command() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    let address = "http://office:S3cretPw@127.0.0.1:8787";
    for args in [
        &["status", "-v"][..],
        &["status", "-v", "--json"],
        &["check", "leads.csv"],
    ] {
        let run = stage
            .run(&[args, &["--base-url", address]].concat())
            .expect(6);
        assert!(!run.stdout.contains("S3cret") && !run.stderr.contains("S3cret"));
    }
}
