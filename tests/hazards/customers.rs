//! Which columns have the customers' names, emails, phones and ids.

use crate::hazards::{check, document, stopped};

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
