//! Rows that have no country: what is sent, what `check` shows, and that rows imported before stay known.

use crate::support::Stage;

/// 80 rows of four states without a country column.
fn four_states() -> String {
    let places = [
        ("Rochester", "NY", "14604"),
        ("Burlington", "VT", "05401"),
        ("Portland", "ME", "04101"),
        ("Boston", "MA", "02134"),
    ];
    let mut text = "Lead ID,Name,Email,Street,City,State,Zip\n".to_owned();
    for (row, (city, state, zip)) in (0..80).zip(places.into_iter().cycle()) {
        let number = row + 10;
        let line = format!(
            "L-{row},Ada {row},ada{row}@example.com,{number} Elm Street,{city},{state},{zip}\n"
        );
        text.push_str(&line);
    }
    text
}

#[test]
fn houses_of_four_states_are_sent_with_their_country() {
    let stage = Stage::open();
    stage.file("leads.csv", four_states());
    let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    for told in [
        "country: NY 14604 → US (in 20 rows)\n",
        "country: VT 05401 → US (in 20 rows)\n",
        "  and 40 more; -v or --json lists all\n",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(
        page.contains("  country      (none: inferred from region and postal code)\n"),
        "{page}"
    );
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    stage.run(&["export", "out.json"]).expect(0);
    let results: serde_json::Value =
        serde_json::from_slice(&std::fs::read(stage.path("out.json")).unwrap()).unwrap();
    let countries: Vec<&str> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["country"].as_str().unwrap())
        .collect();
    assert_eq!(countries, ["US"; 80]);
}

#[test]
fn the_mapping_says_when_no_country_is_sent_and_when_ids_are_made() {
    let stage = Stage::offline();
    stage.file("leads.csv", four_states());
    let page = |flags: &[&str]| {
        let args = [&["check", "leads.csv"], flags].concat();
        stage.run(&args).expect(0).stdout
    };
    let team = "(none: the service uses the team's own; --default-country US)";
    assert!(page(&["--as-is"]).contains(&format!("  country      {team}\n")));
    let default = page(&["--as-is", "--default-country", "US"]);
    let text = four_states();
    let without_name = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if cells[1].starts_with("Ada") {
            cells[1] = "";
        }
        cells.join(",") + "\n"
    };
    let text: String = text.lines().map(without_name).collect();
    stage.file("none.csv", text);
    let none = stage.run(&["check", "none.csv"]).expect(3).stdout;
    assert!(
        none.contains("  country      (none: no row is valid)\n"),
        "{none}"
    );
    assert!(
        default.contains("  country      (none: as --default-country says)\n"),
        "{default}"
    );
    stage.file("leads.csv", four_states().replace("Lead ID", "Color"));
    let derived = page(&["--derive-id"]);
    assert!(
        derived.contains("  id           (made by --derive-id)"),
        "{derived}"
    );
}

#[test]
fn rows_imported_without_a_country_stay_known_without_a_word() {
    let stage = Stage::open();
    stage.file("leads.csv", four_states());
    stage
        .run(&["import", "leads.csv", "--yes", "--as-is"])
        .expect(0);
    let again = stage
        .run(&["import", "leads.csv", "--yes", "--json"])
        .expect(0)
        .json();
    assert_eq!(again["outcomes"]["known"], 80, "{again}");
    assert_eq!(again["changed_after_submit"], 0, "{again}");
    assert_eq!(again["requests"]["total"], 0, "{again}");
}

#[test]
fn rows_without_a_country_are_counted_alike_in_mapping_and_warning() {
    let stage = Stage::open();
    let faulty = four_states().replace(",ME,04101\n", ",ME,0410\n");
    let two = |text: &str| text.lines().take(9).collect::<Vec<_>>().join("\n");
    stage.file(
        "leads.csv",
        two(&faulty) + "\nL-9,,,9 Elm Street,Boston,MA,02134\n",
    );
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    for part in [
        "(none: inferred from region and postal code, but not in 2 rows; there the service uses",
        "country: 2 rows (4, 8) have no country, and it does not follow from region and postal code: correct them",
    ] {
        assert!(page.contains(part), "{page}");
    }
    let import = stage
        .run(&["import", "leads.csv", "--yes"])
        .expect(3)
        .stderr;
    let told = "; 3 warnings, listed by `gutterbatch check leads.csv`; requests cannot";
    assert!(import.contains(told), "{import}");
}

#[test]
fn a_zip_of_another_state_is_still_one_of_the_united_states() {
    let stage = Stage::open();
    let text = "Id,Name,Phone,Address,City,State,Zip\n5,Di Cin,614-555-1005,24 Tulip St,Columbus,NY,43201\n";
    stage.file("leads.csv", text);
    let check = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    assert!(check.contains("43201 belongs to Ohio"), "{check}");
    assert!(check.contains("NY 43201 → US"), "{check}");
}

#[test]
fn line_breaks_and_double_spaces_do_not_break_the_columns_of_the_mapping() {
    let stage = Stage::offline();
    let text = four_states()
        .replace("Street,City", "\"Street \n of the  house\",City")
        .replace("0 Elm Street", "0  Elm Street");
    stage.file("leads.csv", text);
    let map = ["--map", "line1=D", "--as-is"];
    let page = stage
        .run(&[&["check", "leads.csv"][..], &map].concat())
        .expect(0)
        .stdout;
    let line = "  line1        Street of the house  10 Elm Street · ";
    assert!(page.contains(line), "{page}");
}
