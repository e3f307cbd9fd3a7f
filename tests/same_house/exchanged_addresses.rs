//! Sheets with derived ids in which columns were sorted without the others.

use crate::support::{Contractor as _, Run, Stage};

const SAID: &str = "new rows of earlier customers have the street, unit and postal code of different earlier requests";

const PLACES: [&str; 6] = [
    "Boston,MA,02134",
    "Albany,NY,12207",
    "Toronto,ON,M5V 2T6",
    "Columbus,OH,43215",
    "Hartford,CT,06103",
    "Concord,NH,03301",
];

/// A row of customer `n` with the street, the unit and the place of others.
fn row(n: usize, [street, unit, place]: [usize; 3]) -> String {
    let (number, place) = (street + 10, PLACES[place]);
    format!("Customer {n},c{n}@example.com,{number} Elm St,Apt {unit},{place}\n")
}

fn sheet(rows: usize, order: fn(usize) -> [usize; 3]) -> String {
    let rows: String = (0..rows).map(|n| row(n, order(n))).collect();
    format!("Name,Email,Street,Unit,City,State,Zip\n{rows}")
}

fn import(stage: &Stage, flags: &[&str]) -> Run {
    let import = ["import", "leads.csv", "--yes", "-q", "--derive-id"];
    stage.run(&[&import[..], flags].concat())
}

/// A stage that has requested the houses of six customers.
fn requested() -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(6, |n| [n; 3]));
    import(&stage, &[]).expect(0);
    stage
}

#[test]
fn streets_units_or_places_that_were_sorted_alone_are_not_sent() {
    let stage = requested();
    let sorted: [fn(usize) -> [usize; 3]; 4] = [
        |n| [5 - n, n, n],
        |n| [5 - n, 5 - n, n],
        |n| [n, 5 - n, n],
        |n| [n, n, 5 - n],
    ];
    for sorted in sorted {
        stage.file("leads.csv", sheet(6, sorted));
        let stopped = import(&stage, &[]).expect(10).stderr;
        assert!(stopped.contains(&format!("6 of 6 {SAID}")), "{stopped}");
    }
    // The city went with the street, and the postal code did not.
    let streets = sheet(6, |n| [5 - n, n, n]).replace("Boston", "Albany");
    stage.file("leads.csv", streets);
    import(&stage, &[]).expect(10);
    // Beside rows of new customers.
    let new = |n: usize| format!("New {n},n{n}@example.com,{n} Oak St,,Boston,MA,02134\n");
    let new: String = (1..9).map(new).collect();
    stage.file("leads.csv", sheet(6, |n| [5 - n, n, n]) + &new);
    let stopped = import(&stage, &[]).expect(10).stderr;
    assert!(stopped.contains(&format!("6 of 6 {SAID}")), "{stopped}");
    assert_eq!(stage.sandbox().measurements().len(), 6);
    import(&stage, &["--forget-reading"]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 20);
}

#[test]
fn streets_that_were_sorted_alone_are_not_sent_beside_a_new_or_emptied_column_of_phones() {
    let with_phones = |sheet: &str| {
        let rows = sheet.lines().zip(0..);
        let rows = rows.map(|(row, at)| match at {
            0 => format!("{row},Phone\n"),
            _ => format!("{row},617-555-010{at}\n"),
        });
        rows.collect::<String>()
    };
    let (as_is, sorted) = (sheet(6, |n| [n; 3]), sheet(6, |n| [5 - n, n, n]));
    for [before, after] in [
        [as_is.clone(), with_phones(&sorted)],
        [with_phones(&as_is), sorted],
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", before);
        import(&stage, &[]).expect(0);
        stage.file("leads.csv", after);
        import(&stage, &[]).expect(10);
        assert_eq!(stage.sandbox().measurements().len(), 6);
    }
}

#[test]
fn after_the_requests_of_a_wrong_sheet_were_canceled_the_right_one_is_sent() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(6, |n| [5 - n, n, n]));
    import(&stage, &[]).expect(0);
    stage.file("leads.csv", sheet(6, |n| [n; 3]));
    let stopped = import(&stage, &[]).expect(10).stderr;
    assert!(
        stopped.contains("ask the contractor to cancel"),
        "{stopped}"
    );
    for held in stage.sandbox().measurements() {
        let id = held.measurement_id;
        stage.block_on(stage.sandbox().withdraw(&id)).unwrap();
    }
    stage.run(&["export", "out.csv", "-q"]).expect(0);
    import(&stage, &[]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 12);
}

#[test]
fn a_sheet_with_streets_of_equal_numbers_is_finished_by_the_same_command() {
    let stage = Stage::open();
    let rows = (0..4).flat_map(|street| (0..6).map(move |n| row(n, [street, 0, n])));
    let rows: String = rows.collect();
    stage.file(
        "leads.csv",
        format!("Name,Email,Street,Unit,City,State,Zip\n{rows}"),
    );
    import(&stage, &["--limit", "14"]).expect(4);
    import(&stage, &[]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 24);
}

#[test]
fn houses_that_the_user_wants_again_are_not_taken_for_sorted_ones() {
    let stage = requested();
    let corrected = sheet(6, |n| [n; 3])
        .replace("06103", "03301")
        .replace(",MA,02134", ",MA,02135");
    let corrected = corrected
        .replace("12207", "12208")
        .replace("43215", "43216");
    stage.file(
        "leads.csv",
        corrected
            .replace("M5V 2T6", "M5V 2T7")
            .replace("03301", "03302"),
    );
    import(&stage, &[]).expect(3);
    import(&stage, &["--allow-same-house"]).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 12);
}

#[test]
fn the_sorted_houses_of_a_few_managers_are_not_sent() {
    let stage = Stage::open();
    let managers = |rows: String| {
        let manager = |n: usize| {
            (
                format!("Customer {n},c{n}@"),
                format!("Manager {},m{}@", n % 2, n % 2),
            )
        };
        (0..6)
            .map(manager)
            .fold(rows, |rows, (one, manager)| rows.replace(&one, &manager))
    };
    stage.file("leads.csv", managers(sheet(6, |n| [n; 3])));
    import(&stage, &[]).expect(0);
    stage.file("leads.csv", managers(sheet(6, |n| [5 - n, n, n])));
    import(&stage, &[]).expect(10);
    assert_eq!(stage.sandbox().measurements().len(), 6);
}

#[test]
fn house_numbers_in_a_column_of_their_own_that_was_sorted_alone_are_not_sent() {
    let stage = Stage::open();
    let streets = [
        "Elm St", "Oak Ave", "Hill Rd", "Lake Rd", "Ash Dr", "Pine Ct",
    ];
    let sheet = |order: fn(usize) -> usize| {
        let row = |n: usize| {
            let (number, street, place) = (order(n) + 10, streets[n], PLACES[n]);
            format!("Customer {n},c{n}@example.com,{number},{street},{place}\n")
        };
        let rows: String = (0..6).map(row).collect();
        format!("Name,Email,House Number,Street,City,State,Zip\n{rows}")
    };
    stage.file("leads.csv", sheet(|n| n));
    import(&stage, &[]).expect(0);
    stage.file("leads.csv", sheet(|n| 5 - n));
    import(&stage, &[]).expect(10);
    assert_eq!(stage.sandbox().measurements().len(), 6);
}
