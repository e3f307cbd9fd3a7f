//! Ids that are derived from the address: a correction changes them, and the house is not requested a second time.

use std::collections::BTreeMap;
use std::fs;

use crate::same_house::houses::{import, requested};
use crate::support::Stage;
use crate::support::imports::outcomes;

const HEADER: &str = "name,email,line1,city,region,postal_code\n";

/// Jo's house in a town.
fn jo(town: &str) -> String {
    format!("Jo Doe,jo@example.com,12 Roosevelt Street,{town}\n")
}

fn same_house(count: u64) -> BTreeMap<&'static str, u64> {
    BTreeMap::from([("same_house", count)])
}

#[test]
fn a_corrected_street_under_derived_ids_is_no_second_request() {
    let stage = Stage::open();
    let header = "name,email,line1,city,region,postal_code\n";
    let row = |line1: &str| format!("{header}Jo Doe,jo@example.com,{line1},Rochester,NY,14604\n");
    stage.file("leads.csv", row("12 Rosevelt Street"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    for line1 in [
        "12 Roosevelt Street",
        "12 Roosevelt St",
        "12 ROOSEVELT ST Apt 4",
    ] {
        stage.file("leads.csv", row(line1));
        let document = import(&stage, &["leads.csv", "--derive-id"], 3);
        assert_eq!(
            outcomes(&document),
            BTreeMap::from([("same_house", 1)]),
            "{line1}"
        );
    }
    assert_eq!(requested(&stage).len(), 1);
}

#[test]
fn a_street_of_one_customer_that_was_corrected_in_its_file_is_no_second_request() {
    let row = |line1: &str| format!("{HEADER}Jo Doe,jo@example.com,{line1},Rochester,NY,14604\n");
    for (before, after) in [
        ("12 Oak St", "12 Oakland St"),
        ("12 Eml St", "12 Elm St"),
        ("12 Mount St", "12 Mount Hope St"),
        ("12 Elm St", "12 Elm Ave"),
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", row(before));
        import(&stage, &["leads.csv", "--derive-id"], 0);
        stage.file("leads.csv", row(after));
        let document = import(&stage, &["leads.csv", "--derive-id"], 3);
        assert_eq!(outcomes(&document), same_house(1), "{after}");
        let message = document["problems"][0]["message"].as_str().unwrap();
        let expected = format!("for {before}, which is not in this file any more");
        assert!(message.contains(&expected), "{message}");
        assert_eq!(requested(&stage).len(), 1);
        // In another file, it is another row.
        stage.file("november.csv", row(after));
        import(&stage, &["november.csv", "--derive-id"], 0);
        assert_eq!(requested(&stage).len(), 2);
    }
}

#[test]
fn a_row_that_was_corrected_in_the_rejects_and_whose_street_is_corrected_later_is_no_second_request()
 {
    let stage = Stage::open();
    let row = |line1: &str, postal_code: &str| {
        format!("{HEADER}Jo Doe,jo@example.com,{line1},Rochester,NY,{postal_code}\n")
    };
    stage.file("leads.csv", row("12 Oak St", ""));
    import(&stage, &["leads.csv", "--derive-id"], 3);
    let rejects = fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("fixed.csv", rejects.replace(",NY,,", ",NY,14604,"));
    import(&stage, &["fixed.csv"], 0);
    import(&stage, &["leads.csv"], 0);
    stage.file("leads.csv", row("12 Oakfield St", "14604"));
    let document = import(&stage, &["leads.csv"], 3);
    assert_eq!(outcomes(&document), same_house(1));
    assert_eq!(requested(&stage).len(), 1);
}

#[test]
fn a_street_that_was_corrected_in_the_next_list_with_the_rows_of_the_one_before_is_no_second_request()
 {
    let stage = Stage::open();
    let list = |line1: &str| {
        format!(
            "{HEADER}Bo Ray,bo@example.com,7 Pine St,Rochester,NY,14604\n\
             Jo Doe,jo@example.com,{line1},Rochester,NY,14604\n"
        )
    };
    stage.file("october.csv", list("12 Oak St"));
    import(&stage, &["october.csv", "--derive-id"], 0);
    stage.file("november.csv", list("12 Oakfield St"));
    let document = import(&stage, &["november.csv", "--derive-id"], 3);
    let expected = BTreeMap::from([("known", 1), ("same_house", 1)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(requested(&stage).len(), 2);
}

#[test]
fn another_house_of_a_street_of_hyphenated_numbers_is_no_corrected_street() {
    let stage = Stage::open();
    let row = |number: &str| {
        format!("{HEADER}Jo Doe,jo@example.com,{number} Garden Street,Rochester,NY,14604\n")
    };
    stage.file("leads.csv", row("4-103"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    stage.file("leads.csv", row("4-139"));
    let document = import(&stage, &["leads.csv", "--derive-id"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn a_corrected_postal_code_under_derived_ids_is_no_second_request() {
    let stage = Stage::open();
    let header = "name,email,line1,city,region,postal_code\n";
    let row = |name: &str, city: &str, code: &str| {
        format!("{header}{name},{name}@example.com,12 Roosevelt Street,{city},MA,{code}\n")
    };
    stage.file("leads.csv", row("Jo", "Boston", "02134"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    for file in ["leads.csv", "copy.csv"] {
        stage.file(file, row("Jo", "Boston", "02135"));
        let document = import(&stage, &[file, "--derive-id"], 3);
        let expected = BTreeMap::from([("same_house", 1)]);
        assert_eq!(outcomes(&document), expected, "{file}");
        let message = document["problems"][0]["message"].as_str().unwrap();
        assert!(message.starts_with("requested before as `"), "{message}");
        assert!(
            message.ends_with("(row 2 of leads.csv, pending), with postal code `02134`"),
            "{message}"
        );
    }
    assert_eq!(requested(&stage).len(), 1);

    // Another customer is another house.
    stage.file("zoe.csv", row("Zoe", "Boston", "02135"));
    import(&stage, &["zoe.csv", "--derive-id"], 0);
    assert_eq!(requested(&stage).len(), 2);
}

#[test]
fn corrected_postal_codes_among_many_houses_of_one_customer_are_no_second_requests() {
    let stage = Stage::open();
    let rows = |code: &str| {
        let row = |number: u32| {
            let code = if number < 80 { "43207" } else { code };
            let number = number + 10;
            format!("Manager,m@example.com,{number} Maple Street,Columbus,OH,{code}\n")
        };
        let rows: String = (0..90).map(row).collect();
        format!("name,email,line1,city,region,postal_code\n{rows}")
    };
    stage.file("leads.csv", rows("43207"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    stage.file("leads.csv", rows("43215"));
    let document = import(&stage, &["leads.csv", "--derive-id"], 3);
    let expected = BTreeMap::from([("known", 80), ("same_house", 10)]);
    assert_eq!(outcomes(&document), expected);
}

#[test]
fn a_corrected_city_and_postal_code_under_derived_ids_is_no_second_request() {
    for (before, after) in [
        ("St John,NB,E2L 1A1", "Saint John,NB,E2K 4L5"),
        ("Cleveland Hts,OH,44118", "Cleveland Heights,OH,44121"),
        ("Boston,MA,02134", "Salem,MA,01970"),
        ("Kansas City,KS,66101", "Kansas City,MO,64101"),
    ] {
        for prefix in [&[][..], &["--id-prefix", "acme-"]] {
            let stage = Stage::open();
            let args = [&["leads.csv", "--derive-id"], prefix].concat();
            stage.file("leads.csv", HEADER.to_owned() + &jo(before));
            import(&stage, &args, 0);
            stage.file("leads.csv", HEADER.to_owned() + &jo(after));
            let document = import(&stage, &args, 3);
            assert_eq!(outcomes(&document), same_house(1), "{after}");
            let message = document["problems"][0]["message"].as_str().unwrap();
            let (city, rest) = before.split_once(',').unwrap();
            let (_, code) = rest.split_once(',').unwrap();
            let place = if after.starts_with(city) {
                format!("(row 2 of leads.csv, pending), with postal code `{code}`")
            } else {
                format!("(row 2 of leads.csv, pending), in {city} with postal code `{code}`")
            };
            assert!(message.ends_with(&place), "{message}");
            assert_eq!(requested(&stage).len(), 1);
        }
    }
}

#[test]
fn the_street_of_one_owner_in_another_state_is_another_house() {
    let stage = Stage::open();
    let rows = ["Columbus,OH,43201", "Austin,TX,78701", "Boston,MA,02134"].map(jo);
    stage.file("leads.csv", HEADER.to_owned() + &rows.concat());
    let document = import(&stage, &["leads.csv", "--derive-id"], 0);
    assert_eq!(document["outcomes"]["created"], 3);
}

#[test]
fn a_house_that_is_twice_in_a_file_under_two_postal_codes_is_held() {
    let stage = Stage::open();
    let (first, second) = (jo("Boston,MA,02134"), jo("Allston,MA,02135"));
    stage.file("leads.csv", [HEADER, &first, &second].concat());
    let check = stage
        .run(&["check", "leads.csv", "--derive-id"])
        .expect(3)
        .stdout;
    assert!(
        check.contains("in Boston with postal code `02134`"),
        "{check}"
    );
    let document = import(&stage, &["leads.csv", "--derive-id"], 3);
    let expected = BTreeMap::from([("created", 1), ("same_house", 1)]);
    assert_eq!(outcomes(&document), expected);
    let document = import(&stage, &["leads.csv", "--allow-same-house"], 0);
    let expected = BTreeMap::from([("created", 1), ("known", 1)]);
    assert_eq!(outcomes(&document), expected);
}

#[test]
fn a_sheet_that_gets_an_id_column_after_derived_ids_requests_no_house_twice() {
    let stage = Stage::open();
    stage.file("leads.csv", HEADER.to_owned() + &jo("Boston,MA,02134"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    for (file, town) in [
        ("same.csv", "Boston,MA,02134"),
        ("corrected.csv", "Boston,MA,02135"),
        ("moved.csv", "Allston,MA,02136"),
    ] {
        stage.file(file, format!("id,{HEADER}{file},{}", jo(town)));
        let document = import(&stage, &[file], 3);
        assert_eq!(outcomes(&document), same_house(1), "{file}");
    }
}

#[test]
fn rows_of_one_customer_in_two_towns_with_ids_of_their_own_are_two_houses() {
    let stage = Stage::open();
    let (first, second) = (jo("Boston,MA,02134"), jo("Salem,MA,01970"));
    stage.file("leads.csv", format!("id,{HEADER}A,{first}B,{second}"));
    let document = import(&stage, &["leads.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 2)]));
}

#[test]
fn a_sheet_that_gets_an_id_column_says_how_to_keep_the_derived_ids() {
    let stage = Stage::open();
    let rows = [
        "Jo Doe,jo@example.com,12 Elm St,Boston,MA,02134\n",
        "Bo Ray,bo@example.com,14 Elm St,Boston,MA,02134\n",
    ];
    stage.file("leads.csv", format!("{HEADER}{}", rows.concat()));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    let with_ids = format!("id,{HEADER}A-1,{}A-2,{}", rows[0], rows[1]);
    stage.file("november.csv", with_ids);
    for command in ["check", "import"] {
        let run = stage.run(&[command, "november.csv"]).expect(3);
        let hint = "2 rows not sent: the house was requested before under ids that --derive-id made; without the column of ids";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    stage.file("november.csv", format!("{HEADER}{}", rows.concat()));
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 2)]));
}

#[test]
fn a_corrected_house_number_under_derived_ids_is_submitted_with_a_warning() {
    for file in ["leads.csv", "december.csv"] {
        let stage = Stage::open();
        let row = |name: &str, number: u32| {
            format!("{name},{name}@example.com,{number} Roosevelt Street,Rochester,NY,14604\n")
        };
        let both = HEADER.to_owned() + &row("Jo", 107) + &row("Zoe", 12);
        stage.file("leads.csv", both.clone());
        import(&stage, &["leads.csv", "--derive-id"], 0);
        stage.file(file, both.replace("107", "170") + &row("Ann", 14));
        let checked = stage.run(&["check", file, "--derive-id"]).expect(0);
        let run = stage.run(&["import", file, "--derive-id"]).expect(0);
        for output in [&checked.stdout, &run.stderr] {
            let message =
                "Jo, with the same email, was submitted for 107 Roosevelt Street, which is not in";
            assert_eq!(output.matches(message).count(), 1, "{output}");
        }
        assert_eq!(requested(&stage).len(), 4);
        let again = stage.run(&["import", file, "--derive-id"]).expect(0);
        assert!(!again.stderr.contains("107"), "{}", again.stderr);
    }
}

#[test]
fn nobody_is_told_to_have_the_only_request_of_a_house_canceled() {
    for line1 in ["12 Roosevelt St", "12 Roosevelt Street Apt 2"] {
        let stage = Stage::open();
        let lost =
            r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
        stage.sandbox().set_faults(lost.parse().ok());
        stage.file("leads.csv", HEADER.to_owned() + &jo("Boston,MA,02134"));
        import(&stage, &["leads.csv", "--derive-id"], 9);
        stage.sandbox().set_faults(None);
        let spelled = jo("Boston,MA,02134").replace("12 Roosevelt Street", line1);
        stage.file("leads.csv", HEADER.to_owned() + &spelled);
        let checked = stage.run(&["check", "leads.csv", "--derive-id"]).expect(3);
        let run = stage.run(&["import", "leads.csv", "--derive-id"]).expect(3);
        for output in [&checked.stdout, &run.stderr] {
            assert!(output.contains("requested before as"), "{output}");
            assert!(!output.contains("cancel the request"), "{output}");
        }
        assert_eq!(requested(&stage).len(), 1);
    }
}

#[test]
fn a_namesake_with_another_phone_is_not_taken_for_a_corrected_row() {
    let stage = Stage::open();
    let header = "name,email,phone,line1,city,region,postal_code\n";
    let row = |contact: &str, number: u32| {
        format!("Jo Doe,{contact},{number} Roosevelt Street,Rochester,NY,14604\n")
    };
    let first = row("jo@example.com,585-555-0100", 107);
    stage.file("october.csv", format!("{header}{first}"));
    import(&stage, &["october.csv", "--derive-id"], 0);
    for (contact, shared) in [
        ("doe@example.com,585-555-0199", None),
        (",585-555-0199", None),
        ("doe@example.com,585-555-0100", Some("phone")),
        ("jo@example.com,", Some("email")),
    ] {
        stage.file("november.csv", format!("{header}{}", row(contact, 211)));
        let checked = stage.run(&["check", "november.csv"]).expect(0).stdout;
        let warning = shared.map(|shared| format!("Jo Doe, with the same {shared}, was submitted"));
        match warning {
            Some(warning) => assert!(checked.contains(&warning), "{checked}"),
            None => assert!(!checked.contains("107 Roosevelt"), "{checked}"),
        }
    }
}

#[test]
fn customers_with_one_email_and_other_names_are_not_taken_for_one() {
    let house = |(name, house): (&str, &str)| format!("{name},noemail@noemail.com,{house}\n");
    let october = [
        ("Ann Miller", "12 Main St,Rochester,NY,14604"),
        ("Current Resident", "40 Oak St,Rochester,NY,14604"),
    ];
    let november = [
        ("Dee Young", "12 Main St,Utica,NY,13501"),
        ("Current Resident", "40 Oak St,Albany,NY,12207"),
        ("Eve Wells", "88 Pine St,Rochester,NY,14604"),
        ("Current Resident", "90 Ash Ave,Rochester,NY,14604"),
        ("Bob Stone", "12 Cedar Ave,Rochester,NY,14604"),
    ];
    let stage = Stage::open();
    stage.file(
        "october.csv",
        HEADER.to_owned() + &october.map(house).concat(),
    );
    import(&stage, &["october.csv", "--derive-id"], 0);
    stage.file(
        "november.csv",
        HEADER.to_owned() + &november.map(house).concat(),
    );
    let run = stage
        .run(&["import", "november.csv", "--derive-id"])
        .expect(0);
    assert_eq!(requested(&stage).len(), 7);
    let misled = [
        "cancel the request",
        "house number, postal code and customer",
    ];
    assert!(
        !misled.iter().any(|text| run.stderr.contains(text)),
        "{}",
        run.stderr
    );
}

#[test]
fn a_corrected_row_under_derived_ids_names_the_request_of_its_house_in_the_users_sheet() {
    let stage = Stage::open();
    let row = "Jo Doe,jo@example.com,12 Roosevelt Street,Boston,MA,02134\n";
    stage.file("leads.csv", HEADER.to_owned() + row);
    import(&stage, &["leads.csv", "--derive-id"], 0);
    stage.file(
        "leads.csv",
        HEADER.to_owned() + &row.replace("Jo Doe", "Joe Doe"),
    );
    stage
        .run(&["export", "shown.csv", "--for", "leads.csv"])
        .expect(3);
    let shown = fs::read_to_string(stage.path("shown.csv")).unwrap();
    assert!(shown.contains("requested before as `"), "{shown}");
    assert!(!shown.contains("never imported"), "{shown}");
}

#[test]
fn a_flat_whose_building_is_no_longer_read_is_not_requested_again() {
    let stage = Stage::open();
    let header = "name,email,line1,bldg,unit,city,region,postal_code\n";
    let flat = |name: &str, units: &str| {
        format!("{name},{name}@example.com,12 Roosevelt Street,{units},Rochester,NY,14604\n")
    };
    let flats = [flat("Ann", "A,1"), flat("Bob", "A,2"), flat("Cid", "B,1")].concat();
    stage.file("leads.csv", format!("{header}{flats}"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    let args = ["leads.csv", "--derive-id", "--map", "line2=unit"];
    let document = import(&stage, &args, 3);
    assert_eq!(outcomes(&document), same_house(3));
    assert_eq!(requested(&stage).len(), 3);
}

#[test]
fn another_unit_with_the_same_letters_and_digits_is_not_known() {
    let stage = Stage::open();
    let sheet = |units: [&str; 2]| {
        let row = |unit: &str| {
            format!("Acme Homes,a@example.com,500 Lake Ave,{unit},Rochester,NY,14604\n")
        };
        format!(
            "Name,Email,Street,Unit,City,State,Zip\n{}",
            units.map(row).concat()
        )
    };
    stage.file("october.csv", sheet(["1-1", "1-B"]));
    stage
        .run(&["import", "october.csv", "--derive-id"])
        .expect(0);
    stage.file("november.csv", sheet(["11", "1B"]));
    let run = stage
        .run(&["import", "november.csv", "--derive-id", "--json"])
        .expect(3);
    let run = run.json();
    assert_eq!(run["outcomes"]["conflict"], 1, "{run}");
    assert_eq!(run["outcomes"]["known"], 1, "{run}");
    assert_eq!(stage.sandbox().measurements().len(), 2);
}
