//! The name, phone and email of the address that is chosen, and not those of another one.

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
            "Shipping First Name | Shipping Last Name | Shipping Phone",
        ),
        (
            both,
            "Pay,Er,Acme,Ann,Miller,800-555-0001,585-555-0101",
            "Billing",
            "Billing First Name | Billing Last Name | Billing Phone",
        ),
        // The first number of one person is sent.
        (
            phones,
            "Ann,800-555-0001,585-555-0102,585-555-0101",
            "Shipping",
            "Name | Shipping Phone, Shipping Mobile",
        ),
        // Without another, that of the other address is sent, and one without words in any case.
        (
            phones,
            "Ann,800-555-0001,,",
            "Shipping",
            "Name | Billing Phone",
        ),
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
fn the_only_address_of_a_sheet_takes_its_own_phone() {
    let stage = Stage::offline();
    let text = "ID,Name,Billing Phone,Shipping Phone,Shipping Street,Shipping City,Shipping State,Shipping Zip\n\
        A-1,Ann,800-555-0001,585-555-0101,12 Elm St,Rochester,NY,14604\n";
    stage.file("leads.csv", text);
    let found = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(found["mapping"]["phone"], "Shipping Phone", "{found}");
    assert_eq!(
        found["unused_columns"],
        serde_json::json!(["Billing Phone"])
    );
}

#[test]
fn the_phone_of_the_chosen_address_is_sent_beside_a_name_that_the_user_named() {
    let stage = Stage::offline();
    let text = "ID,Client,Billing Phone,Shipping Phone,Shipping Street,Shipping City,Shipping State,Shipping Zip\n\
        A-1,Ann,800-555-0001,585-555-0101,12 Elm St,Rochester,NY,14604\n";
    stage.file("leads.csv", text);
    let check = ["check", "leads.csv", "--json", "--map", "name=Client"];
    let found = stage.run(&check).expect(0).json();
    assert_eq!(found["mapping"]["phone"], "Shipping Phone", "{found}");
}
