//! README's examples that no other test runs: each command is one of the program's, each file is accepted, and the
//! figures of the comparison are measured.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use gutterbatch::cli::command;
use gutterbatch::sandbox::{Faults, Options};

use crate::readme::tables::{blocks, readme, story, table};
use crate::support::{Run, Stage};

/// The words of a command as a shell reads them; without its redirections.
fn words(line: &str) -> Vec<String> {
    let script = format!("gutterbatch() {{ printf '%s\\n' \"$@\"; }}\n{line}");
    let run = Command::new("sh").args(["-c", &script]).output();
    let run = Run::of(run.unwrap()).expect(0);
    run.stdout.lines().map(str::to_owned).collect()
}

/// What the file of Windows puts in front of a command.
const FOR_MONTH: &str = "for /f %%t in ('powershell Get-Date -Format yyyy-MM') do ";

/// Every command of this program in README: in a line of a block, or in backquotes.
fn documented_commands() -> BTreeSet<String> {
    let text = readme();
    let in_lines = text.lines().filter_map(|line| {
        let starts = [
            "$ ",
            "ExecStart=sh -c '",
            "ExecStart=",
            "- run: ",
            "run: ",
            FOR_MONTH,
        ];
        let command = |start| line.trim_start().strip_prefix(start);
        let line = starts.into_iter().find_map(command).unwrap_or(line);
        let line = line
            .trim_end_matches('\'')
            .replace("%%t", "2026-11")
            .replace("$$", "$")
            .replace("%%", "%");
        line.starts_with("gutterbatch ").then_some(line)
    });
    let quoted = text
        .split('`')
        .filter(|part| part.starts_with("gutterbatch ") && !part.contains('\n'));
    let of_windows = text.split("/TR \"").skip(1);
    let of_windows = of_windows.filter_map(|rest| rest.split('"').next());
    let others = quoted.chain(of_windows).map(str::to_owned);
    in_lines.chain(others).collect()
}

#[test]
fn every_command_in_the_readme_is_one_that_the_program_understands() {
    let commands = documented_commands();
    assert!(commands.len() > 15, "{commands:?}");
    for line in commands {
        let line = line.replace('\\', "/").replace(['[', ']'], "");
        let typed = ["gutterbatch".to_owned()].into_iter().chain(words(&line));
        let parsed = command().try_get_matches_from(typed);
        let is_help = parsed
            .as_ref()
            .err()
            .is_some_and(|error| !error.use_stderr());
        assert!(parsed.is_ok() || is_help, "{line}: {:?}", parsed.err());
    }
}

/// The commands of README that neither its stories, nor its page for the office, nor its schedules of Unix have, each as
/// it is run here, with its exit code; in the order in which they are run.
const OTHER_COMMANDS: [(&str, &str, i32); 8] = [
    (
        "gutterbatch status --journal PATH -q",
        "status --journal no.db -q",
        8,
    ),
    (
        "gutterbatch connect --profile test",
        "connect --profile test --no-browser --timeout 1s",
        5,
    ),
    ("gutterbatch rehearse leads.csv", "rehearse leads.csv", 0),
    (
        "gutterbatch rehearse leads.xlsx --rough",
        "rehearse leads.xlsx --rough",
        0,
    ),
    ("gutterbatch sandbox --help", "sandbox --help", 0),
    (
        r"gutterbatch import C:\leads\leads.csv --yes -q --lock-wait 30m",
        "import leads.csv --yes -q --lock-wait 30m",
        0,
    ),
    (
        r"gutterbatch export C:\leads\bill-2026-11.xlsx --new --completed-to 2026-11-01 --tz America/Toronto --wait-complete -q --lock-wait 24h",
        "export bill.xlsx --new --completed-to 2999-11-01 --tz America/Toronto --wait-complete -q --lock-wait 24h",
        0,
    ),
    ("gutterbatch backup OUT.db", "backup OUT.db", 0),
];

#[test]
fn the_commands_in_the_sentences_of_the_readme_do_what_they_say() {
    let page = readme();
    let office = page.split("\n## For the office\n").nth(1).unwrap();
    let office = office.split("\n## ").next().unwrap();
    let kinds = ["console", "cron", "ini", "yaml"];
    let elsewhere = kinds.map(|kind| blocks(kind).join("\n")).join("\n") + office;
    let elsewhere = elsewhere.replace("$$", "$").replace("%%", "%");
    let mut others = documented_commands();
    others.retain(|line| !elsewhere.contains(line));
    // It does not end by itself; its tests run it.
    others.remove("gutterbatch sandbox");
    let listed = OTHER_COMMANDS.map(|(line, ..)| line.to_owned());
    let listed: BTreeSet<String> = listed.into_iter().collect();
    assert_eq!(others, listed);

    let stage = story();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for name in ["leads.csv", "leads.xlsx"] {
        std::fs::copy(samples.join(name), stage.path(name)).unwrap();
    }
    for (line, typed, code) in OTHER_COMMANDS {
        let words: Vec<&str> = typed.split(' ').collect();
        let run = stage.run(&words);
        assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
        let is_quiet = code == 0 && words.contains(&"-q");
        assert!(
            !is_quiet || run.stdout.is_empty() && run.stderr.is_empty(),
            "{line}"
        );
    }
    for name in ["leads.rehearsal.xlsx", "bill.xlsx", "OUT.db"] {
        assert!(stage.path(name).is_file(), "{name}");
    }
}

#[test]
fn the_settings_of_the_readme_are_accepted() {
    let stage = Stage::offline();
    for block in blocks("toml") {
        stage.file("home/config.toml", &block);
        let run = stage.run(&["status", "--json"]).expect(0).json();
        let settings = run["settings"].as_array().unwrap();
        let of_profile = settings.iter().filter(|one| one["origin"] == "profile");
        let keys = block.lines().filter(|line| line.contains(" = "));
        assert_eq!(of_profile.count(), keys.count(), "{run}");
    }
}

#[test]
fn the_faults_of_the_readme_are_accepted() {
    for block in blocks("json") {
        block.parse::<Faults>().unwrap();
    }
}

#[test]
fn the_lowest_version_of_rust_is_that_of_the_manifest() {
    let stated = format!("Rust {} or newer", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme().contains(&stated), "{stated}");
}

#[test]
fn every_path_that_the_page_for_developers_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join(".github/CONTRIBUTING.md")).unwrap();
    let text = page + &readme();
    let paths = text.split('`').filter(|part| {
        let is_path = ["src/", "tests/", "samples/", "benches/", ".ci/"];
        is_path.iter().any(|start| part.starts_with(start)) && !part.contains("COMMAND")
    });
    let missing: BTreeSet<&str> = paths.filter(|path| !root.join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Twelve rows, of which the third has a comma in a quoted cell, in the order of the loop.
fn twelve_rows() -> String {
    let row = |number: usize| {
        let name = if number == 3 {
            "\"Lee, Ann\""
        } else {
            "Ann Lee"
        };
        format!("A-{number},{name},{number} Elm Street,Ottawa,ON,K1A 0B1,c{number}@example.com\n")
    };
    let rows: String = (1..=12).map(row).collect();
    format!("id,name,address,city,region,postal code,email\n{rows}")
}

fn limited(rate: &str) -> Stage {
    let stage = Stage::with(Options {
        rate: rate.parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", twelve_rows());
    stage
}

fn statuses(stage: &Stage, status: u16) -> usize {
    let calls = stage.sandbox().calls();
    calls
        .iter()
        .filter(|call| call.status == Some(status))
        .count()
}

/// Runs README's loop over the rows below the headers.
fn curl_loop(stage: &Stage) -> Run {
    let announced = stage.sandbox().connection_info();
    let script = blocks("bash").remove(0);
    let script = script.replace("done < leads.csv", "done < rows.csv");
    let sheet = twelve_rows();
    let (_, rows) = sheet.split_once('\n').unwrap();
    stage.file("rows.csv", rows);
    let mut bash = Command::new("bash");
    bash.args(["-c", &script])
        .current_dir(stage.folder())
        .stdin(Stdio::null())
        .env("URL", &announced.base_url)
        .env("TOKEN", &announced.token)
        .env("VERSION", &announced.service_version);
    Run::of(bash.output().unwrap())
}

#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
#[test]
fn a_loop_around_curl_loses_the_rows_that_the_readme_says() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("skipped: curl is not installed");
        return;
    }
    // The last cell is about a run that leaves rows to be sent.
    let says_missing = |run: &Run, missing: usize| {
        assert!(missing > 0);
        if run.code == Some(0) { "no" } else { "yes" }
    };
    let stage = limited("8/1h");
    let run = curl_loop(&stage);
    let first = stage.sandbox().calls().len();
    let refused = statuses(&stage, 429);
    let missing = 12 - stage.sandbox().measurements().len();
    let loop_says = says_missing(&run, missing);
    curl_loop(&stage);
    let again = stage.sandbox().calls().len() - first;
    let of_loop = [refused, missing, again];

    let stage = limited("8/3s");
    let import = ["import", "leads.csv", "--rate", "8/3s", "--json"];
    let no_wait = [&import[..], &["--no-wait"]].concat();
    let run = stage.run(&no_wait);
    let import_says = says_missing(&run, 12 - stage.sandbox().measurements().len());
    stage.run(&import).expect(0);
    let first = stage.sandbox().calls().len();
    let refused = statuses(&stage, 429);
    let missing = 12 - stage.sandbox().measurements().len();
    stage.run(&import).expect(0);
    let again = stage.sandbox().calls().len() - first;
    let of_import = [refused, missing, again];

    let documented = table("Compared with a loop around curl");
    let column = |at: usize| -> Vec<usize> {
        let cells = documented
            .iter()
            .take(3)
            .map(|row| row[at].trim_matches([' ', '|']));
        cells.map(|cell| cell.parse().unwrap()).collect()
    };
    assert_eq!(column(1), of_loop);
    assert_eq!(column(2), of_import);
    let exit_codes = &documented[3];
    assert!(exit_codes[0].contains("exit code"), "{exit_codes:?}");
    assert_eq!(exit_codes[1..], [loop_says, import_says]);
}
