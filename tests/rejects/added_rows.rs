//! Customers that a person added below the rejects.

use serde_json::json;

use crate::rejects::corrected::{GOOD, NO_CITY, edit, import, outcomes, read, sheet};
use crate::same_house::houses::cells;
use crate::support::Stage;

const ADDED: &str = "9,Di,18 Elm Street,,MA,02134,di@example.com";

/// A sheet whose rejects were corrected, but for a row that was added to them.
fn added() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    edit(
        &stage,
        "leads.rejects.csv",
        "14 Elm Street,,",
        "14 Elm Street,Boston,",
    );
    let rejects = read(&stage, "leads.rejects.csv");
    stage.file("leads.rejects.csv", format!("{rejects}{ADDED},,\n"));
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(outcomes(&run), json!({"created": 1, "invalid": 1}));
    stage
}

#[test]
fn a_rejected_row_that_was_added_to_rejects_is_named_until_it_is_imported() {
    let stage = added();
    let status = || stage.run(&["status", "--json"]).expect(0).json()["needs"].clone();
    let needed = status()[0].clone();
    assert_eq!(needed["kind"], "kept_rejects", "{needed}");
    let command = needed["command"].as_str().unwrap();
    assert!(command.ends_with("leads.rejects-2.csv"), "{command}");
    // Its original has no such row, and does not remove the rejects that have.
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(outcomes(&run), json!({"known": 2}));
    assert_eq!(run.json()["kept_rejects"], json!(["leads.rejects-2.csv"]));
    assert!(read(&stage, "leads.rejects-2.csv").contains("18 Elm Street"));
    edit(
        &stage,
        "leads.rejects-2.csv",
        "18 Elm Street,,",
        "18 Elm Street,Boston,",
    );
    let run = import(&stage, "leads.rejects-2.csv", 0);
    assert_eq!(outcomes(&run), json!({"created": 1}));
    assert_eq!(status(), json!([]));
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), json!({"known": 2}));
}

#[test]
fn a_row_that_was_added_to_rejects_and_is_rejected_again_has_no_number_of_the_original() {
    let stage = added();
    edit(
        &stage,
        "leads.rejects-2.csv",
        "di@example.com",
        "dina@example.com",
    );
    import(&stage, "leads.rejects-2.csv", 3);
    let rejects = read(&stage, "leads.rejects-3.csv");
    let line = rejects.lines().nth(1).unwrap();
    assert!(line.ends_with(','), "{line}");
}

#[test]
fn the_rejects_of_two_sheets_in_one_file_are_not_sent_also_without_their_errors_or_numbers() {
    let no_zip = |id: u32, street: &str| format!("{id},Bo,{street},Boston,MA,,bo{id}@example.com");
    for dropped in ["error", "source_row"] {
        let stage = Stage::open();
        let mut both: Vec<Vec<String>> = Vec::new();
        for (id, name, street) in [
            (2, "january", "14 Elm Street"),
            (3, "february", "20 Oak Street"),
        ] {
            stage.file(&format!("{name}.csv"), sheet(&[&no_zip(id, street)]));
            let (file, prefix) = (format!("{name}.csv"), format!("{name}-"));
            let import = ["import", &file, "--yes", "--id-prefix", &prefix];
            stage.run(&import).expect(3);
            let rejects = cells(&stage, &format!("{name}.rejects.csv"));
            both.extend(rejects.into_iter().skip(usize::from(!both.is_empty())));
        }
        let column = both[0].iter().position(|header| header == dropped).unwrap();
        for row in &mut both {
            row.remove(column);
        }
        let lines: Vec<String> = both.iter().map(|row| row.join(",")).collect();
        // Rejects of uncorrected ones would be read with the flags of one sheet.
        for corrected in [",MA,,", ",MA,02134,"] {
            stage.file("both.csv", lines.join("\n").replace(",MA,,", corrected));
            let run = stage.run(&["import", "both.csv", "--yes"]).expect(10);
            let reason = "those of several sheets";
            assert!(run.stderr.contains(reason), "{}", run.stderr);
        }
        assert!(!stage.path("both.rejects.csv").exists());
        assert_eq!(stage.sandbox().measurements().len(), 0);
    }
}
