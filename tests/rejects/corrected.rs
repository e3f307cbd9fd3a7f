//! Rejects are corrected by a person: nothing of that is lost, and what was corrected is done.

use std::fs;

use serde_json::Value;

use crate::support::{Run, Stage};

pub(crate) const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email";
pub(crate) const GOOD: &str = "1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com";
pub(crate) const NO_CITY: &str = "2,Bo,14 Elm Street,,MA,02134,bo@example.com";
pub(crate) const NO_CONTACT: &str = "3,Cy,16 Elm Street,Boston,MA,02134,";

pub(crate) fn sheet(rows: &[&str]) -> String {
    format!("{HEADERS}\n{}\n", rows.join("\n"))
}

pub(crate) fn read(stage: &Stage, name: &str) -> String {
    fs::read_to_string(stage.path(name)).unwrap()
}

/// Types something into a file, as a person does.
pub(crate) fn edit(stage: &Stage, name: &str, from: &str, to: &str) -> String {
    let before = read(stage, name);
    assert!(before.contains(from), "{from} is not in {before}");
    let after = before.replace(from, to);
    stage.file(name, &after);
    after
}

pub(crate) fn outcomes(run: &Run) -> Value {
    let mut outcomes = run.json()["outcomes"].clone();
    outcomes
        .as_object_mut()
        .unwrap()
        .retain(|_, rows| rows.as_u64() != Some(0));
    outcomes
}

pub(crate) fn import(stage: &Stage, file: &str, code: i32) -> Run {
    stage.run(&["import", file, "--json"]).expect(code)
}

pub(crate) fn rejected(stage: &Stage) -> u64 {
    let export = stage.run(&["export", "out.json", "--offline", "--json"]);
    export.json()["rejected"].as_u64().unwrap()
}

#[test]
fn a_corrected_row_is_known_in_the_original_and_gone_from_the_rejected_ones() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    assert_eq!(rejected(&stage), 2);
    edit(
        &stage,
        "leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    // One of two: the other is rejected once more, and never into the file that is read.
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"created": 1, "invalid": 1})
    );
    assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
    let second = read(&stage, "leads.rejects-2.csv");
    assert!(second.lines().nth(1).unwrap().ends_with(",4"), "{second}");
    assert_eq!(rejected(&stage), 1);
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"known": 2, "invalid": 1})
    );

    edit(
        &stage,
        "leads.rejects-2.csv",
        "02134,,",
        "02134,cy@example.com,",
    );
    import(&stage, "leads.rejects-2.csv", 0);
    assert_eq!(rejected(&stage), 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 3}));
    assert_eq!(stage.sandbox().measurements().len(), 3);
    for name in ["leads.rejects.rejects.csv", "leads.rejects-3.csv"] {
        assert!(!stage.path(name).exists(), "{name}");
    }
}

#[test]
fn an_edit_of_the_original_is_looked_at_afresh_wherever_the_row_stands() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    edit(
        &stage,
        "leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    import(&stage, "leads.rejects.csv", 0);
    // Sorted, it is the same row.
    stage.file("leads.csv", sheet(&[NO_CITY, GOOD]));
    import(&stage, "leads.csv", 0);
    // Another row that fails is none that was corrected.
    stage.file("leads.csv", sheet(&[NO_CITY, NO_CITY, GOOD]));
    import(&stage, "leads.csv", 3);
    stage.file("leads.csv", sheet(&[&NO_CITY.replace("Elm", "Oak"), GOOD]));
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"known": 1, "invalid": 1})
    );
}

#[test]
fn a_row_that_only_bears_the_number_of_another_corrects_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    let old = read(&stage, "leads.rejects.csv");
    stage.file("leads.csv", sheet(&[NO_CONTACT, NO_CITY]));
    import(&stage, "leads.csv", 3);
    // An older copy is corrected and saved over the newer one.
    let old = old.replace("Street,,MA", "Street,Boston,MA");
    stage.file("leads.rejects.csv", old);
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"created": 1, "invalid": 1})
    );
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(run.json()["outcomes"]["invalid"], 2);
}

#[test]
fn a_row_that_was_given_an_id_counts_in_the_original() {
    let stage = Stage::open();
    let no_id = ",Di,18 Elm Street,Boston,MA,02134,di@example.com";
    stage.file("leads.csv", sheet(&[GOOD, no_id]));
    import(&stage, "leads.csv", 3);
    edit(&stage, "leads.rejects.csv", ",Di,", "4,Di,");
    // Saved under another name and form, as a spreadsheet program offers it.
    fs::rename(
        stage.path("leads.rejects.csv"),
        stage.path("leads.rejects (corrected).txt"),
    )
    .unwrap();
    import(&stage, "leads.rejects (corrected).txt", 0);
    import(&stage, "leads.csv", 0);
    assert_eq!(rejected(&stage), 0);
}

#[test]
fn a_rejected_row_of_another_house_keeps_its_place_when_its_id_is_accepted() {
    let stage = Stage::open();
    let other = NO_CITY
        .replace("14 Elm Street", "900 Pine Road")
        .replace("Bo", "Zoe");
    stage.file("other.csv", sheet(&[&other]));
    import(&stage, "other.csv", 3);
    stage.file("leads.csv", sheet(&[&NO_CITY.replace(",,", ",Boston,")]));
    import(&stage, "leads.csv", 0);
    assert_eq!(rejected(&stage), 1);
    let run = import(&stage, "other.csv", 3);
    assert_eq!(outcomes(&run), serde_json::json!({"invalid": 1}));
}

#[test]
fn check_counts_a_row_that_was_corrected_in_the_rejects_as_known() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    edit(
        &stage,
        "leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    import(&stage, "leads.rejects.csv", 0);
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    for (key, rows) in [("valid", 1), ("invalid", 0), ("corrected", 1)] {
        assert_eq!(document[key], rows, "{key}");
    }
    assert_eq!(document["plan"]["known"], 2);
    let problems = document["problems"].as_array().unwrap();
    let errors = problems.iter().filter(|one| one["severity"] == "error");
    assert_eq!(errors.count(), 0);
    let page = stage.run(&["check", "leads.csv"]).expect(0);
    assert!(
        page.stdout
            .starts_with("2 rows: 1 valid, 1 corrected in rejects,"),
        "{}",
        page.stdout
    );
    assert!(!page.stdout.contains("errors:"), "{}", page.stdout);
    assert!(!page.stderr.contains("invalid"), "{}", page.stderr);
}

#[test]
fn a_file_named_by_another_path_is_the_same_file() {
    let stage = Stage::open();
    let sheet = format!(
        "Key{}\n",
        sheet(&[GOOD, NO_CITY]).strip_prefix("ID").unwrap()
    );
    stage.file("2026/leads.csv", sheet);
    fs::create_dir(stage.path("2026/sub")).unwrap();
    let how = ["--id-column", "Key", "--id-prefix", "acme-", "--json"];
    let run = |folder: &str, args: &[&str]| {
        let mut command = stage.command(args);
        Run::of(command.current_dir(stage.path(folder)).output().unwrap())
    };
    run(
        "",
        &[&["import", "2026/leads.csv"], how.as_slice()].concat(),
    )
    .expect(3);
    edit(
        &stage,
        "2026/leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    let corrected = run("2026/sub", &["import", "../leads.rejects.csv", "--json"]).expect(0);
    assert_eq!(outcomes(&corrected), serde_json::json!({"created": 1}));
    let others = vec![("2026/sub", "../leads.csv"), ("", "2026/sub/../leads.csv")];
    #[cfg(unix)]
    let others = {
        std::os::unix::fs::symlink(stage.path("2026"), stage.path("now")).unwrap();
        [others, vec![("", "now/leads.csv")]].concat()
    };
    for (folder, path) in others {
        let again = run(folder, &["import", path, "--json"]).expect(0);
        assert_eq!(outcomes(&again), serde_json::json!({"known": 2}), "{path}");
        let said = "reading it as before: --id-column Key --id-prefix acme-";
        assert!(again.stderr.contains(said), "{path}: {}", again.stderr);
    }
    let status = stage.run(&["status", "--json"]).expect(0).json();
    let imports = status["last_runs"].as_array().unwrap();
    assert_eq!(imports.len(), 2, "{status}");
}

#[test]
#[cfg(unix)]
fn a_link_to_the_file_of_each_month_is_one_file() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&[GOOD]));
    stage.file("november.csv", sheet(&[GOOD, NO_CONTACT]));
    for (month, code) in [("october.csv", 0), ("november.csv", 3)] {
        let _ = fs::remove_file(stage.path("leads.csv"));
        std::os::unix::fs::symlink(month, stage.path("leads.csv")).unwrap();
        import(&stage, "leads.csv", code);
    }
    let status = stage.run(&["status", "--json"]).expect(0).json();
    assert_eq!(status["last_runs"].as_array().unwrap().len(), 1, "{status}");
    assert!(stage.path("leads.rejects.csv").exists());
}

#[test]
fn rejects_that_cannot_be_written_stop_an_import_before_its_first_request() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    let nowhere = ["import", "leads.csv", "--rejects", "gone/rejects.csv"];
    let run = stage.run(&nowhere).expect(8);
    let expected = "error: nothing was sent: cannot write gone/rejects.csv: there is no such file or folder\nhint: check the path, and create the folder if it is missing; --rejects PATH names another path, and --no-rejects writes none\n";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert_eq!(stage.sandbox().calls(), []);
    let none = stage.run(&["import", "leads.csv", "--no-rejects", "--json"]);
    assert_eq!(
        outcomes(&none.expect(3)),
        serde_json::json!({"created": 1, "invalid": 1})
    );
    // Without rejected rows nothing is to be written.
    stage.file("good.csv", sheet(&[&GOOD.replace("1,Ada,12", "7,Ada,70")]));
    let nowhere = ["import", "good.csv", "--rejects", "gone/rejects.csv"];
    stage.run(&nowhere).expect(0);
}

#[test]
fn a_corrected_row_is_known_in_a_copy_of_its_file_and_another_customers_row_is_not() {
    let stage = Stage::open();
    let nameless = "4,,,,,,dy@example.com";
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, "3,Cy,,,,,", nameless]));
    import(&stage, "leads.csv", 3);
    for (from, to) in [
        ("Street,,MA", "Street,Boston,MA"),
        (
            "3,Cy,,,,,",
            "3,Cy,16 Elm Street,Boston,MA,02134,cy@example.com",
        ),
        ("4,,,,,,", "4,Dy,18 Elm Street,Boston,MA,02134,"),
    ] {
        edit(&stage, "leads.rejects.csv", from, to);
    }
    import(&stage, "leads.rejects.csv", 0);
    // Ids begin again in other files: an id and a name alone do not show which house is meant.
    let rows = [NO_CITY, "3,Cy,,,,,", nameless, nameless, GOOD];
    stage.file("copy.csv", sheet(&rows));
    let run = import(&stage, "copy.csv", 3);
    let expected = serde_json::json!({"known": 3, "invalid": 2});
    assert_eq!(outcomes(&run), expected, "{}", run.stderr);
    stage.file("copy.csv", sheet(&[NO_CITY, nameless, GOOD]));
    let run = import(&stage, "copy.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 3}));
    stage.file("other.csv", sheet(&[&NO_CITY.replace("Elm", "Oak")]));
    import(&stage, "other.csv", 3);
}

#[test]
fn a_corrected_row_with_its_house_number_in_a_cell_of_its_own_is_known_in_the_sheet() {
    let stage = Stage::open();
    let headers = "House Number,Street,City,State,Zip,Name,Phone";
    let rows = [
        "12,Elm St,Rochester,NY,14604,?,",
        "14,Oak St,Rochester,NY,14604,Ann Bell,5855551212",
    ];
    stage.file("leads.csv", format!("{headers}\n{}\n", rows.join("\n")));
    let derived = ["import", "leads.csv", "--derive-id"];
    stage.run(&derived).expect(3);
    edit(&stage, "leads.rejects.csv", ",?,", ",Bob Ray,5855551213");
    import(&stage, "leads.rejects.csv", 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(outcomes(&run)["known"], 2);
}
