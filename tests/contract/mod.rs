//! The service's contract as examples, a file each in `tests/spec`, by which both sides are judged: the stand-in gives
//! every call the answer that its example shows, and the client sends that call and understands that answer.

mod client;
mod service;
mod shape;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// One call and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    /// Where the service's description says it, such as `S4.5`.
    clause: String,
    /// What it says, in a sentence of ours.
    fact: String,
    /// What happened before, in order.
    #[serde(default)]
    given: Vec<Given>,
    request: Asked,
    answer: Answered,
    /// What the client makes of the answer.
    client: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Given {
    QuotaSpent,
    Created,
    Completed,
    Withdrawn,
    Exchanged,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    method: String,
    path: String,
    /// A header that is left out.
    without: Option<String>,
    /// Instead of the version that is served.
    version: Option<String>,
    body: Option<Value>,
    form: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Value,
}

/// The measurement that examples speak of.
const MEASUREMENT: &str = "msr_9tq3";

/// Every example, by its file's name.
fn examples() -> BTreeMap<String, Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec");
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let example = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, example)
    };
    // The folders beside them have the schemas of the program's own documents.
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_file()).map(read).collect()
}

#[test]
fn the_stand_in_gives_every_call_the_answer_of_its_example() {
    let examples = examples();
    let creation = examples["creation"].request.body.as_ref().unwrap();
    for (name, example) in &examples {
        let Example { clause, fact, .. } = example;
        let faults = service::judge(example, creation);
        assert!(faults.is_empty(), "{name} ({clause}, {fact}): {faults:#?}");
    }
}

#[test]
fn the_client_sends_every_call_and_understands_its_answer() {
    for (name, example) in examples() {
        let Example { clause, fact, .. } = &example;
        let understood = client::understood(&example);
        assert_eq!(understood, example.client, "{name} ({clause}, {fact})");
    }
}
