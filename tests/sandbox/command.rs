//! `gutterbatch sandbox`: what it prints, how it ends, and that a kill loses nothing.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::sandbox::stage::{body, client};
use crate::support::{Run, Stage};

/// A sandbox in a process of its own, killed when it goes out of scope.
struct Process {
    child: Child,
    connection_info: Value,
}

impl Process {
    fn start(stage: &Stage, args: &[&str]) -> Self {
        let all = [&["sandbox", "--listen", "127.0.0.1:0", "--json"], args].concat();
        let mut command = stage.bare_command(&all);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        Self {
            child,
            connection_info: serde_json::from_str(&line).unwrap(),
        }
    }

    fn text(&self, key: &str) -> &str {
        self.connection_info[key].as_str().unwrap()
    }

    /// The status of a creation; none where the process died.
    async fn create(&self, client: &reqwest::Client, id: &str) -> Option<u16> {
        let post = client.post(format!("{}/measurements", self.text("base_url")));
        let post = post
            .bearer_auth(self.text("token"))
            .header("service-version", self.text("service_version"));
        let answer = post.json(&body(id)).send().await.ok()?;
        Some(answer.status().as_u16())
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[test]
fn the_first_line_announces_everything_a_client_needs() {
    let stage = Stage::offline();
    let process = Process::start(&stage, &["--versions", "2025-06-01,2026-02-03"]);
    assert_eq!(process.text("service_version"), "2026-02-03");
    assert!(process.text("base_url").starts_with("http://127.0.0.1:"));
    for key in ["client_id", "client_secret", "token"] {
        assert!(process.text(key).len() > 10, "{key}");
    }
    assert_eq!(
        process.connection_info["redirect_uris"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let status = stage.block_on(process.create(&client(), "L-1"));
    assert_eq!(status, Some(201));
}

#[test]
fn a_kill_at_any_moment_loses_nothing_that_was_answered() {
    let stage = Stage::offline();
    let data = stage.path("data");
    let args = ["--data", data.to_str().unwrap(), "--rate", "100000/1h"];
    for round in 0..3 {
        let mut process = Process::start(&stage, &args);
        let client = client();
        let answered = stage.block_on(async {
            let rows: Vec<String> = (0..200).map(|row| format!("{round} {row}")).collect();
            let calls = rows.iter().enumerate().map(async |(row, id)| {
                let status = process.create(&client, id).await;
                (row, id.clone(), status)
            });
            let mut answered = Vec::new();
            let mut calls = calls.collect::<futures::stream::FuturesUnordered<_>>();
            while let Some((_, id, status)) = futures::StreamExt::next(&mut calls).await {
                assert_eq!(status, Some(201));
                answered.push(id);
                // The others are under way at this moment.
                if answered.len() == 40 {
                    break;
                }
            }
            answered
        });
        process.kill();
        let process = Process::start(&stage, &args);
        for id in answered {
            let status = stage.block_on(process.create(&client, &id));
            assert_eq!(status, Some(200), "{id}");
        }
    }
}

#[test]
fn what_cannot_be_meant_ends_with_2_and_a_hint() {
    let stage = Stage::offline();
    let faults = stage.file("faults.json", r#"{"rules": [{"do": "explode"}]}"#);
    let faults = faults.to_str().unwrap();
    for args in [
        ["--listen", "0.0.0.0:0"],
        ["--listen", "[2001:db8::1]:0"],
        ["--rate", "0/1h"],
        ["--versions", "latest"],
        ["--redirect-uri", "http://crm.example.com/"],
        ["--team-country", "MX"],
        ["--latency", "soon"],
        ["--faults", faults],
        ["--faults", "nowhere.json"],
    ] {
        let run = stage.run(&[&["sandbox"], args.as_slice()].concat());
        let run = run.expect(2);
        assert!(
            run.stderr.starts_with("error: "),
            "{args:?}: {}",
            run.stderr
        );
        assert_eq!(run.stdout, "", "{args:?}");
    }
}

#[test]
fn a_port_or_a_folder_in_use_is_told() {
    let stage = Stage::offline();
    let first = Process::start(&stage, &["--data", "data"]);
    let address = first.text("base_url").trim_start_matches("http://");
    let port = stage.run(&["sandbox", "--listen", address]).expect(2);
    assert!(port.stderr.contains(address), "{}", port.stderr);
    let folder = stage.run(&["sandbox", "--listen", "127.0.0.1:0", "--data", "data"]);
    assert!(folder.expect(7).stderr.contains("data"));
}

#[cfg(unix)]
#[test]
fn it_ends_well_when_told_to() {
    let stage = Stage::offline();
    for signal in ["INT", "TERM"] {
        let mut process = Process::start(&stage, &["--data", "data"]);
        let kill = ["-s", signal, &process.child.id().to_string()].map(str::to_owned);
        assert!(
            std::process::Command::new("kill")
                .args(kill)
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(process.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn without_json_it_tells_a_person_how_to_go_on() {
    let stage = Stage::offline();
    let mut command = stage.bare_command(&["sandbox", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let told = lines
        .map(Result::unwrap)
        .take_while(|line| !line.contains("Ctrl-C"));
    let told = told.collect::<Vec<_>>().join("\n");
    child.kill().unwrap();
    child.wait().unwrap();
    for part in [
        "Browse http://127.0.0.1:",
        "gutterbatch connect",
        "client secret",
        "token",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn its_help_and_the_readme_show_how_faults_are_written() {
    let stage = Stage::offline();
    let Run { stdout, .. } = stage.run(&["sandbox", "--help"]).expect(0);
    for text in [stdout.as_str(), include_str!("../../README.md")] {
        let (_, rules) = text.split_once("{\"rules\": [").unwrap();
        let (rules, _) = rules.split_once("]}\n").unwrap();
        let faults = stage.file("faults.json", format!("{{\"rules\": [{rules}]}}"));
        let process = Process::start(&stage, &["--faults", faults.to_str().unwrap()]);
        assert!(process.connection_info.is_object());
    }
}

#[test]
fn each_sentence_about_faults_begins_a_line_of_the_help() {
    let help = Stage::offline()
        .run(&["sandbox", "--help"])
        .expect(0)
        .stdout;
    for start in [
        "A rule matches calls",
        "It fires at",
        "status, drop, html",
        "Calls are",
    ] {
        assert!(help.contains(&format!("\n  {start}")), "{start}: {help}");
    }
}
