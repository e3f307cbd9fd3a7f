//! Tokens and secrets are in the one place made for them, and nowhere else: no output, no other file, no command line.

use std::fs;
use std::path::Path;

use crate::connect::asking::Asking;
use crate::import::sheet;
use crate::support::{Run, Stage};

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
    let text = fs::read(stage.path("home/secrets/default.json")).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    json["held"]["token"].as_str().unwrap().to_owned()
}

#[test]
fn every_command_at_vvv_keeps_token_and_secret_to_itself() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..5));
    let secret = stage.sandbox().announcement().client_secret.clone();
    let asking = Asking::start(&stage, &["-vvv"]);
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
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
fn a_token_of_the_environment_is_saved_nowhere() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    let announced = stage.sandbox().announcement();
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
    stage.block_on(stage.sandbox().allow(&asking.link)).unwrap();
    asking.end().expect(0);
    assert_eq!(place(status()), "file");
}
