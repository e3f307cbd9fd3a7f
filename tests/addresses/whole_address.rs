//! Whole addresses in one cell: how many come apart right, that none comes apart wrong, and what a person sees.

use crate::support::{Stage, shell_words};

const HEADERS: &str = "Lead ID,Customer,Email,Billing Address";

fn quickbooks(addresses: &[&str]) -> String {
    let rows = (1..)
        .zip(addresses)
        .map(|(row, address)| format!("L-{row},Ada Lovelace,ada{row}@example.com,\"{address}\"\n"));
    format!("{HEADERS}\n{}", rows.collect::<String>())
}

const WHOLE: [&str; 3] = [
    "3334 Maple Ave, Toronto ON M5V 1A1",
    "Ada Lovelace\n12 Elm St Apt. 3B\nBoston, MA 02134\nUSA",
    "9, rue Saint-Jean, bureau 200, Québec (Québec)  G1R 1P1",
];

#[test]
fn the_hint_names_the_column_that_holds_whole_addresses() {
    let stage = Stage::offline();
    stage.file("leads.csv", quickbooks(&WHOLE));
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    assert_eq!(
        stopped.lines().take(2).collect::<Vec<_>>(),
        [
            "error: leads.csv: `Billing Address` has whole addresses",
            "hint: gutterbatch check leads.csv --map 'address=Billing Address'",
        ]
    );
    let both = quickbooks(&WHOLE)
        .replace("Customer,", "Ship to Address,")
        .replace("Ada Lovelace,", "\"1 Oak St, Boston MA 02134\",");
    stage.file("both.csv", both);
    let stopped = stage.run(&["check", "both.csv"]).expect(10).stderr;
    assert!(
        stopped.contains(
            "hint: gutterbatch check both.csv --map 'address=Ship to Address'\n      \
             or gutterbatch check both.csv --map 'address=Billing Address'\n      \
             choose the address of the house\n"
        ),
        "{stopped}"
    );
}

/// As an accounting program exports customers; two of the houses are not where the bill goes.
const BILL_AND_SHIP: &str = "\
Customer ID,Customer,Email,Bill address,Ship address
C-1,Ada Lovelace,ada@example.com,\"123 Main St, Toronto, ON M5V 2T6\",\"123 Main Street, Toronto, ON M5V 2T6\"
C-2,Bo Roy,bo@example.com,\"5 Bank St, Ottawa, ON K1A 0B1\",\"14 Elm St, Toronto, ON M5V 2T7\"
C-3,Cy Roy,cy@example.com,\"7 Bank St, Ottawa, ON K1A 0B1\",\"18 Elm St, Toronto, ON M5V 2T7\"
C-4,Di Roy,di@example.com,\"9 Bank St, Ottawa, ON K1A 0B1\",
";

#[test]
fn a_column_with_other_addresses_than_those_that_are_sent_is_one_warning() {
    let stage = Stage::open();
    stage.file("leads.csv", BILL_AND_SHIP);
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let question = "`Ship address` and `Bill address` have whole addresses; they differ in 2 of the first 4 rows\n";
    assert!(stopped.contains(question), "{stopped}");
    let map = "--map=address=Bill address";
    let warning = "Ship address: 2 rows (3, 4) have another address here than in `Bill address`; only `Bill address` is sent. To send this column, use --map address=E";
    let check = stage.run(&["check", "leads.csv", map]).expect(0).stdout;
    assert!(check.contains(&format!("E3       {warning}\n")), "{check}");
    assert_eq!(check.matches("another address here").count(), 1, "{check}");
    let line = format!("warning: E3: {warning}\n");
    let import = |more: &[&str]| {
        let args = [&["import", "leads.csv", map][..], more].concat();
        stage.run(&args).expect(0).stderr
    };
    for run in [import(&["--dry-run"]), import(&["--yes"])] {
        assert!(run.contains(&line), "{run}");
    }
    let again = import(&["--yes"]);
    assert!(!again.contains("another address here"), "{again}");
    let ship = ["check", "leads.csv", "--map", "address=E", "--json"];
    let problems = stage.run(&ship).expect(3).json()["problems"].to_string();
    let of_ship = "2 rows (3, 4) have another address here than in `Ship address`";
    assert!(problems.contains(of_ship), "{problems}");
}

#[test]
fn another_address_that_cannot_be_split_is_no_street_of_its_own() {
    let stage = Stage::offline();
    for other in ["14 Grove St Louis ON M4V 3T9", "14 Elm St"] {
        let text = BILL_AND_SHIP.replace("14 Elm St, Toronto, ON M5V 2T7", other);
        stage.file("leads.csv", text);
        let map = "--map=address=Bill address";
        let page = stage.run(&["check", "leads.csv", map]).expect(0).stdout;
        assert!(
            page.contains("2 rows (3, 4) have another address"),
            "{page}"
        );
        assert!(!page.contains("--map line1"), "{page}");
    }
}

#[test]
fn of_a_mailing_address_and_the_parts_of_another_the_parts_are_the_first_choice() {
    for (house, mail) in [
        ("Adresse civique", "Adresse postale"),
        ("Service Street", "Mail to"),
    ] {
        let stage = Stage::offline();
        let text = format!(
            "ID,Client,{house},Ville,Prov,CP,{mail},Tél.\n\
             S1,Luc Roy,12 rue Eddy,Gatineau,QC,J8X 3S6,\"9 rue King, Ottawa (Ontario) K1N 5X2\",819-555-0101\n"
        );
        stage.file("leads.csv", text);
        let map = format!("--map=address={mail}");
        let check = stage.run(&["check", "leads.csv", &map]).expect(0).stdout;
        let warning = format!("1 row has another address here than in `{mail}`");
        assert!(check.contains(&warning), "{check}");
        let stopped = stage.run(&["check", "leads.csv"]);
        if house == "Adresse civique" {
            let stderr = stopped.expect(10).stderr;
            let hint = "hint: gutterbatch check leads.csv --map 'line1=Adresse civique'\n";
            assert!(stderr.contains(hint), "{stderr}");
        }
    }
}

#[test]
fn a_column_of_whole_addresses_that_is_named_with_address_is_answered_with_its_map() {
    let stage = Stage::offline();
    stage.file("leads.csv", BILL_AND_SHIP);
    for (asked, map) in [
        ("ship address", "'address=Ship address'\n"),
        (
            "Home",
            "'address=Ship address'\n      or gutterbatch check leads.csv --map 'address=Bill address'\n",
        ),
    ] {
        let args = ["check", "leads.csv", "--address", asked];
        let stopped = stage.run(&args).expect(10).stderr;
        let hint = format!("hint: gutterbatch check leads.csv --map {map}");
        assert!(stopped.contains(&hint), "{stopped}");
    }
}

#[test]
fn whole_addresses_are_sent_in_their_parts() {
    let stage = Stage::open();
    stage.file("leads.csv", quickbooks(&WHOLE));
    let map = "--map=address=Billing Address";
    let page = stage.run(&["check", "leads.csv", map]).expect(0).stdout;
    for line in [
        "  row 2: 3334 Maple Ave | Toronto | ON | M5V 1A1 | CA\n",
        "  row 3: 12 Elm St | Apt. 3B | Boston | MA | 02134 | US\n",
        "  row 7: 9, rue Saint-Jean | bureau 200 | Québec | QC | G1R 1P1 | CA\n",
    ] {
        assert!(page.contains(line), "{page}");
    }
    stage.run(&["import", "leads.csv", "--yes", map]).expect(0);
    let again = stage
        .run(&["import", "leads.csv", "--yes", "--json", map])
        .expect(0)
        .json();
    assert_eq!(
        (&again["outcomes"]["known"], &again["requests"]["total"]),
        (&3.into(), &0.into())
    );
}

#[test]
fn a_row_that_is_not_sent_is_explained_under_the_header_of_its_whole_address() {
    let stage = Stage::open();
    stage.file("leads.csv", quickbooks(&WHOLE));
    let map = "--map=address=Billing Address";
    stage.run(&["import", "leads.csv", map]).expect(0);
    stage.file("new.csv", quickbooks(&WHOLE).replace("L-", "M-"));
    let check = stage.run(&["check", "new.csv", map]).expect(3).stdout;
    let told = "Billing Address: requested before as `L-1`";
    assert!(check.contains(&format!("D2       {told}")), "{check}");
    stage.run(&["import", "new.csv", map]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("new.rejects.csv")).unwrap();
    assert!(rejects.contains(told), "{rejects}");
}

#[test]
fn an_address_with_a_column_for_each_line_is_read_after_one_answer() {
    let stage = Stage::open();
    // As QuickBooks Desktop exports customers, with the name in the first line.
    let lines = "Bill to 1,Bill to 2,Bill to 3,Bill to 4,Ship to 1,Ship to 2";
    let rows = "Ada Lovelace,ada@example.com,Ada Lovelace,12 Elm St,\"Boston, MA 02134\",,,\n\
        Bo Roy,bo@example.com,Bo Roy,14 Elm St,Unit 4,\"Boston, MA 02134\",,\n";
    stage.file("leads.csv", format!("Customer,Main Email,{lines}\n{rows}"));
    let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
    let hint = "hint: gutterbatch check leads.csv --map 'address=Bill to 1' --derive-id\n";
    assert!(stopped.contains(hint), "{stopped}");
    let flags = ["--map", "address=Bill to 1", "--derive-id"];
    let check = [&["check", "leads.csv"][..], &flags].concat();
    let page = stage.run(&check).expect(0).stdout;
    for line in [
        "  row 2: 12 Elm St | Boston | MA | 02134 | US\n",
        "  row 3: 14 Elm St | Unit 4 | Boston | MA | 02134 | US\n",
    ] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn a_street_and_a_column_with_the_rest_of_the_address_are_read_after_one_answer() {
    let stage = Stage::offline();
    let text = "Job #,Customer,Phone,Street,\"City, State ZIP\"\n\
        J-1,Ada,614 555-0100,3000 Beech St,\"Columbus, OH 43206\"\n\
        J-2,Bo,614 555-0101,3010 Beech St,\"Columbus, OH 43206\"\n";
    stage.file("jobs.csv", text);
    let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
    let flags = "check jobs.csv --map address=Street --map 'address=City, State ZIP'\n";
    assert!(stopped.contains(flags), "{stopped}");
    assert!(
        stopped.contains("Customer, Phone, Street, `City, State ZIP`"),
        "{stopped}"
    );
    let maps = ["address=Street", "address=City, State ZIP"];
    let flags = maps.iter().flat_map(|map| ["--map", map]);
    let words: Vec<&str> = ["check", "jobs.csv"].into_iter().chain(flags).collect();
    let page = stage.run(&words).expect(0).stdout;
    assert!(page.contains("3010 Beech St | Columbus | OH"), "{page}");
}

#[test]
fn a_place_in_two_columns_of_which_one_has_two_parts_is_read_after_one_answer() {
    for (headers, cells) in [
        ("\"City, State\",Zip", "\"Columbus, OH\",43206"),
        ("City/State,Zip", "\"Columbus, OH\",43206"),
        ("City,State/Zip", "Columbus,OH 43206"),
    ] {
        let stage = Stage::offline();
        let text = format!(
            "Job #,Customer,Phone,Street,{headers}\nJ-1,Ada,614 555-0100,30 Beech St,{cells}\n"
        );
        stage.file("jobs.csv", text);
        let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
        let hint = stopped
            .lines()
            .find_map(|line| line.strip_prefix("hint: gutterbatch "));
        let words = shell_words(hint.unwrap());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let page = stage.run(&words).expect(0).stdout;
        assert!(
            page.contains("30 Beech St | Columbus | OH | 43206"),
            "{page}"
        );
    }
}

#[test]
fn rows_without_an_address_do_not_get_the_same_derived_id() {
    let stage = Stage::offline();
    let rows = "Ada,ada@example.com,12 Elm St\nAda,ada@example.com,14 Elm St\n";
    stage.file("leads.csv", format!("Customer,Email,Full Address\n{rows}"));
    let run = stage.run(&["check", "leads.csv", "--derive-id", "--json"]);
    let document = run.expect(3).json();
    let problems = document["problems"].as_array().unwrap();
    let fields: Vec<_> = problems.iter().map(|one| &one["field"]).collect();
    assert_eq!(fields, ["address", "address"]);
}

#[test]
fn an_address_that_does_not_come_apart_makes_its_row_invalid() {
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        quickbooks(&["12 Elm St St Louis MO 63101", "", WHOLE[0]]),
    );
    let checked = stage
        .run(&[
            "check",
            "leads.csv",
            "--json",
            "--map",
            "address=Billing Address",
        ])
        .expect(3)
        .json();
    let errors: Vec<String> = checked["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|problem| problem["severity"] == "error")
        .map(|problem| {
            format!(
                "{} {}: {}",
                problem["cell"], problem["field"], problem["message"]
            )
        })
        .collect();
    assert_eq!(
        errors,
        [
            "\"D2\" \"address\": \"the address cannot be split into its parts (it is not certain where the city begins; put a comma in front of it)\"",
            "\"D3\" \"address\": \"the address is empty\"",
        ]
    );
    assert_eq!(checked["mapping"]["address"], "Billing Address");
}

#[test]
fn a_column_called_full_address_needs_no_flag_and_yields_to_columns_of_the_parts() {
    let stage = Stage::offline();
    let mapping = |text: &str| {
        stage.file("leads.csv", text);
        stage
            .run(&["check", "leads.csv", "--json"])
            .expect(0)
            .json()["mapping"]
            .clone()
    };
    let text =
        "ID,Name,Email,Full Address\nA-1,Ada,ada@example.com,\"12 Elm St, Boston, MA 02134\"\n";
    assert_eq!(mapping(text)["address"], "Full Address");
    let text = "ID,Name,Email,Full Address,Street,City,State,Zip\nA-1,Ada,ada@example.com,\"12 Elm St, Boston, MA 02134\",12 Elm St,Boston,MA,02134\n";
    let mapping = mapping(text);
    assert_eq!(
        (&mapping["address"], &mapping["line1"]),
        (&serde_json::Value::Null, &"Street".into())
    );
}

#[test]
fn a_whole_address_and_its_parts_are_not_mapped_together() {
    let stage = Stage::offline();
    stage.file("leads.csv", quickbooks(&WHOLE));
    let run = stage
        .run(&[
            "check",
            "leads.csv",
            "--map",
            "address=D",
            "--map",
            "city=C",
        ])
        .expect(2);
    assert!(
        run.stderr.contains("hint: leave --map city out"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_customer_s_name_above_the_address_is_left_out() {
    let stage = Stage::offline();
    let rows = [
        r#""Müller, Thomas","Thomas Müller"#,
        r#""O'Neil, John","John O'Neil"#,
        r#""Davis, Jessica","DAVIS, JESSICA"#,
        r#"Old Mill Condos,"Old  Mill condos"#,
        r#"Ada Lovelace,"Ada Lovelace"#,
    ];
    let rows = rows.iter().enumerate().map(|(index, row)| {
        format!("{index},{row}\n1{index} Elm Street\nNaperville, IL 60540\",416 555 0100\n")
    });
    let rows: Vec<String> = rows.collect();
    stage.file(
        "leads.csv",
        format!("ID,Customer,Ship to,Phone\n{}", rows.concat()),
    );
    let words = ["check", "leads.csv", "--map", "address=Ship to"];
    let page = stage.run(&words).expect(0).stdout;
    assert!(page.starts_with("5 rows: 5 valid"), "{page}");
}
