//! README's commands, tables and lists are the program's own.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use gutterbatch::cli::{ErrorKind, ExitStatus, command};
use gutterbatch::sandbox::Options;
use serde_json::{Value, json};

use crate::support::{Run, Stage};

pub(crate) fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    std::fs::read_to_string(path).unwrap()
}

/// The commands of README's shell blocks, in order.
fn commands() -> Vec<String> {
    let text = readme();
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks
        .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// The cells of the table below a heading, a line each.
pub(crate) fn table(heading: &str) -> Vec<Vec<String>> {
    let text = readme();
    let section = text
        .split(&format!("\n## {heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no section {heading}"));
    let lines = section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        line.trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    lines.skip(2).map(cells).collect()
}

#[test]
fn the_first_command_runs_the_whole_job_and_the_second_the_tests() {
    let commands = commands();
    assert_eq!(
        commands[0],
        "cargo run --release -- rehearse samples/leads.csv -o results.xlsx"
    );
    assert_eq!(commands[1], "cargo test");

    let stage = Stage::offline();
    stage.file("samples/leads.csv", sample());
    let words: Vec<&str> = commands[0]
        .split_once(" -- ")
        .unwrap()
        .1
        .split(' ')
        .collect();
    // A connection of the user's own has no part in a rehearsal.
    let mut command = stage.bare_command(&words);
    command.env("GUTTERBATCH_TOKEN", "somebody-elses");
    Run::of(command.output().unwrap()).expect(0);
    assert!(stage.path("results.xlsx").is_file());
}

#[test]
fn the_exit_codes_are_the_programs_own() {
    let documented: Vec<(String, String)> = table("Exit codes")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    let ours: Vec<_> = ExitStatus::MEANINGS
        .iter()
        .map(|(exit, meaning)| (exit.code().to_string(), (*meaning).to_owned()))
        .collect();
    assert_eq!(documented, ours);
}

#[test]
fn the_kinds_of_errors_are_the_programs_own() {
    let text = readme();
    let section = text
        .split("\n| kind | exit code | meaning |\n")
        .nth(1)
        .unwrap();
    let lines = section
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let documented: Vec<String> = lines.map(str::to_owned).collect();
    let ours = ErrorKind::MEANINGS.iter().map(|(kind, exit, meaning)| {
        let kind = json!(kind);
        format!(
            "| `{}` | {} | {meaning} |",
            kind.as_str().unwrap(),
            exit.code()
        )
    });
    assert_eq!(documented, ours.collect::<Vec<_>>());
}

#[test]
fn every_command_stands_in_the_table_and_no_other() {
    let name = |cell: &str| {
        cell.trim_start_matches('`')
            .split([' ', '`'])
            .next()
            .unwrap()
            .to_owned()
    };
    let documented: BTreeSet<String> = table("Commands").iter().map(|row| name(&row[0])).collect();
    let ours: BTreeSet<String> = command()
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    assert_eq!(documented, ours);
}

#[test]
fn every_flag_that_the_readme_names_exists() {
    let mut grammar = command();
    grammar.build();
    let known: BTreeSet<String> = grammar
        .get_subcommands()
        .flat_map(clap::Command::get_arguments)
        .filter_map(|argument| argument.get_long().map(str::to_owned))
        .collect();
    let text = readme();
    let named = text.split("--").skip(1).map(|rest| {
        rest.chars()
            .take_while(|c| c.is_ascii_lowercase() || *c == '-')
            .collect::<String>()
    });
    let others = [
        "path", "release", "bench", "test", "version", "now", "failed", "-", "",
    ];
    let unknown: BTreeSet<String> = named
        .filter(|flag| !known.contains(flag) && !others.contains(&flag.as_str()))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_command_shows_examples_in_its_help() {
    for subcommand in command().get_subcommands() {
        let help = subcommand
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(help.contains("Examples:"), "{}", subcommand.get_name());
    }
}

/// Every Rust file below a folder, as one text.
fn code_below(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&code_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    text
}

#[test]
fn every_line_of_what_it_survives_is_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = code_below(&root.join("tests")) + &code_below(&root.join("src"));
    let survived = table("What it survives");
    assert!(!survived.is_empty());
    for row in survived {
        let name = row[2].trim_matches(['`', ' ', '|']);
        assert!(
            code.contains(&format!("fn {name}()")),
            "no test is named {name}"
        );
    }
}

/// The keys of a document, at every depth. What a key of `opaque` holds is the service's or the sheet's own.
fn keys(document: &Value, opaque: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    match document {
        Value::Object(members) => {
            for (key, value) in members {
                found.insert(key.clone());
                if !opaque.contains(&key.as_str()) {
                    found.extend(keys(value, opaque));
                }
            }
        }
        Value::Array(items) => found.extend(items.iter().flat_map(|item| keys(item, opaque))),
        _ => {}
    }
    found
}

/// Fails where a document has a key that its line of the table, or its section, lacks.
#[track_caller]
fn assert_documented(name: &str, document: &Value, opaque: &[&str]) {
    let text = readme();
    let text = text.split("\n### Keys of the documents\n").nth(1).unwrap();
    let starts = [format!("\n| `{name}` | "), format!("\n#### `{name}`\n")];
    let mut ends = ["\n", "\n###"].iter();
    let described = starts.iter().find_map(|start| {
        let end = ends.next().unwrap();
        text.split(start.as_str()).nth(1)?.split(end).next()
    });
    let described = described.unwrap_or_else(|| panic!("no {name}"));
    let unknown: Vec<String> = keys(document, opaque)
        .into_iter()
        .filter(|key| !["command", "error", "exit_code"].contains(&key.as_str()))
        .filter(|key| !described.contains(&format!("`{key}`")))
        .collect();
    assert!(unknown.is_empty(), "{name} lacks {unknown:?}");
}

#[test]
fn every_key_of_every_document_stands_in_the_readme() {
    let stage = Stage::with(Options {
        rate: "1000000/1s".parse().unwrap(),
        work: Some(Duration::ZERO),
        ..Options::default()
    });
    // Two ids on one roof are worth a warning, and a row without an address is invalid.
    let sheet = "id,address,city,region,postal code,name,email\n\
        1,12 Elm St,Ottawa,ON,K1A 0B1,Ann,ann@example.com\n\
        2,12 Elm St,Ottawa,ON,K1A 0B1,Bob,bob@example.com\n\
        3,,Ottawa,ON,K1A 0B1,Cleo,cleo@example.com\n";
    stage.file("leads.csv", sheet);
    let fast = ["--rate", "1000000/1s", "--json"];
    let document = |args: &[&str], code: i32| {
        let args: Vec<&str> = args.iter().chain(&fast).copied().collect();
        stage.run(&args).expect(code).json()
    };
    let import = ["import", "leads.csv", "--allow-same-house"];
    assert_documented("import", &document(&import, 3), &[]);
    assert_documented(
        "export",
        &document(&["export", "all.xlsx", "--new"], 0),
        &[],
    );
    assert_documented("whoami", &document(&["whoami"], 0), &[]);

    let offline = |args: &[&str], code: i32| {
        let args: Vec<&str> = args.iter().chain(&["--json"]).copied().collect();
        stage.run(&args).expect(code).json()
    };
    let check = offline(&["check", "leads.csv"], 3);
    assert_documented("check", &check, &["mapping"]);
    let again = offline(&["export", "one.xlsx", "--again", "1"], 0);
    assert_documented("export --again", &again, &[]);
    assert_documented(
        "export --sealed",
        &offline(&["export", "--sealed"], 0),
        &["totals"],
    );
    let status = offline(&["status"], 0);
    assert_documented("status", &status, &["outcomes"]);
    let id = status["warnings"][0]["external_id"].as_str().unwrap();
    let story = offline(&["status", "--id", id], 0);
    assert_documented("status --id", &story, &["request", "answer"]);
    let home = ["--journal", "restored.db"];
    let restored = offline(&["import", "--restore", "all.xlsx", home[0], home[1]], 0);
    assert_documented("import --restore", &restored, &[]);
    let rough = offline(&["rehearse", "leads.csv", "-o", "r.xlsx", "--rough"], 3);
    assert_documented("rehearse", &json!({"rough": rough["rough"]}), &[]);
    assert_eq!(
        keys(&rough["import"], &["team"]),
        keys(&document(&["import", "leads.csv"], 3), &["team"])
    );
    assert_documented("disconnect", &offline(&["disconnect"], 0), &[]);
}

/// A stage with the sample as `leads.csv`, and a contractor who works at once.
pub(crate) fn story() -> Stage {
    let stage = Stage::with(Options {
        rate: "1000000/1s".parse().unwrap(),
        work: Some(Duration::ZERO),
        ..Options::default()
    });
    stage.file("leads.csv", sample());
    stage
}

/// The sheet of the examples.
pub(crate) fn sample() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/leads.csv");
    std::fs::read(path).unwrap()
}

/// The blocks of a kind.
pub(crate) fn blocks(kind: &str) -> Vec<String> {
    let text = readme();
    let opening = format!("\n```{kind}\n");
    let parts = text.split(opening.as_str()).skip(1);
    parts
        .map(|rest| rest.split("\n```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_command_of_the_stories_prints_what_the_readme_shows() {
    let stage = story();
    let mut commands = 0;
    for block in blocks("console") {
        for part in format!("\n{block}").split("\n$ gutterbatch ").skip(1) {
            // The month of the bill has not ended yet.
            let part = part.replace(" 2026-1", " 2999-1");
            let (line, shown) = part.split_once('\n').unwrap_or((&part, ""));
            let words: Vec<&str> = line.split(' ').collect();
            let run = stage.run(&words).expect(0);
            assert_eq!(run.stdout.trim_end(), shown, "{line}");
            // Left out are the first steps that come next, how the sheet is read, and lines with the time of the run.
            let left_out = [
                "next: ",
                "reading it as before: ",
                "warning: the period is not over",
            ];
            for said in run.stderr.lines() {
                let is_dated = said.starts_with("20") && said.contains(" UTC: ");
                let is_left_out = left_out.iter().any(|start| said.starts_with(start));
                assert!(is_dated || is_left_out, "{line}: {said}");
            }
            commands += 1;
        }
    }
    assert_eq!(commands, 5);
    assert!(stage.path("october.xlsx").is_file());
    assert!(!stage.path("november.xlsx").exists());
}

#[test]
fn the_picture_of_the_workbook_is_the_one_that_the_first_command_writes() {
    let stage = Stage::offline();
    stage.file("leads.csv", sample());
    let rehearse = ["rehearse", "leads.csv", "-o", "out.xlsx"];
    stage.run(&rehearse).expect(0);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(stage.path("out.xlsx")).unwrap();
    let sheet = calamine::Reader::worksheet_range(&mut book, "Measurements").unwrap();
    let rows: Vec<&[calamine::Data]> = sheet.rows().collect();
    let picture = blocks("text").remove(0);
    let mut lines = picture.lines().map(|line| {
        let cells = line.split("  ").map(str::trim);
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    });
    let headers = lines.next().unwrap();
    let at = |header: &&str| rows[0].iter().position(|cell| cell == *header).unwrap();
    let columns: Vec<usize> = headers.iter().map(at).collect();
    for (row, line) in rows[1..].iter().zip(lines) {
        let cells = columns.iter().zip(&headers).zip(&line);
        let cells = cells.map(|((column, header), shown)| match &row[*column] {
            // Of the day on which it runs.
            calamine::Data::DateTime(_) if *header == "Completed" => (*shown).to_owned(),
            cell => cell.to_string(),
        });
        assert_eq!(cells.collect::<Vec<_>>(), line);
    }
}

#[test]
fn the_number_of_attempts_is_that_of_the_program() {
    assert_eq!(gutterbatch::api::MAX_ATTEMPTS, 6);
    assert!(readme().contains("A request that fails is sent up to six times"));
}

#[test]
fn the_page_for_the_office_is_at_most_30_lines() {
    let text = readme();
    let page = text.split("\n## For the office\n").nth(1).unwrap();
    let page = page.split("\n## ").next().unwrap();
    assert!(page.lines().count() <= 30);
    let bill = page.lines().find(|line| line.contains("--new")).unwrap();
    assert!(bill.contains("--wait-complete`"), "{bill}");
}
