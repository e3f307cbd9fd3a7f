//! What `connect` leaves behind: the settings of a connection, and nothing but a sentence where none came to be.

use crate::cli::settings::{said, setting};
use crate::connect::asking::Asking;
use crate::connect::{connect, saved};
use crate::support::{Run, Stage};

/// No connection, no settings and no journal, wherever the command ended.
pub(super) fn nothing_saved(stage: &Stage) {
    assert!(!stage.path("home/config.toml").exists());
    assert!(!stage.path("home/secrets/default.json").exists());
    assert!(!stage.path("home/journals/default.db").exists());
}

/// The first line that names the error.
pub(super) fn error(run: &Run) -> &str {
    let mut lines = run.stderr.lines();
    lines
        .find(|line| line.starts_with("error: "))
        .unwrap_or(&run.stderr)
}

/// A fresh token that had no place was said to be so, and was ended.
pub(super) fn token_was_revoked(run: &Run) {
    assert!(
        error(run).contains("the new token cannot be stored"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("the new token was revoked"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_new_token_that_is_refused_at_once_is_replaced_by_another_connection() {
    let stage = Stage::open();
    let refused = r#"{"rules": [{"do": "status", "status": 401, "path": "/me"}]}"#;
    let asking = Asking::start(&stage, &[]);
    stage.sandbox().set_faults(refused.parse().ok());
    stage.allow(&asking.link);
    let said = asking.end().expect(5).stderr;
    let hint = "hint: a newer connection of the team may have ended it; connect again with `gutterbatch connect`\n";
    assert!(said.contains(hint), "{said}");
}

#[test]
fn a_rate_that_connect_was_given_is_the_one_of_later_commands() {
    let stage = Stage::open();
    connect(&stage, &["--rate", "300/1h"]).expect(0);
    let kept = || setting(&saved(&stage, &["status", "--json"]).expect(0), "rate");
    assert_eq!(kept(), said("300/1h", "profile"));
    connect(&stage, &[]).expect(0);
    assert_eq!(kept(), said("300/1h", "profile"));
}
