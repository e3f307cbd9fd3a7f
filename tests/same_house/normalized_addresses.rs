//! The service may spell the address of a house in a way that no rule foresees: that spelling is known as well.

use std::fs;

use crate::support::{Scripted, Stage};

const HEADERS: &str = "id,name,email,street,city,state,zip\n";

/// A row of a customer at an address, imported, and completed at the address as the service spells it.
fn completed() -> (Scripted, Stage) {
    let service = Scripted::normalizing(|address| {
        let street = address["line1"].as_str().unwrap();
        address["line1"] = street.replace("MLK", "Martin Luther King Jr").into();
    });
    let stage = Stage::speaking_to(service.url());
    let row = "1,Ann Lee,ann@example.com,1234 MLK Blvd,Ottawa,ON,K1A 0B1\n";
    stage.file("leads.csv", format!("{HEADERS}{row}"));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("1");
    (service, stage)
}

#[test]
fn a_customer_corrected_at_the_address_that_the_service_gave_is_billed() {
    let (service, stage) = completed();
    service.rewrite("1", |measurement| {
        measurement["request"]["customer"]["name"] = "Bo Ray".into();
        measurement["request"]["customer"]["email"] = "bo@example.org".into();
    });
    let words = ["export", "bill.csv", "--new", "--json"];
    let document = stage.run(&words).expect(0).json();
    assert_eq!(document["completed"], 1, "{document}");
    assert_eq!(document["other_addresses"].as_array().unwrap().len(), 0);
    let bill = fs::read_to_string(stage.path("bill.csv")).unwrap();
    assert!(bill.contains("Bo Ray") && bill.contains("120.5"), "{bill}");
}

#[test]
fn the_address_that_the_service_gave_is_the_same_house_under_another_id() {
    let (_service, stage) = completed();
    let row = "2,Cy Fox,cy@example.com,1234 Martin Luther King Jr Blvd,Ottawa,ON,K1A 0B1\n";
    stage.file("next.csv", format!("{HEADERS}{row}"));
    let document = stage
        .run(&["import", "next.csv", "--json"])
        .expect(3)
        .json();
    assert_eq!(document["outcomes"]["same_house"], 1, "{document}");
    let problem = document["problems"][0]["message"].as_str().unwrap();
    assert!(
        problem.starts_with("requested before as `1` (row 2 of leads.csv"),
        "{problem}"
    );
}

#[test]
fn a_row_that_takes_over_the_address_of_the_service_keeps_its_numbers() {
    let (_service, stage) = completed();
    for name in ["Ann Lee,ann@example.com", "Bo Ray,bo@example.org"] {
        let row = format!("1,{name},1234 Martin Luther King Jr Blvd,Ottawa,ON,K1A 0B1\n");
        stage.file("leads.csv", format!("{HEADERS}{row}"));
        let document = stage
            .run(&["import", "leads.csv", "--json"])
            .expect(0)
            .json();
        assert_eq!(document["outcomes"]["known"], 1, "{document}");
        stage
            .run(&["export", "back.csv", "--for", "leads.csv"])
            .expect(0);
        let back = fs::read_to_string(stage.path("back.csv")).unwrap();
        assert!(back.contains("120.5"), "{back}");
    }
}

#[test]
fn a_row_with_a_derived_id_takes_over_the_address_that_the_service_corrected() {
    for file in ["leads.csv", "leads.rejects.csv"] {
        let service = Scripted::normalizing(|address| address["postal_code"] = "K1A 0B2".into());
        let stage = Stage::speaking_to(service.url());
        let rows = "name,email,street,city,state,zip\nAnn Lee,ann@example.com,10 Elm St,Ottawa,ON,K1A 0B1\n";
        stage.file("leads.csv", rows);
        let import = |file, code| {
            let run = stage.run(&["import", file, "--derive-id", "--json"]);
            run.expect(code).json()["outcomes"].clone()
        };
        assert_eq!(import("leads.csv", 3)["conflict"], 1);
        let conflict = fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
        assert!(
            conflict.contains("put that address into the row"),
            "{conflict}"
        );
        let typed = fs::read_to_string(stage.path(file)).unwrap();
        stage.file(file, typed.replacen("K1A 0B1", "K1A 0B2", 1));
        assert_eq!(import(file, 0)["known"], 1, "{file}");
        assert_eq!(import("leads.csv", 0)["known"], 1, "{file}");
        assert_eq!(service.ids().len(), 1, "{file}");
        service.complete(&service.ids()[0]);
        let words = ["export", "bill.csv", "--new", "--json"];
        assert_eq!(stage.run(&words).expect(0).json()["completed"], 1, "{file}");
        stage
            .run(&["export", "back.csv", "--for", "leads.csv"])
            .expect(0);
        let back = fs::read_to_string(stage.path("back.csv")).unwrap();
        assert!(back.contains("120.5"), "{back}");
    }
}
