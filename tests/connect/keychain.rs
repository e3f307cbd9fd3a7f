//! The token in a real keychain: GNOME's, on a session bus of the test's own. Passed over, with a notice, where these
//! programs are not installed.

use std::process::Command;

use crate::connect::aftermath::token_was_revoked;
use crate::connect::asking::Asking;
use crate::connect::keyring::Keyring;
use crate::connect::places::at_home;
use crate::connect::{files, token_in};
use crate::support::{Run, Stage};

#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn keyring(stage: &Stage) -> Option<Keyring> {
    let keyring = Keyring::start(&stage.path("user"));
    if keyring.is_none() {
        eprintln!("passed over: dbus-daemon and gnome-keyring are not installed");
    }
    keyring
}

/// A command that finds the keychain and nothing in the environment.
fn lent(stage: &Stage, keyring: &Keyring, args: &[&str]) -> Command {
    let mut command = stage.bare_command(args);
    keyring.lend_to(&mut command);
    command
}

fn run(stage: &Stage, keyring: &Keyring, args: &[&str]) -> Run {
    Run::of(lent(stage, keyring, args).output().unwrap())
}

/// `connect`, with what the sandbox announces.
fn asking(stage: &Stage, keyring: &Keyring, more: &[&str]) -> Command {
    let mut command = stage.command(&["connect", "--no-browser"]);
    command.args(more).env_remove("GUTTERBATCH_TOKEN");
    keyring.lend_to(&mut command);
    command
}

fn connect(stage: &Stage, keyring: &Keyring, more: &[&str]) -> Run {
    let asking = Asking::of(asking(stage, keyring, more));
    stage.allow(&asking.link);
    asking.end()
}

/// The file with the connection's facts.
fn facts(keyring: &Keyring) -> String {
    let folder = keyring.folder().join(".local/share/gutterbatch/secrets");
    let mut files = files(&folder);
    assert_eq!(files.len(), 1, "{files:?}");
    String::from_utf8(files.remove(0).1).unwrap()
}

#[test]
fn a_keychain_holds_the_token_through_every_command() {
    let stage = Stage::open();
    let Some(keyring) = keyring(&stage) else {
        return;
    };
    let connected = connect(&stage, &keyring, &["--json"]).expect(0);
    assert_eq!(connected.json()["secrets"], "keychain");
    let facts = facts(&keyring);
    assert!(
        !facts.contains("gbt_") && !facts.contains("gbs_"),
        "{facts}"
    );
    let status = run(&stage, &keyring, &["status", "--json"]).expect(0);
    assert_eq!(status.json()["token"]["place"], "keychain");
    run(&stage, &keyring, &["whoami"]).expect(0);
    let leads = stage.file(
        "leads.csv",
        "Lead ID,Name,Street,City,State,Postal Code,Email\nL-1,Zoë Ng,12 Elm St,Ottawa,ON,K1A 0B1,z@example.com\n",
    );
    run(&stage, &keyring, &["import", leads.to_str().unwrap()]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 1);
    // The saved secret is the keychain's too: nothing is asked for.
    let again = Asking::of(lent(&stage, &keyring, &["connect", "--no-browser"]));
    stage.allow(&again.link);
    again.end().expect(0);
    run(&stage, &keyring, &["disconnect"]).expect(0);
    run(&stage, &keyring, &["whoami"]).expect(5);
}

#[test]
fn secrets_move_between_keychain_and_file_when_told_to() {
    let stage = Stage::open();
    let Some(keyring) = keyring(&stage) else {
        return;
    };
    connect(&stage, &keyring, &[]).expect(0);
    connect(&stage, &keyring, &["--secrets", "file"]).expect(0);
    assert!(token_in(&facts(&keyring)).starts_with("gbt_"));
    run(&stage, &keyring, &["whoami"]).expect(0);
    connect(&stage, &keyring, &["--secrets", "keychain"]).expect(0);
    assert!(!facts(&keyring).contains("gbt_"));
    run(&stage, &keyring, &["whoami"]).expect(0);
}

#[test]
fn a_locked_keychain_is_said_and_nothing_falls_into_a_file() {
    let stage = Stage::open();
    let Some(keyring) = keyring(&stage) else {
        return;
    };
    connect(&stage, &keyring, &[]).expect(0);
    let before = facts(&keyring);
    keyring.lock();
    for args in [["whoami"], ["disconnect"]] {
        let run = run(&stage, &keyring, &args).expect(8);
        let said = "error: the keychain cannot be used";
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let output = asking(&stage, &keyring, &[]).output().unwrap();
    let refused = Run::of(output).expect(8);
    assert!(
        !refused.stderr.contains("/oauth/authorize"),
        "{}",
        refused.stderr
    );
    assert!(
        refused.stderr.contains("--secrets file"),
        "{}",
        refused.stderr
    );
    assert_eq!(facts(&keyring), before);
    // What needs no token goes on.
    run(&stage, &keyring, &["status"]).expect(0);
}

#[test]
fn a_keychain_that_dies_is_said_and_nothing_falls_into_a_file() {
    let stage = Stage::open();
    let Some(mut keyring) = keyring(&stage) else {
        return;
    };
    let waiting = Asking::of(asking(&stage, &keyring, &[]));
    keyring.die();
    stage.allow(&waiting.link);
    let run = waiting.end().expect(8);
    token_was_revoked(&run);
    let folder = keyring.folder().join(".local/share/gutterbatch/secrets");
    assert_eq!(files(&folder), []);
}

#[test]
fn a_bus_that_never_answers_holds_nothing_up_for_good() {
    let stage = Stage::open();
    let socket = stage.path("bus");
    let _deaf = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let connect = |more: &[&str]| {
        let command = stage.command(&["connect", "--no-browser"]);
        let mut command = at_home(command, &stage.path("user"));
        command
            .args(more)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env(
                "DBUS_SESSION_BUS_ADDRESS",
                format!("unix:path={}", socket.display()),
            );
        command
    };
    let asking = Asking::of(connect(&["--json"]));
    stage.allow(&asking.link);
    let run = asking.end().expect(0);
    assert_eq!(run.json()["secrets"], "file");
    let chosen = connect(&["--secrets", "keychain"]).output().unwrap();
    let run = Run::of(chosen).expect(8);
    assert!(run.stderr.contains("it did not respond"), "{}", run.stderr);
}
