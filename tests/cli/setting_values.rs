//! Values of settings that cannot be used, and the messages that name their places.

use crate::cli::settings::{configured, said, setting};
use crate::support::Stage;

#[test]
fn a_value_of_the_wrong_type_is_refused_by_every_command() {
    for (line, hint) in [
        (
            "as-is = \"yes\"",
            "write true or false, without quotes for `as-is`",
        ),
        (
            "no-progress = 1",
            "write true or false, without quotes for `no-progress`",
        ),
        (
            "reserve = \"50\"",
            "write a number without quotes for `reserve`",
        ),
        ("port = true", "write a number without quotes for `port`"),
        ("log = true", "write a text in quotes for `log`"),
        ("id-prefix = 5", "write a text in quotes for `id-prefix`"),
        ("map = [1]", "write a text in quotes, or a list of them"),
    ] {
        let stage = configured(&format!("[profile.default]\n{line}\n"));
        stage.file("leads.csv", "id\n1\n");
        let key = line.split_once(' ').unwrap().0;
        for command in [["status"].as_slice(), &["check", "leads.csv"]] {
            let run = stage.run(command).expect(2);
            let reason = format!("has a wrong type of value for `{key}`");
            assert!(run.stderr.contains(&reason), "{}", run.stderr);
            assert!(run.stderr.contains(hint), "{}", run.stderr);
        }
    }
}

#[test]
fn values_of_the_documented_types_are_accepted() {
    let stage = configured(
        "[profile.default]\nas-is = true\nreserve = 50\nsheet = 2\nmax-refused = \"5%\"\nservice-version = 2026-01-15\nmap = \"line1=Street\"\n",
    );
    let run = stage.run(&["status", "--json"]).expect(0);
    assert_eq!(setting(&run, "reserve"), said("50", "profile"));
    assert_eq!(setting(&run, "sheet"), said("2", "profile"));
}

#[test]
fn a_value_that_its_flag_would_refuse_is_refused_from_the_profile_too() {
    let stage = configured("[profile.default]\nrate = \"often\"\n");
    stage.file("leads.csv", "id\n1\n");
    let run = stage.run(&["check", "leads.csv"]).expect(2);
    let file = stage.path("home/config.toml");
    let place = format!("error: {}: [profile.default] rate: ", file.display());
    assert!(run.stderr.starts_with(&place), "{}", run.stderr);
    assert!(!run.stderr.contains("--rate"), "{}", run.stderr);
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(2)
        .json();
    assert_eq!(document["error"]["kind"], "settings");
}

#[test]
fn a_wrong_value_is_refused_by_a_command_that_does_not_use_it() {
    for (line, reason, advice) in [
        (
            "images = \"all\"",
            "`all` is not one of ",
            "correct the value in that file",
        ),
        (
            "port = 70000",
            "invalid value `70000`\n",
            "write a whole number from 0 to 65535",
        ),
        (
            "call-timeout = \"soon\"",
            "invalid duration `soon`\n",
            "write for instance 30s",
        ),
        (
            "tz = \"Mars/Olympus\"",
            "unknown time zone `Mars/Olympus`\n",
            "give an IANA name",
        ),
    ] {
        let stage = configured(&format!("[profile.default]\n{line}\n"));
        let run = stage.run(&["status"]).expect(2);
        let key = line.split(' ').next().unwrap();
        let expected = format!("config.toml: [profile.default] {key}: {reason}");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("hint: {advice}")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn an_unusable_address_version_or_log_of_the_profile_names_its_place() {
    for (line, key) in [
        ("base-url = \"gutters\"", "base-url"),
        ("service-version = \"soon\"", "service-version"),
        ("log = \"no/such/folder.ndjson\"", "log"),
    ] {
        let address = "base-url = \"http://127.0.0.1:9\"\n";
        let address = if key == "base-url" { "" } else { address };
        let stage = configured(&format!("[profile.default]\n{address}{line}\n"));
        let run = stage.run(&["whoami"]);
        let place = format!("config.toml: [profile.default] {key}: ");
        assert!(run.stderr.contains(&place), "{}", run.stderr);
        assert!(!run.stderr.contains("--"), "{}", run.stderr);
    }
}

#[test]
fn a_failure_about_a_setting_names_its_place_instead_of_a_flag_that_nobody_typed() {
    let row = "1,Ann,12 Elm St,Ottawa,ON,K1A 0B1,ann@example.com\n";
    let sheet = format!("id,Name,Address,City,Region,Postal code,Email\n{row}");
    for (line, error, hint) in [
        (
            "map = \"foo=bar\"",
            "map: there is no field `foo`\n",
            "hint: the fields are id, ",
        ),
        (
            "delimiter = \"ab\"",
            "delimiter: `ab` is not one ASCII character\n",
            "hint: write for instance --delimiter ';'",
        ),
    ] {
        let stage = configured(&format!("[profile.default]\n{line}\n"));
        stage.file("leads.csv", &sheet);
        let run = stage.run(&["check", "leads.csv"]);
        let failure = run
            .stderr
            .replace(&stage.path("home").display().to_string(), "");
        assert!(failure.contains(error), "{failure}");
        assert!(failure.contains(hint), "{failure}");
        assert!(
            failure.contains("config.toml: [profile.default] "),
            "{failure}"
        );
        let typed = line.split(' ').next().unwrap();
        let flag = format!("error: --{typed}");
        assert!(!failure.contains(&flag), "{failure}");
    }
    let stage = configured("[profile.default]\nsheet = \"Leads\"\nid-column = \"Record\"\n");
    stage.file("leads.csv", &sheet);
    let run = stage.run(&["check", "leads.csv"]).expect(10);
    let place = stage.path("home/config.toml").display().to_string();
    let hint = format!("hint: leave --sheet out\n      set in {place}: sheet, id-column\n");
    assert!(run.stderr.contains(&hint), "{}", run.stderr);
    let stage = configured("[profile.default]\nmap = \"foo=bar\"\n");
    stage.file("leads.csv", &sheet);
    let run = stage
        .run(&["check", "leads.csv", "--map", "foo=bar"])
        .expect(2);
    assert!(run.stderr.starts_with("error: --map: "), "{}", run.stderr);
}

#[test]
fn a_time_zone_is_checked_by_commands_that_use_none() {
    let stage = Stage::offline();
    stage.file(
        "home/config.toml",
        "[profile.default]\ntz = \"Mars/Olympus\"\n",
    );
    stage.file("leads.csv", "ID,Name\n");
    for words in [&["status"][..], &["check", "leads.csv"], &["whoami"]] {
        let run = stage.run(words).expect(2);
        let place = "config.toml: [profile.default] tz: unknown time zone `Mars/Olympus`";
        assert!(run.stderr.contains(place), "{}", run.stderr);
    }
}
