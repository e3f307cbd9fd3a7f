//! The JSON bodies of the service's responses.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::sandbox::store::{
    Connection, ExternalLink, ImageState, MeasuredResult, Measurement, Store,
};
use crate::sandbox::validation::FieldError;

/// RFC 3339, UTC, with fractions of a second.
pub(super) fn time(at: Timestamp) -> String {
    at.to_string()
}

/// # Source
/// S2.3.
pub(super) fn account(store: &Store, connection: &Connection) -> Value {
    json!({
        "team": team(store, connection.team),
        "app": {"client_id": store.app().client_id, "name": store.options().app_name},
        "connected_at": time(connection.connected_at),
    })
}

/// # Source
/// S2.2, token response.
pub(super) fn token(store: &Store, connection: &Connection, token: &str) -> Value {
    json!({
        "access_token": token,
        "token_type": "bearer",
        "team": team(store, connection.team),
        "connected_at": time(connection.connected_at),
    })
}

fn team(store: &Store, index: usize) -> Value {
    let team = &store.teams()[index];
    json!({"id": team.id, "name": team.name})
}

/// # Source
/// S2.4.
pub(super) fn measurement(store: &Store, measurement: &Measurement, base_url: &str) -> Value {
    let address = &measurement.address;
    let place = &measurement.place;
    json!({
        "id": measurement.id,
        "status": measurement.status.word(),
        "created_at": time(measurement.created_at),
        "updated_at": time(measurement.updated_at),
        "completed_at": measurement.completed_at.map(time),
        "address": {
            "line1": address.line1,
            "line2": address.line2,
            "city": address.city,
            "region": address.region,
            "postal_code": address.postal_code,
            "country": address.country.code(),
            "formatted": place.formatted,
            "lat": place.lat,
            "lng": place.lng,
        },
        "request": request(store, measurement, base_url),
        "result": measurement.result.as_ref().map(|result| result_json(measurement, result, base_url)),
    })
}

fn request(store: &Store, measurement: &Measurement, base_url: &str) -> Value {
    let app_name = &store.options().app_name;
    json!({
        "id": measurement.request_id,
        "created_at": time(measurement.created_at),
        "customer": measurement.customer,
        "notes": measurement.notes,
        "external": measurement.external.as_ref().map(|link| external(link, app_name)),
        "url": format!("{base_url}/requests/{}", measurement.request_id),
    })
}

fn external(link: &ExternalLink, app_name: &str) -> Value {
    json!({
        "id": link.id,
        "url": link.url,
        "label": link.label.as_deref().unwrap_or(app_name),
    })
}

fn result_json(measurement: &Measurement, result: &MeasuredResult, base_url: &str) -> Value {
    let ready = result.images == ImageState::Ready;
    let kinds = result.kinds.iter().filter(|_| ready);
    let pack: Vec<Value> = kinds
        .map(|kind| {
            json!({
                "kind": kind,
                "url": format!("{base_url}/assets/{}/{kind}.png", measurement.id),
                "content_type": "image/png",
            })
        })
        .collect();
    let figures = &result.figures;
    let mut json = json!(figures);
    json["downspout_count"] = json!(figures.downspouts.len());
    json["downspout_length_ft"] = json!(figures.downspout_length());
    json["asset_pack"] = json!(pack);
    json
}

/// The error object of the API.
///
/// # Source
/// S7.
pub(super) fn error(code: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}

/// The error object of an invalid request body.
pub(super) fn validation(errors: &[FieldError]) -> Value {
    let message = match errors {
        [one] => format!("{} {}", one.field, one.message),
        many => format!("{} fields are not valid", many.len()),
    };
    json!({"error": {"code": "validation_failed", "message": message, "errors": errors}})
}
