//! Which columns have the customers' names, emails, phones and ids.

use crate::hazards::{check, document, found, stopped};

const PLACE: &str = "Street,City,State,Zip,Email";

/// A sheet of two customers with these cells in these columns.
fn sheet(headers: &str, cells: [&str; 2]) -> String {
    let [one, other] = cells;
    format!(
        "ID,{headers},{PLACE}\n\
         A1,{one},120 Maple Ave,Columbus,OH,43215,a@example.com\n\
         A2,{other},7 Elm St,Dublin,OH,43017,b@example.com\n"
    )
}

fn assert_asks(text: &str, flag: &str) {
    let asked = stopped("leads.csv", text, &[]);
    assert!(asked.contains(flag), "{asked}");
}

#[test]
fn the_name_of_a_house_is_not_sent_as_the_customer_beside_one() {
    let cells = ["Maple Court,Ann Lee", "Elm House,Bob Fox"];
    for house in ["Property Name", "Location Name", "Project Name"] {
        for customer in ["Owner", "Owner(s)", "Landlord", "Tenant", "Client Contact"] {
            let text = sheet(&format!("{house},{customer}"), cells);
            assert_asks(&text, &format!("name: did you mean {customer}?"));
            let map = format!("name={house}");
            check("leads.csv", &text, &["--map", &map]).expect(0);
        }
        for customer in ["Customer", "Company", "Contact"] {
            let mapping = document(sheet(&format!("{house},{customer}"), cells), &[]);
            assert_eq!(mapping["mapping"]["name"], customer, "{house}");
        }
    }
    let alone = document(sheet("Site Name,Crew", cells), &[]);
    assert_eq!(alone["mapping"]["name"], "Site Name");
}

#[test]
fn the_person_of_a_company_is_asked_for_or_sent() {
    let cells = ["Acme Realty,Ann Lee", "Best Homes LLC,Bob Fox"];
    for person in ["Attn", "Contact Person", "Site Contact"] {
        let text = sheet(&format!("Company,{person}"), cells);
        assert_asks(&text, &format!("name: did you mean {person}?"));
    }
    let few = sheet("Company,Attn", ["Acme Realty,", "Best Homes LLC,"]);
    assert_eq!(document(few, &[])["mapping"]["name"], "Company");
    for names in [
        "Contact First,Contact Last",
        "Prénom du contact,Nom du contact",
    ] {
        let text = sheet(
            &format!("Company,{names}"),
            ["Acme Realty,Ann,Lee", ",Bob,Fox"],
        );
        let document = document(text, &[]);
        assert_eq!(document["valid"], 2, "{document}");
        let first = names.split(',').next().unwrap();
        assert_eq!(document["mapping"]["first_name"], first);
    }
}

#[test]
fn half_of_a_name_is_completed_asked_for_or_told() {
    let cells = ["Ann,Lee", "Bob,Fox"];
    for (headers, half) in [
        ("First Name,Last Name/Company", "last_name"),
        ("First Name,Last Name (or Business)", "last_name"),
        ("Last Name,First / Middle", "first_name"),
    ] {
        let text = sheet(headers, cells);
        let other = headers.split(',').nth(1).unwrap();
        assert_asks(&text, &format!("{half}: did you mean {other}?"));
        let first = headers.split(',').next().unwrap();
        check("leads.csv", &text, &["--map", &format!("name={first}")]).expect(0);
    }
    for headers in [
        "First Names,Last Name",
        "First Name(s),Last Name",
        "Prénom,Nom famille",
        "Nombre(s),Apellido paterno",
    ] {
        let document = document(sheet(headers, cells), &[]);
        let mapped = ["first_name", "last_name"].map(|half| document["mapping"][half].is_string());
        assert_eq!(mapped, [true; 2], "{headers}");
    }
    let warned = |headers: &str, cells| {
        let document = document(sheet(headers, cells), &[]);
        document["warnings"].as_u64().unwrap()
    };
    assert_eq!(warned("First Name,Kind", cells), 1);
    assert_eq!(warned("First Name,Kind", ["Ann Lee,A", "Bob Fox,B"]), 0);
    assert_eq!(warned("Last Name,Kind", ["Lee,A", "Fox,B"]), 1);
}

#[test]
fn phones_of_ten_digits_without_separators_are_told() {
    let cells = ["Ann Lee,,6145550201", "Bob Fox,,16145550203"];
    for (header, is_told) in [
        ("Reach at", true),
        ("Best No", true),
        ("License Number", false),
        ("Fax", false),
    ] {
        let text = sheet(&format!("Name,Phone,{header}"), cells);
        let said = check("leads.csv", text, &[]).expect(0).stdout;
        assert_eq!(said.contains("looks like a phone"), is_told, "{said}");
    }
    let text = sheet(
        "Name,phonePrimary,phoneAlternate",
        ["Ann,,6145550201", "Bob,6145550102,"],
    );
    let document = document(text, &[]);
    assert_eq!(document["mapping"]["phone"], "phonePrimary, phoneAlternate");
}

#[test]
fn contacts_of_customers_with_several_houses_are_suggested() {
    let rows = |owners: [&str; 4]| {
        let rows = owners.iter().zip(1..).map(|(owner, at)| {
            let digits = owner.len();
            format!("A{at},{owner},1{at} Elm St,Dublin,OH,43017,614-555-010{digits},{digits}@example.com\n")
        });
        let rows: String = rows.collect();
        format!("ID,Name,Street,City,State,Zip,Owner Phone,Owner Email\n{rows}")
    };
    assert_asks(
        &rows(["Ann Lee", "Ann Lee", "Bob Foxx", "Bob Foxx"]),
        "--map 'email=Owner Email' --map 'phone=Owner Phone'",
    );
    let asked = stopped(
        "leads.csv",
        rows(["Ann Lee", "Bob Fox", "Cy Diaz", "Di Reed"]),
        &[],
    );
    assert!(!asked.contains("email=Owner Email"), "{asked}");
    let text = "ID,Prospect: Prospect Name,Street,City,State,Zip,Prospect: Primary Phone\n\
                1,Ann Lee,12 Elm St,Dublin,OH,43017,614-555-0101\n";
    assert_asks(
        text,
        "--map 'name=Prospect: Prospect Name' --map 'phone=Prospect: Primary Phone'",
    );
}

#[test]
fn of_two_columns_of_ids_that_of_the_customers_who_repeat_is_not_offered() {
    let rows = "C1,J1,Ann,1 Elm St,Dublin,OH,43017,a@example.com\n\
                C1,J2,Ann,2 Elm St,Dublin,OH,43017,a@example.com\n\
                C2,J3,Bob,3 Elm St,Dublin,OH,43017,b@example.com\n";
    let text = format!("Customer ID,Job ID,Customer,{PLACE}\n{rows}");
    let asked = stopped("leads.csv", &text, &[]);
    assert!(asked.contains("--map 'id=Job ID'"), "{asked}");
    assert!(!asked.contains("id=Customer ID"), "{asked}");
    let why = "`Customer ID` is not used for the ids: A3 has the value of an earlier row";
    assert!(asked.contains(why), "{asked}");
    let each = text.replace("C1,J2", "C3,J2");
    assert_asks(&each, "could both be id");
    let alone = text.replace("Job ID", "Job Kind");
    let told = check("leads.csv", &alone, &[]).expect(3).stdout;
    assert!(
        told.contains("--derive-id makes an id for each house"),
        "{told}"
    );
    let document = document(&alone, &["--derive-id"]);
    assert_eq!(
        (&document["valid"], &document["mapping"]["id"]),
        (&3.into(), &().into())
    );
    let named = ["--derive-id", "--id-column", "Customer ID"];
    check("leads.csv", &alone, &named).expect(3);
}

#[test]
fn internal_notes_are_not_sent() {
    for header in ["Internal Notes", "Notes internes"] {
        let text = sheet(&format!("Name,{header}"), ["Ann,owes us 500", "Bob,"]);
        assert_eq!(document(text, &[])["unused_columns"][0], header);
    }
}

#[test]
fn a_phone_with_a_digit_too_few_or_too_many_is_told() {
    for (phone, message) in [
        ("614-555-010", "9 digits; a phone number has 10"),
        ("614-555-01011", "11 digits; a phone number has 10"),
        ("1234567890", "no area code begins with 0 or 1"),
    ] {
        let warning = format!("warning D2: {message}; sent unchanged");
        assert_eq!(found(&[("Phone", phone)]), [warning], "{phone}");
    }
    for none in ["unlisted", "no phone", "Do not call"] {
        let told = found(&[("Email", ""), ("Phone", none)]).concat();
        assert!(told.contains("one of them is required"), "{told}");
    }
}
