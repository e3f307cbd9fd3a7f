//! The parts of an address have one qualifier, whether they are used, named or suggested: never the street of one
//! address with the city of another.

use crate::support::{Stage, shell_words};

const HOUSE: [&str; 4] = ["16 Elm St", "Columbus", "OH", "43215"];
const OTHER: [&str; 4] = ["9 Oak Ave", "Buffalo", "NY", "14201"];

/// The mapping of a check of a sheet with a row of these cells, or the error with the commands of its hint.
pub(crate) fn read(
    headers: &str,
    cells: &str,
    flags: &[&str],
) -> Result<String, (String, Vec<Vec<String>>)> {
    let stage = Stage::offline();
    let text = format!("Lead ID,Name,Email,{headers}\nL-1,Ada,a@example.com,{cells}\n");
    stage.file("leads.csv", text);
    let run = stage.run(&[&["check", "leads.csv"], flags].concat());
    if run.code == Some(0) {
        let page = run.stdout.split("mapping: ").nth(1).unwrap();
        return Ok(page.split("not used").next().unwrap().to_owned());
    }
    let lines = run.stderr.lines().filter_map(|line| {
        let command = line
            .trim()
            .trim_start_matches("hint: ")
            .trim_start_matches("or ");
        command.strip_prefix("gutterbatch check leads.csv ")
    });
    let commands = lines.map(shell_words).collect();
    Err((run.stderr, commands))
}

/// All mappings to which the commands of hints lead.
pub(crate) fn reachable(headers: &str, cells: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(flags) = open.pop() {
        let words: Vec<&str> = flags.iter().map(String::as_str).collect();
        match read(headers, cells, &words) {
            Ok(mapping) => found.push(mapping),
            Err((_, commands)) => {
                assert!(flags.len() < 12, "{headers}: {flags:?}");
                open.extend(commands);
            }
        }
    }
    found
}

/// Checks that hints lead to the house, and nowhere to parts of both addresses.
fn assert_whole(headers: &str, cells: &str) {
    let mappings = reachable(headers, cells);
    let has = |mapping: &String, parts: [&str; 4]| parts.map(|part| mapping.contains(part));
    for mapping in &mappings {
        let (house, other) = (has(mapping, HOUSE), has(mapping, OTHER));
        assert!(
            house == [true; 4] || other == [true; 4],
            "{headers}: {mapping}"
        );
        assert!(
            !house.contains(&true) || !other.contains(&true),
            "{headers}: {mapping}"
        );
    }
    let is_house = |mapping: &String| has(mapping, HOUSE) == [true; 4];
    assert!(mappings.iter().any(is_house), "{headers}: {mappings:?}");
}

#[test]
fn suggested_parts_have_the_words_of_the_street() {
    let cells = [HOUSE.join(","), OTHER.join(",")].join(",");
    for headers in [
        "Address 1 2,Town 2,Prov 2,Zip 2,Address 1 1,Town 1,Prov 1,Zip 1",
        "Street A,City A,State A,Zip A,Street B,City B,State B,Zip B",
        "Street Project,City Project,State Project,Zip Project,Address Client,Town Client,State Client,Zip Client",
        "Street,City,ST,Zip,Street Bill To,City Bill To,State Bill To,Zip Bill To",
    ] {
        assert_whole(headers, &cells);
    }
    let by_part = "Address 1_Work Site,Address 1 Tax,City_Work Site,City Tax,State_Work Site,State Tax,Zip_Work Site,Zip Tax";
    let pairs = HOUSE
        .iter()
        .zip(OTHER)
        .map(|(one, other)| format!("{one},{other}"));
    assert_whole(by_part, &pairs.collect::<Vec<_>>().join(","));
}

#[test]
fn no_part_of_another_address_is_suggested() {
    let headers = "Street - Contact,City - Contact,State - Contact,Zip - Contact,Street,City,Zip";
    let cells = format!("{},16 Elm St,Columbus,43215", OTHER.join(","));
    let (said, commands) = read(headers, &cells, &[]).unwrap_err();
    let header = |command: &Vec<String>| command.iter().any(|word| word == "region=HEADER");
    assert!(commands.len() == 1 && header(&commands[0]), "{said}");
    assert!(
        said.contains("region: if a column has it, write --map region=HEADER"),
        "{said}"
    );
    let headers = "Billing Street,Billing State,Shipping State,Shipping Code,Shipping City,Shipping Street,Billing City,Billing Code";
    let cells = "9 Oak Ave,NY,OH,43215,Columbus,16 Elm St,Buffalo,14201";
    assert_whole(headers, cells);
}

#[test]
fn a_named_street_takes_no_part_of_another_address() {
    let headers = "Street 1 (Customer),State,City,Zip,State (Customer),Street (Loss)";
    let cells = "9 Oak Ave,OH,Columbus,43215,NY,16 Elm St";
    let named = ["--map", "line1=Street 1 (Customer)"];
    let (said, _) = read(headers, cells, &named).unwrap_err();
    assert!(said.contains("belong to different addresses"), "{said}");
    assert!(reachable(headers, cells).is_empty());

    let headers = "Roof - Street,Roof - Zip,Roof - City,Home - State";
    let parts = [
        "line1=Roof - Street",
        "city=Roof - City",
        "postal_code=Roof - Zip",
    ];
    let maps = parts.map(|part| ["--map", part]).concat();
    let (said, _) = read(headers, "16 Elm St,43215,Columbus,NY", &maps).unwrap_err();
    assert!(said.contains("no column for region"), "{said}");
    assert!(!said.contains("=Home"), "{said}");
}

#[test]
fn words_tell_the_parts_of_mixed_columns_apart() {
    assert_whole(
        "Mail City,Zip,State,Mail State,Mail Zip,Mail Address,City,Address",
        "Buffalo,43215,OH,NY,14201,9 Oak Ave,Columbus,16 Elm St",
    );
    // The address with words has no city.
    let headers = "Service Street,Service State,Service Zip,Zip,State,City,Street";
    let cells = "9 Oak Ave,NY,14201,43215,OH,Columbus,16 Elm St";
    assert_whole(headers, cells);
}

#[test]
fn a_street_without_words_is_not_that_of_a_place_with_words() {
    assert_whole(
        "Zip,State,City,Street,Shipping State,Shipping City,Shipping Zip",
        "43215,OH,Columbus,16 Elm St,NY,Buffalo,14201",
    );
}

#[test]
fn a_house_number_and_a_street_name_are_a_street_of_their_address() {
    let house = "House Number,Street Name,City,State,Zip";
    for (headers, cells) in [
        (
            "City,State,Zip,Street,Service City,Service State,Service Zip,Service House Number,Service Street Name",
            "Buffalo,NY,14201,9 Oak Ave,Columbus,OH,43215,16,Elm St",
        ),
        (
            &format!("City,State,Zip,{house}"),
            "Buffalo,NY,14201,16,Elm St,Columbus,OH,43215",
        ),
    ] {
        let found = reachable(headers, cells);
        let [mapping] = &found[..] else {
            let of_house = |mapping: &&String| mapping.contains("Elm St");
            let mapping = found.iter().find(of_house).expect("an address");
            assert!(
                !mapping.contains("Buffalo") && mapping.contains("house_number"),
                "{mapping}"
            );
            continue;
        };
        assert!(
            mapping.contains("Columbus") && mapping.contains("Elm St"),
            "{mapping}"
        );
    }
}

#[test]
fn a_house_number_completes_only_the_street_behind_it() {
    for (headers, cells) in [
        (
            "Street,City,State,Zip,House Number,Street Name,City (Company),State (Company)",
            "16 Elm St,Columbus,OH,43215,49,Hill Dr,Buffalo,NY",
        ),
        (
            "Street Number,Street Name,Street Suffix,City,State,Zip,Property Address,Property City,Property State,Property Zip",
            "9,Oak,Ave,Buffalo,NY,14201,16 Elm St,Columbus,OH,43215",
        ),
    ] {
        let flags: &[&str] = if headers.contains("Property") {
            &["--address", "Property"]
        } else {
            &["--map", "line1=Street"]
        };
        assert!(read(headers, cells, &[]).is_err(), "{headers}");
        let mapping = read(headers, cells, flags).unwrap();
        assert!(!mapping.contains("house_number"), "{mapping}");
    }
}

#[test]
fn a_street_name_behind_two_cities_asks_which_is_its_own() {
    let headers =
        "City,State,Zip,City - Location,State - Location,Zip - Location,House Number,Street Name";
    let cells = "Buffalo,NY,14201,Columbus,OH,43215,16,Elm St";
    let (said, _) = read(headers, cells, &[]).unwrap_err();
    assert!(said.contains("belong to different addresses"), "{said}");
    assert!(said.contains("--map line1=K --map city=HEADER"), "{said}");
}

#[test]
fn the_title_of_a_sheet_costs_no_street_its_number() {
    let stage = Stage::offline();
    let text = "Customer list,,,,,\nLead ID,Name,Email,Street Number,Street Name,City,State,Zip,Owner Address,Owner City,Owner State,Owner Zip\n\
        L-1,Ada,a@example.com,16,Elm St,Columbus,OH,43215,9 Oak Ave,Buffalo,NY,14201\n";
    stage.file("leads.csv", text);
    let words = ["check", "leads.csv", "--address", "Street Number"];
    let page = stage.run(&words).expect(0).stdout;
    assert!(
        page.contains("house_number") && page.contains("Elm St"),
        "{page}"
    );
}

#[test]
fn a_unit_with_the_words_of_the_street_is_suggested_with_it() {
    for (headers, cells) in [
        (
            "Street (Job),Address Line 2 (Job),City (Job),State (Job),Zip (Job)",
            "16 Elm St,Apt 4,Columbus,OH,43215",
        ),
        (
            "Street - Mailing,City,State,Zip,Street - Site,Unit - Site,City - Site,State - Site,Zip - Site",
            "9 Oak Ave,Buffalo,NY,14201,16 Elm St,Apt 4,Columbus,OH,43215",
        ),
    ] {
        let found = reachable(headers, cells);
        let mut houses = found.iter().filter(|mapping| mapping.contains("16 Elm St"));
        assert!(houses.all(|mapping| mapping.contains("Apt 4")), "{found:?}");
        assert!(
            found.iter().any(|mapping| mapping.contains("16 Elm St")),
            "{headers}"
        );
    }
}

#[test]
fn the_parcel_is_sent_and_not_the_mail_of_its_owner() {
    let headers = "OWNER1,MAILADD1,MAILADD2,PHY_ADDR1,PHY_CITY,PHY_STATE,PHY_ZIPCD";
    let cells = "\"Reed, Ann\",9 Oak Ave,\"Buffalo, NY 14201\",16 Elm St,Columbus,OH,43215";
    let mapping = read(headers, cells, &[]).unwrap();
    assert!(
        mapping.contains("16 Elm St") && mapping.contains("43215"),
        "{mapping}"
    );
}

#[test]
fn spanish_headers_are_read() {
    let stage = Stage::offline();
    let text = "Exported 2026-05-03 by Dana\nID,Nombre,Apellido,Teléfono,Dirección,Ciudad,Estado,Código postal,Correo\n\
        L-1,Ann,Reed,614-555-0101,16 Elm St,Columbus,OH,43215,ann@example.com\n";
    stage.file("leads.csv", text);
    stage.run(&["check", "leads.csv"]).expect(0);
}

#[test]
fn amounts_lenders_and_streets_are_suggested_for_no_id_and_no_name() {
    let stage = Stage::offline();
    let address = "16 Elm St,Columbus,OH,43215,a@example.com";
    let headers = "City,State,Zip,Email,Mortgage Company,Lender,Estimate Total";
    stage.file(
        "leads.csv",
        format!("Location,{headers}\n{address},Acme Mutual,Blue Ins,595.13\n"),
    );
    let said = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    for column in [
        "id=Lender",
        "id='Estimate",
        "name=Location",
        "Mortgage Company?",
    ] {
        assert!(!said.contains(column), "{said}");
    }
}

#[test]
fn cells_in_the_wrong_columns_are_not_sent() {
    let stage = Stage::offline();
    let text = "ID,Name,Email,Street,City,State,Zip\n\
        1,Ann,a@example.com,16 Elm St,Columbus,OH,43215\n\
        2,Bo,b@example.com,20 Elm St,Apt 4,Columbus,OH\n\
        3,Cy,c@example.com,22 Elm St,OH,Columbus,43215\n\
        4,Di,d@example.com,24 Elm St,Columbus,Ohioo,43215\n";
    stage.file("leads.csv", text);
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(3)
        .json();
    assert_eq!(
        (&document["valid"], &document["invalid"]),
        (&2.into(), &2.into()),
        "{document}"
    );
}

#[test]
fn a_table_without_headers_gets_a_flag_for_each_field() {
    let stage = Stage::offline();
    let row = "Ann Reed,16 Elm St,Burlington,VT,5419,514-555-8860,ann@example.com\n";
    stage.file("leads.csv", row);
    let said = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let flags = "--header-row 0 --map id=LETTER --map name=LETTER --map line1=LETTER --map city=LETTER --map region=LETTER --map postal_code=LETTER --map phone=LETTER";
    assert!(said.contains(flags), "{said}");
}

/// A roll of an assessor, with the owner's address in columns without words of their own.
fn roll(location: &str) -> String {
    format!(
        "id,{location},name,address1,city,state,zip,phone\n\
        1,17 Faraway Ln,Ann,17 Faraway Ln,Lebanon,NH,03766,603-555-0101\n\
        2,434 N Main St,Bob,228 Park Ave S,Lebanon,NH,03766,603-555-0102\n"
    )
}

#[test]
fn the_place_of_a_parcel_is_asked_about_before_the_address_of_its_owner_is_sent() {
    let stage = Stage::offline();
    for location in ["rem prcl locn", "Prop Loc", "Parcel", "situs_address"] {
        stage.file("roll.csv", roll(location));
        let said = stage.run(&["check", "roll.csv"]).expect(10).stderr;
        let question = format!("`{location}` (column B) and `address1` (column D)");
        assert!(said.contains(&question), "{said}");
    }
    let two = "id,name,phone,situs_address,mailing_address1,mailing_city,mailing_state,mailing_zip,roll_address1,roll_city,roll_state,roll_zip\n\
        1,Ann,603-555-0101,15 Old Rd,9 Oak Rd,Chatham,MA,02633,9 Oak Rd,Chatham,MA,02633\n";
    stage.file("two.csv", two);
    let said = stage.run(&["check", "two.csv"]).expect(10).stderr;
    let first = "hint: gutterbatch check two.csv --map line1=situs_address\n";
    assert!(said.contains(first), "{said}");
}

#[test]
fn streets_that_are_not_sent_are_told_where_they_are_of_another_house() {
    let stage = Stage::offline();
    stage.file("roll.csv", roll("Where"));
    let said = stage.run(&["check", "roll.csv"]).expect(0).stdout;
    let warning = "1 row has another address here than in `address1`; only `address1` is sent. To send this column, use --map line1=B";
    assert!(said.contains(warning), "{said}");
    stage.file(
        "same.csv",
        roll("Where").replace("228 Park Ave S", "434 North Main Street"),
    );
    let said = stage.run(&["check", "same.csv"]).expect(0).stdout;
    assert!(!said.contains("another address"), "{said}");
}

#[test]
fn the_town_of_a_donor_does_not_complete_the_street_of_a_committee() {
    let stage = Stage::offline();
    for (first, second) in [("ST1", "ST1"), ("WHERE", "WHERE"), ("STREET", "LOC")] {
        for columns in [
            format!(
                "CMTE_{first},CMTE_CITY,CMTE_ST,CMTE_ZIP,CAND_{second},CAND_CITY,CAND_ST,CAND_ZIP"
            ),
            format!("CMTE_{second},CMTE_CITY,CMTE_ST,CMTE_ZIP"),
        ] {
            let cells = "100 Congress St,Portland,ME,04101,9 Elm St,Bangor,ME,04401";
            let text = format!(
                "id,NAME,CITY,STATE,ZIP,Phone,{columns}\nC1,Ann Reed,Cambridge,MA,02138,617-555-0100,{cells}\n"
            );
            stage.file("donors.csv", text);
            let said = stage.run(&["check", "donors.csv"]).expect(10).stderr;
            assert!(!said.contains("--map line1=CMTE_"), "{said}");
            let run = stage.run(&["check", "donors.csv", "--map", "line1=G", "--json"]);
            let mapping = &run.json()["mapping"]["city"];
            assert!(mapping == "CMTE_CITY" || run.stdout.contains("different addresses"));
        }
    }
}
