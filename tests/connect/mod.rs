//! `connect`, `whoami` and `disconnect` through the binary: against the sandbox, and against services that misbehave.

mod aftermath;
pub(crate) mod asking;
#[cfg(target_os = "linux")]
mod browser;
mod consent;
mod exchange;
#[cfg(target_os = "linux")]
pub(crate) mod hidden;
#[cfg(all(target_os = "linux", feature = "keychain"))]
mod keychain;
#[cfg(all(target_os = "linux", feature = "keychain"))]
mod keyring;
#[cfg(target_os = "linux")]
mod places;
mod readiness;
mod revocation;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use gutterbatch::sandbox::Options;
use serde_json::json;

use crate::connect::asking::Asking;
use crate::support::canned::{self, Gate};
use crate::support::imports::{outcomes, sheet};
use crate::support::{Canned, Run, Stage};

/// Connects as a person would: the link, the consent page, Allow.
pub(super) fn connect(stage: &Stage, more: &[&str]) -> Run {
    let asking = Asking::start(stage, more);
    stage.allow(&asking.link);
    asking.end()
}

/// The program with nothing from the environment but its home.
pub(super) fn saved(stage: &Stage, args: &[&str]) -> Run {
    Run::of(stage.bare_command(args).output().unwrap())
}

fn secrets(stage: &Stage, profile: &str) -> std::path::PathBuf {
    stage.path(&format!("home/secrets/{profile}.json"))
}

/// The token in the text of a saved connection.
fn token_in(text: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    json["held"]["token"].as_str().unwrap().to_owned()
}

/// Every file below a folder with its content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    files
}

#[test]
fn a_consent_connects_and_is_remembered() {
    let stage = Stage::open();
    let run = connect(&stage, &["--json"]).expect(0);
    let json = run.json();
    assert_eq!(json["command"], "connect");
    assert_eq!(json["secrets"], "file");
    let whoami = saved(&stage, &["whoami", "--json"]).expect(0).json();
    for key in ["team", "app", "connected_at", "base_url"] {
        assert_eq!(whoami[key], json[key], "{key}");
    }
    let mut whoami = stage.bare_command(&["whoami"]);
    let whoami = Run::of(whoami.env("TZ", "Asia/Tokyo").output().unwrap()).expect(0);
    assert!(whoami.stdout.contains(" JST\n"), "{}", whoami.stdout);
}

#[test]
fn the_link_carries_what_the_service_requires() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    assert_eq!(asking.parameter("response_type"), "code");
    assert_eq!(asking.parameter("code_challenge_method"), "S256");
    assert_eq!(asking.parameter("code_challenge").len(), 43);
    assert!(
        asking
            .parameter("redirect_uri")
            .starts_with("http://127.0.0.1:")
    );
    let other = Asking::start(&stage, &["--profile", "other"]);
    assert_ne!(asking.parameter("state"), other.parameter("state"));
    for asking in [asking, other] {
        asking.come_back("error=access_denied&state=STATE");
        asking.end().expect(5);
    }
}

#[cfg(unix)]
#[test]
fn a_secret_may_come_from_a_pipe_that_has_it_once() {
    let stage = Stage::open();
    let pipe = stage.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let secret = stage.sandbox().connection_info().client_secret.clone();
    let writer = pipe.clone();
    std::thread::spawn(move || {
        fs::write(&writer, secret).unwrap();
        // Whoever opens it once more gets nothing.
        while fs::write(&writer, "").is_ok() {}
    });
    let pipe = pipe.to_str().unwrap();
    connect(&stage, &["--client-secret-file", pipe]).expect(0);
}

#[test]
fn connect_says_first_that_the_earlier_connection_ends() {
    let stage = Stage::open();
    let run = connect(&stage, &[]).expect(0);
    let first = run.stderr.lines().next().unwrap();
    assert!(first.contains("ends the team's earlier one"), "{first}");
}

#[test]
fn connect_ends_with_the_next_command_and_keeps_the_profile_in_it() {
    let stage = Stage::open();
    let run = connect(&stage, &["--profile", "acme"]).expect(0);
    assert_eq!(
        run.stderr.lines().last().unwrap(),
        "next: check a spreadsheet of homeowners: gutterbatch check --profile acme leads.xlsx"
    );
    let quiet = connect(&stage, &["--profile", "acme", "--quiet"]).expect(0);
    assert!(!quiet.stderr.contains("next:"), "{}", quiet.stderr);
}

#[test]
fn what_connect_saved_is_not_repeated_in_its_next_command() {
    let stage = Stage::open();
    let url = stage.sandbox().connection_info().base_url.clone();
    let version = stage.sandbox().connection_info().service_version.clone();
    let flags = ["--base-url", &url, "--service-version", &version];
    let run = connect(&stage, &[&flags[..], &["--secrets", "file"]].concat()).expect(0);
    assert_eq!(
        run.stderr.lines().last().unwrap(),
        "next: check a spreadsheet of homeowners: gutterbatch check leads.xlsx"
    );
}

#[test]
fn a_token_that_is_refused_is_not_saved_and_the_next_one_is() {
    let stage = Stage::open();
    let unknown = give(&stage, "gbt_unknown").expect(5);
    let hint = ": give the newest token, or connect in the browser with `gutterbatch connect";
    assert!(unknown.stderr.contains(hint), "{}", unknown.stderr);
    assert!(!stage.path("home/secrets/default.json").exists());
    give(&stage, &stage.sandbox().connection_info().token).expect(0);
    give(&stage, "gbt_unknown").expect(5);
    assert!(stage.path("home/secrets/default.json").exists());
    assert!(stage.journal().exists());
}

#[cfg(unix)]
#[test]
fn settings_and_secrets_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stage.path("home/config.toml")), 0o600);
    assert_eq!(mode(&stage.path("home/secrets")), 0o700);
    assert_eq!(mode(&secrets(&stage, "default")), 0o600);
}

#[cfg(unix)]
#[test]
fn a_token_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    let file = secrets(&stage, "default");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let run = saved(&stage, &["whoami"]).expect(8);
    assert!(
        run.stderr.contains("can be read by others"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("hint: chmod 600 "), "{}", run.stderr);
}

#[test]
fn reconnecting_replaces_the_token_and_asks_for_no_secret_again() {
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    let before = fs::read_to_string(secrets(&stage, "default")).unwrap();
    let asking = Asking::of(stage.bare_command(&["connect", "--no-browser"]));
    stage.allow(&asking.link);
    asking.end().expect(0);
    let after = fs::read_to_string(secrets(&stage, "default")).unwrap();
    assert_ne!(token_in(&before), token_in(&after));
    saved(&stage, &["whoami"]).expect(0);
    let mut old = stage.bare_command(&["whoami"]);
    let run = Run::of(
        old.env("GUTTERBATCH_TOKEN", token_in(&before))
            .output()
            .unwrap(),
    );
    run.expect(5);
}

#[test]
fn another_team_under_the_same_profile_is_refused_before_anything_is_stored() {
    let stage = Stage::with(Options {
        team_names: ["Evergreen Gutters", "Other Eaves"]
            .map(str::to_owned)
            .to_vec(),
        ..Options::default()
    });
    connect(&stage, &[]).expect(0);
    let before = files(&stage.path("home/secrets"));
    let asking = Asking::start(&stage, &[]);
    stage.allow_for(&asking.link, "Other Eaves");
    let run = asking.end().expect(6);
    assert!(run.stderr.contains("but Other Eaves ("), "{}", run.stderr);
    assert!(
        run.stderr.contains("the new token was revoked"),
        "{}",
        run.stderr
    );
    assert_eq!(files(&stage.path("home/secrets")), before);
    saved(&stage, &["whoami"]).expect(0);
}

#[test]
fn profiles_stand_side_by_side() {
    let stage = Stage::with(Options {
        team_names: ["Evergreen Gutters", "Other Eaves"]
            .map(str::to_owned)
            .to_vec(),
        ..Options::default()
    });
    connect(&stage, &[]).expect(0);
    let asking = Asking::start(&stage, &["--profile", "other"]);
    stage.allow_for(&asking.link, "Other Eaves");
    asking.end().expect(0);
    let team = |profile: &str| {
        let run = saved(&stage, &["whoami", "--json", "--profile", profile]).expect(0);
        run.json()["team"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(team("other"), "Other Eaves");
    assert_ne!(team("default"), "Other Eaves");
    let config = fs::read_to_string(stage.path("home/config.toml")).unwrap();
    assert!(config.contains("[profile.default]") && config.contains("[profile.other]"));
}

/// `connect --token-stdin` with this token.
fn give(stage: &Stage, token: &str) -> Run {
    use std::io::Write;
    let announced = stage.sandbox().connection_info();
    let mut command = stage.bare_command(&["connect", "--token-stdin"]);
    command
        .args(["--base-url", &announced.base_url])
        .args(["--service-version", &announced.service_version])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{token}").unwrap();
    Run::of(child.wait_with_output().unwrap())
}

#[test]
fn a_token_from_elsewhere_is_taken_from_standard_input() {
    let stage = Stage::open();
    give(&stage, "gbt_unknown").expect(5);
    assert!(!secrets(&stage, "default").exists());
    give(&stage, "").expect(2);
    give(&stage, &stage.sandbox().connection_info().token).expect(0);
    saved(&stage, &["whoami"]).expect(0);
}

#[test]
fn a_refused_token_leaves_the_journal_that_an_import_wrote_meanwhile() {
    let is_wrong = |request: &str| request.contains("gbt_wrong");
    let gate = Arc::<Gate>::default();
    let response_gate = Arc::clone(&gate);
    let service = Canned::answering(move |request| {
        if !is_wrong(request) {
            return canned::healthy(request);
        }
        response_gate.pass();
        let body = json!({"error": {"code": "unauthorized", "message": "unknown token"}});
        canned::json("401 Unauthorized", &body)
    });
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(1..2));
    stage.file("token.txt", "gbt_wrong\n");
    let mut connect = stage.against(&service, &["connect", "--token-stdin"]);
    let token = fs::File::open(stage.path("token.txt")).unwrap();
    connect.env_remove("GUTTERBATCH_TOKEN").stdin(token);
    let connecting = std::thread::spawn(move || connect.output().unwrap());
    service.wait_for(|requests| requests.iter().any(|request| is_wrong(request)));
    let mut import = stage.against(&service, &["import", "leads.csv", "--yes"]);
    Run::of(import.output().unwrap()).expect(0);
    gate.open();
    Run::of(connecting.join().unwrap()).expect(5);
    let mut again = stage.against(&service, &["import", "leads.csv", "--yes", "--json"]);
    let again = Run::of(again.output().unwrap()).expect(0);
    assert_eq!(outcomes(&again.json()), [("known", 1)].into());
}

#[test]
fn a_token_of_another_team_is_not_stored() {
    let stage = Stage::with(Options {
        team_names: ["Evergreen Gutters", "Other Eaves"]
            .map(str::to_owned)
            .to_vec(),
        ..Options::default()
    });
    let asking = Asking::start(&stage, &["--profile", "other"]);
    stage.allow_for(&asking.link, "Other Eaves");
    asking.end().expect(0);
    let other = fs::read_to_string(secrets(&stage, "other")).unwrap();
    connect(&stage, &[]).expect(0);
    let before = files(&stage.path("home/secrets"));
    give(&stage, &token_in(&other)).expect(6);
    assert_eq!(files(&stage.path("home/secrets")), before);
}

#[test]
fn disconnecting_revokes_proves_and_forgets() {
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    let json = saved(&stage, &["disconnect", "--json"]).expect(0).json();
    assert_eq!(json["proved"], true);
    assert!(!secrets(&stage, "default").exists());
    let calls = stage.sandbox().calls();
    let last: Vec<_> = calls[calls.len() - 2..]
        .iter()
        .map(|call| format!("{} {}: {}", call.method, call.path, call.status.unwrap()))
        .collect();
    assert_eq!(last, ["POST /oauth/revoke: 200", "GET /me: 401"]);
    let run = saved(&stage, &["whoami"]).expect(5);
    assert!(
        run.stderr.contains("hint: `gutterbatch connect`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_token_that_came_without_a_secret_is_revoked_and_deleted() {
    let stage = Stage::open();
    give(&stage, &stage.sandbox().connection_info().token).expect(0);
    let json = saved(&stage, &["disconnect", "--json"]).expect(0).json();
    assert_eq!(
        (&json["revoked"], &json["proved"]),
        (&true.into(), &true.into())
    );
    assert!(!secrets(&stage, "default").exists());
    let calls = stage.sandbox().calls();
    let statuses = calls[calls.len() - 2..].iter().map(|call| call.status);
    assert!(statuses.eq([Some(200), Some(401)]), "{calls:?}");
}

#[test]
fn a_token_is_deleted_here_even_where_the_service_still_accepts_it() {
    let stage = Stage::open();
    give(&stage, &stage.sandbox().connection_info().token).expect(0);
    let wrong = stage.file("wrong.txt", "wrong");
    let args = [
        "disconnect",
        "--client-secret-file",
        wrong.to_str().unwrap(),
    ];
    let run = saved(&stage, &args).expect(9);
    assert!(
        run.stderr.contains("still accepts it") && run.stderr.contains("invalid_client"),
        "{}",
        run.stderr
    );
    assert!(!secrets(&stage, "default").exists());
    saved(&stage, &["whoami"]).expect(5);
}

#[test]
fn a_saved_token_goes_to_no_other_address() {
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    let other = crate::support::Canned::answering(|_| Vec::new());
    let run = saved(&stage, &["whoami", "--base-url", &other.url()]).expect(6);
    assert!(run.stderr.contains("is connected to"), "{}", run.stderr);
    assert!(other.heard().is_empty());
}

#[test]
fn the_budget_counts_every_question_of_who_it_is() {
    let stage = Stage::open();
    connect(&stage, &[]).expect(0);
    saved(&stage, &["whoami", "--rate", "2/1h"]).expect(0);
    let run = saved(&stage, &["whoami", "--rate", "2/1h"]).expect(4);
    assert!(run.stderr.contains("quota is used up"), "{}", run.stderr);
}

#[test]
fn all_values_that_a_connection_lacks_are_named_at_once() {
    let stage = Stage::open();
    let run = stage.bare_command(&["connect"]).output().unwrap();
    let run = Run::of(run).expect(2);
    let all = "error: the service's address, service's version, client id and client secret are not given\n";
    assert!(run.stderr.starts_with(all), "{}", run.stderr);
    let secret = "\n      client secret: --client-secret-file PATH or GUTTERBATCH_CLIENT_SECRET\n";
    assert!(run.stderr.ends_with(secret), "{}", run.stderr);
}

#[test]
fn the_hint_of_a_connection_keeps_the_client_id_that_was_typed() {
    let stage = Stage::open();
    let words = ["connect", "--token-stdin", "--client-id", "app_9"];
    let run = stage.run(&words).expect(2);
    let hint = "gutterbatch connect --client-id app_9 --token-stdin < token.txt\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);
    let words = ["connect", "--client-id", "app_9", "--secrets", "keychain"];
    let run = stage.run(&words).expect(8);
    assert!(!run.stderr.contains("whoami --client-id"), "{}", run.stderr);
}

#[test]
fn connect_warns_of_another_profile_with_the_same_team() {
    let stage = Stage::open();
    let first = connect(&stage, &[]).expect(0);
    assert!(
        !first.stderr.contains("is connected to"),
        "{}",
        first.stderr
    );
    let second = connect(&stage, &["--profile", "summer"]).expect(0);
    let flat = second
        .stderr
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for text in [
        "warning: profile `default` on this computer was connected to this team too, and its token no longer works",
        "gutterbatch connect --profile default",
    ] {
        assert!(flat.contains(text), "{text}: {}", second.stderr);
    }
    let again = connect(&stage, &["--profile", "summer"]).expect(0);
    assert!(
        !again.stderr.contains("`summer` on this"),
        "{}",
        again.stderr
    );
}
