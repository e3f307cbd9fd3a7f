//! `Scripted`: a service whose measurements a test rewrites at will, also as no contractor could.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::support::Canned;
use crate::support::canned::json as answer;

type Measurements = Arc<Mutex<BTreeMap<String, Value>>>;

/// A service on this machine, for as long as the test's process lives.
#[derive(Debug)]
pub(crate) struct Scripted {
    canned: Canned,
    measurements: Measurements,
}

impl Scripted {
    /// Starts with no measurements.
    pub(crate) fn start() -> Self {
        Self::normalizing(|_| {})
    }

    /// As [`Scripted::start`], with a service that changes addresses.
    pub(crate) fn normalizing(normalize: fn(&mut Value)) -> Self {
        let measurements = Measurements::default();
        let known = Arc::clone(&measurements);
        let canned = Canned::answering(move |request| respond(request, &known, normalize));
        Self {
            canned,
            measurements,
        }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        self.canned.url()
    }

    /// The external ids of all measurements.
    pub(crate) fn ids(&self) -> Vec<String> {
        let known = self.measurements.lock().unwrap();
        let id = |one: &Value| {
            one["request"]["external"]["id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        known.values().map(id).collect()
    }

    /// Rewrites the measurement of an external id.
    pub(crate) fn rewrite(&self, external_id: &str, rewrite: impl FnOnce(&mut Value)) {
        let mut known = self.measurements.lock().unwrap();
        let mut all = known.values_mut();
        let measurement = all.find(|one| one["request"]["external"]["id"] == external_id);
        rewrite(measurement.unwrap());
    }

    /// Completes the measurement of an external id with a round result.
    pub(crate) fn complete(&self, external_id: &str) {
        self.rewrite(external_id, |measurement| {
            measurement["status"] = "complete".into();
            measurement["completed_at"] = "2026-10-05T14:23:11Z".into();
            measurement["result"] = json!({
                "gutter_length_ft": 120.5, "gutter_size_in": 5, "corner_count": 6,
                "downspout_count": 1, "downspout_length_ft": 11,
                "downspouts": [{ "length_ft": 11, "floors": 1, "size_in": 3 }],
                "installer_message": null,
                "asset_pack": [
                    { "kind": "aerial", "url": "https://images.example.com/a.png", "content_type": "image/png" }
                ],
            });
        });
    }
}

fn respond(request: &str, known: &Measurements, normalize: fn(&mut Value)) -> Vec<u8> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let line = request.lines().next().unwrap();
    if line.starts_with("POST /measurements ") {
        let mut body: Value =
            serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        normalize(&mut body["address"]);
        let mut all = known.values();
        let is_known = |one: &&Value| one["request"]["external"]["id"] == body["external"]["id"];
        if let Some(measurement) = all.find(is_known) {
            return answer("200 OK", measurement);
        }
        let measurement = created(&body, known.len() + 1);
        let id = measurement["id"].as_str().unwrap().to_owned();
        known.insert(id, measurement.clone());
        return answer("201 Created", &measurement);
    }
    if line.starts_with("GET /me ") {
        return answer(
            "200 OK",
            &json!({
                "team": { "id": "team_1", "name": "North Roofing" },
                "app": { "client_id": "client-1", "name": "Leads" },
                "connected_at": "2026-01-02T03:04:05Z",
            }),
        );
    }
    let id = line.split(['/', ' ']).nth(3).unwrap_or_default();
    match known.get(id) {
        Some(measurement) => answer("200 OK", measurement),
        None => answer(
            "404 Not Found",
            &json!({ "error": { "code": "not_found", "message": "nothing with that id" } }),
        ),
    }
}

fn created(body: &Value, number: usize) -> Value {
    let mut address = body["address"].clone();
    address["country"] = "CA".into();
    address["formatted"] = address["line1"].clone();
    address["lat"] = number.into();
    address["lng"] = (-79).into();
    let at = "2026-09-01T08:00:00Z";
    json!({
        "id": format!("msr_{number}"), "status": "pending",
        "created_at": at, "updated_at": at, "completed_at": null,
        "address": address,
        "request": {
            "id": format!("req_{number}"), "created_at": at, "customer": body["customer"], "notes": body["notes"],
            "external": body["external"], "url": format!("https://app.example.com/req_{number}"),
        },
        "result": null,
    })
}
