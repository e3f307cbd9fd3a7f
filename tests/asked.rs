//! What `import` shows before its question at a terminal, and what a no leaves behind.

use crate::connect::hidden::Sitting;
use crate::support::Stage;

const HEADERS: &str = "Key,Name,Street,City,State,Zip,Email";
const KEY: &str = "--id-column Key";

fn row(id: u32) -> String {
    format!("{id},Ada,{id} Elm Street,Boston,MA,02134,a@example.com\n")
}

/// Answers the question of an import with no; returns what the terminal showed.
fn decline(stage: &Stage, command: &str) -> String {
    let token = &stage.sandbox().announcement().token;
    let command = format!("GUTTERBATCH_TOKEN='{token}' {command}; echo code $?");
    let mut sitting = Sitting::at(stage, &command);
    sitting.until("[y/N] ");
    sitting.press("n\n");
    sitting.end().stdout
}

#[test]
fn an_import_that_was_declined_is_not_the_last_run_of_its_file() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let status = || stage.run(&["status"]).expect(0).stdout;
    let before = last_run(&status());

    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let shown = decline(&stage, "gutterbatch import leads.csv --id-prefix no-");
    assert!(shown.contains("stopped: you answered no"), "{shown}");
    assert!(shown.contains("code 4"), "{shown}");
    assert_eq!(last_run(&status()), before);
    let again = stage.run(&["check", "leads.csv"]).expect(0).stderr;
    assert!(!again.contains("no-"), "{again}");

    // The first import of a file is no run either.
    stage.file("other.csv", format!("{HEADERS}\n{}", row(7)));
    decline(&stage, &format!("gutterbatch import other.csv {KEY}"));
    assert!(!status().contains("other.csv"), "{}", status());
}

/// The lines of `status` about the file.
fn last_run(status: &str) -> Vec<String> {
    let lines = status.lines().filter(|line| line.contains("leads.csv"));
    lines.map(str::to_owned).collect()
}

#[test]
fn whoever_is_asked_by_a_quiet_import_sees_what_would_be_sent() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let shown = decline(&stage, &format!("gutterbatch import -q leads.csv {KEY}"));
    let flat = shown.replace("\r\n", " ");
    for text in ["2 rows to submit", "team ", "first 1 Elm Street, Boston"] {
        assert!(flat.contains(text), "{text}: {shown}");
    }
}
