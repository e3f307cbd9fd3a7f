//! Results at hand: lines as a journal would give them.

use gutterbatch::export::{BillingFilter, ExportContext, RecordFilter, ResultRecord, TimeZoneName};
use gutterbatch::model::{
    Account, Address, Asset, Country, Customer, Downspout, Measurement, MeasurementResult, Outcome,
    PlacedAddress, Request, RequestRecord, ReturnedCustomer, ReturnedExternal, RowNumber, Status,
    TableSource,
};
use jiff::{SignedDuration, Timestamp};

/// When the first line was completed.
pub(crate) const START: &str = "2026-08-03T14:30:00Z";

pub(crate) fn about() -> ExportContext {
    ExportContext {
        owner: Some(Account {
            team_name: "Eaves & Sons Roofing".to_owned(),
            app_name: Some("Northwind CRM".to_owned()),
            team_id: "team_1".to_owned(),
            client_id: "app_1".to_owned(),
            base_url: "https://api.example.com".to_owned(),
            connected_at: "2026-07-01T00:00:00Z".to_owned(),
        }),
        as_of: Some("2026-11-20T15:00:00Z".parse().unwrap()),
        zone: TimeZoneName::from_name("America/Toronto").unwrap(),
        sealed: None,
        partial: None,
        unanswered: 0,
        sent_again: std::collections::HashSet::new(),
        sealed_before: Vec::new(),
        declared_at: Vec::new(),
        copied_at: None,
        field_names: std::collections::HashMap::new(),
    }
}

pub(crate) fn everything() -> RecordFilter {
    RecordFilter {
        period: None,
        billing: BillingFilter::All,
        external_ids: None,
    }
}

/// A complete measurement; figures follow from its number.
pub(crate) fn complete(number: u32) -> ResultRecord {
    let completed_at =
        START.parse::<Timestamp>().unwrap() + SignedDuration::from_hours(i64::from(number) * 11);
    let mut line = pending(number);
    line.measurement.status = Status::Complete;
    line.measurement.completed_at = Some(completed_at);
    line.measurement.updated_at = completed_at;
    line.measurement.result = Some(result(number));
    line
}

/// A measurement that nobody has started.
pub(crate) fn pending(number: u32) -> ResultRecord {
    let request = request(number);
    ResultRecord {
        external_id: request.external_id.clone(),
        source: TableSource {
            path: "/home/ada/leads.csv".into(),
            sheet: None,
        },
        source_name: "leads.csv".to_owned(),
        row: RowNumber(number + 2),
        outcome: Outcome::Created,
        measurement: measurement(number, &request),
        request,
        not_found_since: None,
        differing_address: None,
        learned_at: None,
        changed_at: Timestamp::UNIX_EPOCH,
        unchanged_at: None,
        billed_elsewhere: None,
        billed: None,
    }
}

fn request(number: u32) -> Request {
    const STREETS: [&str; 5] = [
        "Elm St",
        "Rideau St",
        "Chemin Sainte-Foy",
        "King St W",
        "Oak Ave",
    ];
    const NAMES: [&str; 5] = [
        "Ada Byron",
        "René Lévesque",
        "Smith, John & Jane",
        "Oak Hollow Homeowners Assoc.",
        "李小龙",
    ];
    Request {
        external_id: format!("L-{:04}", 1000 + number),
        address: Address {
            line1: format!("{} {}", 100 + number, STREETS[number as usize % 5]),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country: Some(Country::Canada),
        },
        customer: Customer {
            name: NAMES[number as usize % 5].to_owned(),
            email: Some(format!("c{number}@example.com")),
            phone: None,
        },
        notes: None,
        url: None,
        label: None,
    }
}

fn measurement(number: u32, request: &Request) -> Measurement {
    let created_at: Timestamp = "2026-08-01T12:00:00Z".parse().unwrap();
    let Address {
        line1,
        city,
        region,
        postal_code,
        ..
    } = &request.address;
    Measurement {
        id: format!("msr_{number:06}abcd"),
        status: Status::Pending,
        created_at,
        updated_at: created_at,
        completed_at: None,
        address: PlacedAddress {
            line1: line1.clone(),
            line2: (number % 7 == 3).then(|| "Unit 4".to_owned()),
            city: city.clone(),
            region: region.clone(),
            postal_code: postal_code.clone(),
            country: "CA".to_owned(),
            formatted: Some(format!("{line1}, Ottawa, ON K1A 0B1, Canada")),
            lat: Some(45.0 + f64::from(number) / 1000.0),
            lng: Some(-75.0),
        },
        request: RequestRecord {
            id: format!("req_{number:06}wxyz"),
            created_at: Some(created_at),
            customer: ReturnedCustomer {
                name: Some(request.customer.name.clone()),
                email: request.customer.email.clone(),
                phone: None,
            },
            notes: None,
            external: ReturnedExternal {
                id: Some(request.external_id.clone()),
                ..ReturnedExternal::default()
            },
            url: Some(format!(
                "https://app.example.com/requests/req_{number:06}wxyz"
            )),
        },
        result: None,
    }
}

fn result(number: u32) -> MeasurementResult {
    let downspouts: Vec<Downspout> = (0..2 + number % 4)
        .map(|index| Downspout {
            length_ft: 10.0 + f64::from((number + index) % 5) / 2.0,
            floors: 1 + (number + index) % 3,
            size_in: (index > 0).then_some(3.0),
        })
        .collect();
    MeasurementResult {
        gutter_length_ft: 120.0 + f64::from(number) * 1.5,
        gutter_size_in: [Some(5.0), Some(6.0), Some(5.0), None][number as usize % 4],
        corner_count: 4 + number % 6,
        downspout_count: 2 + number % 4,
        downspout_length_ft: downspouts.iter().map(|downspout| downspout.length_ft).sum(),
        downspouts,
        installer_message: number.is_multiple_of(5).then(|| {
            "The fascia behind the garage is soft; we would replace it before hanging gutters."
                .to_owned()
        }),
        asset_pack: ["aerial", "measurements"]
            .into_iter()
            .map(|kind| Asset {
                kind: kind.to_owned(),
                url: format!("https://images.example.com/{number}/{kind}.png"),
                content_type: "image/png".to_owned(),
            })
            .collect(),
    }
}
