//! A street between two parts of a place begins another address: what the house's address lacks is asked for, and not
//! taken from the other one.

use crate::addresses::owner_of_parts::{reachable, read};

/// The cells of the house and of its owner by the names in `|`-lists below.
const CELLS: [(&str, &str); 9] = [
    ("number", "16"),
    ("name", "Elm St"),
    ("street", "16 Elm St"),
    ("town", "Columbus"),
    ("state", "OH"),
    ("zip", "43215"),
    ("owner", "9 Oak Ave"),
    ("city", "Buffalo"),
    ("code", "14201"),
];

/// Headers and cells of a list such as `House=number,Road=name`.
fn list(columns: &str) -> (String, String) {
    let pairs = columns.split(',').map(|column| {
        let (header, cell) = column.split_once('=').unwrap();
        let (_, cell) = CELLS.iter().find(|(name, _)| *name == cell).unwrap();
        (header, *cell)
    });
    let (headers, cells): (Vec<&str>, Vec<&str>) = pairs.unzip();
    (headers.join(","), cells.join(","))
}

#[test]
fn no_hint_leads_to_the_street_of_one_address_with_the_place_of_another() {
    const HOUSE: [&str; 4] = ["Elm St", "Columbus", "OH", "43215"];
    const OTHER: [&str; 3] = ["9 Oak Ave", "Buffalo", "14201"];
    for columns in [
        "House=number,Road=name,Township=town,State=state,Zip=zip,Address=owner,City=city",
        "House Number=number,Street Name=name,Village=town,State=state,Zip=zip,Mailing Address=owner,City=city",
        "St No=number,St Name=name,Municipality=town,State=state,Zip=zip,Address=owner,City=city",
        "No civique=number,Rue=name,Municipalité=town,Prov=state,Code postal=zip,Adresse postale=owner,Ville=city",
        "Numéro=number,Voie=name,Municipalité=town,Province=state,Code postal=zip,Adresse=owner,Ville=city",
        "Job Address=street,Job City=town,State=state,Zip=zip,Mailing Address=owner,City=city,State=state,Zip=code",
        "Job Address=street,Job City=town,Job State=state,Zip=zip,Mailing Address=owner,Mailing City=city,Mailing State=state,Zip=code",
        "Address=street,Township=town,State=state,Zip=zip,Address=owner,City=city,State=state,Zip=code",
        "House Number=number,Street=name,Borough=town,State=state,Zip=zip,Address=owner,City=city,State=state,Zip=code",
        "House Number=number,Street Name=name,City=town,State=state,Zip=zip,Address=owner,City=city,State=state,Zip=code",
        "Address=street,Township=town,State=state,Zip=zip,City=city,State=state,Zip=code,Address=owner",
        "Job Address=street,Job City=town,State=state,Zip=zip,City=city,State=state,Zip=code,Address=owner",
        "Address=owner,City=city,House=number,Road=name,Hamlet=town,State=state,Zip=zip",
    ] {
        let (headers, cells) = list(columns);
        assert!(read(&headers, &cells, &[]).is_err(), "{headers}");
        let mappings = reachable(&headers, &cells);
        for mapping in &mappings {
            let has_other = OTHER.iter().any(|part| mapping.contains(part));
            let is_house = HOUSE.iter().all(|part| mapping.contains(part));
            let is_numbered = mapping.contains("16 Elm") || mapping.contains("house_number");
            assert!(
                is_house && is_numbered && !has_other
                    || has_other && !mapping.contains("Elm St") && !mapping.contains("43215"),
                "{headers}: {mapping}"
            );
        }
        let is_found = mappings.iter().any(|mapping| mapping.contains("Elm St"));
        assert!(is_found, "{headers}: {mappings:?}");
    }
}

#[test]
fn a_mapped_street_is_not_completed_by_the_city_of_another() {
    for (street, town) in [
        ("Street", "Township"),
        ("Property", "Jurisdiction"),
        ("Worksite", "Borough"),
    ] {
        let columns =
            format!("{street}=street,{town}=town,State=state,Zip=zip,Address=owner,City=city");
        let (headers, cells) = list(&columns);
        let mapped = format!("line1={street}");
        let (_, commands) = read(&headers, &cells, &["--map", &mapped]).unwrap_err();
        let expected = ["--map", &mapped, "--map", &format!("city={town}")];
        assert_eq!(commands, [expected], "{headers}");
        let mapping = read(&headers, &cells, &expected).unwrap();
        assert!(!mapping.contains("Buffalo"), "{mapping}");
    }
}

#[test]
fn the_rest_of_one_address_is_not_joined_with_the_street_of_another() {
    let headers = "Address,Township,State,Zip,Owner Street,\"Owner City, State Zip\"";
    let cells = "16 Elm St,Columbus,OH,43215,9 Oak Ave,\"Buffalo, NY 14201\"";
    let (said, commands) = read(headers, cells, &[]).unwrap_err();
    assert!(!said.contains("map address="), "{said}");
    assert_eq!(commands, [["--map", "city=Township"]], "{said}");
}

#[test]
fn one_address_in_any_order_is_read_without_a_question() {
    for columns in [
        "Zip=zip,Crew=number,Street=street,City=town,State=state",
        "State=state,Zip=zip,Address=street,City=town",
        "City=town,Street=street,State=state,Zip=zip",
        "City=town,State=state,Zip=zip,Street=street",
        "Zip=zip,State=state,City=town,Address=street",
        // Here the number and the name repeat the street.
        "House Number=number,Street Name=name,City=town,State=state,Zip=zip,Address=street",
        "House=number,Road=name,Address=street,City=town,State=state,Zip=zip",
    ] {
        let (headers, cells) = list(columns);
        let mapping = read(&headers, &cells, &[]).unwrap();
        for part in ["16 Elm St", "Columbus", "OH", "43215"] {
            assert!(mapping.contains(part), "{headers}: {mapping}");
        }
    }
}

#[test]
fn a_part_in_front_of_its_street_is_of_the_same_address_as_those_behind() {
    for (columns, address) in [
        (
            "Zip=zip,Street=street,City=town,State=state,Mailing Address=owner,Mailing City=city,Mailing Zip=code,Mailing State=state",
            "Mailing",
        ),
        // Stripe's columns are sorted by their names.
        (
            "address_city=town,address_line_1=street,address_postal_code=zip,address_state=state,shipping_address_city=city,shipping_address_line_1=owner,shipping_address_postal_code=code,shipping_address_state=state",
            "shipping",
        ),
    ] {
        let (headers, cells) = list(columns);
        let (said, _) = read(&headers, &cells, &[]).unwrap_err();
        let asked = format!(" (D–G) and {address} (H–K)");
        assert!(said.contains(&asked), "{said}");
        let mapping = read(&headers, &cells, &["--address", "D"]).unwrap();
        for part in ["16 Elm St", "Columbus", "OH", "43215"] {
            assert!(mapping.contains(part), "{mapping}");
        }
    }
}
