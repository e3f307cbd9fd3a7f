//! What `status` says of the profile, its token, its places and its journal.

use std::fs;

use crate::connect::asking::Asking;
use crate::status::rows::{answers, sheet};
use crate::support::exports::complete;
use crate::support::{Run, Stage};

#[test]
fn a_missing_connection_and_lost_seals_need_a_person() {
    let stage = Stage::offline();
    assert_eq!(
        answers(&stage, &[])[1],
        "not connected: gutterbatch connect"
    );
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let old = fs::read(stage.journal()).unwrap();
    complete(&stage, 1);
    stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    fs::write(stage.journal(), old).unwrap();
    let needs = &answers(&stage, &[])[1];
    assert_eq!(
        needs,
        "the journal is older than its record of sealed exports: 1 sealed export missing"
    );
}

#[test]
fn places_are_shown_and_settings_with_v() {
    let stage = Stage::open();
    let plain = stage.run(&["status"]).expect(0).stdout;
    for label in ["\njournal ", "\ntoken ", "\nsettings "] {
        assert!(plain.contains(label), "{label}: {plain}");
    }
    assert!(!plain.contains("\n  rate "), "{plain}");
    let verbose = stage.run(&["status", "-v"]).expect(0).stdout;
    assert!(
        verbose.starts_with(&plain[..plain.find("\nbudget ").unwrap()]),
        "{verbose}"
    );
    assert!(verbose.contains("\n  rate "), "{verbose}");
    let document = stage.run(&["status", "--json"]).expect(0).json();
    assert!(document["journal"]["path"].is_string());
    assert!(document["token"]["file"].is_string());
    assert!(document["config"].is_string());
}

#[test]
fn all_profiles_are_shown_each_with_its_own_journal() {
    let stage = Stage::open();
    for (profile, ids) in [("north", &[1, 2][..]), ("south", &[3])] {
        stage.file("leads.csv", sheet(ids));
        let import = [
            "import",
            "leads.csv",
            "--id-column",
            "Key",
            "--profile",
            profile,
        ];
        stage.run(&import).expect(0);
    }
    let run = stage.run(&["status", "--all"]).expect(0);
    assert!(
        run.stdout
            .starts_with("profile       north\ndone          yes"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("\n\nprofile       south\ndone          yes"),
        "{}",
        run.stdout
    );
    let document = stage.run(&["status", "--all", "--json"]).expect(0).json();
    let created = |at: usize| document["profiles"][at]["requests"]["created"].clone();
    assert_eq!((created(0), created(1)), (2.into(), 1.into()));
}

#[test]
fn a_broken_profile_is_named_and_the_others_are_shown() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    let import = ["import", "leads.csv", "--id-column", "Key", "--profile"];
    for profile in ["acme", "north", "south"] {
        stage.run(&[&import[..], &[profile]].concat()).expect(0);
    }
    stage.file("home/journals/acme.db", "not a journal");
    let config = "[profile.default]\nreserve = \"1\"\n[profile.north]\nbase-urll = \"\"\n";
    stage.file("home/config.toml", config);
    let run = stage.run(&["status", "--all"]).expect(8);
    let shown = "\n\nprofile       south\ndone          yes";
    assert!(run.stdout.contains(shown), "{}", run.stdout);
    for broken in ["default", "north"] {
        let broken = format!("\n\nprofile       {broken}\nerror         ");
        assert!(run.stdout.contains(&broken), "{}", run.stdout);
    }
    assert!(run.stdout.contains("unknown key `base-urll`"));
    assert!(
        run.stderr.starts_with("error: profile acme: "),
        "{}",
        run.stderr
    );
    let hint = ": gutterbatch import --profile acme --restore";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let document = stage.run(&["status", "--all", "--json"]).expect(8).json();
    let shown = &document["profiles"];
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "{document}");
    assert_eq!(shown[0]["profile"], "south");
    assert_eq!(document["error"]["kind"], "damaged_journal");
}

#[test]
fn each_of_all_profiles_has_its_own_settings_and_wrong_values_are_named() {
    let stage = Stage::open();
    let config = "[profile.default]\nreserve = 600\n[profile.north]\nrate = \"nope\"\n[profile.south]\nrate = \"60/1h\"\n";
    stage.file("home/config.toml", config);
    let run = stage.run(&["status", "--all", "-v"]).expect(2);
    let broken = "profile       default\nerror         ";
    assert!(run.stdout.starts_with(broken), "{}", run.stdout);
    let broken = "\n\nprofile       north\nerror         ";
    assert!(run.stdout.contains(broken), "{}", run.stdout);
    assert!(run.stdout.contains("60/1h (profile)"), "{}", run.stdout);
    assert!(run.stderr.contains("reserve"), "{}", run.stderr);
    let document = stage.run(&["status", "--all", "--json"]).expect(2).json();
    let shown = &document["profiles"];
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "{document}");
    assert_eq!(shown[0]["budget"]["rate"], "60/1h");
    let rate = serde_json::json!({"key": "rate", "origin": "profile", "value": "60/1h"});
    let settings = shown[0]["settings"].as_array().unwrap();
    assert!(settings.contains(&rate), "{document}");
}

#[test]
fn a_token_that_the_service_refused_needs_a_person_until_there_is_another() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1]));
    let import = [
        "import",
        "leads.csv",
        "--id-column",
        "Key",
        "--profile",
        "north",
    ];
    let mut refused = stage.command(&import);
    refused.env("GUTTERBATCH_TOKEN", "gbt_unknown");
    let refused = Run::of(refused.output().unwrap()).expect(5).stderr;
    let hint = "put a new token in GUTTERBATCH_TOKEN, or unset it and connect again with";
    assert!(refused.contains(hint), "{refused}");
    let status = ["--profile", "north"];
    let with_refused = |more: &[&str]| {
        let mut command = stage.command(&[&["status"], &status[..], more].concat());
        command.env("GUTTERBATCH_TOKEN", "gbt_unknown");
        Run::of(command.output().unwrap()).expect(0)
    };
    let shown = with_refused(&[]).stdout;
    let needs = "\nneeds you     the service refused the token in GUTTERBATCH_TOKEN at ";
    assert!(shown.contains(needs), "{shown}");
    let file = stage.path("leads.csv");
    let pending = format!(
        "1 row pending: gutterbatch import --profile north {} --id-column Key",
        file.display()
    );
    let connect =
        "; put a new one there, or unset it and connect again: gutterbatch connect --profile north";
    let lines = format!("{connect}\n              {pending}\n");
    assert!(shown.contains(&lines), "{shown}");
    assert!(with_refused(&["--json"]).json()["token"]["refused_at"].is_string());
    // Another token was not refused.
    assert_eq!(answers(&stage, &status)[1], pending);
    let document = stage.run(&["status", "--profile", "north", "--json"]);
    assert!(document.json()["token"]["refused_at"].is_null());

    let asking = Asking::start(&stage, &status);
    stage.allow(&asking.link);
    asking.end().expect(0);
    let saved = Run::of(
        stage
            .bare_command(&["status", "--profile", "north"])
            .output()
            .unwrap(),
    );
    assert!(!saved.expect(0).stdout.contains("refused the token"));
    let saved = |args: &[&str]| Run::of(stage.bare_command(args).output().unwrap()).expect(0);
    saved(&import);
    let nothing = || {
        let status = saved(&["status", "--profile", "north"]).stdout;
        assert!(status.contains("\nneeds you     nothing\n"), "{status}");
    };
    nothing();
    let mut refused = stage.command(&["whoami", "--profile", "north"]);
    refused.env("GUTTERBATCH_TOKEN", "gbt_unknown");
    Run::of(refused.output().unwrap()).expect(5);
    nothing();
}

#[test]
fn a_journal_that_was_named_and_does_not_exist_is_8() {
    let stage = Stage::open();
    let words = ["status", "--journal", "nope.db", "--json"];
    let document = stage.run(&words).expect(8).json();
    assert_eq!(document["error"]["kind"], "no_journal");
    stage.run(&["status"]).expect(0);
}
