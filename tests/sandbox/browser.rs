//! A person at a real browser: connects, and measures what was imported. Skipped, with a notice, where no browser is
//! installed.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use gutterbatch::sandbox::StoredMeasurement;
use serde_json::Value;

use crate::sandbox::chromium::Browser;
use crate::support::Stage;

const LEADS: &str = "\
Lead ID,Name,Street,City,State/Province,Postal Code,Country,Email
L-1,Zoë Ng,12 Elm St,Ottawa,ON,K1A 0B1,CA,zoe@example.com
L-2,Al Roy,9 Orchard Ln,Halifax,NS,B3H 1A1,CA,al@example.com
L-3,Dee O'Neil,4410 Rue Saint-Denis,Montréal,QC,H2J 2L1,CA,dee@example.com
";

#[test]
fn a_person_connects_imports_measures_and_exports() {
    let Some(mut browser) = launch() else {
        return;
    };
    let stage = Stage::open();
    connect(&stage, &mut browser);
    let leads = stage.file("leads.csv", LEADS);
    let leads = leads.to_str().unwrap();
    unconnected(&stage, &["import", leads, "--yes"]);
    browser.go(&stage.sandbox().connection_info().base_url);
    by_hand(&mut browser, "Zoë Ng", "182.5");
    by_hand(&mut browser, "Al Roy", "96.4");
    with_plausible_numbers(&mut browser, "Dee O'Neil");
    let mut held = stage.sandbox().measurements();
    held.sort_by(|one, other| one.external_id.cmp(&other.external_id));
    let lengths: Vec<_> = held.iter().map(|one| one.gutter_length_ft).collect();
    assert_eq!(lengths[..2], [Some(182.5), Some(96.4)]);
    assert!(lengths[2].is_some_and(|feet| (40.0..500.0).contains(&feet)));
    export(&stage, &held);
}

/// Runs `connect` and clicks Allow on the page that it asks for.
fn connect(stage: &Stage, browser: &mut Browser) {
    let mut command = stage.command(&["connect", "--no-browser"]);
    let mut connecting = command
        .env_remove("GUTTERBATCH_TOKEN")
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(connecting.stderr.take().unwrap()).lines();
    let link = lines.find_map(|line| {
        let line = line.unwrap();
        line.trim()
            .starts_with("http")
            .then(|| line.trim().to_owned())
    });
    browser.go(&link.expect("connect prints the link on a line of its own"));
    browser.click("Allow");
    browser.wait_for("location.pathname === '/callback'");
    assert!(!browser.text("document.body.innerText").is_empty());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(connecting.wait().unwrap().success(), "{rest:?}");
}

/// Runs the program with what `connect` saved, and nothing from the environment.
#[track_caller]
fn unconnected(stage: &Stage, args: &[&str]) {
    let output = stage.bare_command(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
}

fn open(browser: &mut Browser, customer: &str) {
    browser.click("Requests");
    browser.click(customer);
    browser.click("Open the request");
    browser.wait_for("document.querySelector('.badge').innerText === 'In progress'");
}

fn by_hand(browser: &mut Browser, customer: &str, feet: &str) {
    open(browser, customer);
    browser.fill("length", feet);
    browser.fill("size", "5");
    browser.fill("corners", "4");
    browser.fill("length_1", "10.5");
    browser.click("Complete with these numbers");
    browser.wait_for("document.querySelector('.badge').innerText === 'Complete'");
}

fn with_plausible_numbers(browser: &mut Browser, customer: &str) {
    open(browser, customer);
    browser.click("Fill in plausible numbers");
    browser.wait_for("document.querySelector('[name=length]').value !== ''");
    browser.click("Complete with these numbers");
    browser.wait_for("document.querySelector('.badge').innerText === 'Complete'");
    let picture = "[...document.images].length === 1 && [...document.images].every((one) => one.naturalWidth === 480)";
    browser.wait_for(picture);
}

/// The exported numbers are the ones that the person took in.
fn export(stage: &Stage, held: &[StoredMeasurement]) {
    let results = stage.path("results.json");
    unconnected(stage, &["export", results.to_str().unwrap()]);
    let text = std::fs::read_to_string(results).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    for one in held {
        let mut all = results.as_array().unwrap().iter();
        let result = all.find(|result| result["measurement_id"] == one.measurement_id.as_str());
        let result = result.unwrap();
        assert_eq!(result["gutter_length_ft"].as_f64(), one.gutter_length_ft);
        assert_eq!(result["external_id"].as_str(), one.external_id.as_deref());
    }
}

#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn launch() -> Option<Browser> {
    let browser = Browser::launch();
    if browser.is_none() {
        eprintln!("skipped: no chromium is installed");
    }
    browser
}
