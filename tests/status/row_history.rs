//! `status --id`: the history of a row, from its rejection to its bill.

use crate::support::Stage;
use crate::support::exports::complete;

const SHEET: &str = "id,address,city,region,postal code,name,email\n\
    1,12 Elm St,Ottawa,ON,K1A 0B1,Ann,ann@example.com\n\
    2,,Ottawa,ON,K1A 0B1,Bob,bob@example.com\n";

fn history(stage: &Stage, id: &str) -> String {
    stage.run(&["status", "--id", id]).expect(0).stdout
}

#[test]
fn the_history_of_a_row_begins_with_its_rejection_and_names_the_row_that_it_corrects() {
    let stage = Stage::open();
    stage.file("leads.csv", SHEET);
    stage.run(&["import", "leads.csv"]).expect(3);
    let text = history(&stage, "2");
    let file = stage.path("leads.csv").display().to_string();
    assert!(text.starts_with(&format!("2  row 3 of {file}\n")), "{text}");
    assert!(text.contains("\n  rejected     invalid: "), "{text}");

    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file(
        "leads.rejects.csv",
        rejects.replacen("2,,", "2,14 Elm St,", 1),
    );
    stage.run(&["import", "leads.rejects.csv"]).expect(0);
    complete(&stage, 2);
    stage.run(&["export", "bill.xlsx", "--new"]).expect(0);
    let text = history(&stage, "2");
    assert!(
        text.contains(&format!("\n  corrects     row 3 of {file}\n")),
        "{text}"
    );
    for part in [
        "\n  request      created\n",
        "submitted: response 201",
        "billed in sealed export 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Requests of one minute are told apart.
    let submitted = text.lines().find(|line| line.contains("submitted:"));
    let time = submitted.unwrap().split_whitespace().nth(1).unwrap();
    assert_eq!(time.matches(':').count(), 2, "{text}");
    let json = stage
        .run(&["status", "--id", "2", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["corrects"]["row"], 3);
    assert!(
        stage
            .run(&["status", "--id", "1"])
            .expect(0)
            .stdout
            .contains("request      created")
    );
}
