//! The user's browser: opened with the link and without a secret, and done without where there is none.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::connect::asking::Asking;
use crate::support::Stage;

/// `connect` with that program as the user's browser, and no other to be found.
fn connecting(stage: &Stage, browser: &str) -> Command {
    let mut command = stage.command(&["connect"]);
    command
        .env("BROWSER", browser)
        .env("PATH", stage.path("no-programs"))
        .env("GUTTERBATCH_TOKEN", "gbt_of-the-environment");
    command
}

#[test]
fn a_browser_gets_the_link_and_no_secret_of_our_environment() {
    let stage = Stage::open();
    let heard = stage.path("heard");
    let made = Command::new("mkfifo").arg(&heard).status().unwrap();
    assert!(made.success());
    // What it writes is read as it comes, so nobody has to guess when it is there.
    let script = format!(
        "#!/bin/sh\n{{ export -p; echo \"link=$1\"; }} > '{}'\n",
        heard.display()
    );
    let browser = stage.file("browser", &script);
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o700)).unwrap();
    let asking = Asking::of(connecting(&stage, browser.to_str().unwrap()));
    let heard = std::fs::read_to_string(heard).unwrap();
    assert!(
        heard.ends_with(&format!("link={}\n", asking.link)),
        "{heard}"
    );
    assert!(heard.contains("GUTTERBATCH_HOME"), "{heard}");
    for secret in ["gbt_", "gbs_", "CLIENT_SECRET", "GUTTERBATCH_TOKEN"] {
        assert!(!heard.contains(secret), "{secret}: {heard}");
    }
    asking.come_back("error=access_denied&state=STATE");
    asking.end().expect(5);
}

#[test]
fn without_a_browser_the_link_stands_on_a_line_of_its_own() {
    let stage = Stage::open();
    let asking = Asking::of(connecting(&stage, "/nonexistent/browser"));
    stage.allow(&asking.link);
    let run = asking.end().expect(0);
    assert!(
        run.stderr.contains("no browser could be opened"),
        "{}",
        run.stderr
    );
}
