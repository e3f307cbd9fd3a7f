//! Names, contacts, notes and links.

use serde_json::Value;

use crate::hazards::{HEADERS, check, document, found, found_with, problems, row, stopped, table};
use crate::support::Stage;

const CLEAN: [&str; 0] = [];

#[test]
fn first_and_last_name_join_and_either_is_enough() {
    for (first, last) in [("Ada", "Lovelace"), ("Ada", ""), ("", "Lovelace")] {
        let text = format!(
            "ID,First Name,Last Name,Email,Street,City,State,Zip,Country\nA-1,{first},{last},a@example.com,12 Elm,Toronto,ON,M5V 1A1,CA\n"
        );
        assert_eq!(problems(&document(text, &[])), CLEAN, "{first} {last}");
    }
}

#[test]
fn a_name_is_completed_by_the_only_other_part_that_the_sheet_has() {
    let sent = |headers: &str, cells: &str| {
        let stage = Stage::open();
        let row = format!("1,{cells},a@example.com,12 Elm,Toronto,ON,M5V 1A1,CA\n");
        let header = format!("ID,{headers},Email,Street,City,State,Zip,Country\n");
        stage.file("leads.csv", header + &row);
        stage.run(&["import", "leads.csv"]).expect(0);
        stage.sandbox().measurements().remove(0).customer
    };
    for (headers, cells) in [
        ("Name,Surname", "Ann,Roy"),
        ("Surname,Name", "Roy,Ann"),
        ("Client,Prénom", "Roy,Ann"),
        ("Name,First Name", "Ann Roy,Ann"),
        ("Full Name,Last Name", "Ann Roy,ROY"),
        ("Name,Last Name", "Ann Roy,"),
        // Beside a whole name, the other one is a nickname or another person's.
        ("Full Name,First Name", "Ann Roy,Annie"),
        ("Name,Last Name", "Ann Roy,Park"),
    ] {
        let name = sent(headers, cells);
        assert_eq!(name, "Ann Roy", "{headers}");
    }
}

#[test]
fn the_number_of_an_order_is_not_sent_as_a_name_without_a_word() {
    let said = |name: &str| format!("warning B2: `{name}` does not look like a name");
    for name in ["#1001", "614 555 0100", "A1"] {
        assert_eq!(found(&[("Name", name)]), [said(name)]);
    }
    for (name, second) in [
        ("#1001", "#1002"),
        ("Gutter job 0", "Gutter job 1"),
        ("Ann Roy", "Bo"),
    ] {
        let row = |id: &str, name: &str| {
            format!("{id},{name},Ann,Roy,a@example.com,1{id} Elm,Toronto,ON,M5V 1A1,CA\n")
        };
        let rows = row("1", name) + &row("2", second);
        let stage = Stage::open();
        stage.file(
            "leads.csv",
            format!("ID,Name,First Name,Last Name,Email,Street,City,State,Zip,Country\n{rows}"),
        );
        let in_order = ["import", "leads.csv", "--concurrency", "1"];
        stage.run(&in_order).expect(0);
        let sent = stage.sandbox().measurements().into_iter();
        let sent: Vec<String> = sent.map(|held| held.customer).collect();
        let expected = if name == "Ann Roy" { name } else { "Ann Roy" };
        assert_eq!(sent[0], expected, "{name}");
    }
}

#[test]
fn a_name_is_required_and_limited() {
    assert_eq!(found(&[("Name", "")]), ["error B2: no name"]);
    assert_eq!(found(&[("Name", &"n".repeat(120))]), CLEAN);
    assert_eq!(
        found(&[("Name", &"n".repeat(126))]),
        ["error B2: 126 characters; the limit is 120"]
    );
}

#[test]
fn limits_count_characters_and_not_bytes() {
    assert_eq!(found(&[("Name", &"é".repeat(120))]), CLEAN);
    assert_eq!(
        found(&[("Name", &format!("Jo{}", "👍".repeat(60)))]),
        [
            "warning B2: 62 characters, but near the limit of 120 a service may count emoji differently"
        ]
    );
}

#[test]
fn names_of_every_kind_are_taken() {
    for name in ["Smith, John", "John & Jane Doe", "ACME Roofing Ltd."] {
        assert_eq!(found(&[("Name", name)]), CLEAN, "{name}");
    }
}

#[test]
fn email_or_phone_is_required() {
    assert_eq!(
        found(&[("Email", ""), ("Phone", "")]),
        ["error C2: no email and no phone; one of them is required"]
    );
    assert_eq!(found(&[("Email", "")]), CLEAN);
    assert_eq!(found(&[("Phone", "")]), CLEAN);
}

#[test]
fn odd_emails_are_sent_with_a_warning() {
    for (email, message) in [
        ("a@example.com; b@example.com", "looks like several emails"),
        ("mailto:jo@example.com", "the email starts with `mailto:`"),
        ("jo@gmail", "the email looks incomplete"),
        ("jo.example.com", "the email has no `@`"),
    ] {
        assert_eq!(
            found(&[("Email", email)]),
            [format!("warning C2: {message}; sent unchanged")]
        );
    }
}

#[test]
fn phones_are_taken_in_any_format() {
    for phone in [
        "416-555-0100 x12",
        "1-800-GUTTERS 416 555 0100",
        "+1 (416) 555-0100",
        "4165550100",
        "+1 800 FLOWERS",
    ] {
        assert_eq!(found(&[("Phone", phone)]), CLEAN, "{phone}");
    }
    for phone in ["555-0100", "555-0100 home"] {
        assert_eq!(
            found(&[("Phone", phone)]),
            ["warning D2: no area code; sent unchanged"]
        );
    }
    assert_eq!(
        found(&[("Phone", "614-555-0190 / 614-555-0191 (wife)")]),
        ["warning D2: looks like several phone numbers; all are sent"]
    );
}

#[test]
fn an_email_in_a_column_of_phones_is_called_an_email() {
    for email in ["victor.kaplan8536@example.com", "ann@example.com"] {
        assert_eq!(
            found(&[("Phone", email)]),
            [
                "warning D2: an email, not a phone number; move it to a column of emails, or use --map email=C --map email=D if this column has emails only; sent unchanged"
            ]
        );
    }
}

#[test]
fn a_column_of_emails_that_nobody_has_says_where_the_other_header_goes() {
    let stage = Stage::offline();
    let rows: String = ["1", "2"]
        .map(|id| format!("{id},Ann,,{id}2 Elm St,Dublin,OH,43016\n"))
        .concat();
    stage.file(
        "leads.csv",
        format!("ID,Name,Email,Street,City,State,Zip\n{rows}"),
    );
    let page = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let told = "if another column holds it, put its header in the place of HEADER: --map email=C --map email=HEADER";
    assert!(page.contains(told), "{page}");
}

#[test]
fn notes_are_limited_and_may_be_cut() {
    let notes = "n".repeat(2310);
    assert_eq!(
        found(&[("Notes", &notes)]),
        ["error K2: 2,310 characters; the limit is 2,000 (--truncate-notes cuts them)"]
    );
    assert_eq!(
        found_with(&["--truncate-notes"], &[("Notes", &notes)]),
        ["warning K2: cut from 2,310 to 2,000 characters"]
    );
}

#[test]
fn links_are_https_and_labels_short() {
    let text = |url: &str, label: &str| {
        table(&[])
            .replacen("Notes", "URL,External Label", 1)
            .replace("CA,\n", &format!("CA,{url},{label}\n"))
    };
    assert_eq!(
        problems(&document(text("https://crm.example.com/1", "CRM"), &[])),
        CLEAN
    );
    let page = text("http://crm.example.com/1", "");
    assert_eq!(
        problems(&document(page, &["--map", "url=URL"])),
        ["error K2: not an https link"]
    );
    assert_eq!(
        problems(&document(text("", &"l".repeat(81)), &[])),
        ["error L2: 81 characters; the limit is 80"]
    );
}

#[test]
fn pages_below_a_header_of_links_are_left_out_with_one_warning_and_other_links_are_invalid() {
    let linked = |url: &str| row(&[]).replace("CA,", &format!("CA,{url}"));
    let rows: Vec<String> = [
        "us/ks/store-1",
        "a.example.com",
        "https://a.example.com",
        "n/a",
        "http://a.example.com",
    ]
    .into_iter()
    .zip(1..)
    .map(|(url, number)| linked(url).replace("A-1", &format!("A-{number}")))
    .collect();
    let text = format!(
        "{}\n{}\n",
        HEADERS.replace("Notes", "Link"),
        rows.join("\n")
    );
    let document = document(&text, &["--external-url", "https://crm.example.com/{id}"]);
    assert_eq!(document["valid"], 4, "{document}");
    let problems = problems(&document);
    for problem in [
        "warning K2: 2 rows (2, 3) have no https link here, and are sent without it",
        "error K6: not an https link; clear the cell, or rename the header to leave the column out",
    ] {
        assert!(problems.iter().any(|one| one == problem), "{problems:?}");
    }
}

#[test]
fn numbered_emails_and_phones_are_read() {
    for (header, cell, field) in [
        ("Email Address 1", "ann@example.com", "email"),
        ("email_address_1", "ann@example.com", "email"),
        ("Phone Number 1", "416-555-0100", "phone"),
        ("phone_1", "416-555-0100", "phone"),
    ] {
        let text = format!(
            "ID,Name,Street,City,State,Zip,{header}\nA-1,Ann,12 Elm Street,Toronto,ON,M5V 1A1,{cell}\n"
        );
        let document = document(&text, &[]);
        assert_eq!(document["mapping"][field], header, "{document}");
        assert_eq!(document["valid"], 1, "{document}");
    }
}

#[test]
fn flags_that_break_a_limit_are_usage() {
    let stage = Stage::offline();
    stage.file("leads.csv", table(&[]));
    let label = "l".repeat(81);
    let long = stage
        .run(&["check", "leads.csv", "--external-label", &label])
        .expect(2);
    assert!(long.stderr.starts_with("error: --external-label: `lll"));
    let reason = "` has 81 characters\nhint: the limit is 80\n";
    assert!(long.stderr.ends_with(reason), "{}", long.stderr);
    for link in ["http://x.example/{id}", "https://x.example/{ID}"] {
        let words = ["check", "leads.csv", "--external-url", link];
        stage.run(&words).expect(2);
    }
    stage
        .run(&["check", "leads.csv", "--map", "color=Red"])
        .expect(2);
    stage
        .run(&["check", "leads.csv", "--map", "name=Nobody"])
        .expect(10);
}

#[test]
fn a_contact_that_is_to_follow_is_none() {
    for value in ["à venir", "inconnu", "n/d", "unknown", "TBD"] {
        let problems = found(&[("Email", value), ("Phone", value)]);
        let none = "one of them is required";
        assert!(
            problems.iter().any(|one| one.contains(none)),
            "{problems:?}"
        );
    }
}

#[test]
fn fields_without_a_limit_warn_when_very_long() {
    assert_eq!(
        found(&[("City", &"c".repeat(256))]),
        ["warning G2: 256 characters; the service may refuse it"]
    );
}

#[test]
fn the_first_filled_kind_of_phone_is_used() {
    let text = "ID,Name,Phone,Mobile,Work Phone,Street,City,State,Zip\nA-1,Ada,,,(416) 555-0100,12 Elm,Toronto,ON,M5V 1A1\n";
    let document = check("leads.csv", text, &[]).expect(0).json();
    assert_eq!(document["mapping"]["phone"], "Phone, Mobile, Work Phone");
}

#[test]
fn a_garbled_name_is_told_where_invisible_characters_are_removed() {
    let garbled = found(&[("Name", "Acme \u{e2}\u{80}\u{93} Troy")]);
    assert!(
        garbled.contains(
            &"warning B2: an earlier program used a wrong encoding; was it `Acme – Troy`?"
                .to_owned()
        ),
        "{garbled:?}"
    );
}

#[test]
fn answers_are_no_names_and_no_units() {
    let rows = |header: &str, answers: [&str; 2]| {
        let rows = [0, 1].map(|at| {
            let answer = answers[at];
            format!("A-{at},Ada,Roy {at},{answer},a{at}@example.com,1{at} Elm St,Dublin,OH,43017\n")
        });
        format!(
            "ID,First Name,Last Name,{header},Email,Street,City,State,Zip\n{}",
            rows.concat()
        )
    };
    for (header, answers) in [
        ("Homeowner", ["Yes", "No"]),
        ("Property Owner?", ["TRUE", "TRUE"]),
        ("Client", ["Oui", "Non"]),
        ("Customer", ["New", "Existing"]),
        ("Customer", ["Residential", "Commercial"]),
        ("Condo", ["Yes", "No"]),
        ("Condo", ["VRAI", "FAUX"]),
    ] {
        let document = document(rows(header, answers), &[]);
        let mapping = &document["mapping"];
        assert_eq!(mapping["first_name"], "First Name", "{header}");
        assert_eq!(
            (&mapping["name"], &mapping["line2"]),
            (&Value::Null, &Value::Null),
            "{header}"
        );
    }
    let alone = rows("Homeowner", ["Yes", "No"]).replace("First Name,Last Name", "Crew,Team");
    let stopped = stopped("leads.csv", alone, &[]);
    assert!(stopped.contains("no column for name"), "{stopped}");
    // Among others, they are told, and a unit that says there is none is not sent.
    let rows = ["Yes,S/O", "Ada Roy,4"].map(|cells| format!("{cells},12 Elm St,Dublin,OH,43017\n"));
    let text = format!("Name,Unit,Street,City,State,Zip,Email\n{}", rows.concat());
    let text = text.replace("43017\n", "43017,a@example.com\n");
    let problems = problems(&document(text, &["--derive-id"]));
    for expected in [
        "warning A2: `Yes` does not look like a name",
        "tidied B2: `S/O` is taken as empty",
    ] {
        assert!(problems.iter().any(|one| one == expected), "{problems:?}");
    }
}

#[test]
fn a_single_letter_is_a_name_or_a_unit_and_no_answer() {
    let document = document(table(&[("Name", "N"), ("Unit", "N")]), &[]);
    let mapping = &document["mapping"];
    assert_eq!(mapping["name"], "Name", "{mapping}");
    assert_eq!(mapping["line2"], "Unit", "{mapping}");
}

#[test]
fn contacts_that_differ_are_the_customers_also_behind_an_employee() {
    let rows = |contacts: [&str; 4]| {
        let rows = (1..).zip(contacts).map(|(row, contact)| {
            format!("A-{row},Bob Best,{contact},Ada Roy {row},1{row} Elm St,Dublin,OH,43017\n")
        });
        format!(
            "ID,Salesperson,Email,Customer,Street,City,State,Zip\n{}",
            rows.collect::<String>()
        )
    };
    let own = rows(["a@b.c", "b@b.c", "c@b.c", "d@b.c"]);
    assert_eq!(document(own, &[])["mapping"]["email"], "Email");
    let stopped = stopped("leads.csv", rows(["bob@best.com"; 4]), &[]);
    assert!(stopped.contains("no column for email"), "{stopped}");
}

#[test]
fn a_company_beside_the_names_of_owners_is_a_question() {
    let text = "ID,Owner Name,Company,Email,Street,City,State,Zip\n\
                1,Ann Lee,Acme LLC,ann@example.com,12 Elm St,Columbus,OH,43215\n\
                2,Bob Ray,,bob@example.com,14 Oak Ave,Columbus,OH,43215\n";
    let asked = check("leads.csv", text, &[]).expect(10).stderr;
    assert!(asked.contains("--map 'name=Owner Name'"), "{asked}");
    check("leads.csv", text, &["--map", "name=Owner Name"]).expect(0);
    check("leads.csv", text, &["--map", "name=Company"]).expect(3);
}

#[test]
fn the_phone_at_the_residence_is_one_of_the_phones() {
    let text = "ID,Nom,Adresse,Ville,Province,Code postal,Téléphone (rés.),Cellulaire\n\
        1,Ada,12 rue Centre,Montréal,QC,H3K 2B4,514-555-0100,\n\
        2,Bo,14 rue Centre,Montréal,QC,H3K 2B4,,514-555-0101\n";
    let document = document(text, &[]);
    assert_eq!(document["valid"], 2, "{document}");
    assert_eq!(
        document["unused_columns"],
        serde_json::json!([]),
        "{document}"
    );
}

/// What `check` prints about this text with these flags, and ends with this code.
fn checked(text: &str, flags: &[&str], code: i32) -> String {
    let stage = Stage::offline();
    stage.file("leads.csv", text);
    stage
        .run(&[&["check", "leads.csv"], flags].concat())
        .expect(code)
        .stdout
}

#[test]
fn a_mapped_name_that_replaces_first_and_last_names_is_told() {
    let text = "ID,First Name,Last Name,Managed by,Phone,Street,City,State,Zip\n\
        1,Ann,Lee,Acme Realty,614-555-0101,12 Elm St,Columbus,OH,43215\n\
        2,,,Acme Realty,614-555-0102,14 Elm St,Columbus,OH,43215\n\
        3,Bo,Ray,,614-555-0103,16 Elm St,Columbus,OH,43215\n";
    let told = |flags: &[&str]| checked(text, flags, 0);
    let page = told(&["--map", "name=Managed by"]);
    let both = "--map first_name=B --map last_name=C";
    assert!(
        page.contains("Managed by: 1 row has another name"),
        "{page}"
    );
    assert!(page.contains(both), "{page}");
    assert!(
        page.contains("(only where `Managed by` is empty)"),
        "{page}"
    );
    let both: Vec<&str> = both.split(' ').collect();
    let page = told(&[&["--map", "name=Managed by"], &both[..]].concat());
    assert!(!page.contains("another name"), "{page}");
    assert!(
        page.contains("(only where first and last name are empty)"),
        "{page}"
    );
    let text = &text.replace("Managed by", "Name");
    let known = checked(text, &["--map", "name=Name"], 0);
    assert!(!known.contains("another name"), "{known}");
}

#[test]
fn columns_of_contacts_and_notes_that_a_mapping_replaces_are_told() {
    let text = "ID,Name,Phone,Alt,Notes,Gate,Email,Street,City,State,Zip\n\
        1,Ann Lee,614-555-0101,614-555-0111,dog,4471,a@example.com,12 Elm St,Columbus,OH,43215\n\
        2,Bo Ray,614-555-0102,,,8,b@example.com,14 Elm St,Columbus,OH,43215\n";
    let flags = ["--map", "phone=Alt", "--map", "notes=Gate"];
    let page = checked(text, &flags, 0);
    for told in [
        "1 row has a value here that looks like a phone number and is not sent; to send it, use --map phone=C --map phone=D",
        "1 row has a value here that looks like notes and is not sent; to send it, use --map notes=E --map notes=F",
    ] {
        assert!(page.contains(told), "{page}");
    }
}

#[test]
fn phones_of_customers_whose_other_phone_is_empty_are_told() {
    let sheet = |header: &str, email: &str| {
        let row = |at: u32| {
            let (one, other) = if at.is_multiple_of(2) {
                (format!("614-555-010{at}"), String::new())
            } else {
                (String::new(), format!("614-555-010{at}"))
            };
            format!("{at},Ann,{one},{other},{email},1{at} Elm St,Columbus,OH,43215\n")
        };
        let rows: String = (1..8).map(row).collect();
        format!("ID,Name,Cell,{header},Email,Street,City,State,Zip\n{rows}")
    };
    let text = sheet("Ring at night", "a@example.com");
    let page = checked(&text, &[], 0);
    let both = "to send it, use --map phone=C --map phone=D";
    assert!(
        page.contains("4 rows (2, 4, 6, 8) have a value here"),
        "{page}"
    );
    assert!(page.contains(both), "{page}");
    let page = checked(&sheet("Ring at night", ""), &[], 3);
    assert!(
        page.contains("has `614-555-0101` and is not sent: --map phone=C --map phone=D"),
        "{page}"
    );
    for header in ["Tél. dom.", "Phone (H)", "Tél. trav.", "Autre tél."] {
        let page = checked(&sheet(header, ""), &[], 0);
        assert!(page.contains("7 valid"), "{header}: {page}");
    }
    for header in ["Crew Phone", "Fax"] {
        let text = sheet(header, "a@example.com");
        let page = checked(&text, &[], 0);
        assert!(!page.contains("looks like a phone"), "{header}: {page}");
    }
}

#[test]
fn one_email_or_phone_of_all_customers_is_told() {
    let text = |email: &dyn Fn(u32) -> String, name: &dyn Fn(u32) -> String| {
        let row = |at| {
            let (email, name) = (email(at), name(at));
            format!("L-{at},{name},{email},614-555-0100,1{at} Elm St,Columbus,OH,43215\n")
        };
        let rows: String = (1..6).map(row).collect();
        format!("ID,Name,Email,Phone,Street,City,State,Zip\n{rows}")
    };
    let own = |at: u32| format!("x{at}@example.com");
    let office = |_| "office@example.com".to_owned();
    let names = |at: u32| format!("Ada {at}");
    let page = checked(&text(&own, &names), &[], 0);
    let told = "Phone: 5 rows (2, 3, 4, 5, 6) have one phone";
    assert!(page.contains(told) && !page.contains("one email"), "{page}");
    let page = checked(&text(&office, &names), &[], 0);
    assert!(
        page.contains("one phone") && page.contains("one email"),
        "{page}"
    );
    let page = checked(&text(&office, &|_| "Ada".to_owned()), &[], 0);
    assert!(!page.contains("have one"), "{page}");
}

#[test]
fn the_email_of_a_records_owner_is_not_suggested() {
    for (header, is_suggested) in [
        ("Contact Owner Email", false),
        ("Owner Email", false),
        ("Owner Email", true),
    ] {
        let row = |at: u32| {
            let email = if is_suggested || header.starts_with("Contact") {
                format!("x{at}")
            } else {
                format!("rep{}", at % 2)
            };
            format!("L-{at},Ada {at},{email}@example.com,1{at} Elm St,Columbus,OH,43215\n")
        };
        let rows: String = (0..6).map(row).collect();
        let text = format!("ID,Name,{header},Street,City,State,Zip\n{rows}");
        let stage = Stage::offline();
        stage.file("leads.csv", text);
        let stopped = stage.run(&["check", "leads.csv"]).expect(10).stderr;
        assert_eq!(stopped.contains("did you mean"), is_suggested, "{stopped}");
    }
}
