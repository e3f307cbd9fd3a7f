//! Units beside several streets: each is that of the street that it stands beside.

use crate::support::Stage;

#[test]
fn a_unit_is_that_of_the_address_that_it_stands_in_or_beside() {
    let stage = Stage::offline();
    let one = "10 Beech St,Columbus,OH,43206";
    let other = ["90 Oak St", "Dublin,OH,43017"];
    let unit = "Apt 9";
    let names = [
        "Billing Street,Billing City,Billing State,Billing Zip",
        "Service Street",
        "Service City,Service State,Service Zip",
    ];
    let plain = [
        "Street Address,City,State,Zip",
        "Home Address",
        "Home City,Home State,Home Zip",
    ];
    let inside = |n: [&str; 3]| format!("{},{},Apt,{}", n[0], n[1], n[2]);
    let in_front = |n: [&str; 3]| format!("Apt,{}", n.join(","));
    let far = |n: [&str; 3]| format!("Apt,Crew,{}", n.join(","));
    let behind_other = |n: [&str; 3]| format!("{},Crew,Apt,{},{}", n[0], n[1], n[2]);
    for (headers, cells, addresses, owner) in [
        (
            behind_other(plain),
            format!("{one},x,{unit},{}", other.join(",")),
            ["Street Address", "Home"],
            Some(0),
        ),
        (
            inside(plain),
            format!("{one},{},{unit},{}", other[0], other[1]),
            ["Street Address", "Home"],
            Some(1),
        ),
        (
            inside(names),
            format!("{one},{},{unit},{}", other[0], other[1]),
            ["Billing", "Service"],
            Some(1),
        ),
        (
            in_front(names),
            format!("{unit},{one},{}", other.join(",")),
            ["Billing", "Service"],
            Some(0),
        ),
        (
            in_front(names) + ",Unit",
            format!(",{one},{},{unit}", other.join(",")),
            ["Billing", "Service"],
            Some(1),
        ),
        (
            far(names),
            format!("{unit},x,{one},{}", other.join(",")),
            ["Billing", "Service"],
            None,
        ),
    ] {
        stage.file(
            "leads.csv",
            format!("Lead ID,Name,Email,{headers}\nL-1,Ada,a@example.com,{cells}\n"),
        );
        for (at, address) in addresses.into_iter().enumerate() {
            let page = stage
                .run(&["check", "leads.csv", "--address", address])
                .expect(0)
                .stdout;
            let mapping = page.split("not used").next().unwrap();
            assert_eq!(
                mapping.contains(unit),
                owner == Some(at),
                "{headers}: {page}"
            );
            let is_told = page.contains("looks like line2 and is not sent");
            assert_eq!(is_told, owner.is_none(), "{headers}: {page}");
        }
    }
}

#[test]
fn a_unit_behind_another_street_is_not_sent_unless_it_is_named() {
    let stage = Stage::offline();
    for (headers, cells, letter) in [
        (
            "Bill To,Suite,Service Address,City,State,Zip",
            "90 Oak St,Apt 9,10 Beech St,Dublin,OH,43017",
            "E",
        ),
        (
            "Address,City,State,Zip,Head Office,Apt",
            "10 Beech St,Dublin,OH,43017,90 Oak St,Apt 9",
            "I",
        ),
        (
            "Address,City,State,Zip,Where they live,Phone,Unit",
            "10 Beech St,Dublin,OH,43017,90 Oak St,6145550100,Apt 9",
            "J",
        ),
        (
            "Full Address,Bill To,Unit",
            "\"10 Beech St, Dublin, OH 43017\",90 Oak St,Apt 9",
            "F",
        ),
    ] {
        let row = |id: &str| format!("{id},Ada,a@example.com,{cells}\n");
        let rows = row("L-1") + &row("L-2").replace("10 Beech", "12 Beech");
        stage.file("leads.csv", format!("Lead ID,Name,Email,{headers}\n{rows}"));
        let run = |options: &[&str]| {
            let page = stage.run(&[&["check", "leads.csv"], options].concat());
            let page = page.expect(0).stdout;
            let mapping = page.split("not used").next().unwrap();
            (mapping.contains("Apt 9"), page)
        };
        let (is_sent, page) = run(&[]);
        assert!(!is_sent, "{headers}: {page}");
        let (is_sent, page) = run(&["--map", &format!("line2={letter}")]);
        assert!(is_sent && !page.contains("not sent"), "{headers}: {page}");
    }
}

#[test]
fn a_unit_in_front_of_any_other_street_is_sent() {
    let stage = Stage::offline();
    for (headers, cells) in [
        (
            "Address,Unit,City,State,Zip,Head Office",
            "10 Beech St,Apt 9,Dublin,OH,43017,90 Oak St",
        ),
        (
            "Unit,Address,City,State,Zip,Head Office",
            "Apt 9,10 Beech St,Dublin,OH,43017,90 Oak St",
        ),
    ] {
        let sheet = format!("Lead ID,Name,Email,{headers}\nL-1,Ada,a@example.com,{cells}\n");
        stage.file("leads.csv", sheet);
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        assert!(page.contains("line2        Unit"), "{headers}: {page}");
    }
}

#[test]
fn a_unit_below_a_title_is_that_of_the_title() {
    let stage = Stage::offline();
    stage.file(
        "leads.csv",
        ",,,Service address,,,,,Billing address,,,,\n\
         ID,Name,Email,Street,City,State,Zip,Unit,Street,City,State,Zip,Unit\n\
         L-1,Ada,a@example.com,10 Beech St,Columbus,OH,43206,Apt 9,90 Oak St,Dublin,OH,43017,Apt 4\n",
    );
    for (address, unit) in [("Service", "Apt 9"), ("Billing", "Apt 4")] {
        let page = stage.run(&["check", "leads.csv", "--address", address]);
        let page = page.expect(0).stdout;
        let mapping = page.split("not used").next().unwrap();
        assert!(mapping.contains(unit), "{page}");
    }
}

#[test]
fn parts_with_words_are_of_the_only_street_without_any() {
    let stage = Stage::offline();
    for headers in [
        "Street,Job Unit,Job City,Job State,Job Zip",
        "Address,Property Apt,Property City,Property State,Property Zip",
        "Street,Service Unit,Service City,State,Service Zip",
    ] {
        stage.file(
            "leads.csv",
            format!(
                "ID,Name,Email,{headers}\nL-1,Ada,a@example.com,10 Beech St,Apt 9,Columbus,OH,43206\n"
            ),
        );
        let page = stage.run(&["check", "leads.csv"]).expect(0).stdout;
        let mapping = page.split("not used").next().unwrap();
        assert!(mapping.contains("Apt 9"), "{headers}: {page}");
    }
}

#[test]
fn a_unit_is_sent_with_a_street_that_only_the_user_knows() {
    let stage = Stage::offline();
    let numbered = ["--map", "house_number=House", "--map", "line1=Road"];
    for (headers, cells, map) in [
        (
            "Apt,Owner Name,House,Road,City,State,Zip",
            "4,Ada,12,Elm St,Dublin,OH,43017",
            &numbered[..],
        ),
        (
            "Where,Apt,Client,City,State,Zip",
            "12 Elm,4,Ada,Dublin,OH,43017",
            &["--map", "line1=Where"],
        ),
    ] {
        let rows = format!("Ref,Email,{headers}\nL-1,a@example.com,{cells}\n");
        stage.file("leads.csv", rows);
        let name = headers
            .split(',')
            .find(|one| ["Owner Name", "Client"].contains(one));
        let name = format!("name={}", name.unwrap());
        let run = stage.run(&[&["check", "leads.csv", "--map", &name], map].concat());
        let page = run.expect(0).stdout;
        assert!(
            page.contains("line2         Apt") || page.contains("line2        Apt"),
            "{page}"
        );
    }
}

#[test]
fn a_building_that_may_be_the_house_number_is_no_unit() {
    let stage = Stage::offline();
    for headers in [
        "Building,Road,Client,City,State,Zip",
        "Client,Bldg No,Road,City,State,Zip",
    ] {
        let cells = if headers.starts_with("Client") {
            ["Ada,412,Maple Ave", "Bo,424,Pine Dr", "Cy,5,Oak Ct"]
        } else {
            ["412,Maple Ave,Ada", "424,Pine Dr,Bo", "5,Oak Ct,Cy"]
        };
        let row = |(at, cells)| format!("R-{at},c{at}@example.com,{cells},Dublin,OH,43017\n");
        let rows: String = (1..).zip(cells).map(row).collect();
        stage.file("leads.csv", format!("Ref,Email,{headers}\n{rows}"));
        let check = [
            "check",
            "leads.csv",
            "--map",
            "line1=Road",
            "--map",
            "name=Client",
        ];
        let asked = stage.run(&check).expect(10).stderr;
        assert!(asked.contains("house_number=B"), "{asked}");
    }
}
