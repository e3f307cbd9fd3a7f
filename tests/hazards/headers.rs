//! The headers that real systems export.

use crate::hazards::{document, stopped};

/// Checks that each field is fed from that header.
fn assert_mapped(headers: &str, expected: &[(&str, &str)]) {
    let cells = vec!["1"; headers.split(',').count()].join(",");
    let has_id = expected.iter().any(|(field, _)| *field == "id");
    let flags: &[&str] = if has_id { &[] } else { &["--derive-id"] };
    let document = document(format!("{headers}\n{cells}\n"), flags);
    for (field, header) in expected {
        assert_eq!(document["mapping"][*field], *header, "{headers}");
    }
}

#[test]
fn salesforce() {
    assert_mapped(
        "First Name,Last Name,Company,Email,Mobile,Street,City,State/Province,Zip/Postal Code,Country,Lead ID,Lead Source",
        &[
            ("id", "Lead ID"),
            ("region", "State/Province"),
            ("postal_code", "Zip/Postal Code"),
            ("last_name", "Last Name"),
        ],
    );
    assert_mapped(
        "FirstName,LastName,Street,City,State,PostalCode,Country,MobilePhone,Id",
        &[
            ("id", "Id"),
            ("phone", "MobilePhone"),
            ("postal_code", "PostalCode"),
        ],
    );
    assert_mapped(
        "Full Name,Email,Mailing Street,Mailing City,Mailing State/Province,Mailing Zip/Postal Code,Contact ID,Account Name",
        &[
            ("line1", "Mailing Street"),
            ("region", "Mailing State/Province"),
            ("id", "Contact ID"),
            ("name", "Full Name"),
        ],
    );
}

#[test]
fn hubspot_and_jobnimbus() {
    assert_mapped(
        "Record ID,First Name,Last Name,Email,Phone Number,Mobile phone number,Street Address,City,State/Region,Postal Code,Country/Region",
        &[
            ("id", "Record ID"),
            ("phone", "Phone Number, Mobile phone number"),
            ("country", "Country/Region"),
        ],
    );
    assert_mapped(
        "jnid,Display Name,First Name,Last Name,Email,Home Phone,Mobile Phone,Work Phone,Address Line 1,Address Line 2,City,State Text,Zip",
        &[
            ("id", "jnid"),
            ("phone", "Mobile Phone, Home Phone, Work Phone"),
            ("region", "State Text"),
            ("line2", "Address Line 2"),
        ],
    );
}

#[test]
fn short_names_of_phones() {
    for phone in ["Ph", "Ph #", "Home Ph", "Cell Ph", "Work Ph"] {
        let headers = format!("Name,{phone},Street,City,Prov,Postal code");
        assert_mapped(&headers, &[("phone", phone)]);
    }
}

#[test]
fn short_names_of_a_postal_code() {
    for code in ["PC", "Postal cd", "Billing PC"] {
        let headers = format!("Name,Email,Street,City,Prov,{code}");
        assert_mapped(&headers, &[("postal_code", code)]);
    }
    assert_mapped(
        "Name,Email,Street,City,Prov,Postal code,PC",
        &[("postal_code", "Postal code")],
    );
}

#[test]
fn roofing_and_field_service_systems() {
    assert_mapped(
        "first_name,last_name,company_name,cross_reference,mailing_address_street_1,mailing_address_city,mailing_address_state_abbreviation,mailing_address_zip_code,email",
        &[
            ("id", "cross_reference"),
            ("line1", "mailing_address_street_1"),
            ("postal_code", "mailing_address_zip_code"),
        ],
    );
    assert_mapped(
        "client name,email,street_1,street_2,city,province_state,postal_code,country",
        &[
            ("name", "client name"),
            ("line2", "street_2"),
            ("region", "province_state"),
        ],
    );
    assert_mapped(
        "id,name,street,unit,city,state,zip,country,Phone,MobilePhone,Email",
        &[
            ("line1", "street"),
            ("line2", "unit"),
            ("phone", "Phone, MobilePhone"),
        ],
    );
    assert_mapped(
        "projectName,streetAddress1,city,state,postalCode,country,contactName,contactEmail,phoneNumber",
        &[
            ("line1", "streetAddress1"),
            ("name", "contactName"),
            ("email", "contactEmail"),
        ],
    );
    assert_mapped(
        "location_name,street,city,state,postalcode,phone,primary_contact_email",
        &[
            ("name", "location_name"),
            ("email", "primary_contact_email"),
        ],
    );
    assert_mapped(
        "name,main_phone,primary_cell_phone,mailing_address1,mailing_address2,mailing_address_city,mailing_address_state,mailing_address_zip",
        &[
            ("line1", "mailing_address1"),
            ("line2", "mailing_address2"),
            ("phone", "main_phone, primary_cell_phone"),
        ],
    );
}

#[test]
fn canadian_french() {
    assert_mapped(
        "Prénom,Nom,Courriel,Téléphone,Adresse,Ville,Province,Code postal,Pays,Remarques",
        &[
            ("first_name", "Prénom"),
            ("last_name", "Nom"),
            ("postal_code", "Code postal"),
            ("notes", "Remarques"),
        ],
    );
}

#[test]
fn stars_colons_units_and_case_do_not_matter() {
    assert_mapped(
        "ID*,FULL  NAME:,E-mail *,Street\u{a0}Address,city,STATE,zip_code",
        &[
            ("name", "FULL  NAME:"),
            ("email", "E-mail *"),
            ("line1", "Street\u{a0}Address"),
        ],
    );
}

#[test]
fn two_columns_for_one_field_stop_with_the_flag_to_type() {
    let text = "ID,Name,Email,Billing Street,Service Street,City,State,Zip\n1,A,a@example.com,1 Elm,2 Elm,Toronto,ON,M5V 1A1\n";
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: `Service Street` (column E) and `Billing Street` (column D) could both be line1\n\
         hint: gutterbatch check leads.csv --json --map 'line1=Service Street'\n      \
         or gutterbatch check leads.csv --json --map 'line1=Billing Street'\n      choose one\n"
    );
    let twice = text.replace("Billing Street,Service Street", "Street,Street");
    let stderr = stopped("leads.csv", &twice, &[]);
    assert!(
        stderr.contains("hint: gutterbatch check leads.csv --json --map line1=D\n      or gutterbatch check leads.csv --json --map line1=E\n"),
        "{stderr}"
    );
    assert_eq!(document(twice, &["--map", "line1=E"])["valid"], 1);
}

#[test]
fn a_missing_header_comes_with_the_nearest_guess() {
    let text =
        "ID,Name,Email,Streeet Adress,City,State,Zip\n1,A,a@example.com,1 Elm,Toronto,ON,M5V 1A1\n";
    assert_eq!(
        stopped("leads.csv", text, &[]),
        "error: leads.csv: no column for line1\n\
         hint: gutterbatch check leads.csv --json --map 'line1=Streeet Adress'\n      \
         line1: did you mean Streeet Adress?\n      \
         the headers found are ID, Name, Email, Streeet Adress, City, State, Zip\n"
    );
}

#[test]
fn a_lead_with_an_employer_keeps_its_own_name() {
    let headers = "Record Id,Company,First Name,Last Name,Email,Street,City,State,Zip Code,Country";
    let lead = "1,Acme Inc,Ada,Lovelace,ada@example.com,12 Elm Street,Boston,MA,02134,US";
    let long = "x".repeat(121);
    let company = lead.replace("Acme Inc", &long);
    let shop = lead
        .replace("1,", "2,")
        .replace("Ada,Lovelace", ",")
        .replace("12 Elm", "99 Oak");
    let text = format!("{headers}\n{company}\n{shop}\n");
    let document = crate::hazards::document(text, &[]);
    assert_eq!(crate::hazards::problems(&document), Vec::<String>::new());
}

#[test]
fn contacts_of_other_programs_need_no_map() {
    for (headers, line1) in [
        (
            "Person - ID,Person - Name,Person - Email - Work,Person - Address,Person - City,Person - State,Person - Postal code",
            "Person - Address",
        ),
        (
            "Customer ID,First Name,Last Name,Mobile Number,Address_1 Street Line 1,Address_1 City,Address_1 State,Address_1 Postal Code",
            "Address_1 Street Line 1",
        ),
        (
            "ID,First Name,Last Name,E-mail 1 - Value,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code",
            "Address 1 - Street",
        ),
    ] {
        let row = vec!["1"; headers.split(',').count()].join(",");
        let document = crate::hazards::document(format!("{headers}\n{row}\n"), &[]);
        assert_eq!(document["mapping"]["line1"], line1);
    }
}

#[test]
fn headers_of_another_table_stop_whatever_their_words_have_in_common_with_an_address() {
    let row = "Ann Lee,a@example.com,123 Main St,Rochester,NY,14604\n";
    for other in [
        "Customer,E-mail,Address Line 1,Postcode,Town,Province\n",
        "Full Name,E-mail,Address,Town,ID,Postcode\n",
    ] {
        let sheet = format!("Name,Email,Street,City,State,Zip\n{row}{row}{other}{row}");
        let stopped = stopped("leads.csv", sheet, &["--derive-id"]);
        assert!(
            stopped.contains("rows 1 and 4 are headers of different columns"),
            "{stopped}"
        );
    }
}

#[test]
fn one_state_in_two_columns_is_no_second_address() {
    for (headers, cells) in [
        (
            "state,city,street,zip,state_name",
            "CA,Anaheim,651 N Euclid St,92801,California",
        ),
        (
            "street,city,state,state_name,zip",
            "651 N Euclid St,Anaheim,CA,California,92801",
        ),
    ] {
        let text = format!("id,name,phone,{headers}\n1,Ann,614-555-0100,{cells}\n");
        let document = document(&text, &[]);
        assert_eq!(document["mapping"]["region"], "state", "{document}");
        assert_eq!(document["valid"], 1, "{document}");
    }
    let text = "id,name,phone,street,city,state,state_name,zip\n1,Ann,614-555-0100,651 N Euclid St,Anaheim,CA,Ohio,92801\n";
    assert!(stopped("leads.csv", text, &[]).contains("could both be region"));
}

#[test]
fn years_and_numbers_in_headers_are_no_data() {
    for headers in [
        "PIN,Owner,Where,Value 2024",
        "PIN,Owner,Where,prog_221d",
        "PIN,Owner,Where,2024",
    ] {
        let text = format!("{headers}\nR72 1,Ann Reed,143 Reisinger Ave,12000\n");
        let stderr = stopped("roll.csv", &text, &[]);
        assert!(
            stderr.contains(&format!(
                "the headers found are {}",
                headers.replace(',', ", ")
            )),
            "{stderr}"
        );
    }
    let text = "R72,Ann Reed,143 Reisinger Ave\nR73,Bob Reed,145 Reisinger Ave\n";
    assert!(stopped("roll.csv", text, &[]).contains("row 1 looks like data"));
}

#[test]
fn a_row_with_the_name_of_a_field_in_it_is_not_the_headers() {
    let text = "Provider_Num,Provider Street Address,Provider City,Provider State\n\
        839987,1108 Ross Clark Circle,Dothan,AL\n\
        829951,2451 Fillingim Street,Mobile,AL\n";
    let stderr = stopped("roll.csv", text, &[]);
    assert!(
        stderr.contains("the headers found are Provider_Num, "),
        "{stderr}"
    );
}

#[test]
fn numbered_titles_of_all_columns_tell_no_addresses_apart() {
    let headers = "id,name,phone,site street,address1,city,state,zip";
    let rows = "1,Ann,518-555-0100,9 Oak St,4 Elm St,Troy,NY,12180\n";
    let titles: Vec<String> = (0..8).map(|column| format!("Unnamed: {column}")).collect();
    let table = format!("{headers}\n{rows}");
    let below_titles = format!("{}\n{table}", titles.join(","));
    assert_eq!(
        stopped("a.csv", &below_titles, &[]),
        stopped("a.csv", &table, &[])
    );
}

#[test]
fn headers_of_forms_name_a_field_in_several_ways() {
    let columns = "ID,Name,Email,Street,City,State,Zip,";
    for (field, header) in [
        ("line2", "\"Apartment, suite, etc.\""),
        ("line2", "Address Line 2 (optional)"),
        ("line2", "Suite/Apt/Unit"),
        ("line2", "App. / Unit"),
        ("line2", "Apartment or Unit Number"),
        ("line2", "Unit # (if applicable)"),
        ("line2", "Address - Street Address Line 2"),
        ("line2", "Apartment/suite no of Address"),
        ("last_name", "Last Name / Nom"),
        ("last_name", "Your last name"),
        ("phone", "Phone (required)"),
    ] {
        let table = format!("{columns}{header}\n1,Ann,a@x.com,12 Elm,Boston,MA,02134,Apt 4\n");
        let mapped = &document(table, &[])["mapping"][field];
        assert_eq!(*mapped, header.trim_matches('"'), "{field}");
    }
    assert_mapped(
        "Name (First),Name (Last),Email,Address (Street Address),Address (City),Address (State / Province),Address (ZIP / Postal Code)",
        &[
            ("first_name", "Name (First)"),
            ("line1", "Address (Street Address)"),
            ("city", "Address (City)"),
            ("region", "Address (State / Province)"),
            ("postal_code", "Address (ZIP / Postal Code)"),
        ],
    );
    // Each of another address.
    let table = "Address_1 Street Line 1,Address_1 Street Line 2,Address_2 Street Line 2\n1,2,3\n";
    let missing = stopped("leads.csv", table, &[]);
    assert!(!missing.contains("could both be"), "{missing}");
}

#[test]
fn a_prefix_is_a_direction_where_its_cells_are() {
    let table = |prefix: &str| {
        format!(
            "ID,Name,Email,House No,Prefix,Street Name,City,State,Zip\n1,Ann,a@x.com,12,{prefix},Oak Ave,Boston,MA,02134\n"
        )
    };
    let mapping = |prefix: &str| document(table(prefix), &[])["mapping"].clone();
    assert_eq!(mapping("N")["street_direction"], "Prefix");
    assert!(mapping("Mrs")["street_direction"].is_null());
}

#[test]
fn french_outlook() {
    assert_mapped(
        "Prénom,Nom,Rue,Ville,Dép/Région,Code postal,Tél. mobile,Tél. rés.,Adresse de messagerie",
        &[
            ("region", "Dép/Région"),
            ("phone", "Tél. mobile, Tél. rés."),
            ("email", "Adresse de messagerie"),
        ],
    );
    assert_mapped(
        "Nom,Rue,Ville,État/Province,Code postal,Mél",
        &[("region", "État/Province"), ("email", "Mél")],
    );
    let headers =
        "Nom,Mél,Rue (domicile),Ville (domicile),Dép/Région (domicile),Code postal (domicile)";
    let row = "Luc Roy,luc@example.com,12 rue Fabre,Gatineau,QC,J8X 3S6";
    let said = stopped("leads.csv", format!("{headers}\n{row}\n"), &["--derive-id"]);
    assert!(
        said.contains("region: did you mean Dép/Région (domicile)?"),
        "{said}"
    );
}

#[test]
fn owners_and_tenants_are_asked_for_where_no_header_names_the_customer() {
    let said = |names: &str, cells: &str| {
        let headers = format!("ID,{names},Adresse,Ville,Province,Code postal,Courriel");
        let row = format!("1,{cells},12 rue Fabre,Gatineau,QC,J8X 3S6,luc@example.com");
        stopped("leads.csv", format!("{headers}\n{row}\n"), &[])
    };
    for header in [
        "Nom du propriétaire",
        "Locataire",
        "Occupant",
        "Nom du locataire",
    ] {
        let asked = said(header, "Luc Roy");
        let guess = format!("name: did you mean {header}?");
        assert!(asked.contains(&guess), "{asked}");
    }
    let asked = said("Locataire,Propriétaire", "Jo Day,Luc Roy");
    assert!(
        asked.contains("name: did you mean Propriétaire?"),
        "{asked}"
    );
}
