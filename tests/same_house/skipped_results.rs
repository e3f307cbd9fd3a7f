//! What `export --for` says of rows that a person decided to skip.

use crate::same_house::houses::{OCTOBER, cells, decide, import, october, sheet};
use crate::support::Stage;

#[test]
fn a_row_decided_skip_has_the_numbers_of_its_house_unless_another_row_has_its_id() {
    let stage = october();
    let list = [("123", "12 Elm St"), ("9", "90 Pine St")];
    stage.file("november.csv", sheet(&list));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    import(&stage, &["november.rejects.csv"], 0);
    let of_first_row = |file: &str, header: &str| {
        stage
            .run(&["export", "out.csv", "--for", file, "--offline", "--force"])
            .expect(0);
        let rows = cells(&stage, "out.csv");
        let column = rows[0].iter().position(|one| one == header);
        rows[1][column.unwrap()].clone()
    };
    for file in ["november.csv", "november.rejects.csv"] {
        assert_eq!(
            of_first_row(file, "Measurement status"),
            "pending",
            "{file}"
        );
        let why = "the contractor has not started";
        assert_eq!(of_first_row(file, "Why no result"), why, "{file}");
    }
    stage.file("november.csv", sheet(&[&list[..], &OCTOBER[..1]].concat()));
    let reason = "skipped: it is the same house as `00123` (row 2 of october.csv, pending)";
    assert_eq!(of_first_row("november.csv", "Why no result"), reason);
}

#[test]
fn a_row_decided_skip_has_not_the_numbers_of_a_unit() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&[("A", "12 Elm St Apt 1")]));
    import(&stage, &["october.csv"], 0);
    stage.file("november.csv", sheet(&[("B", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    import(&stage, &["november.rejects.csv"], 0);
    let export = ["export", "out.csv", "--for", "november.csv", "--offline"];
    stage.run(&export).expect(0);
    let why = cells(&stage, "out.csv")[1].join(",");
    assert!(
        why.contains("skipped: it is the same house as `A`"),
        "{why}"
    );
}
