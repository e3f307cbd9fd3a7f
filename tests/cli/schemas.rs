//! The JSON schema of each command's document in `tests/spec/documents`, held against what the program prints.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::connect::asking::Asking;
use crate::support::{Run, Stage};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec/documents")
}

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What contradicts the schema, with its place. Knows the few words that the schemas use.
fn faults(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(file) = schema["$ref"].as_str() {
        return faults(&self::schema(file), value, place);
    }
    let found = type_of(value);
    let allowed: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![found],
    };
    let is_integer = found == "integer" && allowed.contains(&"number");
    if !allowed.contains(&found) && !is_integer {
        return vec![format!("{place}: {found} instead of {allowed:?}")];
    }
    if let Some(constant) = schema.get("const").filter(|constant| *constant != value) {
        return vec![format!("{place}: {value} instead of {constant}")];
    }
    let words = schema["enum"].as_array();
    if words.is_some_and(|words| !words.contains(value)) {
        return vec![format!("{place}: {value} is none of {words:?}")];
    }
    match value {
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.flat_map(|(at, item)| faults(&schema["items"], item, &format!("{place}[{at}]")))
                .collect()
        }
        Value::Object(members) => {
            let required = schema["required"].as_array().into_iter().flatten();
            let missing = required
                .filter_map(Value::as_str)
                .filter(|key| !members.contains_key(*key))
                .map(|key| format!("{place}: no {key}"));
            let inside = members.iter().flat_map(|(key, member)| {
                let place = format!("{place}.{key}");
                match (
                    schema["properties"].get(key),
                    &schema["additionalProperties"],
                ) {
                    (Some(known), _) => faults(known, member, &place),
                    (None, Value::Bool(false)) => vec![format!("{place}: unknown key")],
                    (None, others) => faults(others, member, &place),
                }
            });
            missing.chain(inside).collect()
        }
        _ => Vec::new(),
    }
}

#[track_caller]
fn assert_valid(name: &str, document: &Value) {
    let faults = faults(&schema(&format!("{name}.json")), document, "$");
    assert!(faults.is_empty(), "{name}: {faults:#?}\n{document:#}");
}

const SHEET: &str = "id,address,city,region,postal code,name,email\n\
    1,12 Elm St,Ottawa,ON,K1A 0B1,Ann,ann@example.com\n\
    2,12 Elm St,Ottawa,ON,K1A 0B1,Bob,bob@example.com\n\
    3,,Ottawa,ON,K1A 0B1,Cleo,cleo@example.com\n\
    ,,,,,,\n\
    Total,,,,,,3\n";

#[test]
fn every_document_of_every_command_follows_its_schema() {
    let stage = Stage::with(Options {
        rate: "1000000/1s".parse().unwrap(),
        work: Some(Duration::ZERO),
        ..Options::default()
    });
    stage.file("leads.csv", SHEET);
    stage.file(
        "other.csv",
        SHEET.replace("Elm", "Oak").replace("\n1,", "\n7,"),
    );
    let checked = |name: &str, args: &[&str], code: i32| {
        let run = stage.run(&[args, &["--json"]].concat()).expect(code);
        assert_valid(name, &run.json());
    };
    checked("status", &["status"], 0);
    checked("check", &["check", "leads.csv"], 3);
    checked("import", &["import", "leads.csv", "--dry-run"], 3);
    checked(
        "import",
        &["import", "leads.csv", "--allow-same-house", "--limit", "1"],
        4,
    );
    checked("import", &["import", "leads.csv", "--allow-same-house"], 3);
    checked(
        "import",
        &["import", "leads.csv", "--rate", "1/1h", "--no-wait"],
        3,
    );
    checked(
        "import",
        &["import", "other.csv", "--rate", "4/1h", "--no-wait"],
        4,
    );
    checked("status", &["status"], 0);
    checked("status", &["status", "leads.csv"], 0);
    checked("status.all", &["status", "--all"], 0);
    checked("status.open", &["status", "--open"], 0);
    checked("status.id", &["status", "--id", "1"], 0);
    checked("export", &["export", "a.csv", "--offline"], 0);
    checked("export", &["export", "a.xlsx", "--new"], 0);
    checked("export", &["export", "b.xlsx", "--new"], 0);
    checked("export.again", &["export", "c.xlsx", "--again", "1"], 0);
    checked("export.sealed", &["export", "--sealed"], 0);
    checked("status", &["status"], 0);
    checked("status.id", &["status", "--id", "1"], 0);
    checked("backup", &["backup", "copy.db"], 0);
    checked(
        "import.restore",
        &["import", "--restore", "a.xlsx", "--journal", "r.db"],
        0,
    );
    checked("whoami", &["whoami"], 0);
    checked("config", &["config", "--example"], 0);
    checked("config", &["config", "--profiles"], 0);
    checked("template", &["template", "t.xlsx"], 0);
    checked("man", &["man"], 0);
    checked("man", &["man", "pages"], 0);
    checked("completions", &["completions", "zsh"], 0);
    checked("rehearse", &["rehearse", "leads.csv", "-o", "r.xlsx"], 3);
    checked(
        "rehearse",
        &["rehearse", "leads.csv", "-o", "s.xlsx", "--rough"],
        3,
    );
    checked("failure", &["check", "missing.csv"], 10);
    checked("failure", &["imprt"], 2);
    checked("failure", &["check"], 2);

    let announced = serde_json::to_value(stage.sandbox().connection_info()).unwrap();
    assert_valid("sandbox", &announced);

    let asking = Asking::start(&stage, &["--json"]);
    stage.allow(&asking.link);
    assert_valid("connect", &asking.end().expect(0).json());
    let saved = |args: &[&str]| Run::of(stage.bare_command(args).output().unwrap());
    assert_valid(
        "disconnect",
        &saved(&["disconnect", "--json"]).expect(0).json(),
    );
}

#[test]
fn a_bill_that_must_be_declared_follows_its_schema() {
    let stage = crate::support::exports::imported(1);
    crate::support::exports::complete(&stage, 1);
    let journal = ["--journal", "second.db"];
    stage
        .run(&[&["import", "leads.csv"], &journal[..]].concat())
        .expect(0);
    let export = [&["export", "z.xlsx", "--new", "--json"], &journal[..]].concat();
    let document = stage.run(&export).expect(3).json();
    assert_eq!(document["error"]["kind"], "undeclared_billing");
    assert_valid("export.undeclared", &document);
}

#[test]
fn every_schema_belongs_to_a_document() {
    let files = std::fs::read_dir(folder()).unwrap();
    let names: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let code = include_str!("schemas.rs");
    for name in names.iter().filter(|name| *name != "README.md") {
        let quoted = format!("\"{}\"", name.trim_end_matches(".json"));
        assert!(code.contains(&quoted), "{name}");
    }
}

#[test]
fn a_fault_is_found() {
    let schema = schema("whoami.json");
    let document = serde_json::json!({"command": "whoami", "profile": 3, "more": true});
    let faults = faults(&schema, &document, "$");
    assert!(
        faults.contains(&"$.profile: integer instead of [\"string\"]".to_owned()),
        "{faults:?}"
    );
    assert!(
        faults.contains(&"$.more: unknown key".to_owned()),
        "{faults:?}"
    );
    assert!(faults.contains(&"$: no team".to_owned()), "{faults:?}");
}
