//! A street and the city, region and postal code of another: one question, and never a mixture of both.

use crate::support::{Stage, shell_words};

/// A sheet of two customers with these headers. Streets are `10 Beech St` and `90 Oak St`, from left to right or the
/// other way around.
fn sheet(headers: &str) -> String {
    let cell = |header: &str, streets: &mut Vec<&str>| {
        let word = header.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|one| word.starts_with(one));
        if has(&["city", "ville"]) {
            "Dublin".to_owned()
        } else if has(&["state", "province"]) {
            "OH".to_owned()
        } else if has(&["zip", "code postal"]) {
            "43017".to_owned()
        } else if has(&["phone", "fax"]) {
            String::new()
        } else {
            streets.pop().unwrap_or_default().to_owned()
        }
    };
    let row = |id: &str, streets: [&str; 2]| {
        let mut streets = streets.to_vec();
        let cells: Vec<String> = headers
            .split(',')
            .map(|one| cell(one, &mut streets))
            .collect();
        format!("{id},Ada,a@example.com,{}\n", cells.join(","))
    };
    format!(
        "Lead ID,Name,Email,{headers}\n{}{}",
        row("L-1", ["90 Oak St", "10 Beech St"]),
        row("L-2", ["92 Oak St", "12 Beech St"])
    )
}

/// The commands of a hint without a header to be filled in.
fn commands(stderr: &str) -> Vec<Vec<String>> {
    let lines = stderr.lines().filter_map(|line| {
        let command = line.trim().trim_start_matches("hint: ");
        let command = command
            .trim_start_matches("or ")
            .strip_prefix("gutterbatch ");
        command.filter(|command| !command.contains("HEADER"))
    });
    lines.map(shell_words).collect()
}

/// The streets that the commands of a question lead to.
fn streets(stage: &Stage, stderr: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for command in commands(stderr) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = stage.run(&words);
        if run.code == Some(0) {
            let page = run.expect(0).stdout;
            let page = page.split("not used").next().unwrap();
            let all = ["10 Beech St", "90 Oak St"].into_iter();
            found.extend(all.filter(|street| page.contains(street)));
        } else {
            found.extend(streets(stage, &run.expect(10).stderr));
        }
    }
    found.dedup();
    found
}

#[test]
fn a_place_goes_with_the_street_in_front_of_it_whatever_the_header_is() {
    let stage = Stage::offline();
    for (headers, street) in [
        (
            "Adresse de facturation,Ville,Province,Code postal,Adresse des travaux",
            "10 Beech St",
        ),
        (
            "Adresse postale,Ville,Province,Code postal,Adresse du chantier",
            "10 Beech St",
        ),
        (
            "Adresse de correspondance,Ville,Province,Code postal,Adresse",
            "10 Beech St",
        ),
        (
            "Rue,Adresse de facturation,Ville,Province,Code postal",
            "90 Oak St",
        ),
        ("Service Address,Bill To,City,State,Zip", "90 Oak St"),
        ("Invoice Address,City,State,Zip,Job Address", "10 Beech St"),
        ("Head Office,City,State,Zip,Site Address", "10 Beech St"),
        ("Legal Address,City,State,Zip,Address", "10 Beech St"),
        ("Where they live,City,State,Zip,Address", "10 Beech St"),
        (
            "Job Address,Phone,Residence,Fax,City,State,Zip",
            "90 Oak St",
        ),
        // None of the streets is known.
        ("Remit To,City,State,Zip,Work Address", "10 Beech St"),
        ("Bill To,City,State,Zip,Ship To Address", "10 Beech St"),
        ("Old Address,New Address,City,State,Zip", "90 Oak St"),
        (
            "Property Address,Mailing Address,City,State,Zip",
            "90 Oak St",
        ),
    ] {
        stage.file("leads.csv", sheet(headers));
        let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
        assert!(
            stopped.contains("could both be line1"),
            "{headers}: {stopped}"
        );
        assert_eq!(streets(&stage, &stopped), [street], "{headers}: {stopped}");
    }
}

#[test]
fn a_street_is_refused_the_region_that_another_stands_in_front_of() {
    let stage = Stage::offline();
    let headers = "Adresse de facturation,Ville de facturation,Province,Code postal,Adresse des travaux,Ville";
    stage.file("leads.csv", sheet(headers));
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(stopped.contains("two addresses"), "{stopped}");
    let check = ["check", "leads.csv", "--address", "Adresse des travaux"];
    let asked = stage.run(&check).expect(10).stderr;
    assert!(
        asked.contains("no columns for region and postal_code"),
        "{asked}"
    );
    assert_eq!(streets(&stage, &asked), [""; 0], "{asked}");
}

#[test]
fn a_street_takes_the_place_of_another_only_if_each_part_is_named() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet("Service Address,Bill To,City,State,Zip"));
    let check = |maps: &[&str]| {
        let maps = maps.iter().flat_map(|map| ["--map", map]);
        let words: Vec<&str> = ["check", "leads.csv"].into_iter().chain(maps).collect();
        stage.run(&words)
    };
    let stopped = check(&["line1=Service Address"]).expect(10).stderr;
    let named = "--map line1=D --map city=HEADER --map region=HEADER --map postal_code=HEADER";
    assert!(
        stopped.contains(
            "`Service Address` (column D) and `City` (column F) belong to different addresses"
        ) && stopped.contains(named)
            && !stopped.contains("line1=E"),
        "{stopped}"
    );
    let all = [
        "line1=Service Address",
        "city=City",
        "region=State",
        "postal_code=Zip",
    ];
    check(&all).expect(0);
}

#[test]
fn a_second_column_with_the_same_streets_or_beside_a_whole_address_asks_nothing() {
    let stage = Stage::offline();
    for headers in [
        "Address,City,State,Zip,Bill To",
        "Bill To,Address,City,State,Zip",
        "Address,City,State,Zip,Invoice Address",
    ] {
        stage.file("leads.csv", sheet(headers));
        stage.run(&["check", "leads.csv"]).expect(0);
    }
    for other in ["Invoice Address", "Deal Name", "Job site"] {
        let text = sheet(&format!("Address,{other},City,State,Zip"));
        let text = text
            .replace("90 Oak St", "10 Beech St")
            .replace("92 Oak St", "12 Beech Street");
        stage.file("leads.csv", text);
        stage.run(&["check", "leads.csv"]).expect(0);
    }
    // Numbers with words are no streets.
    let text = sheet("Address,Roof,City,State,Zip");
    let text = text
        .replace("90 Oak St", "2 story house")
        .replace("92 Oak St", "1 story house");
    stage.file("leads.csv", text);
    stage.run(&["check", "leads.csv"]).expect(0);
}

#[test]
fn a_street_with_other_words_than_the_usual_ones_is_not_mixed_with_another() {
    let stage = Stage::offline();
    for cells in [
        "\"50, boul. du Bureau\"",
        "C.P. 12",
        "12 Main St Apt 4",
        "450 S 300 E",
        "12 Broadway",
        "c/o Roy & Co",
        "Box 12",
    ] {
        for (office, house) in [
            ("Owner Address", "Property Address"),
            ("Adresse du siège", "Adresse des travaux"),
        ] {
            let row =
                |at: u8| format!("L-{at},Ada,a@example.com,{cells},Dayton,OH,45402,{at} Oak Ave\n");
            let headers = format!("ID,Name,Email,{office},City,State,Zip,{house}\n");
            stage.file("leads.csv", headers + &row(12) + &row(14));
            let stderr = stage.run(&["check", "leads.csv"]).expect(10).stderr;
            assert!(stderr.contains("could both be line1"), "{cells}: {stderr}");
        }
    }
}

#[test]
fn codes_and_cross_streets_below_the_name_of_a_street_are_no_streets_of_another() {
    let stage = Stage::offline();
    for (header, cells) in [
        ("Cross Street", ["5th Ave", "County Road 12"]),
        ("Verified Address", ["Yes by phone", "Not yet"]),
    ] {
        let row = |at: usize| {
            format!(
                "L-{at},Ada,a@example.com,1{at} Elm St,{},Dublin,OH,43017\n",
                cells[at]
            )
        };
        let headers = format!("ID,Name,Email,Street,{header},City,State,Zip\n");
        stage.file("leads.csv", headers + &row(0) + &row(1));
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        assert!(page.contains("2 rows: 2 valid"), "{header}: {page}");
    }
    let headers =
        "Person - Street/road name of Postal address,Person - ZIP/Postal code of Postal address";
    let row = "L-1,Ada,a@example.com,12 Elm St,K1A 0B1";
    stage.file("leads.csv", format!("ID,Name,Email,{headers}\n{row}\n"));
    let stderr = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(!stderr.contains("could both be line1"), "{stderr}");
}

#[test]
fn a_note_or_a_name_that_begins_with_a_number_is_no_street() {
    let stage = Stage::offline();
    for (header, cell) in [
        ("Gate code", "4471 at the side door, park behind"),
        ("Directions", "2 miles past the mill, turn left"),
        ("Account", "2 Oak Street Dental"),
        ("Address Notes", "2 dogs"),
        ("Legal Description", "12 Blk 4"),
        ("Billing Hours", "9 to 5"),
    ] {
        // In each row, and in one of many.
        for marked in [1, 12] {
            let rows = (1..=12).map(|row| {
                let note = if row % marked == 0 { cell } else { "" };
                format!("L-{row},Ada,a@example.com,{row} Beech St,\"{note}\",Dublin,OH,43017\n")
            });
            let rows: String = rows.collect();
            let headers = format!("Lead ID,Name,Email,Address,{header},City,State,Zip");
            stage.file("leads.csv", format!("{headers}\n{rows}"));
            let run = stage.run(&["check", "leads.csv"]);
            assert_eq!(run.code, Some(0), "{header}: {}", run.stderr);
        }
    }
}

#[test]
fn whole_billing_addresses_beside_the_parts_of_a_house_are_not_sent() {
    let stage = Stage::offline();
    let whole = "\"1 Main St, Columbus, OH 43215\"";
    let parts = "10 Beech St,Apt 9,Dublin,OH,43017";
    for street in [
        "Service Address",
        "Job Address",
        "House Address",
        "Job Street",
    ] {
        for (headers, cells) in [
            (
                format!("Billing Address,{street},Unit,City,State,Zip"),
                format!("{whole},{parts}"),
            ),
            (
                format!("{street},Unit,City,State,Zip,Head Office"),
                format!("{parts},{whole}"),
            ),
        ] {
            let sheet = format!("Lead ID,Name,Email,{headers}\nL-1,Ada,a@example.com,{cells}\n");
            stage.file("leads.csv", sheet);
            let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
            assert!(
                page.contains(&format!("only `{street}` is sent"))
                    && page.contains("10 Beech St")
                    && page.contains("line2        Unit"),
                "{headers}: {page}"
            );
        }
    }
}

/// The commands of the question that a check of a sheet stops with.
fn choices(stage: &Stage, headers: &str, cells: &str) -> Vec<String> {
    let sheet = format!("Lead ID,Name,Email,{headers}\nL-1,Ada,a@example.com,{cells}\n");
    stage.file("leads.csv", sheet);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let commands = commands(&stopped).into_iter();
    commands.filter_map(|mut words| words.pop()).collect()
}

#[test]
fn a_column_that_names_the_houses_beside_a_plain_address_asks() {
    let stage = Stage::offline();
    let plain = "Address,City,State,Zip";
    let cells = "10 Beech St,Dublin,OH,43017";
    for header in ["Job Site", "Property", "Install at", "911 Address"] {
        let street = choices(
            &stage,
            &format!("{plain},{header}"),
            &format!("{cells},77 Pine Rd"),
        );
        assert_eq!(
            street,
            [format!("line1={header}"), "line1=Address".to_owned()]
        );
        let whole = choices(
            &stage,
            &format!("{plain},{header}"),
            &format!("{cells},\"77 Pine Rd, Hilliard, OH 43026\""),
        );
        assert_eq!(
            whole,
            [format!("address={header}"), "line1=Address".to_owned()]
        );
    }
    // The same houses twice are no question.
    for same in ["10 Beech St", "\"10 Beech Street, Dublin, OH 43017\""] {
        let sheet =
            format!("Lead ID,Name,Email,{plain},Property\nL-1,Ada,a@example.com,{cells},{same}\n");
        stage.file("leads.csv", sheet);
        stage.run(&["check", "leads.csv"]).expect(0);
    }
}

#[test]
fn a_street_beside_whole_addresses_stays_a_choice_if_the_place_is_not_known_to_be_its_own() {
    let stage = Stage::offline();
    let found = choices(
        &stage,
        "Billing Street,Crew,Billing City,State,Service Zip,Property Street",
        "\"1 Main St, Columbus, OH 43215\",x,Dublin,OH,43017,77 Pine Rd",
    );
    assert_eq!(found, ["line1=Property Street", "address=Billing Street"]);
}

#[test]
fn a_street_at_work_or_a_location_beside_an_address_is_a_question() {
    let stage = Stage::offline();
    for headers in [
        "Address,City,State,Zip,Work Address",
        "Work Address,Address,City,State,Zip",
        "Location,Address,City,State,Zip",
    ] {
        stage.file("leads.csv", sheet(headers));
        let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
        assert!(
            stopped.contains("could both be line1"),
            "{headers}: {stopped}"
        );
    }
}
