//! Names written `Patel, Chloé`, and companies beside persons.

use gutterbatch::sandbox::Options;

use crate::hazards::{HEADERS, document, problems, row};
use crate::support::Stage;

/// A table of people whose names are these.
fn people(names: &[&str]) -> String {
    let rows = names.iter().enumerate().map(|(index, name)| {
        let (id, street) = (format!("A-{index}"), format!("9{index} Elm Street"));
        row(&[("ID", &id), ("Name", name), ("Street", &street)])
    });
    format!("{HEADERS}\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

#[test]
fn names_with_the_last_name_first_throughout_are_turned() {
    let text = people(&[
        "Patel, Chloé",
        "O'Brien, Mary Ann",
        "Acme, Inc.",
        "Roy, J.",
        "",
    ]);
    assert_eq!(
        problems(&document(&text, &[])),
        [
            "tidied B2: `Patel, Chloé` → `Chloé Patel`",
            "tidied B3: `O'Brien, Mary Ann` → `Mary Ann O'Brien`",
            "tidied B5: `Roy, J.` → `J. Roy`",
            "error B6: no name",
        ]
    );
    assert_eq!(
        problems(&document(&text, &["--as-is"])),
        ["error B6: no name"]
    );
}

#[test]
fn a_column_called_nom_alone_has_whole_names() {
    let names = ["Côté, Sam", "Roy, Jean", "Lee, Ann"];
    let text = people(&names).replacen("Name", "Nom", 1);
    let document = document(&text, &[]);
    assert_eq!(document["mapping"]["name"], "Nom");
    assert_eq!(
        problems(&document)[0],
        "tidied B2: `Côté, Sam` → `Sam Côté`"
    );
}

#[test]
fn headings_between_the_rows_do_not_keep_names_from_being_turned() {
    let text = people(&["Côté, Sam", "Roy, Jean", "Lee, Ann"]);
    let text = text.replacen('\n', "\n,--- octobre ---,,,,,,,,,\n", 1) + ",Total,,,3,,,,,,\n";
    let found = problems(&document(&text, &[]));
    assert_eq!(found[1], "tidied B3: `Côté, Sam` → `Sam Côté`");
}

#[test]
fn names_stay_where_one_of_them_is_written_otherwise() {
    let told = |names: &[&str]| problems(&document(people(names), &[]));
    for names in [
        &["Acme, Inc.", "Smith & Sons, LLC", "Roy, Ltée"][..],
        &["John Smith, Jr.", "Ann Roy, Sr.", "Bo Lee, III"],
        &["Ada Lovelace", "Roy, Jean", "Ann Lee"],
    ] {
        assert_eq!(told(names), [""; 0], "{names:?}");
    }
    for names in [
        &["Patel, Chloé", "Roy, Jean", "Lee, Ann", "Ada Lovelace"][..],
        &["Patel, Chloé", "Roy, Jean"],
    ] {
        let told = told(names).concat();
        assert!(
            told.contains("a name with the last name in front"),
            "{told}"
        );
        assert!(told.contains("add --last-name-first"), "{told}");
    }
}

#[test]
fn a_name_far_below_that_is_written_otherwise_keeps_all_names() {
    let mut names = vec!["Patel, Chloé"; 200];
    names.push("Ada Lovelace");
    let told = |names: &[&str]| problems(&document(people(names), &[])).concat();
    let in_front = "200 rows (2, 3, 4, 5, 6, …) have a name with the last name in front";
    assert!(told(&names).contains(in_front), "{}", told(&names));
    let few = ["Ada Lovelace"; 60].into_iter().chain(["Patel, Chloé"; 5]);
    let few: Vec<&str> = few.collect();
    assert!(!told(&few).contains("in front"), "{}", told(&few));
}

#[test]
fn a_turned_name_is_what_an_import_sends_and_what_a_rerun_knows() {
    let stage = Stage::with(Options::default());
    let text = people(&["Patel, Chloé", "Roy, Jean", "Lee, Ann"]);
    stage.file("leads.csv", text + "Total,3,,,,,,,,,\n");
    stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    let again = stage
        .run(&["import", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(
        (&again["outcomes"]["known"], &again["changed_after_submit"]),
        (&3.into(), &0.into())
    );
}

#[test]
fn a_corrected_reject_has_its_name_turned_as_in_the_whole_sheet() {
    let stage = Stage::with(Options::default());
    let text = people(&["Côté, Sam", "Roy, Jean", "Lee, Ann", "Patel, Chloé"]);
    stage.file("leads.csv", text.replacen("Toronto", "", 1));
    let first = stage.run(&["import", "leads.csv"]).expect(3);
    let hint = "import leads.rejects.csv --last-name-first";
    assert!(first.stderr.contains(hint), "{}", first.stderr);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    assert_eq!(rejects.lines().count(), 2, "{rejects}");
    stage.file(
        "leads.rejects.csv",
        rejects.replacen(",,ON", ",Toronto,ON", 1),
    );

    let second = stage.run(&["import", "leads.rejects.csv"]).expect(0);
    let told = "reading it as before: --last-name-first (as in its import of ";
    assert!(second.stderr.contains(told), "{}", second.stderr);
    let request = stage.run(&["status", "--id", "A-0", "--json"]).expect(0);
    assert_eq!(
        request.json()["request"]["customer"]["name"],
        "Sam Côté",
        "{}",
        request.stdout
    );
    let again = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    let again = again.json();
    assert_eq!(
        (&again["outcomes"]["known"], &again["changed_after_submit"]),
        (&4.into(), &0.into())
    );
}

#[test]
fn names_are_turned_as_in_the_last_import_of_the_sheet_and_not_as_in_another_one() {
    let stage = Stage::with(Options::default());
    let names = ["Côté, Sam", "Roy, Jean", "Lee, Ann"];
    stage.file("october.csv", people(&names));
    stage.run(&["import", "october.csv"]).expect(0);
    let one = people(&["Patel, Chloé"]).replace("A-0", "B-0");
    stage.file("november.csv", one.replace("90 Elm", "99 Elm"));
    let page = stage.run(&["check", "november.csv"]).expect(0);
    assert!(page.stdout.contains("Patel, Chloé"), "{}", page.stdout);
    let turned = ["check", "november.csv", "--last-name-first"];
    let page = stage.run(&turned).expect(0);
    assert!(page.stdout.contains("Chloé Patel"), "{}", page.stdout);
    // Another name in the sheet of October changes none of its names.
    stage.file(
        "october.csv",
        people(&[&names[..], &["Ada Lovelace"]].concat()),
    );
    let again = stage.run(&["check", "october.csv", "--json"]).expect(0);
    let plan = &again.json()["plan"];
    assert_eq!((&plan["known"], &plan["requests"]), (&3.into(), &2.into()));
    assert_eq!(problems(&again.json()).len(), 3);
}

#[test]
fn a_company_beside_a_persons_name_is_told_once() {
    let stage = Stage::offline();
    let text = "ID,First Name,Last Name,Company,Email,Street,City,State,Zip\n\
        1,Ada,Lovelace,Acme,a@example.com,12 Elm,Boston,MA,02134\n\
        2,Bo,Roy,Acme,b@example.com,14 Elm,Boston,MA,02134\n";
    stage.file("leads.csv", text);
    let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    let told = "(only where first and last name are empty)";
    assert_eq!(page.matches(told).count(), 1, "{page}");
}

#[test]
fn a_first_name_that_is_the_whole_name_gets_no_second_last_name() {
    let names = [
        ("Ann Lee", "Lee"),
        ("Zed Kay", "Zed Kay"),
        ("Lee", "Lee, Ann"),
        ("Ann", "Ann Lee"),
        ("Thomas", "Thomas"),
        ("Mary Ann", "Lee"),
    ];
    let rows = names.iter().enumerate().map(|(index, (first, last))| {
        format!("A-{index},{first},\"{last}\",a{index}@example.com,9{index} Elm Street,Boston,MA,02134,US\n")
    });
    let headers = "ID,First Name,Last Name,Email,Street,City,State,Zip,Country\n";
    let text = headers.to_owned() + &rows.collect::<String>();
    assert_eq!(
        problems(&document(&text, &[])),
        [
            "tidied B2: `Ann Lee Lee` → `Ann Lee`",
            "tidied B3: `Zed Kay Zed Kay` → `Zed Kay`",
            "warning C4: the last name repeats the first: `Lee Lee, Ann`",
            "warning C5: the last name repeats the first: `Ann Ann Lee`",
        ]
    );
}
