//! Words in front of the headers that tell two addresses apart.

use crate::support::Stage;

#[test]
fn words_in_front_of_the_headers_tell_two_addresses_apart() {
    let stage = Stage::offline();
    let text = "Contact ID,Full Name,Email,Mailing Street,Mailing City,Mailing State/Province,Mailing Zip/Postal Code,Other Street,Other City,Other State/Province,Other Zip/Postal Code\n0031,Ada,ada@example.com,1 Bank St,Boston,MA,02134,12 Elm St,Albany,NY,12207\n";
    stage.file("contacts.csv", text);
    let stopped = stage.run(&["check", "contacts.csv"]).expect(10).stderr;
    assert!(
        stopped
            .contains("two addresses: Other (H–K) and Mailing (D–G); they differ in the first row"),
        "{stopped}"
    );
    let page = stage
        .run(&["check", "contacts.csv", "--address", "Other"])
        .expect(0)
        .stdout;
    assert!(
        page.contains("12 Elm St") && page.contains("Albany") && !page.contains("Boston"),
        "{page}"
    );
}

#[test]
fn words_of_any_kind_in_front_of_the_headers_tell_two_addresses_apart() {
    let stage = Stage::offline();
    for words in ["Service property", "Where we work", "Chalet"] {
        let parts = ["street", "city", "province", "postal code"];
        let headers = ["Billing", words].map(|set| parts.map(|part| format!("{set} {part}")));
        let text = format!(
            "ID,Client,Email,{}\nJ-1,Ada Lovelace,ada@example.com,1 Bank St,Ottawa,ON,K1A 0B1,12 Elm St,Toronto,ON,M5V 1A1\n",
            headers.concat().join(",")
        );
        stage.file("jobs.csv", text);
        let stopped = stage.run(&["check", "jobs.csv"]).expect(10).stderr;
        assert!(
            stopped.contains(&format!("two addresses: {words} (H–K) and Billing (D–G)")),
            "{stopped}"
        );
        for address in [words, "H"] {
            let args = ["check", "jobs.csv", "--address", address];
            let page = stage.run(&args).expect(0).stdout;
            assert!(page.contains("12 Elm St"), "{page}");
            assert!(!page.contains("1 Bank St"), "{page}");
        }
        let args = ["check", "jobs.csv", "--address", "Billing"];
        let page = stage.run(&args).expect(0).stdout;
        assert!(page.contains("1 Bank St"), "{page}");
    }
}

/// A sheet of clients: the words are in front of all headers of the billing address, and of one of the service address.
fn clients(headers: &str) -> String {
    format!(
        "Clients of 2026\nCust #,Client,Phone,{headers}\n1,Ada,416-555-0100,1 Bank St,Ottawa,ON,K1A 0B1,12 Elm St,Toronto,ON,M5V 1A1\n2,Bo,416-555-0101,2 Bank St,Ottawa,ON,K1A 0B1,14 Elm St,Toronto,ON,M5V 1A1\n"
    )
}

const BILLING: &str = "Billing address,Billing city,Billing prov,Billing PC";
const SERVICE: &str = "Service address,City,Prov/State,Postal / ZIP";

#[test]
fn words_in_front_of_the_street_alone_tell_an_address_apart() {
    let stage = Stage::offline();
    stage.file("clients.csv", clients(&format!("{BILLING},{SERVICE}")));
    let check = |flags: &[&str]| stage.run(&[&["check", "clients.csv"], flags].concat());
    let stopped = check(&["--id-column", "Cust #"]).expect(10).stderr;
    let asked = "two addresses: Service (H–K) and Billing (D–G); they differ in the first 2 rows";
    let choices = "--address Service\n      or gutterbatch check clients.csv --id-column 'Cust #' --address Billing\n";
    assert!(
        stopped.contains(asked) && stopped.contains(choices),
        "{stopped}"
    );
    for (address, own, other) in [
        ("Service", "12 Elm St", "Ottawa"),
        ("Service address", "M5V 1A1", "K1A 0B1"),
        ("Billing", "K1A 0B1", "M5V 1A1"),
    ] {
        let page = check(&["--id-column", "Cust #", "--address", address]);
        let page = page.expect(0).stdout;
        assert!(page.contains(own) && !page.contains(other), "{page}");
    }
    // The service address may stand first, and beside an address without words.
    for (headers, asked) in [
        (
            "Service address,City,Prov,Postal,Billing street,Billing city,Billing prov,Billing PC",
            "Service (D–G) and Billing (H–K)",
        ),
        (
            "Address,City,Prov,Postal,Service address,City,Prov,Postal",
            "Service (H–K) and Address (D–G)",
        ),
    ] {
        stage.file("clients.csv", clients(headers));
        let stopped = check(&[]).expect(10).stderr;
        assert!(stopped.contains(asked), "{stopped}");
    }
}

#[test]
fn no_hint_joins_a_street_with_a_part_of_another_address() {
    let stage = Stage::offline();
    for (headers, choice, other) in [
        // The first question asks for no part of one address beside the name of another.
        (
            "Billing address,Billing city,Billing prov,Billing PC,Service address,City,Prov/State,Postall Code",
            &[][..],
            "Postall",
        ),
        (
            "Billing address,Billing city,Billing prov,Reserved,Service address,City,Prov/State,Postal / ZIP",
            &["--address", "Billing"],
            "ZIP",
        ),
        (
            "Billing address,Billing city,Billing prov,Reserved,Service address,City,Prov/State,Postall Code",
            &["--address", "Billing"],
            "did you mean",
        ),
        (
            "Billing address,Billing city,Billing prov,Reserved,Service address,Place,Prov/State,Postal / ZIP",
            &["--map", "line1=Billing address"],
            "--map line1=D --map city=E --map region=F --map postal_code=K",
        ),
        (
            "Billing address,Billing city,Billing prov,Billing PC,Service address,Place,Area,Reserved",
            &["--map", "line1=Service address"],
            "Billing",
        ),
        (
            "Billing address,Area,Place,Reserved,Service address,City,Prov,Postal / ZIP",
            &["--map", "line1=Billing address"],
            "Postal",
        ),
    ] {
        stage.file("clients.csv", clients(headers));
        let flags = [&["check", "clients.csv", "--derive-id"], choice].concat();
        let stopped = stage.run(&flags).expect(10).stderr;
        let hint = stopped.split("the headers found").next().unwrap();
        assert!(!hint.contains(other), "{stopped}");
    }
}

#[test]
fn a_single_address_is_not_offered_in_place_of_another() {
    let stage = Stage::offline();
    let headers = format!("{BILLING},Service address,Place,Area,Code");
    stage.file("clients.csv", clients(&headers));
    let asked = ["check", "clients.csv", "--address", "Service"];
    let stopped = stage.run(&asked).expect(10).stderr;
    assert!(stopped.contains("there is no address"), "{stopped}");
    assert!(!stopped.contains("--address Billing"), "{stopped}");
    assert!(stopped.contains("hint: remove --address"), "{stopped}");
}
