//! What is proved before anyone is asked for consent, since a consent ends the team's earlier token.

use crate::connect::aftermath::{error, nothing_saved, token_was_revoked};
use crate::connect::asking::Asking;
use crate::connect::saved;
use crate::support::{Run, Stage};

/// `connect`, with something in the way of what it is to write.
fn hindered(in_the_way: &str) -> (Stage, Run) {
    let stage = Stage::open();
    stage.file(in_the_way, "");
    let mut command = stage.command(&["connect", "--no-browser"]);
    let run = Run::of(command.env_remove("GUTTERBATCH_TOKEN").output().unwrap());
    assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
    (stage, run)
}

#[test]
fn the_token_s_place_is_proved_before_anyone_is_asked() {
    // A file stands where the folder for secrets belongs.
    hindered("home/secrets").1.expect(8);
}

#[test]
fn settings_that_cannot_be_written_are_noticed_before_anyone_is_asked() {
    hindered("home/config.toml/in-the-way").1.expect(8);
}

#[test]
fn a_journal_that_cannot_be_made_is_noticed_before_anyone_is_asked() {
    let (stage, run) = hindered("home/journals");
    let run = run.expect(8);
    assert!(
        error(&run)
            .replace('\\', "/")
            .contains("/default.db cannot be opened"),
        "{}",
        run.stderr
    );
    nothing_saved(&stage);
}

#[test]
fn settings_of_another_shape_are_noticed_before_anyone_is_asked() {
    let stage = Stage::open();
    stage.file("home/config.toml", "profile = 1\n");
    let mut command = stage.command(&["connect", "--no-browser"]);
    let run = Run::of(command.env_remove("GUTTERBATCH_TOKEN").output().unwrap()).expect(2);
    assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn every_file_and_folder_is_its_owner_s_alone_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    for umask in ["000", "077"] {
        let stage = Stage::open();
        let asking = Asking::of(under_umask(umask, &stage));
        stage.allow(&asking.link);
        asking.end().expect(0);
        for place in [
            "home",
            "home/config.toml",
            "home/journals",
            "home/journals/default.db",
            "home/secrets",
            "home/secrets/default.json",
        ] {
            let mode = std::fs::metadata(stage.path(place)).unwrap().permissions();
            assert_eq!(mode.mode() & 0o077, 0, "{place} under {umask}");
        }
    }
}

/// `connect` as a shell with this umask starts it.
#[cfg(unix)]
fn under_umask(umask: &str, stage: &Stage) -> std::process::Command {
    let plain = stage.command(&["connect", "--no-browser"]);
    let mut command = std::process::Command::new("/bin/sh");
    command
        .args(["-c", &format!("umask {umask} && exec \"$0\" \"$@\"")])
        .arg(plain.get_program())
        .args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .current_dir(stage.folder())
        .stdin(std::process::Stdio::null())
        .env_remove("GUTTERBATCH_TOKEN");
    command
}

#[test]
fn a_fresh_token_that_cannot_be_stored_after_all_is_revoked() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.file("home/secrets/default.json/in-the-way", "");
    stage.allow(&asking.link);
    let run = asking.end().expect(8);
    token_was_revoked(&run);
    let calls = stage.sandbox().calls();
    let last = calls.last().unwrap();
    assert_eq!(
        (last.path.as_str(), last.status),
        ("/oauth/revoke", Some(200))
    );
}

#[test]
fn another_service_or_app_under_the_same_profile_is_refused_before_anyone_is_asked() {
    let stage = Stage::open();
    let asking = Asking::start(&stage, &[]);
    stage.allow(&asking.link);
    asking.end().expect(0);
    for different in [
        ["--base-url", "http://127.0.0.1:1"],
        ["--client-id", "another"],
    ] {
        let mut command = stage.command(&["connect", "--no-browser"]);
        command.args(different).env_remove("GUTTERBATCH_TOKEN");
        let run = Run::of(command.output().unwrap()).expect(6);
        assert!(!run.stderr.contains("oauth/authorize"), "{}", run.stderr);
    }
    saved(&stage, &["whoami"]).expect(0);
}

#[test]
fn what_is_missing_is_named_where_nobody_can_be_asked() {
    let stage = Stage::offline();
    let run = saved(&stage, &["connect"]).expect(2);
    assert!(
        run.stderr
            .contains("--base-url URL or GUTTERBATCH_BASE_URL"),
        "{}",
        run.stderr
    );
    let run = saved(
        &stage,
        &[
            "connect",
            "--base-url",
            "http://127.0.0.1:1",
            "--service-version",
            "2026-01-15",
            "--client-id",
            "a",
        ],
    );
    let run = run.expect(2);
    assert!(
        run.stderr.contains("--client-secret-file PATH"),
        "{}",
        run.stderr
    );
    saved(
        &stage,
        &[
            "connect",
            "--base-url",
            "http://example.com",
            "--service-version",
            "2026-01-15",
        ],
    )
    .expect(6);
}
