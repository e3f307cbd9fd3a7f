//! A model of the service, written from its description alone: a plain function from a request to an answer.
//!
//! It shares no type with the client and none with the sandbox. A measurement's house is the text of its notes, which
//! nobody edits; its numbers tell the house and how often the contractor changed them.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::figures::{Figures, figures, result_of, were_figures};
use super::loopback::ServiceRequest;
use super::sheet::house_of;

/// An answer of the service.
#[derive(Clone, Debug)]
pub(super) struct ServiceAnswer {
    pub(super) status: u16,
    pub(super) retry_after: Option<u64>,
    pub(super) body: Value,
}

/// A measurement, as the service keeps it.
#[derive(Clone, Debug)]
pub(super) struct MeasurementRecord {
    pub(super) number: usize,
    pub(super) external_id: Option<String>,
    /// The house that it is really of.
    pub(super) house: String,
    pub(super) status: MeasurementStatus,
    /// How often the numbers were changed after the first time.
    pub(super) version: u32,
    pub(super) completed_at: Option<Timestamp>,
    pub(super) has_images: bool,
    address: Value,
    customer: Value,
    notes: Value,
    external: Value,
    created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeasurementStatus {
    Pending,
    InProgress,
    Complete,
    Canceled,
}

/// The service.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) token: String,
    /// How many tokens it has given.
    tokens: u32,
    pub(super) team: &'static str,
    pub(super) measurements: Vec<MeasurementRecord>,
    /// Where in `measurements` each external id is.
    by_external_id: HashMap<String, usize>,
    /// Where in `measurements` those of each house are.
    by_house: HashMap<String, Vec<usize>>,
    /// How many requests it handles within a window.
    pub(super) quota: usize,
    /// When each request of the last window was counted, the earliest first.
    counted: Vec<Timestamp>,
}

/// The quota of the histories: small, so that it is used up.
pub(super) const QUOTA: usize = 12;

/// A quota of which the program records some requests in advance.
pub(super) const LARGE_QUOTA: usize = 192;

/// The window of the quota.
pub(super) const WINDOW: Duration = Duration::from_secs(3600);

/// The version that the service serves.
pub(super) const VERSION: &str = "2026-01-31";

impl MeasurementRecord {
    pub(super) fn id(&self) -> String {
        format!("msr_{:04}", self.number)
    }

    /// The figures that the service shows now.
    pub(super) fn figures(&self) -> Figures {
        figures(&self.house, self.version)
    }

    /// Whether it has, or had, those of the figures that are given.
    pub(super) fn had(&self, given: &[Option<f64>; 4]) -> bool {
        were_figures(&self.house, self.version, given)
    }

    /// A text of its customer: `name`, `email` or `phone`.
    pub(super) fn customer_text(&self, name: &str) -> &str {
        self.customer[name].as_str().unwrap_or_default()
    }

    /// The number of its building; units of one building are one house to whoever asks for one of them.
    pub(super) fn building(&self) -> &str {
        let line1 = self.address["line1"].as_str().unwrap_or_default();
        line1.split(' ').next().unwrap_or_default()
    }

    /// Whether a creation is of its house, in the same town.
    pub(super) fn is_of(&self, body: &Value) -> bool {
        let town = |address: &Value| {
            let code = address["postal_code"].as_str().unwrap_or_default();
            code.get(..5).unwrap_or(code).to_owned()
        };
        house_of(body["notes"].as_str().unwrap_or_default()) == self.house
            && town(&body["address"]) == town(&self.address)
    }

    pub(super) fn postal_code(&self) -> &str {
        self.address["postal_code"].as_str().unwrap_or_default()
    }

    /// The unit in a line of its own.
    pub(super) fn unit(&self) -> &str {
        self.address["line2"].as_str().unwrap_or_default()
    }

    pub(super) fn notes(&self) -> &str {
        self.notes.as_str().unwrap_or_default()
    }

    pub(super) fn url(&self) -> &str {
        self.external["url"].as_str().unwrap_or_default()
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.status == MeasurementStatus::Canceled
    }

    pub(super) fn is_complete(&self) -> bool {
        self.status == MeasurementStatus::Complete
    }

    /// Whether nothing is expected to change: a complete measurement without images may still get some for a week.
    pub(super) fn is_final(&self, now: Timestamp) -> bool {
        let is_late = |at: Timestamp| now.duration_since(at) >= SignedDuration::from_hours(7 * 24);
        self.is_canceled()
            || self.is_complete() && (self.has_images || self.completed_at.is_some_and(is_late))
    }

    /// The object of section 2.4.
    pub(super) fn json(&self) -> Value {
        let status = match self.status {
            MeasurementStatus::Pending => "pending",
            MeasurementStatus::InProgress => "in_progress",
            MeasurementStatus::Complete => "complete",
            MeasurementStatus::Canceled => "canceled",
        };
        let mut address = self.address.clone();
        let part = |name: &str| self.address[name].as_str().unwrap_or_default();
        address["formatted"] = ["line1", "city", "region", "postal_code"]
            .map(part)
            .join(", ")
            .into();
        // Each house has a place of its own.
        let place = f64::from(u32::try_from(self.number).unwrap()) / 1000.0;
        address["lat"] = (43.0 + place).into();
        address["lng"] = (-77.0 - place).into();
        let request = format!("req_{:04}", self.number);
        json!({
            "id": self.id(), "status": status, "created_at": self.created_at.to_string(),
            "updated_at": self.updated_at.to_string(),
            "completed_at": self.completed_at.map(|at| at.to_string()),
            "address": address,
            "request": {
                "id": request, "created_at": self.created_at.to_string(), "customer": self.customer,
                "notes": self.notes, "external": self.external,
                "url": format!("https://service.example.com/requests/{request}"),
            },
            "result": if self.is_complete() { self.result() } else { Value::Null },
        })
    }

    fn result(&self) -> Value {
        let images = json!([{"kind": "aerial", "url": "https://images.example.com/a.png", "content_type": "image/png"}]);
        let images = if self.has_images { images } else { json!([]) };
        result_of(&self.figures(), &images)
    }
}

impl Service {
    pub(super) fn new() -> Self {
        Self {
            token: "token-1".to_owned(),
            tokens: 1,
            team: "team_1",
            measurements: Vec::new(),
            by_external_id: HashMap::new(),
            by_house: HashMap::new(),
            quota: QUOTA,
            counted: Vec::new(),
        }
    }

    /// Gives a token in place of the one before.
    pub(super) fn new_token(&mut self) -> String {
        self.tokens += 1;
        self.token = format!("token-{}", self.tokens);
        self.token.clone()
    }

    /// Answers a request.
    pub(super) fn answer(&mut self, request: &ServiceRequest<'_>, now: Timestamp) -> ServiceAnswer {
        match request.version {
            None => return error(400, "missing_version"),
            Some(VERSION) => {}
            Some(_) => return error(400, "unsupported_version"),
        }
        if request.token != Some(&self.token) {
            return error(401, "unauthorized");
        }
        let since = |at: &Timestamp| now.duration_since(*at).unsigned_abs();
        let past = self.counted.partition_point(|at| since(at) >= WINDOW);
        self.counted.drain(..past);
        if self.counted.len() >= self.quota {
            let left = WINDOW.saturating_sub(since(&self.counted[0]));
            let mut answer = error(429, "rate_limited");
            answer.retry_after = Some(left.as_secs() + 1);
            return answer;
        }
        self.counted.push(now);
        match (request.method, request.path) {
            ("GET", "/me") => answer(200, self.account()),
            ("POST", "/measurements") => self.create(request, now),
            ("GET", path) => self.read(path),
            _ => error(404, "not_found"),
        }
    }

    fn account(&self) -> Value {
        json!({
            "team": {"id": self.team, "name": "Gutters Inc"}, "app": {"client_id": "app_1", "name": "CRM"},
            "connected_at": "2026-01-01T00:00:00Z", "token": self.token.len(),
        })
    }

    fn create(&mut self, request: &ServiceRequest<'_>, now: Timestamp) -> ServiceAnswer {
        let body = &request.body;
        let faults = missing_fields(body);
        if !faults.is_empty() {
            return refusal(faults);
        }
        let external_id = body["external"]["id"].as_str().map(str::to_owned);
        let known = external_id
            .as_deref()
            .and_then(|id| self.with_external_id(id));
        if let Some(known) = known {
            return answer(200, known.json());
        }
        if request.has_unknown_city {
            return refusal(vec![
                json!({"field": "address.city", "message": "is unknown"}),
            ]);
        }
        let mut address = body["address"].clone();
        if address["country"].is_null() {
            address["country"] = "US".into();
        }
        if address["line2"].is_null() {
            address["line2"] = Value::Null;
        }
        let created = MeasurementRecord {
            number: self.measurements.len() + 1,
            external_id,
            house: house_of(body["notes"].as_str().unwrap_or_default()).to_owned(),
            notes: body["notes"].clone(),
            status: MeasurementStatus::Pending,
            version: 0,
            completed_at: None,
            has_images: false,
            address,
            customer: body["customer"].clone(),
            external: body["external"].clone(),
            created_at: now,
            updated_at: now,
        };
        let body = created.json();
        let of_house = self.by_house.entry(created.house.clone()).or_default();
        of_house.push(self.measurements.len());
        if let Some(id) = created.external_id.clone() {
            self.by_external_id.insert(id, self.measurements.len());
        }
        self.measurements.push(created);
        answer(201, body)
    }

    pub(super) fn with_external_id(&self, id: &str) -> Option<&MeasurementRecord> {
        let index = self.by_external_id.get(id)?;
        self.measurements.get(*index)
    }

    pub(super) fn of_house(&self, house: &str) -> impl Iterator<Item = &MeasurementRecord> {
        let indices = self.by_house.get(house).into_iter().flatten();
        indices.map(|index| &self.measurements[*index])
    }

    pub(super) fn with_id(&self, id: &str) -> Option<&MeasurementRecord> {
        let number: usize = id.strip_prefix("msr_")?.parse().ok()?;
        self.measurements.get(number.checked_sub(1)?)
    }

    fn read(&self, path: &str) -> ServiceAnswer {
        let id = path.strip_prefix("/measurements/").unwrap_or_default();
        match self.with_id(id) {
            Some(known) => answer(200, known.json()),
            None => error(404, "not_found"),
        }
    }
}

/// The fields of section 4.5 that are missing.
fn missing_fields(body: &Value) -> Vec<Value> {
    let is_missing = |value: &Value| value.as_str().is_none_or(str::is_empty);
    let mut faults = Vec::new();
    for field in ["line1", "city", "region", "postal_code"] {
        if is_missing(&body["address"][field]) {
            faults.push(json!({"field": format!("address.{field}"), "message": "is required"}));
        }
    }
    if is_missing(&body["customer"]["name"]) {
        faults.push(json!({"field": "customer.name", "message": "is required"}));
    }
    if is_missing(&body["customer"]["email"]) && is_missing(&body["customer"]["phone"]) {
        faults.push(json!({"field": "customer", "message": "email or phone is required"}));
    }
    faults
}

fn answer(status: u16, body: Value) -> ServiceAnswer {
    ServiceAnswer {
        status,
        retry_after: None,
        body,
    }
}

fn refusal(faults: Vec<Value>) -> ServiceAnswer {
    let mut answer = error(422, "validation_failed");
    answer.body["error"]["errors"] = faults.into();
    answer
}

/// The error shape of section 7.
pub(super) fn error(status: u16, code: &str) -> ServiceAnswer {
    answer(
        status,
        json!({"error": {"code": code, "message": "as the history says"}}),
    )
}
