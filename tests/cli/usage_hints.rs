//! Hints about a command line that is refused.

use crate::support::Stage;
use crate::support::imports::sheet;

#[test]
fn a_mistyped_field_gets_the_nearest_one() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    let run = stage
        .run(&["check", "leads.csv", "--map", "adress=x"])
        .expect(2);
    assert!(
        run.stderr.contains("hint: did you mean `address`? "),
        "{}",
        run.stderr
    );
    let run = stage
        .run(&["check", "leads.csv", "--map", "street=x"])
        .expect(2);
    assert!(
        run.stderr.contains("hint: did you mean `line1`? "),
        "{}",
        run.stderr
    );
    let run = stage
        .run(&["check", "leads.csv", "--map", "price=x"])
        .expect(2);
    assert!(
        run.stderr.contains("hint: the fields are "),
        "{}",
        run.stderr
    );
}

#[test]
fn a_file_whose_name_begins_like_a_flag_is_named_with_its_folder() {
    let stage = Stage::offline();
    stage.file("-south.csv", sheet(0..1));
    let run = stage.run(&["check", "-south.csv"]).expect(2);
    let hint = "hint: if the file -south.csv is meant, write ./-south.csv\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);
    stage.run(&["check", "./-south.csv"]).expect(0);
}

#[test]
fn a_command_line_that_is_refused_gets_a_hint_with_the_nearest_word() {
    let stage = Stage::offline();
    for (args, message, hint) in [
        (
            &["imprt", "my leads.csv"][..],
            "unrecognized subcommand `imprt`",
            "did you mean `import`?",
        ),
        (
            &["help", "chek"],
            "unrecognized subcommand `chek`",
            "did you mean `check`?",
        ),
        (
            &["export", "x.xlsx", "--mnth=2026-10"],
            "unexpected argument `--mnth` found",
            "did you mean `--month`?",
        ),
        (
            &["import", "leads.csv", "--month", "2026-10"],
            "unexpected argument `--month` found",
            "`gutterbatch import --help` describes its flags",
        ),
        (
            &["connect", "--client-secre", "s3cret"],
            "unexpected argument `--client-secre` found",
            "did you mean `--client-secret-file`?",
        ),
        (
            &["status", "--color", "alwys"],
            "invalid value `alwys` for `--color <WHEN>` [possible values: auto, always, never]",
            "did you mean `always`?",
        ),
        (
            &["export", "x.xlsx", "--new", "--for", "leads.csv"],
            "the argument `--new` cannot be used with `--for <FILE>`",
            "leave one of them out",
        ),
        (
            &["export", "x.xlsx", "--month"],
            "a value is required for `--month <YYYY-MM>` but none was supplied",
            "`gutterbatch export --help` describes its flags",
        ),
        (
            &["export", "x.xlsx", "--new", "--redeclare"],
            "the following required arguments were not provided: --billed-until <DATE|never>",
            "add --billed-until <DATE|never>",
        ),
        (
            &["import", "leads.csv", "--limit", "0"],
            "--limit: invalid value `0`",
            "write a whole number, 1 or more",
        ),
        (
            &["import", "leads.csv", "--limit", "-1"],
            "--limit: invalid value `-1`",
            "write a whole number",
        ),
        (
            &["import", "leads.csv", "--limit", "x"],
            "--limit: invalid value `x`",
            "write a whole number",
        ),
        (
            &["connect", "--port", "70000"],
            "--port: invalid value `70000`",
            "write a whole number from 0 to 65535",
        ),
        (
            &["sandbox", "--listen", "8787"],
            "--listen: invalid value `8787`",
            "write an address with a port, for instance 127.0.0.1:8787",
        ),
        (
            &["completions", "zhs"],
            "invalid value `zhs` for `<SHELL>` [possible values: bash, elvish, fish, powershell, zsh]",
            "did you mean `zsh`?",
        ),
        (
            &["export", "x.xlsx", "--all"],
            "unexpected argument `--all` found",
            "`gutterbatch export --help` describes its flags",
        ),
        (
            &["export", "x.xlsx", "--new", "--billed-until", "soon"],
            "--billed-until: invalid value `soon`",
            "write a date, for instance 2026-11-01, or `never`",
        ),
    ] {
        let run = stage.run(args).expect(2);
        assert_eq!(run.stderr, format!("error: {message}\nhint: {hint}\n"));
        let run = stage.run(&[args, &["--json"]].concat()).expect(2);
        let error = &run.json()["error"];
        assert_eq!(error["kind"], "usage");
        assert_eq!(error["message"], message);
        assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
    }
}

#[test]
fn a_mistyped_extension_gets_the_nearest_one() {
    let stage = Stage::offline();
    let run = stage.run(&["export", "r.xlxs"]).expect(2);
    assert!(
        run.stderr.ends_with("hint: did you mean r.xlsx?\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_hint_has_its_flags_in_front_of_two_dashes() {
    let stage = Stage::open();
    let rows = "Ann,12 Elm St,Boston,MA,02134,a@x.com\nBob,14 Elm St,Boston,MA,02134,a@x.com\n";
    stage.file(
        "-leads.csv",
        format!("Name,Street,City,State,Zip,Email\n{rows}"),
    );
    let run = stage.run(&["check", "--", "-leads.csv"]).expect(10);
    let hint = "hint: gutterbatch check --derive-id -- -leads.csv\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_file_too_many_has_a_hint() {
    let stage = Stage::offline();
    for name in ["a.csv", "b.csv"] {
        stage.file(name, "id\n");
    }
    let run = stage.run(&["check", "a.csv", "b.csv"]).expect(2);
    let hint = run.stderr.lines().nth(1);
    assert_eq!(hint, Some("hint: one file at a time"));
}
