//! The name, phone and email of the address that is chosen, and not those of another one.

use std::collections::BTreeSet;

use crate::support::Stage;

/// The columns of name and phone beside the address of these words, in a sheet with these columns and two addresses.
fn contact(headers: &str, cells: &str, address: &str) -> String {
    let stage = Stage::offline();
    let parts =
        |words: &str| ["Street", "City", "State", "Zip"].map(|part| format!("{words} {part}"));
    let parts = [parts("Billing"), parts("Shipping")].concat().join(",");
    let places = "9 Pay St,Albany,NY,12207,12 Elm St,Rochester,NY,14604";
    stage.file(
        "leads.csv",
        format!("ID,{parts},{headers}\nA-1,{places},{cells}\n"),
    );
    let check = ["check", "leads.csv", "--json", "--address", address];
    let mapping = stage.run(&check).expect(0).json()["mapping"].take();
    let fields = ["name", "first_name", "last_name", "phone"];
    let columns = fields.iter().filter_map(|field| mapping[field].as_str());
    columns.collect::<Vec<&str>>().join(" | ")
}

#[test]
fn the_contact_of_the_chosen_address_is_sent() {
    let both = "Billing First Name,Billing Last Name,Shipping Company,Shipping First Name,Shipping Last Name,Billing Phone,Shipping Phone";
    let phones = "Name,Billing Phone,Shipping Mobile,Shipping Phone";
    for (headers, cells, address, expected) in [
        (
            both,
            "Pay,Er,Acme,Ann,Miller,800-555-0001,585-555-0101",
            "Shipping",
            "Shipping First Name, Billing First Name | Shipping Last Name, Billing Last Name | Shipping Phone, Billing Phone",
        ),
        (
            both,
            "Pay,Er,Acme,Ann,Miller,800-555-0001,585-555-0101",
            "Billing",
            "Billing First Name, Shipping First Name | Billing Last Name, Shipping Last Name | Billing Phone, Shipping Phone",
        ),
        // The first number of one person is sent.
        (
            phones,
            "Ann,800-555-0001,585-555-0102,585-555-0101",
            "Shipping",
            "Name | Shipping Phone, Shipping Mobile, Billing Phone",
        ),
        // One without words is sent in any case.
        (
            "Name,Phone,Shipping Phone",
            "Ann,585-555-0103,585-555-0101",
            "Shipping",
            "Name | Phone",
        ),
    ] {
        assert_eq!(contact(headers, cells, address), expected, "{headers}");
    }
}

#[test]
fn the_only_address_of_a_sheet_takes_its_own_phone_also_beside_a_name_that_the_user_named() {
    let stage = Stage::offline();
    for (name, flags) in [("Name", &[][..]), ("Client", &["--map", "name=Client"])] {
        let text = format!(
            "ID,{name},Billing Phone,Shipping Phone,Shipping Street,Shipping City,Shipping State,Shipping Zip\n\
             A-1,Ann,800-555-0001,585-555-0101,12 Elm St,Rochester,NY,14604\n"
        );
        stage.file("leads.csv", text);
        let check = [&["check", "leads.csv", "--json"], flags].concat();
        let found = stage.run(&check).expect(0).json();
        assert_eq!(
            found["mapping"]["phone"], "Shipping Phone, Billing Phone",
            "{found}"
        );
    }
}

#[test]
fn rows_without_a_contact_of_the_chosen_address_have_that_of_the_other() {
    let parts =
        |words: &str| ["Street", "City", "State", "Zip"].map(|part| format!("{words} {part}"));
    let parts = [parts("Billing"), parts("Shipping")].concat().join(",");
    let sent = |headers: &str, rows: [&str; 2]| {
        let stage = Stage::open();
        let rows = rows.iter().zip(11..).map(|(row, number)| {
            let place = format!("9 Pay St,Albany,NY,12207,{number} Elm St,Rochester,NY,14604");
            format!("A-{number},{place},{row}\n")
        });
        let text = format!("ID,{parts},{headers}\n{}", rows.collect::<String>());
        stage.file("leads.csv", text);
        let import = ["import", "leads.csv", "--yes", "--address", "Shipping"];
        stage.run(&import).expect(0);
        let measurements = stage.sandbox().measurements();
        let customers = measurements.into_iter().map(|one| one.customer);
        customers.collect::<BTreeSet<String>>()
    };
    let parts = "Shipping First Name,Shipping Last Name,Shipping Phone";
    for (headers, payer) in [
        (
            format!("Billing First Name,Billing Last Name,Billing Phone,{parts}"),
            "Pay,Er",
        ),
        (format!("Billing Name,Billing Phone,{parts}"), "Pay Er"),
    ] {
        let rows = [",,", "Rec,Eiver,585-555-0102"];
        let rows = rows.map(|own| format!("{payer},800-555-0001,{own}"));
        let found = sent(&headers, rows.each_ref().map(String::as_str));
        assert!(found.into_iter().eq(["Pay Er", "Rec Eiver"]), "{headers}");
    }
    let headers = "Billing First Name,Billing Last Name,Billing Phone,Shipping Name,Shipping Phone";
    let rows = ["Pay,Er,800-555-0001,,", "Pay,Er,800-555-0001,Rec Eiver,"];
    let found = sent(headers, rows);
    assert!(found.into_iter().eq(["Pay Er", "Rec Eiver"]));
}

#[test]
fn the_phone_with_the_word_of_the_customers_name_comes_first() {
    let stage = Stage::offline();
    for persons in [
        "Contact,Contact Phone,Customer,Customer Phone",
        "Customer,Customer Phone,Contact,Contact Phone",
    ] {
        let cells = persons.split(',').zip(1..).map(|(header, number)| {
            let phone = format!("585-555-010{number}");
            if header.ends_with("Phone") {
                phone
            } else {
                "Ann Miller".to_owned()
            }
        });
        let cells: Vec<String> = cells.collect();
        let text = format!(
            "ID,{persons},Street,City,State,Zip\nA-1,{},12 Elm St,Rochester,NY,14604\n",
            cells.join(",")
        );
        stage.file("leads.csv", text);
        let found = stage
            .run(&["check", "leads.csv", "--json"])
            .expect(0)
            .json();
        assert_eq!(
            found["mapping"]["phone"], "Customer Phone, Contact Phone",
            "{persons}"
        );
    }
}

#[test]
fn of_two_lists_side_by_side_the_chosen_one_is_read_alone() {
    let stage = Stage::offline();
    let list = "House,Street,Town,ST,Zip,Home Owner";
    let rows = (0..5).map(|row| {
        let left = format!(
            "{},Plum St,Hilliard,OH,43026,Abe Stone{row},Pat,614-555-310{row}",
            300 + 2 * row
        );
        let right = format!(
            "{},Pear Ct,Hilliard,OH,43026,Ben Ward{row},614-555-410{row}",
            701 + 2 * row
        );
        format!("{left},,,{right}\n")
    });
    let text = format!("{list},Spouse,Ph,,,{list},Ph\n{}", rows.collect::<String>());
    stage.file("route.csv", text);
    let stopped = stage
        .run(&["check", "route.csv", "--derive-id"])
        .expect(10)
        .stderr;
    assert!(stopped.contains("--address"), "{stopped}");
    for (address, house, name, phone) in [("L", "K", "P", "Q"), ("B", "A", "F", "H")] {
        let check = ["check", "route.csv", "--derive-id", "--address", address];
        let stopped = stage.run(&check).expect(10).stderr;
        let hint = format!("--map house_number={house}");
        assert!(stopped.contains(&hint), "{stopped}");
        let map = [
            format!("house_number={house}"),
            format!("name={name}"),
            format!("phone={phone}"),
        ];
        let maps = map.iter().flat_map(|map| ["--map", map]);
        let all: Vec<&str> = check.into_iter().chain(maps).chain(["--json"]).collect();
        let found = stage.run(&all).expect(0).json();
        assert_eq!(found["valid"], 5, "{found}");
    }
}

#[test]
fn group_headings_and_repeated_headers_do_not_hide_the_house_numbers() {
    let stage = Stage::offline();
    let headers = "House,Street,Town,State,Zip,Home Owner,Ph";
    let rows = (1..=5)
        .map(|row| format!("30{row},Plum St,Hilliard,OH,43026,Abe Stone{row},614-555-310{row}\n"));
    let rows: String = rows.collect();
    let others = rows.replace("30", "31").replace("Plum St", "Pear Ct");
    let text = format!("{headers}\n--- Plum St ---,,,,,,\n{rows}{headers}\n{others}");
    stage.file("route.csv", text);
    let stopped = stage
        .run(&["check", "route.csv", "--derive-id"])
        .expect(10)
        .stderr;
    assert!(stopped.contains("--map house_number=House"), "{stopped}");
}

#[test]
fn the_orders_of_a_shop_are_no_names() {
    let stage = Stage::offline();
    let of = |kind: &str| {
        ["Name", "Address1", "City", "Zip", "Province", "Country"]
            .map(|header| format!("{kind} {header}"))
            .join(",")
    };
    let place = "Columbus,43215,OH,US";
    let text = format!(
        "Name,Id,Email,{},{}\n#1001,7001,a@example.com,Ann Lee,12 Elm St,{place},Amy Poe,14 Oak Ave,{place}\n#1002,7002,b@example.com,Bob Ray,9 Pine Rd,{place},Bob Ray,9 Pine Rd,{place}\n",
        of("Billing"),
        of("Shipping")
    );
    stage.file("orders.csv", text);
    let check = ["check", "orders.csv", "--address", "Shipping", "--json"];
    let found = stage.run(&check).expect(0).json();
    assert_eq!(
        found["mapping"]["name"], "Shipping Name, Billing Name",
        "{found}"
    );
}

#[test]
fn of_a_country_and_its_code_either_is_read() {
    let stage = Stage::offline();
    let text = "Id,Name,Email,Address1,City,Province,Province Code,Country,Country Code,Zip\n1001,Ann Lee,a@example.com,12 Elm St,Columbus,Ohio,OH,United States,US,43215\n1002,Bob Ray,b@example.com,9 Pine Rd,Toronto,Ontario,ON,Canada,CA,M5V 1A1\n";
    stage.file("customers.csv", text);
    let found = stage
        .run(&["check", "customers.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(found["mapping"]["country"], "Country", "{found}");
    stage.file("customers.csv", text.replace("Canada,CA", "Canada,US"));
    let stopped = stage.run(&["check", "customers.csv"]).expect(10).stderr;
    assert!(stopped.contains("could both be country"), "{stopped}");
}

#[test]
fn a_column_of_phones_beside_emails_that_nobody_has_is_named() {
    let stage = Stage::offline();
    let text = "id,name,full address,national_phone,email\nP1,Ann Lee,\"12 Elm St, Columbus, OH 43215\",(614) 555-0101,\nP2,Bob Ray,\"14 Oak Ave, Columbus, OH 43215\",(614) 555-0102,\n";
    stage.file("places.csv", text);
    let told = stage.run(&["check", "places.csv"]).expect(3).stdout;
    assert!(
        told.contains("`(614) 555-0101` and is not sent: --map phone=D"),
        "{told}"
    );
    stage
        .run(&["check", "places.csv", "--map", "phone=D"])
        .expect(0);
}

#[test]
fn lists_that_differ_a_little_are_told_apart_by_a_column_without_a_header() {
    let stage = Stage::offline();
    let (parts, place) = ("Address,City,State,Zip", "Columbus,OH,43201");
    for (left, right, address, is_whole) in [
        ("#,Name,Phone", "Name,Phone", ["--address", "K"], false),
        ("Customer,Phone", "Client,Phone", ["--address", "J"], false),
        ("Name,Phone", "Name,Cell", ["--address", "J"], false),
        ("Name,Phone", "Name,Phone", ["--map", "address=G"], true),
    ] {
        let parts = if is_whole { "Address" } else { parts };
        let rows = (1..=5).map(|row| {
            let of = |side: &str, street: u32| {
                if is_whole {
                    return format!("Ann {side},614-555-{street}0{row},\"{row}1 Elm St, {place}\"");
                }
                format!("Ann {side},614-555-{street}0{row},{row}{street} Elm St,{place}")
            };
            let number = if left.starts_with('#') { "1," } else { "" };
            format!("{number}{},,{}\n", of("Left", 31), of("Right", 41))
        });
        let rows: String = rows.collect();
        stage.file(
            "route.csv",
            format!("{left},{parts},,{right},{parts}\n{rows}"),
        );
        let check = [&["check", "route.csv", "--derive-id"], &address[..]].concat();
        let page = stage.run(&check).stdout;
        let is_read = |cell: &str| page.contains(cell);
        assert!(is_read("Ann Right") && is_read("614-555-4101"), "{page}");
        assert!(!is_read("Ann Left") && !is_read("614-555-31"), "{page}");
    }
}

/// The columns of emails and phones of five customers in a sheet with these headers, or the first hint about it.
fn contacts_of(headers: &str) -> String {
    let stage = Stage::offline();
    let rows = (1..=5).map(|row| {
        let person = ["Ann", "Ben", "Cat", "Dan", "Eve"][row - 1];
        let cells = headers.split(',').zip(["Lee", "Ray", "Orr", "Poe", "Fox"]);
        let cells = cells.map(|(header, last)| match header {
            "Email" | "Billing Email" => format!("{person}@{last}.example"),
            _ if header.ends_with("Phone") || header == "Cell" => {
                format!("585-555-{}10{row}", last.len() + header.len())
            }
            "Job" => "Lee Reroof".to_owned(),
            _ => format!("{last}{person} {last}"),
        });
        let cells = cells.collect::<Vec<String>>().join(",");
        format!("A-{row},{cells},{row}2 Elm St,Rochester,NY,14604\n")
    });
    let rows: String = rows.collect();
    stage.file(
        "leads.csv",
        format!("ID,{headers},Street,City,State,Zip\n{rows}"),
    );
    let run = stage.run(&["check", "leads.csv"]);
    let column = |line: &str| {
        let contact = line
            .strip_prefix("  email  ")
            .or(line.strip_prefix("  phone  "));
        let header = contact?.trim().split("  ").next()?;
        Some(header.to_owned())
    };
    let columns: Vec<String> = run.stdout.lines().filter_map(column).collect();
    let mut hints = run.stderr.lines().filter(|line| line.starts_with("hint: "));
    let hint = hints.next().map(str::to_owned);
    hint.unwrap_or_else(|| columns.join(" | "))
}

#[test]
fn a_contact_behind_another_person_is_not_sent_beside_one_of_the_customer() {
    for (headers, expected) in [
        ("Tenant,Phone,Name,Phone", "Phone (column E)"),
        ("Contact,Contact Phone,Name,Phone", "Phone"),
        ("Name,Phone,Realtor,Cell,Email", "Phone"),
        ("Name,Phone,Tenant Name,Cell,Email", "Phone"),
        ("Emergency Contact,Phone,Name,Email", "Email"),
        ("Billing Contact,Billing Email,Name,Email", "Email"),
        ("Name,Spouse,Phone,Email", "Email | Phone"),
        ("Name,Email,Spouse,Phone", "Email | Phone"),
        ("Name,Email,Job,Phone", "Email | Phone"),
        ("Homeowner,Phone", "Phone"),
        ("First Name,Last Name,Company,Phone", "Phone"),
        ("Name,Source,Phone", "Phone"),
        ("Name,Referred By,Phone", "Phone"),
    ] {
        assert_eq!(contacts_of(headers), expected, "{headers}");
    }
}

#[test]
fn of_two_phones_the_one_behind_the_customers_name_is_proposed_first_and_alone() {
    let hint = "hint: gutterbatch check leads.csv --map phone=D";
    assert_eq!(contacts_of("Phone,Name,Phone"), hint);
    let hint = "hint: gutterbatch check leads.csv --map phone=C --map phone=D";
    assert_eq!(contacts_of("Name,Phone,Phone"), hint);
}
