//! Corrections of rejects that give a street, or split an address: known in the original.

use gutterbatch::sandbox::Options;

use crate::rejects::corrected::{edit, import, outcomes, read, rejected};
use crate::support::Stage;

#[test]
fn a_whole_address_that_was_corrected_with_commas_is_known_in_the_original() {
    let stage = Stage::open();
    let row = |id: u32, address: &str| format!("{id},Bo {id},bo{id}@example.com,\"{address}\"\n");
    let headers = "ID,Name,Email,Billing Address\n";
    let good = row(1, "12 Elm Street, Boston, MA 02134");
    let odd = "14 Elm Street North Boston MA 02134";
    stage.file("leads.csv", format!("{headers}{good}{}", row(2, odd)));
    let map = [
        "import",
        "leads.csv",
        "--map",
        "address=Billing Address",
        "--json",
    ];
    assert_eq!(outcomes(&stage.run(&map).expect(3))["invalid"], 1);
    edit(
        &stage,
        "leads.rejects.csv",
        odd,
        "\"14 Elm Street, North Boston, MA 02134\"",
    );
    import(&stage, "leads.rejects.csv", 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 2}));
    assert_eq!(rejected(&stage), 0);
}

#[test]
fn a_street_to_be_filled_in_that_was_corrected_under_derived_ids_is_known_in_the_original() {
    let stage = Stage::open();
    let header = "Name,Email,Phone,Street,City,State,Zip\n";
    let row = |n: u32, street: &str| {
        format!("Bo {n},bo{n}@example.com,614-555-040{n},{street},Dublin,OH,43017\n")
    };
    let open = ["same as above", "TBD", "ditto", "", "12-Oct"];
    let rows: String = (1..).zip(open).map(|(n, street)| row(n, street)).collect();
    let good = row(9, "312 Maple Ave");
    stage.file("leads.csv", format!("{header}{good}{rows}"));
    let words = |file| ["import", file, "--derive-id", "--json"];
    let run = stage.run(&words("leads.csv")).expect(3);
    assert_eq!(outcomes(&run)["invalid"], 5);
    let rejects = read(&stage, "leads.rejects.csv");
    let corrected = (1..).zip(open).fold(rejects, |rejects, (n, street)| {
        rejects.replace(
            &format!("040{n},{street},"),
            &format!("040{n},{n}9 Oak St,"),
        )
    });
    stage.file("leads.rejects.csv", corrected);
    let run = stage.run(&words("leads.rejects.csv")).expect(0);
    assert_eq!(outcomes(&run), serde_json::json!({"created": 5}));
    // Unchanged, sorted with a row inserted, and saved under another name.
    let sorted: String = (1..6)
        .zip(open)
        .rev()
        .map(|(n, street)| row(n, street))
        .collect();
    let new = row(8, "7 Pine Rd");
    for (file, content, known) in [
        ("leads.csv", format!("{header}{good}{rows}"), 6),
        ("leads.csv", format!("{header}{new}{sorted}{good}"), 6),
        ("fall list.csv", format!("{header}{sorted}{good}{new}"), 7),
    ] {
        stage.file(file, content);
        let run = stage.run(&words(file)).expect(0);
        assert_eq!(outcomes(&run)["known"], known, "{file}");
    }
    assert_eq!(stage.sandbox().measurements().len(), 7);
}

#[test]
fn a_whole_address_that_could_not_be_split_and_was_corrected_is_known_in_the_original() {
    let stage = Stage::open();
    let row =
        |n: u32, address: &str| format!("Bo {n},bo{n}@example.com,614-555-040{n},\"{address}\"\n");
    let form = [
        row(1, "12 Coit Rd, Plano, TX 75074"),
        row(2, "16 Coit Rd, Plano 75074"),
        row(3, "18 Coit Rd and 20 Legacy Dr, Plano, TX 75074"),
    ];
    let header = "Your full name,Email,Phone,Property address\n";
    let form = header.to_owned() + &form.concat();
    stage.file("form.csv", &form);
    let flags = ["--derive-id", "--map", "address=Property address", "--json"];
    let run = stage
        .run(&[&["import", "form.csv"], &flags[..]].concat())
        .expect(3);
    assert_eq!(outcomes(&run)["invalid"], 2);
    let rejects = read(&stage, "form.rejects.csv");
    let corrected = rejects
        .replace("Plano 75074", "Plano, TX 75074")
        .replace(" and 20 Legacy Dr", "");
    stage.file("form.rejects.csv", corrected);
    let run = import(&stage, "form.rejects.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"created": 2}));
    let run = import(&stage, "form.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 3}));
    assert_eq!(rejected(&stage), 0);
    let words = ["export", "for.csv", "--for", "form.csv", "--offline"];
    let shown = stage.run(&words).expect(0);
    let sheet = read(&stage, "for.csv");
    assert!(!sheet.contains("invalid"), "{sheet}{}", shown.stderr);
}

#[test]
fn a_whole_address_that_could_not_be_split_is_not_completed_by_another_house_of_its_customer() {
    let stage = Stage::open();
    let header = "Name,Email,Full Address\n";
    let good = "Bo Lind,bo@example.com,\"40 Oak St, Dublin, OH 43016\"\n";
    let unsplit = |n: u32| format!("Ann Berg,ann@example.com,{n} Elm Dublin OH 43016\n");
    let words = ["import", "leads.csv", "--derive-id", "--json"];
    stage.file(
        "leads.csv",
        format!("{header}{good}{}{}", unsplit(12), unsplit(14)),
    );
    stage.run(&words).expect(3);
    let rejects = read(&stage, "leads.rejects.csv");
    // The other row is taken out of the copy, and moves to the place of this one in the list.
    let lines = rejects.lines().filter(|line| !line.contains("14 Elm"));
    let fixed: Vec<String> = lines
        .map(|line| line.replace("12 Elm Dublin OH 43016", "\"12 Elm St, Dublin, OH 43016\""))
        .collect();
    stage.file("leads.csv", format!("{header}{good}{}", unsplit(14)));
    stage.run(&words).expect(3);
    stage.file("fixed.csv", fixed.join("\n"));
    assert_eq!(
        outcomes(&import(&stage, "fixed.csv", 0)),
        serde_json::json!({"created": 1})
    );
    let run = stage.run(&words).expect(3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"invalid": 1, "known": 1})
    );
}

#[test]
fn a_street_to_be_filled_in_of_another_month_is_another_house() {
    let stage = Stage::open();
    let header = "Name,Email,Street,City,State,Zip\n";
    let manager = "PM Corp,pm@example.com,,Columbus,OH,43201\n";
    let other = |n: u32| format!("Ann {n},ann{n}@example.com,{n} Elm St,Columbus,OH,43201\n");
    let words = |file| ["import", file, "--derive-id", "--json"];
    stage.file("leads.csv", format!("{header}{}{manager}", other(1)));
    stage.run(&words("leads.csv")).expect(3);
    edit(
        &stage,
        "leads.rejects.csv",
        "com,,Columbus",
        "com,12 Oak St,Columbus",
    );
    stage.run(&words("leads.rejects.csv")).expect(0);
    for file in ["leads.csv", "november.csv"] {
        stage.file(file, format!("{header}{}{manager}", other(2)));
        // Once more, when the row beside it is known.
        for _ in 0..2 {
            let run = stage.run(&words(file)).expect(3);
            assert_eq!(outcomes(&run)["invalid"], 1, "{file}");
        }
        let export = ["export", "for.csv", "--for", file, "--offline"];
        stage.run(&export).expect(0);
        let results = read(&stage, "for.csv");
        let line = results.lines().find(|line| line.starts_with("PM Corp"));
        assert!(!line.unwrap().contains("msr_"), "{results}");
    }
}

#[test]
fn a_row_with_its_house_number_in_a_cell_of_its_own_that_was_corrected_is_known_in_the_original() {
    let stage = Stage::open();
    let header = "Name,Email,House No,Street,City,State,Zip\n";
    let row = |n: u32, house: &str| format!("Bo {n},bo{n}@example.com,{house},Dublin,OH,43017\n");
    let open = ["311,TBD", "312,see notes", "2026-04-12,Oak St"];
    let rows: String = (1..).zip(open).map(|(n, house)| row(n, house)).collect();
    let good = row(9, "319,Maple Ave");
    stage.file("leads.csv", format!("{header}{good}{rows}"));
    let words = |file| ["import", file, "--derive-id", "--json"];
    let run = stage.run(&words("leads.csv")).expect(3);
    assert_eq!(outcomes(&run)["invalid"], 3);
    let houses = ["311,Oak St", "312,Oak St", "4-12,Oak St"];
    let rejects = read(&stage, "leads.rejects.csv");
    let corrected = open
        .into_iter()
        .zip(houses)
        .fold(rejects, |rejects, (before, house)| {
            rejects.replace(before, house)
        });
    stage.file("leads.rejects.csv", corrected);
    let run = stage.run(&words("leads.rejects.csv")).expect(0);
    assert_eq!(outcomes(&run), serde_json::json!({"created": 3}));
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 4}));
    assert_eq!(rejected(&stage), 0);
}

#[test]
fn a_street_corrected_in_a_later_list_is_not_requested_again_after_its_row_was_corrected_in_rejects()
 {
    let header = "Name,Email,Street,City,State,Zip\n";
    let row = |n: u32, street: &str, zip: &str| {
        format!("Bo {n},bo{n}@example.com,{n} {street},Rochester,NY,{zip}\n")
    };
    let list = |second: (&str, &str), third: &str| {
        let [first, third] = [(100, "14604"), (114, third)].map(|(n, zip)| row(n, "Oak St", zip));
        format!("{header}{first}{}{third}", row(107, second.0, second.1))
    };
    let corrected = ("Oakfield St", "14604");
    let import_list = |stage: &Stage, file: &str| {
        let run = stage.run(&["import", file, "--derive-id", "--json"]);
        outcomes(&run.expect(3))
    };
    // Rejects at their path and a copy of them; then a row that is known only as corrected.
    let known = serde_json::json!({"known": 2, "same_house": 1});
    for (rejects, third, third_later) in [
        ("leads-10.rejects.csv", "14604", "14604"),
        ("fix.csv", "14604", "14604"),
        ("leads-10.rejects.csv", "", ""),
    ] {
        let stage = Stage::open();
        stage.file("leads-10.csv", list(("Oak St", ""), third));
        import_list(&stage, "leads-10.csv");
        let rows =
            read(&stage, "leads-10.rejects.csv").replace("Rochester,NY,,", "Rochester,NY,14604,");
        stage.file(rejects, rows);
        import(&stage, rejects, 0);
        stage.file("leads-11.csv", list(corrected, third_later));
        assert_eq!(import_list(&stage, "leads-11.csv"), known, "{rejects}");
        assert_eq!(stage.sandbox().measurements().len(), 3);
    }
    // At the same path, in a journal that was restored, which has no corrections.
    let stage = Stage::open();
    stage.file("leads.csv", list(("Oak St", ""), "14604"));
    import_list(&stage, "leads.csv");
    edit(
        &stage,
        "leads.rejects.csv",
        "Rochester,NY,,",
        "Rochester,NY,14604,",
    );
    import(&stage, "leads.rejects.csv", 0);
    stage.run(&["export", "results.xlsx"]).expect(0);
    std::fs::remove_file(stage.journal()).unwrap();
    stage
        .run(&["import", "--restore", "results.xlsx"])
        .expect(0);
    stage.file("leads.csv", list(corrected, "14604"));
    assert_eq!(import_list(&stage, "leads.csv"), known);
}

#[test]
fn a_new_house_beside_one_of_its_owner_that_is_known_as_corrected_is_no_corrected_street() {
    let stage = Stage::open();
    let row = |house: &str, zip: &str| format!("Ann,ann@example.com,{house},Rochester,NY,{zip}\n");
    let list = format!(
        "Name,Email,Street,City,State,Zip\n{}{}",
        row("100 Pine St", "14604"),
        row("107 Oak St", "")
    );
    stage.file("leads.csv", &list);
    let derived = ["import", "leads.csv", "--derive-id", "--json"];
    stage.run(&derived).expect(3);
    edit(
        &stage,
        "leads.rejects.csv",
        "Rochester,NY,,",
        "Rochester,NY,14604,",
    );
    import(&stage, "leads.rejects.csv", 0);
    stage.file("leads.csv", list + &row("107 Elm St", "14604"));
    let run = stage.run(&derived).expect(0);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"known": 2, "created": 1})
    );
    let told = "which is not in this sheet";
    assert!(!run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn a_refused_address_that_was_corrected_under_derived_ids_is_known_in_the_original() {
    let refuse = r#"{"rules": [{"do": "status", "status": 422, "method": "POST", "path": "/measurements", "nth": [2]}]}"#;
    let stage = Stage::with(Options {
        faults: Some(refuse.parse().unwrap()),
        ..Options::default()
    });
    let row = |n: u32, street: &str| format!("Bo {n},bo{n}@example.com,{street},Dublin,OH,43017\n");
    let sheet = ["199 Cedar Ln", "14 Oak St", "16 Oak St"];
    let rows: String = (1..).zip(sheet).map(|(n, street)| row(n, street)).collect();
    stage.file(
        "leads.csv",
        format!("Name,Email,Street,City,State,Zip\n{rows}"),
    );
    let words = |file| {
        [
            "import",
            file,
            "--derive-id",
            "--json",
            "--concurrency",
            "1",
        ]
    };
    let run = stage.run(&words("leads.csv")).expect(3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"created": 2, "refused": 1})
    );
    let rejects = read(&stage, "leads.rejects.csv");
    let (wrong, right) = if rejects.contains("Cedar") {
        ("199 Cedar Ln", "19 Cedar Ln")
    } else {
        ("14 Oak St", "114 Oakley Ave")
    };
    edit(&stage, "leads.rejects.csv", wrong, right);
    import(&stage, "leads.rejects.csv", 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 3}));
    assert_eq!(rejected(&stage), 0);
}

#[test]
fn nobody_is_told_in_rejects_to_have_the_request_of_another_row_of_the_sheet_canceled() {
    let stage = Stage::open();
    let headers = "Name,Street,City,State,Zip,Email\n";
    let row = |street: &str| format!("Ada Lee,{street},Boston,MA,02134,ada@example.com\n");
    stage.file(
        "leads.csv",
        headers.to_owned() + &row("12 Elm Street") + &row("TBD"),
    );
    let import = |file: &str, code| {
        stage
            .run(&["import", file, "--yes", "--derive-id"])
            .expect(code)
    };
    import("leads.csv", 3);
    edit(&stage, "leads.rejects.csv", "TBD", "40 Elm Street");
    let run = import("leads.rejects.csv", 0);
    assert!(!run.stderr.contains("cancel the request"), "{}", run.stderr);
}
