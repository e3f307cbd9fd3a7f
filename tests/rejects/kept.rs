//! Rejects files that an import keeps instead of replacing them.

use crate::rejects::corrected::{GOOD, NO_CITY, NO_CONTACT, edit, import, read, sheet};
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
        let hint = "; if it has corrections that were not imported: gutterbatch import leads.rejects.csv\n";
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
fn rejects_of_a_list_that_is_named_like_rejects_are_imported() {
    let stage = Stage::open();
    stage.file("leads.rejects.csv", sheet(&[GOOD, NO_CITY]));
    let run = import(&stage, "leads.rejects.csv", 3);
    assert_eq!(run.json()["rejects"], "leads.rejects-2.csv");
    edit(
        &stage,
        "leads.rejects-2.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    import(&stage, "leads.rejects-2.csv", 0);
    let run = import(&stage, "leads.rejects.csv", 0);
    assert_eq!(run.json()["outcomes"]["known"], 2);
}

#[test]
fn edited_rejects_of_another_month_need_a_person() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    let prefixed = |prefix| ["import", "leads.csv", "--id-prefix", prefix];
    stage.run(&prefixed("oct-")).expect(3);
    edit(
        &stage,
        "leads.rejects.csv",
        "Street,,MA",
        "Street,Boston,MA",
    );
    stage.file("leads.csv", sheet(&[&GOOD.replace("Elm", "Oak")]));
    let run = stage.run(&prefixed("nov-")).expect(3);
    let said = "leads.rejects.csv has rows that are not in leads.csv any more";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(
        !run.stderr.contains("rejects.csv --id-prefix"),
        "{}",
        run.stderr
    );
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
    let hint = "corrections that were not imported: gutterbatch import leads.rejects.csv\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    import(&stage, "leads.rejects.csv", 0);
    import(&stage, "leads.csv", 3);
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

#[test]
fn rows_that_left_the_file_before_they_were_requested_are_told_and_their_rejects_kept() {
    let later =
        |id: u32| format!("{id},Dee {id},{id} Oak Street,Boston,MA,02134,d{id}@example.com");
    let (first, second, third) = (later(5), later(6), later(7));
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, &first, &second]));
    let words = ["import", "leads.csv", "--limit", "2", "--json"];
    stage.run(&words).expect(4);
    let rejects = read(&stage, "leads.rejects.csv");
    // Rows that were only removed are named once.
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, &first]));
    for missing in [1, 0] {
        let run = import(&stage, "leads.csv", 3);
        assert_eq!(run.json()["missing_rows"], missing, "{}", run.stderr);
    }

    let rows = [GOOD, NO_CITY, &first, &second, &later(8)];
    stage.file("leads.csv", sheet(&rows));
    let words = ["import", "leads.csv", "--limit", "1", "--json"];
    stage.run(&words).expect(4);
    // A run that sends nothing forgets nothing.
    stage.file("leads.csv", sheet(&[GOOD, &third]));
    let refused = [
        "import",
        "leads.csv",
        "--base-url",
        "http://127.0.0.1:1",
        "--json",
    ];
    assert_ne!(stage.run(&refused).code, Some(0));
    for missing in [1, 0] {
        let run = import(&stage, "leads.csv", 3);
        assert_eq!(run.json()["missing_rows"], missing, "{}", run.stderr);
        let told = "1 row left pending by the last import of leads.csv, no longer in it and without a response of the service";
        assert_eq!(run.stderr.contains(told), missing == 1, "{}", run.stderr);
        let kept = "leads.rejects.csv has rows that are not in leads.csv any more and were never requested, so it is kept";
        assert!(run.stderr.contains(kept), "{}", run.stderr);
        assert_eq!(read(&stage, "leads.rejects.csv"), rejects);
    }
    std::fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
    stage.run(&["import", "leads.csv", "-q"]).expect(0);
}

#[test]
fn pending_rows_whose_sheet_gave_way_to_a_finished_one_are_told() {
    let later =
        |id: u32| format!("{id},Dee {id},{id} Oak Street,Boston,MA,02134,d{id}@example.com");
    let (finished, next) = ([later(1), later(2)], [later(3), later(4), later(5)]);
    let stage = Stage::open();
    let write = |rows: &[String]| {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        stage.file("leads.csv", sheet(&rows));
    };
    write(&finished);
    import(&stage, "leads.csv", 0);
    write(&next);
    stage
        .run(&["import", "leads.csv", "--limit", "1"])
        .expect(4);
    for (missing, code) in [(2, 3), (0, 0)] {
        write(&finished);
        let run = import(&stage, "leads.csv", code);
        assert_eq!(run.json()["missing_rows"], missing, "{}", run.stderr);
    }
}

#[test]
fn another_sheet_that_shares_ids_numbers_or_contacts_is_not_the_sheet_before() {
    let row = |id: &str, street: &str, state: &str| {
        format!("{id},Customer {id},{street},Boston,{state},02134,office@example.com")
    };
    let stage = Stage::open();
    let [first, second, third] = ["12 Elm Street", "12 Oak Street", "14 Oak Street"];
    let bad = row("4", "16 Oak Street", "");
    let rows = [
        row("1", first, "MA"),
        row("2", second, "MA"),
        row("3", third, "MA"),
        bad,
    ];
    stage.file("leads.csv", sheet(&rows.each_ref().map(String::as_str)));
    stage
        .run(&["import", "leads.csv", "--limit", "1"])
        .expect(4);
    // The ids begin again, and the numbers are the same on other streets.
    let rows = [
        row("2", "12 Pine Street", "MA"),
        row("5", "14 Birch Avenue", "MA"),
    ];
    stage.file("leads.csv", sheet(&rows.each_ref().map(String::as_str)));
    let run = import(&stage, "leads.csv", 3);
    assert_eq!(run.json()["missing_rows"], 2, "{}", run.stderr);
    assert!(read(&stage, "leads.rejects.csv").contains("16 Oak Street"));
}

#[test]
fn rows_without_an_answer_and_a_single_pending_row_that_left_the_file_are_told() {
    let row = |id: &str, street: &str| {
        format!("{id},Customer {id},{street},Boston,MA,02134,{id}@example.com")
    };
    let october = [row("1", "12 Elm Street"), row("2", "14 Oak Street")];
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST"}]}"#;
    for (limit, missing) in [("0", 2), ("1", 1)] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(&october.each_ref().map(String::as_str)));
        if limit == "0" {
            stage.sandbox().set_faults(lost.parse().ok());
            import(&stage, "leads.csv", 9);
            stage.sandbox().set_faults(None);
        } else {
            let words = ["import", "leads.csv", "--limit", limit];
            stage.run(&words).expect(4);
        }
        // The ids begin again.
        let november = [row("2", "70 Pine Road"), row("3", "72 Cedar Lane")];
        stage.file("leads.csv", sheet(&november.each_ref().map(String::as_str)));
        let run = import(&stage, "leads.csv", 3);
        assert_eq!(run.json()["missing_rows"], missing, "{}", run.stderr);
    }
}

#[test]
fn rejects_of_another_tenant_of_the_building_are_kept() {
    let stage = Stage::open();
    let flats = |rows: &[[&str; 4]]| {
        let line = |[id, customer, unit, zip]: &[&str; 4]| {
            format!("{id},{customer},{customer}@example.com,12 Elm St,{unit},Boston,MA,{zip}\n")
        };
        let header = "id,name,email,line1,unit,city,region,postal_code\n".to_owned();
        header + &rows.iter().map(line).collect::<String>()
    };
    let october = [["1", "ann", "Apt 1", "02134"], ["3", "cy", "Apt 3", ""]];
    stage.file("leads.csv", flats(&october));
    import(&stage, "leads.csv", 3);
    let rejects = read(&stage, "leads.rejects.csv");
    // The ids begin again.
    stage.file("leads.csv", flats(&[["3", "fay", "Apt 13", "02134"]]));
    let run = import(&stage, "leads.csv", 3);
    let kept = "leads.rejects.csv has rows that are not in leads.csv any more";
    assert!(run.stderr.contains(kept), "{}", run.stderr);
    assert_eq!(read(&stage, "leads.rejects.csv"), rejects);
}

#[test]
fn rows_left_pending_are_told_although_another_sheet_has_their_ids_and_one_of_them() {
    let row = |id: &str, customer: &str, street: &str| {
        format!("{id},{customer},{street},Boston,MA,02134,{customer}@example.com")
    };
    let october = [
        row("11", "ann", "18 Elm St"),
        row("12", "bo", "14 Oak St"),
        row("13", "cy", "16 Fir St"),
    ];
    let carried = october[2].as_str();
    let (first, second) = (
        row("11", "dee", "70 Pine Rd"),
        row("12", "eve", "72 Ash Ln"),
    );
    let lists = [
        (vec![GOOD, october[1].as_str()], vec![second.as_str()], 1),
        (
            vec![GOOD, &october[0], &october[1], carried],
            vec![&first, &second, carried],
            2,
        ),
    ];
    for (october, november, missing) in lists {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(&october));
        let words = ["import", "leads.csv", "--limit", "1"];
        stage.run(&words).expect(4);
        stage.file("leads.csv", sheet(&november));
        let run = import(&stage, "leads.csv", 3);
        assert_eq!(run.json()["missing_rows"], missing, "{}", run.stderr);
    }
}

#[test]
fn rejects_whose_rows_left_the_sheet_are_named_by_status_by_the_document_and_in_one_quiet_line() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    // The next night's sheet.
    let other = GOOD.replace("A-1", "B-1").replace("Elm", "Oak");
    stage.file("leads.csv", sheet(&[&other, NO_CONTACT]));
    let status = || {
        let status = stage.run(&["status"]).expect(0).stdout;
        status.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let kept = "leads.rejects.csv has rows that are not in leads.csv any more and were never requested; correct and import it, or delete it if nobody needs them: gutterbatch import ";
    assert!(!status().contains(kept), "{}", status());
    for _ in 0..2 {
        let run = import(&stage, "leads.csv", 3).json();
        assert_eq!(
            run["kept_rejects"],
            serde_json::json!(["leads.rejects.csv"])
        );
        assert_eq!(run["rejects"], "leads.rejects-2.csv");
        assert!(status().contains(kept), "{}", status());
        let other = "1 invalid in leads.csv; correct the rejects and import them: ";
        assert!(status().contains(other), "{}", status());
    }
    let quiet = || stage.run(&["import", "leads.csv", "-q"]);
    let line = "rows that are not in it any more are kept in leads.rejects.csv: correct and import them, or delete the file\n";
    let run = quiet().expect(3);
    let both = format!("leads.csv: 1 row still to be corrected; {line}");
    assert_eq!((run.stdout, run.stderr), (String::new(), both));
    stage.file("leads.csv", sheet(&[&other]));
    let run = quiet().expect(3);
    assert_eq!(
        (run.stdout, run.stderr),
        (String::new(), format!("leads.csv: {line}"))
    );

    let run = stage.run(&["import", "leads.csv"]).expect(3);
    let hint = "hint: correct the rows in leads.rejects.csv and import that file: gutterbatch import leads.rejects.csv; or delete it if nobody needs them\n";
    assert!(run.stderr.ends_with(hint), "{}", run.stderr);

    std::fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
    assert!(!status().contains(kept), "{}", status());
    assert_eq!(
        import(&stage, "leads.csv", 0).json()["kept_rejects"],
        serde_json::json!([])
    );
}

#[test]
fn a_row_deleted_from_the_rejects_is_told_by_their_import_and_by_status() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    let (from, to) = ("14 Elm Street,,", "14 Elm Street,Boston,");
    let edited = edit(&stage, "leads.rejects.csv", from, to);
    let kept: Vec<&str> = edited.lines().take(2).collect();
    stage.file("leads.rejects.csv", kept.join("\n"));
    let import_sheet = format!("gutterbatch import {}\n", stage.path("leads.csv").display());
    let advice =
        ", not in the rejects any more; delete such rows from the sheet, or write rejects again: ";
    for _ in 0..2 {
        let run = stage.run(&["import", "leads.rejects.csv"]).expect(0);
        let told = format!("warning: 1 rejected row of leads.csv{advice}{import_sheet}");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
        let status = stage.run(&["status"]).expect(0).stdout;
        let needs = format!("needs you     1 invalid in leads.csv{advice}{import_sheet}");
        assert!(status.contains(&needs), "{status}");
    }
    import(&stage, "leads.csv", 3);
    let status = stage.run(&["status"]).expect(0).stdout;
    let newest = stage.path("leads.rejects-2.csv").display().to_string();
    assert!(
        status.contains(&format!("gutterbatch import {newest}\n")),
        "{status}"
    );
}

#[test]
fn edited_rejects_whose_row_was_corrected_in_its_sheet_too_need_nobody() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "leads.csv", 3);
    let (from, to) = ("14 Elm Street,,", "14 Elm Street,Boston,");
    edit(&stage, "leads.rejects.csv", from, to);
    edit(&stage, "leads.csv", from, to);
    let needs = || stage.run(&["status", "--json"]).expect(0).json()["needs"].clone();
    for _ in 0..2 {
        let run = import(&stage, "leads.csv", 0);
        assert_eq!(run.json()["kept_rejects"], serde_json::json!([]));
        assert_eq!(needs(), serde_json::json!([]));
    }
    // Another list has not the row.
    let other = GOOD.replace("1,Ada,12", "7,Joe,70");
    stage.file("leads.csv", sheet(&[&other]));
    let kept = serde_json::json!(["leads.rejects.csv"]);
    assert_eq!(import(&stage, "leads.csv", 3).json()["kept_rejects"], kept);
    assert_eq!(needs()[0]["kind"], "kept_rejects");
}

#[test]
fn unedited_rejects_are_replaced_although_a_row_of_them_has_neither_id_nor_customer() {
    let stage = Stage::open();
    let headers = "First name,Last name,Email,Street,City,State,Zip";
    let ada = "Ada,King,a@example.com,1 Elm St,Boston,MA,02134";
    let joe = "Joe,Doe,j@example.com,2 Elm St,Boston,MA,02134";
    stage.file(
        "leads.csv",
        format!("{headers}\n{ada}\nSous-total,,,,,,\n{joe}\n"),
    );
    for _ in 0..2 {
        stage
            .run(&["import", "leads.csv", "--derive-id", "--yes"])
            .expect(3);
    }
    assert!(stage.path("leads.rejects.csv").exists());
    assert!(!stage.path("leads.rejects-2.csv").exists());
}

#[test]
fn edited_rejects_are_named_until_they_are_imported() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[GOOD, NO_CITY, NO_CONTACT]));
    import(&stage, "leads.csv", 3);
    let rejects = "leads.rejects.csv";
    let edited = edit(&stage, rejects, "Street,,MA", "Street,Boston,MA");
    import(&stage, rejects, 3);
    let said = "was edited since it was written";
    let run = import(&stage, "leads.csv", 3);
    assert!(!run.stderr.contains(said), "{}", run.stderr);
    assert_eq!(read(&stage, rejects), edited);
    edit(&stage, rejects, "Boston", "Cambridge");
    let run = import(&stage, "leads.csv", 3);
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn edited_rejects_with_rows_that_the_next_list_lacks_need_a_person() {
    let next = GOOD.replace("1,Ada,12", "9,Di,99");
    for edited in [true, false] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(&[GOOD, NO_CITY]));
        import(&stage, "leads.csv", 3);
        if edited {
            edit(
                &stage,
                "leads.rejects.csv",
                "Street,,MA",
                "Street,Boston,MA",
            );
        }
        stage.file("leads.csv", sheet(&[&next]));
        for _ in 0..2 {
            let run = import(&stage, "leads.csv", 3);
            let said = "leads.rejects.csv has rows that are not in leads.csv any more";
            assert!(run.stderr.contains(said), "{}", run.stderr);
        }
        let status = stage.run(&["status"]).expect(0).stdout;
        assert!(status.contains("leads.rejects.csv has rows"), "{status}");
        if edited {
            import(&stage, "leads.rejects.csv", 0);
            import(&stage, "leads.csv", 0);
            let status = stage.run(&["status"]).expect(0).stdout;
            assert!(!status.contains("leads.rejects.csv has rows"), "{status}");
        }
    }
}

#[test]
fn rejects_whose_name_would_be_too_long_are_an_error_only_if_there_are_any() {
    let stage = Stage::open();
    let name = format!("{}.csv", "a".repeat(250));
    stage.file(&name, sheet(&[GOOD]));
    stage.run(&["import", &name, "-q"]).expect(0);
    stage.file(&name, sheet(&[GOOD, NO_CITY]));
    let stopped = stage.run(&["import", &name]).expect(8).stderr;
    assert!(stopped.contains("--rejects PATH"), "{stopped}");
}

#[test]
fn rejects_with_the_only_copy_of_a_row_are_kept_when_those_of_another_month_are_imported() {
    let stage = Stage::open();
    let month = |name: &str, first: u32| {
        let row = |number: u32| {
            format!("{number},{name},{number} Elm Street,,MA,02134,{name}@example.com")
        };
        let good = row(first).replace(",,MA", ",Boston,MA");
        sheet(&[&good, &row(first + 1), &row(first + 2)])
    };
    let fill_in = |file: &str, number: u32| {
        let street = format!("{number} Elm Street,");
        edit(&stage, file, &street, &format!("{street}Boston"));
    };
    stage.file("leads.csv", month("ann", 10));
    import(&stage, "leads.csv", 3);
    fill_in("leads.rejects.csv", 11);
    import(&stage, "leads.rejects.csv", 3);
    std::fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
    stage.file("leads.csv", month("bo", 20));
    import(&stage, "leads.csv", 3);
    fill_in("leads.rejects.csv", 21);
    fill_in("leads.rejects.csv", 22);
    let run = import(&stage, "leads.rejects.csv", 3);
    let told = "leads.rejects-2.csv has rows that are not in leads.rejects.csv any more";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(read(&stage, "leads.rejects-2.csv").contains("12 Elm Street"));
}

#[test]
fn rejects_of_a_list_are_kept_when_a_copy_of_others_is_imported_at_its_path() {
    let stage = Stage::open();
    stage.file("january.csv", sheet(&[GOOD, NO_CITY]));
    import(&stage, "january.csv", 3);
    let copy = read(&stage, "january.rejects.csv").replace("Street,,MA", "Street,Boston,MA");
    let open = "4,Ed,40 Elm Street,,MA,02134,ed@example.com";
    stage.file("upload.csv", sheet(&[open]));
    import(&stage, "upload.csv", 3);
    stage.file("upload.csv", copy);
    import(&stage, "upload.csv", 3);
    assert!(read(&stage, "upload.rejects.csv").contains(open));
}
