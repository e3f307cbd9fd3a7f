//! Corrected rows of a customer with several houses.

use crate::rejects::corrected::{GOOD, HEADERS, edit, import, outcomes, read, sheet};
use crate::support::Stage;

/// Two houses of one customer without postal codes.
const FIRST_HOUSE: &str = "t100-1,Ann,1001 Elm Street,Boston,MA,,ann@example.com,617-555-0100";
const SECOND_HOUSE: &str = "t100-2,Ann,1003 Elm Street,Boston,MA,,ann@example.com,617-555-0100";

/// A sheet of those, with a column for the phone.
fn houses(rows: &[&str]) -> String {
    sheet(rows).replacen("Email", "Email,Phone", 1)
}

fn completed(row: &str) -> String {
    row.replace("MA,,", "MA,02134,")
}

fn sent(stage: &Stage) -> Vec<String> {
    let held = stage.sandbox().measurements();
    let mut ids: Vec<String> = held.into_iter().filter_map(|one| one.external_id).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn an_older_copy_of_the_rejects_corrects_no_other_row_of_the_same_customer() {
    let stage = Stage::open();
    stage.file("leads.csv", houses(&[FIRST_HOUSE, SECOND_HOUSE]));
    import(&stage, "leads.csv", 3);
    let open = read(&stage, "leads.rejects.csv");
    stage.file("leads.csv", houses(&[SECOND_HOUSE, FIRST_HOUSE]));
    import(&stage, "leads.csv", 3);
    stage.file(
        "leads.rejects.csv",
        open.replace(FIRST_HOUSE, &completed(FIRST_HOUSE)),
    );
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(run.json()["outcomes"]["created"], 1);
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(outcomes(&run), serde_json::json!({"invalid": 2}));

    let second = [completed(SECOND_HOUSE), completed(FIRST_HOUSE)];
    stage.file("leads.csv", houses(&[&second[0], &second[1]]));
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"created": 1, "known": 1})
    );
    assert_eq!(sent(&stage), ["t100-1", "t100-2"]);
}

#[test]
fn rejects_whose_columns_were_sorted_without_source_row_correct_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", houses(&[FIRST_HOUSE, SECOND_HOUSE]));
    import(&stage, "leads.csv", 3);
    let rejects = read(&stage, "leads.rejects.csv");
    let sorted = rejects.replace(FIRST_HOUSE, "first");
    let sorted = sorted.replace(SECOND_HOUSE, FIRST_HOUSE);
    stage.file(
        "leads.rejects.csv",
        sorted.replace("first", &completed(SECOND_HOUSE)),
    );
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(run.json()["outcomes"]["created"], 1);
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(outcomes(&run), serde_json::json!({"invalid": 2}));
}

#[test]
fn a_copied_row_that_became_another_house_is_not_shown_in_the_row_that_it_was_copied_from() {
    for is_later in [false, true] {
        let stage = Stage::open();
        let derived = |file: &str, code: i32| {
            let run = stage.run(&["import", file, "--derive-id", "--json"]);
            run.expect(code)
        };
        let without_ids = |row: &str| row.split_once(',').unwrap().1.to_owned();
        let (headers, row) = (without_ids(HEADERS), without_ids(FIRST_HOUSE));
        stage.file("leads.csv", format!("{headers},Phone\n{row}\n"));
        derived("leads.csv", 3);
        let rejects = read(&stage, "leads.rejects.csv").replace(&row, &completed(&row));
        let line = rejects.lines().nth(1).unwrap();
        let other = line.replace("1001", "1003");
        if is_later {
            stage.file("leads.rejects.csv", &rejects);
            derived("leads.rejects.csv", 0);
        }
        stage.file("leads.rejects.csv", format!("{rejects}{other}\n"));
        derived("leads.rejects.csv", 0);
        let run = derived("leads.csv", 0);
        assert_eq!(outcomes(&run), serde_json::json!({"known": 1}));

        let held = stage.sandbox().measurements();
        assert_eq!(held.len(), 2);
        let own = |line1: &str| {
            let mut all = held.iter();
            let one = all.find(|one| one.line1.contains(line1)).unwrap();
            one.measurement_id.clone()
        };
        stage
            .run(&["export", "out.csv", "--for", "leads.csv"])
            .expect(0);
        let results = read(&stage, "out.csv");
        assert!(results.contains(&own("1001")), "{results}");
        assert!(!results.contains(&own("1003")), "{results}");
    }
}

#[test]
fn rows_below_a_total_that_was_skipped_are_corrected_too() {
    let stage = Stage::open();
    let total = "Total: 2,,,,,,";
    let nowhere = |id: u32| format!("{id},Cy,,,,,cy{id}@example.com");
    let (fifth, sixth) = (nowhere(5), nowhere(6));
    stage.file("leads.csv", sheet(&[GOOD, total, &fifth, &sixth]));
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"created": 1, "invalid": 2})
    );
    edit(
        &stage,
        "leads.rejects.csv",
        "5,Cy,,,,,",
        "5,Cy,15 Oak Street,Boston,MA,02134,",
    );
    edit(
        &stage,
        "leads.rejects.csv",
        "6,Cy,,,,,",
        "6,Cy,16 Oak Street,Boston,MA,02134,",
    );
    import(&stage, "leads.rejects.csv", 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 3}));
}

#[test]
fn a_lead_without_a_street_is_not_the_corrected_one_of_a_sheet_whose_rows_have_left() {
    let manager = "PM Corp,,Boston,MA,02134,pm@example.com";
    let [first, second, third] = ["10 Elm St", "20 Elm St", "30 Elm St"].map(|street| {
        format!(
            "{street} Owner,{street},Boston,MA,02134,{}@example.com",
            &street[..2]
        )
    });
    let rows = |rows: &[&str]| {
        format!(
            "{}\n{}\n",
            HEADERS.split_once(',').unwrap().1,
            rows.join("\n")
        )
    };
    let stage = Stage::open();
    let derived = |file: &str, code: i32| {
        let run = stage.run(&["import", file, "--derive-id", "--json"]);
        outcomes(&run.expect(code))
    };
    stage.file("leads.csv", rows(&[manager, &first, &second]));
    derived("leads.csv", 3);
    edit(&stage, "leads.rejects.csv", "Corp,,", "Corp,12 Oak St,");
    derived("leads.rejects.csv", 0);
    // The sheet itself, also with a row more.
    for sheet in [
        rows(&[manager, &first, &second]),
        rows(&[&first, manager, &second, &third]),
    ] {
        stage.file("leads.csv", sheet);
        assert_eq!(derived("leads.csv", 0)["invalid"], serde_json::Value::Null);
    }
    // Another day's, with open leads of before, or with no other row.
    for (sheet, code) in [(rows(&[&second, manager]), 3), (rows(&[manager]), 3)] {
        stage.file("leads.csv", &sheet);
        assert_eq!(derived("leads.csv", code)["invalid"], 1, "{sheet}");
    }
}

#[test]
fn a_corrected_row_with_its_id_stays_known_whatever_rows_leave_its_sheet() {
    let stage = Stage::open();
    let open = "3,Cy,TBD,Boston,MA,02134,cy@example.com";
    stage.file("leads.csv", sheet(&[GOOD, open]));
    import(&stage, "leads.csv", 3);
    edit(&stage, "leads.rejects.csv", "TBD", "16 Elm Street");
    import(&stage, "leads.rejects.csv", 0);
    for rows in [&[open][..], &[&GOOD.replacen('1', "1-2", 1), open]] {
        stage.file("leads.csv", sheet(rows));
        let check = stage.run(&["check", "leads.csv", "--json"]);
        let plan = check.expect(if rows.len() == 1 { 0 } else { 3 }).json();
        assert_eq!(plan["plan"]["known"], 1, "{plan}");
    }
    // A row that was edited since is looked at again.
    stage.file("leads.csv", sheet(&[&open.replace("TBD", "TBA")]));
    import(&stage, "leads.csv", 3);
}

#[test]
fn a_row_whose_street_has_a_number_but_no_house_is_not_the_corrected_one_of_another_sheet() {
    for street in ["5th Ave", "TBD County Road 12"] {
        let stage = Stage::open();
        let lead = |zip: &str, street: &str| {
            format!("1,Builder,{street},Boston,MA,{zip},b@example.com,617-555-0100")
        };
        stage.file("oct.csv", houses(&[&lead("", street)]));
        let october = ["import", "oct.csv", "--id-prefix", "oct-"];
        stage.run(&october).expect(3);
        let rejects = std::fs::read_to_string(stage.path("oct.rejects.csv")).unwrap();
        let house = format!("12 {}", street.trim_start_matches("TBD "));
        let corrected = rejects.replace(street, &house).replace("MA,,", "MA,02134,");
        stage.file("oct.rejects.csv", corrected);
        stage.run(&["import", "oct.rejects.csv"]).expect(0);
        stage.run(&october).expect(0);

        // Another house of the same customer, for which nothing is known but the street.
        stage.file("nov.csv", houses(&[&lead("", street)]));
        let november = ["import", "nov.csv", "--id-prefix", "nov-"];
        stage.run(&november).expect(3);
    }
}

#[test]
fn a_house_number_that_was_filled_in_under_derived_ids_is_no_second_request() {
    let list = |street: &str| {
        format!(
            "Name,Email,Street,City,State,Zip\n\
             Bo Ray,bo@example.com,7 Pine St,Rochester,NY,14604\n\
             Jo Doe,jo@example.com,{street},Rochester,NY,14604\n"
        )
    };
    let import = |stage: &Stage, file: &str, code: i32| {
        let run = stage.run(&["import", file, "--derive-id", "--json"]);
        run.expect(code)
    };
    let held = serde_json::json!({"known": 1, "same_house": 1});
    for open in ["Sunset Dr", "Lot 12 Sunset Dr"] {
        for file in ["leads.csv", "november.csv"] {
            let stage = Stage::open();
            stage.file("leads.csv", list(open));
            import(&stage, "leads.csv", 0);
            stage.file(file, list("1412 Sunset Dr"));
            let run = import(&stage, file, 3);
            assert_eq!(outcomes(&run), held, "{open}, {file}");
            let message = run.json()["problems"][0]["message"].to_string();
            let told = format!("for {open}, which is not in this file any more");
            assert!(message.contains(&told), "{message}");
            // A person knows whether it is another house.
            let rejects = file.replace(".csv", ".rejects.csv");
            let rows = read(&stage, &rejects);
            stage.file(&rejects, rows.replace(",14604,,", ",14604,send,"));
            let run = stage.run(&["import", &rejects, "--json"]);
            assert_eq!(outcomes(&run.expect(0))["created"], 1);
        }
    }
    // Another street, a number that was another one, and a file without the rows of the other.
    for (before, after, file) in [
        ("Sunset Dr", "1412 Willow Dr", "leads.csv"),
        ("1412 Sunset Dr", "1421 Sunset Dr", "leads.csv"),
        ("Sunset Dr", "1412 Sunset Dr", "others.csv"),
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", list(before));
        import(&stage, "leads.csv", 0);
        let rows = list(after);
        stage.file(
            file,
            if file == "leads.csv" {
                rows
            } else {
                rows.replace("7 Pine", "9 Pine")
            },
        );
        import(&stage, file, 0);
    }
}
