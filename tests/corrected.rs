//! Rejects are corrected by a person: nothing of that is lost, and what was corrected is done.

use std::fs;

use serde_json::Value;

use crate::support::{Run, Stage};

const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email";
const GOOD: &str = "1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com";
const NO_CITY: &str = "2,Bo,14 Elm Street,,MA,02134,bo@example.com";
const NO_CONTACT: &str = "3,Cy,16 Elm Street,Boston,MA,02134,";

fn sheet(rows: &[&str]) -> String {
    format!("{HEADERS}\n{}\n", rows.join("\n"))
}

fn read(stage: &Stage, name: &str) -> String {
    fs::read_to_string(stage.path(name)).unwrap()
}

/// Types something into a file, as a person does.
fn edit(stage: &Stage, name: &str, from: &str, to: &str) -> String {
    let before = read(stage, name);
    assert!(before.contains(from), "{from} is not in {before}");
    let after = before.replace(from, to);
    stage.file(name, &after);
    after
}

fn outcomes(run: &Run) -> Value {
    let mut outcomes = run.json()["outcomes"].clone();
    outcomes
        .as_object_mut()
        .unwrap()
        .retain(|_, rows| rows.as_u64() != Some(0));
    outcomes
}

fn import(stage: &Stage, file: &str, code: i32) -> Run {
    stage.run(&["import", file, "--json"]).expect(code)
}

fn rejected(stage: &Stage) -> u64 {
    let export = stage.run(&["export", "out.json", "--offline", "--json"]);
    export.json()["rejected"].as_u64().unwrap()
}

#[test]
fn rejects_that_were_edited_are_kept_and_the_next_have_a_number() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    let edited = edit(
        &stage,
        "leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    for _ in 0..2 {
        let run = import(&stage, "leads.csv", 3);
        assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
        let said = "leads.rejects.csv was edited since it was written, so it is kept";
        assert!(run.stderr.contains(said), "{}", run.stderr);
        let hint = "hint: if you corrected rows in leads.rejects.csv and have not imported it yet: gutterbatch import leads.rejects.csv\n";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    assert_eq!(read(&stage, "leads.rejects.csv"), edited);
    edit(&stage, "leads.rejects-2.csv", "Bo,", "Bob,");
    assert_eq!(
        import(&stage, "leads.csv", 3).json()["rejects"],
        "leads.rejects-3.csv"
    );
    // The rows have left the sheet: what nobody touched goes.
    stage.file("leads.csv", sheet(&[GOOD]));
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    for kept in ["leads.rejects.csv", "leads.rejects-2.csv"] {
        let said = format!("{kept} was edited since it was written, so it is kept");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
    assert_eq!(read(&stage, "leads.rejects.csv"), edited);
    assert!(stage.path("leads.rejects-2.csv").exists());
    assert!(!stage.path("leads.rejects-3.csv").exists());
}

#[test]
fn rejects_whose_columns_of_the_program_were_deleted_are_kept_too() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    let edited = sheet(&[&NO_CITY.replace(",,", ",Boston,")]);
    stage.file("leads.rejects.csv", &edited);
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
    assert_eq!(read(&stage, "leads.rejects.csv"), edited);
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
fn rejects_of_another_journal_are_kept_and_not_called_edited() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    let before = read(&stage, "leads.rejects.csv");
    let words = ["import", "leads.csv", "--journal", "other.db", "--json"];
    let run = stage.run(&words).expect(3);
    assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
    let said = "leads.rejects.csv has the rejects of another sheet or journal, so it is kept";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(read(&stage, "leads.rejects.csv"), before);
}

#[test]
fn unedited_rejects_of_another_file_are_kept() {
    let stage = Stage::open();
    let import = |file: &str, code: i32| {
        let words = ["import", file, "--rejects", "bad.csv", "--json"];
        stage.run(&words).expect(code)
    };
    stage.file("october.csv", sheet(&[NO_CITY]));
    stage.file("november.csv", sheet(&[GOOD, NO_CONTACT]));
    import("october.csv", 3);
    let october = read(&stage, "bad.csv");
    for _ in 0..2 {
        let run = import("november.csv", 3);
        assert_eq!(run.json()["rejects"], "bad-2.csv");
        let said = "bad.csv has the rejects of another sheet or journal, so it is kept";
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    assert_eq!(read(&stage, "bad.csv"), october);
    assert_eq!(import("october.csv", 3).json()["rejects"], "bad.csv");
    // What is corrected there is of its own file.
    edit(&stage, "bad-2.csv", "02134,,", "02134,cy@example.com,");
    import("bad-2.csv", 0);
    assert_eq!(import("november.csv", 0).json()["outcomes"]["known"], 2);
    assert_eq!(read(&stage, "bad.csv"), october);
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
            .starts_with("2 rows: 1 valid, 1 known by a correction,"),
        "{}",
        page.stdout
    );
    assert!(!page.stdout.contains("errors:"), "{}", page.stdout);
    assert!(!page.stderr.contains("invalid"), "{}", page.stderr);
}

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
    let expected = "error: cannot write gone/rejects.csv: there is no such file or folder\nhint: give another path with --rejects PATH, or write none with --no-rejects\n";
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
