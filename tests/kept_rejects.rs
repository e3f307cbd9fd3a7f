//! Rejects files that an import keeps instead of replacing them.

use crate::corrected::{GOOD, NO_CITY, NO_CONTACT, edit, import, read, sheet};
use crate::support::Stage;

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
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    let edited = sheet(&[&NO_CITY.replace(",,", ",Boston,")]);
    stage.file("leads.rejects.csv", &edited);
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
    assert_eq!(read(&stage, "leads.rejects.csv"), edited);
    let hint = "have not imported it yet: gutterbatch import leads.rejects.csv\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    import(&stage, "leads.rejects.csv", 0);
    let run = import(&stage, "leads.csv", 3);
    assert!(!run.stderr.contains(hint), "{}", run.stderr);
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
    let said =
        "leads.rejects.csv has the rejects of another sheet, id prefix or journal, so it is kept";
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
        let said = "bad.csv has the rejects of another sheet, id prefix or journal, so it is kept";
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
