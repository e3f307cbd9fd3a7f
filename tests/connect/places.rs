//! Where settings, journal and token are kept without `GUTTERBATCH_HOME`: the platform's usual places.

use std::path::Path;
use std::process::Command;

use crate::connect::asking::Asking;
use crate::connect::files;
use crate::support::{Run, Stage};

/// A command of a user at that home, on a machine where no keychain answers.
pub(super) fn at_home(mut command: Command, home: &Path) -> Command {
    command
        .env_remove("GUTTERBATCH_HOME")
        .env_remove("GUTTERBATCH_TOKEN")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_DATA_HOME")
        .env("HOME", home)
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
    command
}

#[test]
fn without_a_home_of_ours_everything_is_in_the_platform_s_places() {
    let stage = Stage::open();
    let home = stage.path("user");
    let asking = Asking::of(at_home(stage.command(&["connect", "--no-browser"]), &home));
    stage.allow(&asking.link);
    asking.end().expect(0);
    for place in [
        ".config/gutterbatch/config.toml",
        ".local/share/gutterbatch/journals/default.db",
        ".local/share/gutterbatch/secrets/default.json",
    ] {
        assert!(home.join(place).is_file(), "{place}");
    }
    let mut whoami = at_home(stage.bare_command(&["whoami"]), &home);
    Run::of(whoami.output().unwrap()).expect(0);
}

#[test]
fn a_home_that_depends_on_the_current_folder_is_no_home() {
    let stage = Stage::open();
    let before = files(stage.folder());
    let mut status = at_home(stage.command(&["status"]), Path::new("relative"));
    let run = Run::of(status.output().unwrap()).expect(2);
    assert!(
        run.stderr.contains("set GUTTERBATCH_HOME"),
        "{}",
        run.stderr
    );
    assert_eq!(files(stage.folder()), before);
}

#[test]
fn a_keychain_that_must_be_used_and_is_not_there_is_said_before_the_browser_opens() {
    let stage = Stage::open();
    let connect = ["connect", "--no-browser", "--secrets", "keychain"];
    let mut command = at_home(stage.command(&connect), &stage.path("user"));
    let run = Run::of(command.output().unwrap()).expect(8);
    assert!(
        run.stderr.contains("error: the keychain cannot be used"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("/oauth/authorize"), "{}", run.stderr);
    if cfg!(not(feature = "keychain")) {
        let hint = "hint: keep secrets in a private file: ";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
}
