//! Two addresses whose headers do not tell them apart by their words: one question, and never a mixture of both.

use crate::support::{Stage, shell_words};

const ONE: &str = "10 Beech St,Columbus,OH,43206";
const OTHER: &str = "90 Oak St,Dublin,OH,43017";

fn sheet(one: &str, other: &str) -> String {
    let first = format!("L-1,Ada,a@example.com,{ONE},{OTHER},x\n");
    let second = first
        .replace("L-1,Ada", "L-2,Bo")
        .replace("10 Beech", "12 Beech")
        .replace("90 Oak", "92 Oak");
    format!("Lead ID,Name,Email,{one},{other},Crew\n{first}{second}")
}

/// The words of the commands of a hint, without the program.
fn commands(stderr: &str) -> Vec<Vec<String>> {
    let lines = stderr.lines().filter_map(|line| {
        let command = line.trim().trim_start_matches("hint: ");
        command
            .trim_start_matches("or ")
            .strip_prefix("gutterbatch ")
    });
    lines.map(shell_words).collect()
}

/// Checks that each command of the hint leads to one of the addresses, whole.
fn assert_whole(stage: &Stage, stderr: &str) {
    let commands = commands(stderr);
    assert_eq!(commands.len(), 2, "{stderr}");
    let pages = commands.iter().map(|command| {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        stage.run(&words).expect(0).stdout
    });
    let has = |page: &str, words: &[&str]| words.iter().all(|word| page.contains(word));
    let mut firsts = 0;
    for page in pages {
        let mapping = page.split("not used").next().unwrap();
        let one = has(mapping, &["10 Beech St", "Columbus", "43206"]);
        let other = has(mapping, &["90 Oak St", "Dublin", "43017"]);
        assert!(one != other, "{page}");
        firsts += usize::from(one);
    }
    assert_eq!(firsts, 1, "{stderr}");
}

#[test]
fn two_addresses_with_any_headers_are_one_question() {
    let stage = Stage::offline();
    for (one, other) in [
        (
            "Office Address,City,State,Zip",
            "Roof Address,Roof City,Roof State,Roof Zip",
        ),
        (
            "Invoice Address,City,State,Zip",
            "Installation Address,Installation City,Installation State,Installation Zip",
        ),
        (
            "Installation Address,City,State,Zip",
            "Invoice Address,City,State,Zip",
        ),
        (
            "Adresse de facturation,Ville,Province,Code postal",
            "Adresse des travaux,Ville,Province,Code postal",
        ),
        ("Bill To,City,State,Zip", "Ship To,City,State,Zip"),
        ("Customer Address,City,State,Zip", "Where,City,State,Zip"),
    ] {
        stage.file("leads.csv", sheet(one, other));
        let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
        assert!(
            stopped.contains("two addresses: "),
            "{one},{other}: {stopped}"
        );
        assert!(
            stopped.contains("they differ in the first 2 rows"),
            "{stopped}"
        );
        assert_whole(&stage, &stopped);
    }
}

#[test]
fn a_street_with_other_words_than_its_city_is_a_question() {
    let stage = Stage::offline();
    let other = "Installation Address,Install City,Install State,Install Zip";
    stage.file("leads.csv", sheet("Invoice Address,City,State,Zip", other));
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let asked = "two addresses: Install (I–K) and Invoice (D–G)";
    assert!(stopped.contains(asked), "{stopped}");
    let check = |flags: &[&str]| stage.run(&[&["check", "leads.csv"], flags].concat());
    let stopped = check(&["--address", "Install"]).expect(10).stderr;
    assert!(stopped.contains("--map line1=HEADER"), "{stopped}");
    let page = check(&["--address", "Invoice"]).expect(0).stdout;
    let mapping = page.split("not used").next().unwrap();
    assert!(!mapping.contains("Dublin"), "{page}");
    let maps = ["line1=H", "city=I", "region=J", "postal_code=K"].map(|map| ["--map", map]);
    let page = check(maps.as_flattened()).expect(0).stdout;
    let mapping = page.split("not used").next().unwrap();
    assert!(!mapping.contains("Columbus"), "{page}");
}

#[test]
fn a_street_behind_its_city_belongs_to_it() {
    let stage = Stage::offline();
    let text = "Lead ID,Name,Email,City,State,Zip,Bill To,City,State,Zip,Ship To\n\
        L-1,Ada,a@example.com,Columbus,OH,43206,10 Beech St,Dublin,OH,43017,90 Oak St\n";
    stage.file("leads.csv", text);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert_whole(&stage, &stopped);
}

#[test]
fn a_mapping_of_parts_of_two_addresses_is_refused() {
    let stage = Stage::offline();
    let one = "Office Address,City,State,Zip";
    let other = "Roof Address,Roof City,Roof State,Roof Zip";
    stage.file("leads.csv", sheet(one, other));
    let check = |maps: &[&str]| {
        let maps = maps.iter().flat_map(|map| ["--map", map]);
        let words: Vec<&str> = ["check", "leads.csv"].into_iter().chain(maps).collect();
        stage.run(&words)
    };
    // A street stands for the rest of its address.
    let page = check(&["line1=Roof Address"]).expect(0).stdout;
    assert!(
        page.contains("Dublin") && !page.contains("Columbus"),
        "{page}"
    );
    let stopped = check(&["line1=Roof Address", "city=City"])
        .expect(10)
        .stderr;
    assert!(
        stopped.contains(
            "`Roof Address` (column H) and `City` (column E) belong to different addresses"
        ),
        "{stopped}"
    );
    let kept =
        "check leads.csv --map line1=H --map city=E --map region=HEADER --map postal_code=HEADER\n";
    assert!(stopped.contains(kept), "{stopped}");
    assert_eq!(commands(&stopped).len(), 1, "{stopped}");
    // Whoever names each part takes it from where it is.
    check(&[
        "line1=Roof Address",
        "city=City",
        "region=State",
        "postal_code=Zip",
    ])
    .expect(0);
}

#[test]
fn the_city_of_a_second_address_without_a_street_is_not_mixed_with_the_first() {
    let stage = Stage::offline();
    let text = "Lead ID,Name,Email,Street,City,State,Zip,Town,Prov,Postal\n\
        L-1,Ada,a@example.com,10 Beech St,Columbus,OH,43206,Dublin,OH,43017\n";
    stage.file("leads.csv", text);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(
        stopped.contains("two addresses: Street (D–G) and Town (H–J)"),
        "{stopped}"
    );
    let words = ["check", "leads.csv", "--address"];
    let page = stage.run(&[&words[..], &["Street"]].concat()).expect(0);
    assert!(!page.stdout.contains("Dublin"), "{}", page.stdout);
    let stopped = stage.run(&[&words[..], &["Town"]].concat()).expect(10);
    assert!(
        stopped.stderr.contains("no column for line1"),
        "{}",
        stopped.stderr
    );
    let asked = [&words[..], &["Town", "--map", "line1=Street"]].concat();
    let stopped = stage.run(&asked).expect(10).stderr;
    assert!(
        stopped.contains("belong to different addresses"),
        "{stopped}"
    );
}

#[test]
fn a_street_is_not_sent_with_the_city_of_another_owner() {
    let stage = Stage::offline();
    for (one, other) in [
        (
            "Adresse de facturation,Ville,Province,Code postal",
            "Adresse du chantier,Ville du chantier,Province du chantier,Code postal du chantier",
        ),
        (
            "Owner Address,City,State,Zip",
            "Property Address,Prop City,Prop State,Prop Zip",
        ),
        (
            "Company Address,City,State,Zip",
            "Project Address,Proj City,Proj State,Proj Zip",
        ),
    ] {
        stage.file("leads.csv", sheet(one, other));
        let asked = stage
            .run(&["check", "leads.csv", "--map", "id=Lead ID"])
            .expect(10);
        assert!(
            !asked.stderr.contains("HEADER --map line1"),
            "{}",
            asked.stderr
        );
    }
    let (one, other) = (
        "Address (Office),City,State,Zip",
        "Address (Roof),City (Roof),State (Roof),Zip (Roof)",
    );
    stage.file("leads.csv", sheet(one, other));
    let map = [
        "check",
        "leads.csv",
        "--map",
        "id=Lead ID",
        "--map",
        "line1=Address (Roof)",
    ];
    let mixed = stage.run(&map).expect(10);
    let said = "belong to different addresses";
    assert!(mixed.stderr.contains(said), "{}", mixed.stderr);
    assert!(
        mixed.stderr.contains("--map line1=H --map city=I"),
        "{}",
        mixed.stderr
    );
}

#[test]
fn the_street_of_a_second_city_is_no_second_line() {
    let stage = Stage::offline();
    for other in [
        "Address_2,City_2,State_2,Zip_2",
        "Address 2,City 2,State 2,Zip 2",
    ] {
        stage.file("leads.csv", sheet("Address,City,State,Zip", other));
        let checked = stage.run(&["check", "leads.csv", "--map", "id=Lead ID"]);
        assert!(
            !checked.stdout.contains("10 Beech St, 90 Oak St"),
            "{}",
            checked.stdout
        );
        let line2 = checked
            .stdout
            .lines()
            .find(|line| line.trim().starts_with("line2"));
        assert_eq!(line2, None, "{}", checked.stdout);
    }
    stage.file("units.csv", "Key,Name,Email,Address,Address 2,City,State,Zip\n1,Ada,a@example.com,10 Beech St,Apt 3,Columbus,OH,43206\n");
    let checked = stage
        .run(&["check", "units.csv", "--map", "id=Key"])
        .expect(0);
    assert!(checked.stdout.contains("line2"), "{}", checked.stdout);
}

#[test]
fn a_hint_names_no_parts_of_several_addresses() {
    let stage = Stage::offline();
    for (one, other) in [
        (
            "Address - Billing,City - Billing,State - Billing,Zip - Billing",
            "Address - Site,City - Site,State - Site,Zip - Site",
        ),
        (
            "Address (Billing),City (Billing),State (Billing),Zip (Billing)",
            "Address (Service),City (Service),State (Service),Zip (Service)",
        ),
    ] {
        stage.file("leads.csv", sheet(one, other));
        let asked = stage
            .run(&["check", "leads.csv", "--map", "id=Lead ID"])
            .expect(10);
        let hint = asked
            .stderr
            .lines()
            .find(|line| line.starts_with("hint:"))
            .unwrap();
        let has = |word: &str| hint.contains(word);
        assert!(
            !(has("Billing") && (has("Site") || has("Service"))),
            "{}",
            asked.stderr
        );
    }
}

#[test]
fn the_only_state_behind_several_addresses_is_named_for_each() {
    for headers in [
        "Service Address,Service City,Service Zip,Billing Address,Billing City,Billing Zip,State",
        "Bill To,City,Zip,Ship To,City,Zip,State",
    ] {
        let stage = Stage::offline();
        let text = format!(
            "Lead ID,Name,Email,{headers}\n\
            L-1,Ada,a@example.com,10 Beech St,Columbus,43206,90 Oak St,Dublin,43017,OH\n"
        );
        stage.file("leads.csv", text);
        for street in ["line1=D", "line1=G"] {
            let (city, zip) = if street == "line1=D" {
                ("city=E", "postal_code=F")
            } else {
                ("city=H", "postal_code=I")
            };
            let maps = [street, city, "region=State", zip].map(|map| ["--map", map]);
            let check = [&["check", "leads.csv"], maps.as_flattened()].concat();
            let page = stage.run(&check).expect(0).stdout;
            assert!(page.contains("region       State"), "{page}");
        }
    }
    // A state between the parts of one address is that of this one.
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        "Lead ID,Name,Email,Bill To,City,Zip,Ship To,City,State,Zip\n\
        L-1,Ada,a@example.com,10 Beech St,Columbus,43206,90 Oak St,Dublin,OH,43017\n",
    );
    let check = |address| stage.run(&["check", "leads.csv", "--address", address]);
    check("Ship To").expect(0);
    let stopped = check("Bill To").expect(10).stderr;
    assert!(stopped.contains("no column for region"), "{stopped}");
}

#[test]
fn an_address_in_parts_is_not_passed_over_for_a_whole_address_of_another_kind() {
    let sheet = |whole: &str, parts: &str| {
        format!(
            "Lead ID,Name,Email,{whole},{parts}\n\
            L-1,Ada,a@example.com,\"90 Oak St, Dublin, OH 43017\",{ONE}\n\
            L-2,Bo,b@example.com,\"92 Oak St, Dublin, OH 43017\",12{}\n",
            &ONE[2..],
        )
    };
    let stage = Stage::offline();
    for (whole, parts) in [
        ("Mailing Address", "Street,City,State,Zip"),
        (
            "Billing Address",
            "Property Street,Property City,Property State,Property Zip",
        ),
        (
            "Address",
            "Property Street,Property City,Property State,Property Zip",
        ),
    ] {
        stage.file("leads.csv", sheet(whole, parts));
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        let warning = format!("{whole}: 2 rows (2, 3) have another address here than in");
        assert!(
            page.contains(&warning) && page.contains("10 Beech St · 12 Beech St"),
            "{page}"
        );
    }
    // Where the headers do not tell, each address can be chosen.
    stage.file(
        "leads.csv",
        sheet("Service Address", "Street,City,State,Zip"),
    );
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert_whole(&stage, &stopped);
}

#[test]
fn a_second_property_that_is_not_sent_is_warned_of() {
    let numbered = |number: u8| {
        format!(
            "Property {number} Address,Property {number} City,Property {number} State,Property {number} Zip"
        )
    };
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(&numbered(1), &numbered(2)));
    for (address, cell) in [("Property 1", "H2"), ("Property 2", "D2")] {
        let page = stage
            .run(&["check", "leads.csv", "--address", address])
            .expect(0)
            .stdout;
        assert!(
            page.contains(cell) && page.contains("another address of the customer not sent"),
            "{page}"
        );
    }
}

#[test]
fn the_hint_of_an_address_has_its_unit() {
    let headers = "ID,Name,Business Address,Business Apt,Business City,Business State,Business Postal Code,Billing Street Address,Billing Town,Billing ST,Billing Zip,Email";
    let row = "L-1,Ada,10 Maple St,Apt 1,Columbus,OH,43206,90 Oak St,Tampa,FL,33602,a@example.com";
    let stage = Stage::offline();
    stage.file("leads.csv", format!("{headers}\n{row}\n"));
    let words = ["check", "leads.csv", "--map", "line1=Business Address"];
    let run = stage.run(&words);
    let told = run.stdout + &run.stderr;
    let is_whole = told.contains("--map 'city=Business City'")
        && told.contains("--map 'line2=Business Apt'")
        || told.contains("line2        Business Apt");
    assert!(is_whole, "{told}");
}

#[test]
fn a_state_between_two_cities_is_of_neither_without_a_word() {
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        "Lead ID,Name,Email,Mailing Address,Mailing City,State,Zip,Address,City\n\
         L-1,Ada,a@example.com,900 Post Rd,Syracuse,NY,14604,12 Elm St,Rochester\n",
    );
    let asked = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert!(asked.contains("two addresses"), "{asked}");
    for address in ["Mailing", "H"] {
        let check = ["check", "leads.csv", "--address", address];
        let stopped = stage.run(&check).expect(10).stderr;
        assert!(
            stopped.contains("no columns for region and postal_code"),
            "{stopped}"
        );
    }
    let named = "--address H --map region=State --map postal_code=Zip".split(' ');
    let named: Vec<&str> = named.collect();
    let check = [&["check", "leads.csv"], &named[..]].concat();
    let page = stage.run(&check).expect(0).stdout;
    assert!(
        page.contains("12 Elm St") && page.contains("Rochester"),
        "{page}"
    );
}

#[test]
fn the_region_that_an_address_lacks_may_stand_behind_the_street_of_another() {
    let stage = Stage::offline();
    for (one, other) in [
        ("Adresse des travaux", "Adresse de facturation"),
        ("Property Address", "Billing Address"),
    ] {
        stage.file(
            "leads.csv",
            format!(
                "ID,Name,{one},City,Postal Code,{other},Phone,Province\n\
                 D-1,Ada,100 rue Centre,Montréal,H3K 2B4,\"1543 av. du Parc, Laval\",514-555-0100,QC\n"
            ),
        );
        let line1 = format!("line1={one}");
        let run = stage
            .run(&["check", "leads.csv", "--map", &line1])
            .expect(0);
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("line1 {one} 100 rue")), "{words}");
        assert!(words.contains("region Province QC"), "{words}");
        assert!(words.contains("another address here"), "{words}");
    }
}

#[test]
fn a_postal_code_behind_another_street_may_be_named_for_the_address_without_one() {
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        "ID,Name,Property Address,City,State,Billing Address,Phone,Zip\n\
         D-1,Ada,100 Elm St,Columbus,OH,\"7000 Oak St, Dublin\",614-555-0100,43206\n",
    );
    let words = [
        "--map",
        "line1=Property Address",
        "--map",
        "postal_code=Zip",
    ];
    let run = stage
        .run(&[&["check", "leads.csv"][..], &words].concat())
        .expect(0);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("line1 Property Address 100 Elm St"),
        "{words}"
    );
    assert!(words.contains("postal_code Zip 43206"), "{words}");
}
