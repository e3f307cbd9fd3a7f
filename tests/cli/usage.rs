//! Usage errors name the flag, and the manual pages have the sections that people look for.

use crate::support::imports::sheet;
use crate::support::{Run, Stage};

#[test]
fn a_value_that_cannot_be_used_is_named_with_its_flag() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    for (args, message) in [
        (
            &["export", "x.xlsx", "--month", "2026-13"][..],
            "error: --month: invalid month `2026-13`",
        ),
        (
            &[
                "export",
                "x.xlsx",
                "--month",
                "2026-10",
                "--tz",
                "Mars/Olympus",
            ],
            "error: --tz: unknown time zone `Mars/Olympus`",
        ),
        (
            &["import", "leads.csv", "--reserve", "700"],
            "error: --reserve: a reserve of 700 leaves no request of 600/1h\nhint: reserve less than 600",
        ),
        (
            &["check", "leads.csv", "--reserve", "5", "--rate", "5/1m"],
            "error: --reserve: a reserve of 5 leaves no request",
        ),
        (
            &["check", "leads.csv", "--map", "state=ST"],
            "error: --map: there is no field `state`\nhint: did you mean `region`?",
        ),
        (
            &["check", "leads.csv", "--map", "zip=Z"],
            "error: --map: there is no field `zip`\nhint: did you mean `postal_code`?",
        ),
        (
            &["export", "x.xlsx", "--again", "7"],
            "error: --again 7: there is no sealed export 7",
        ),
        (
            &["import", "leads.csv", "--until", "soon"],
            "error: --until: `soon` is not a time",
        ),
        (
            &["import", "leads.csv", "--rate", "x"],
            "error: --rate: `x` is not a rate",
        ),
        (
            &["check", "leads.csv", "--map", "foo=bar"],
            "error: --map: there is no field `foo`",
        ),
    ] {
        let run = stage.run(args).expect(2);
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
}

#[test]
fn an_argument_too_many_or_too_few_is_named() {
    let stage = Stage::open();
    for (args, message, hint) in [
        (
            &["import", "my", "leads.csv", "--yes"][..],
            "unexpected argument `leads.csv` found",
            "`gutterbatch import --help` describes its flags",
        ),
        (
            &["check"],
            "the following required arguments were not provided: <FILE>",
            "for instance: gutterbatch check leads.csv",
        ),
        (
            &["config"],
            "the following required arguments were not provided: <--example|--profiles>",
            "for instance: gutterbatch config --example",
        ),
        (
            &["completions"],
            "the following required arguments were not provided: <SHELL>",
            "for instance: source <(gutterbatch completions bash)",
        ),
    ] {
        let run = stage.run(args).expect(2);
        assert_eq!(run.stderr, format!("error: {message}\nhint: {hint}\n"));
    }
    let typed = ["export", "--for", "leads.csv"];
    let stderr = stage.run(&typed).expect(2).stderr;
    let hint = "hint: for instance: gutterbatch export leads.results.xlsx --for leads.xlsx\n";
    assert!(stderr.ends_with(hint), "{stderr}");
    stage.file("my leads.csv", "");
    let args = ["import", "my", "leads.csv", "--yes"];
    let stderr = stage.run(&args).expect(2).stderr;
    let hint = "hint: quote the name of the file: gutterbatch import 'my leads.csv' --yes\n";
    assert!(stderr.ends_with(hint), "{stderr}");
    stage.file("my leads.rejects.csv", "");
    for name in ["my leads", "MY Leads.xlsx", "my leeds.csv"] {
        let stderr = stage.run(&["check", name]).expect(10).stderr;
        assert!(
            stderr.ends_with("hint: did you mean 'my leads.csv'?\n"),
            "{stderr}"
        );
    }
}

#[test]
fn a_name_of_several_words_for_a_new_file_and_a_command_for_bills_get_a_hint() {
    let stage = Stage::offline();
    let bill = "a bill is a sealed export: gutterbatch export billing.xlsx --new";
    for (typed, hint) in [
        (
            "export my bill.xlsx --new",
            "quote the name of the file: gutterbatch export 'my bill.xlsx' --new",
        ),
        (
            "template new leads.xlsx",
            "quote the name of the file: gutterbatch template 'new leads.xlsx'",
        ),
        ("bill x.xlsx", bill),
        ("export x.xlsx --bill", bill),
        (
            "export one.xlsx two.xlsx",
            "`gutterbatch export --help` describes its flags",
        ),
    ] {
        let words: Vec<&str> = typed.split(' ').collect();
        let stderr = stage.run(&words).expect(2).stderr;
        assert!(stderr.ends_with(&format!("hint: {hint}\n")), "{stderr}");
    }
}

#[test]
fn flags_without_a_command_print_the_first_steps_and_with_json_the_error() {
    let stage = Stage::offline();
    let alone = stage.run(&[]).expect(0);
    assert!(alone.stdout.contains("\n  gutterbatch rehearse  "));
    for flags in [&["-q"][..], &["-v"], &["--profile", "acme"]] {
        let run = stage.run(flags).expect(0);
        assert_eq!(
            (run.stdout, run.stderr),
            (alone.stdout.clone(), String::new())
        );
    }
    let error = stage.run(&["--json"]).expect(2).json()["error"].clone();
    assert_eq!(
        error["hint"],
        "`gutterbatch --help` lists the commands and their common flags"
    );
}

#[test]
fn an_unknown_encoding_or_id_is_named_with_its_flag_and_what_to_do() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let run = stage
        .run(&["check", "leads.csv", "--encoding=utf-9"])
        .expect(2);
    let lines = "error: --encoding: there is no encoding called `utf-9`\n\
        hint: without --encoding, `check` finds it; others are utf-8,";
    assert!(run.stderr.starts_with(lines), "{}", run.stderr);
    stage
        .run(&["import", "leads.csv", "--id-prefix", "may-"])
        .expect(0);
    let run = stage.run(&["status", "--id", "a-1"]).expect(2);
    assert!(
        run.stderr.starts_with("error: --id: the journal "),
        "{}",
        run.stderr
    );
    let hint = " has no external id `a-1`\nhint: gutterbatch status --id may-A-1\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let run = stage.run(&["status", "--id", "mya-A-1"]).expect(2);
    assert!(
        run.stderr
            .contains("\nhint: gutterbatch status --id may-A-1\n"),
        "{}",
        run.stderr
    );
    let run = stage.run(&["status", "--id", "A-77"]).expect(2);
    assert!(
        run.stderr
            .contains("\nhint: give the id with its --id-prefix"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_month_without_a_zone_says_which_zone_it_took_unless_it_is_the_computers() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    let export = |zone: &str, more: &[&str]| {
        let mut command = stage.command(&["export", "out.csv", "--month", "2026-10", "--offline"]);
        command.args(more).env("TZ", zone);
        Run::of(command.output().unwrap()).expect(0).stderr
    };
    let note = "days and months are those of UTC; for those of this computer's zone, add --tz America/Toronto\n";
    assert!(export("America/Toronto", &[]).contains(note));
    assert!(!export("America/Toronto", &["--tz", "UTC"]).contains("days and months"));
    assert!(!export("UTC", &[]).contains("days and months"));
}

#[test]
fn the_long_help_of_map_lists_the_fields() {
    let help = |flag: &str| {
        let run = Stage::offline().run(&["check", flag]).expect(0).stdout;
        run.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let fields = "The fields are id, address, line1, ";
    assert!(help("--help").contains(fields) && !help("-h").contains(fields));
}

#[test]
fn control_characters_of_the_command_line_are_not_printed() {
    let stage = Stage::offline();
    for args in [
        &["che\u{1b}[2Jck"][..],
        &["check", "--\u{202e}gnp\u{1b}]0;x\u{7}"],
        &["check", "\u{202e}vsc.\u{1b}[1m"],
        &["import", "leads.csv", "--limit", "\u{202e}1\u{1b}[1m"],
        &["check", "leads.csv", "--log", "no/\u{202e}\u{1b}[1m"],
    ] {
        for more in [&[][..], &["--json"]] {
            let run = stage.run(&[args, more].concat());
            for text in [&run.stdout, &run.stderr] {
                let is_clean = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
                assert!(text.chars().all(is_clean), "{args:?}: {text:?}");
            }
            assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
        }
    }
}

#[test]
fn an_address_without_a_scheme_is_answered_with_the_whole_address() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    for (address, hint) in [
        ("localhost:8797", "hint: write http://localhost:8797\n"),
        ("api.example.com", "hint: write https://api.example.com\n"),
        ("gutters", "hint: give the service's address, for instance "),
    ] {
        let run = stage.run(&["import", "leads.csv", "--base-url", address]);
        let stderr = run.expect(2).stderr;
        let error = format!("error: --base-url: `{address}` is not a base address\n{hint}");
        assert!(stderr.contains(&error), "{stderr}");
    }
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let stage = Stage::open();
    for variable in [
        "PROFILE",
        "BASE_URL",
        "SERVICE_VERSION",
        "CLIENT_ID",
        "CLIENT_SECRET",
        "TOKEN",
    ] {
        let mut command = stage.command(&["status"]);
        command.env(format!("GUTTERBATCH_{variable}"), "");
        let run = Run::of(command.output().unwrap()).expect(0);
        assert!(
            run.stdout.contains("profile       default"),
            "{}",
            run.stdout
        );
    }
    let mut command = stage.command(&["status", "-v"]);
    command.env("GUTTERBATCH_BASE_URL", "");
    let run = Run::of(command.output().unwrap()).expect(0);
    assert!(
        !run.stdout.contains("(environment)\n  base-url"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("base-url "), "{}", run.stdout);
}

#[test]
fn flags_of_an_export_that_contradict_each_other_are_refused() {
    let stage = Stage::offline();
    let run = stage
        .run(&["export", "x.xlsx", "--format", "csv"])
        .expect(2);
    let said = "error: x.xlsx and --format csv contradict each other\n";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    stage
        .run(&["export", "x.csv", "--offline", "--refresh", "all"])
        .expect(2);
}

#[test]
fn the_short_help_of_every_command_leaves_a_line_of_a_small_terminal_free() {
    let program = gutterbatch::cli::command();
    for command in program.get_subcommands() {
        let stage = Stage::offline();
        let mut help = stage.command(&[command.get_name(), "-h"]);
        let help = Run::of(help.env("COLUMNS", "80").output().unwrap())
            .expect(0)
            .stdout;
        let lines = help.lines().count();
        assert!(lines < 24, "{lines} lines: {help}");
    }
}
