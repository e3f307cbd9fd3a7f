//! The service's JSON, field for field.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::sandbox::draft::FieldError;
use crate::sandbox::world::{
    Connection, Downspout, External, Measurement, Pictures, Survey, World,
};

/// A time as the service writes it: RFC 3339, UTC, with the fraction it has.
pub(super) fn time(at: Timestamp) -> String {
    at.to_string()
}

/// # Source
/// S2.3.
pub(super) fn account(world: &World, connection: &Connection) -> Value {
    json!({
        "team": team(world, connection.team),
        "app": {"client_id": world.app().client_id, "name": world.settings().app_name},
        "connected_at": time(connection.connected_at),
    })
}

/// # Source
/// S2.2, token response.
pub(super) fn token(world: &World, connection: &Connection, token: &str) -> Value {
    json!({
        "access_token": token,
        "token_type": "bearer",
        "team": team(world, connection.team),
        "connected_at": time(connection.connected_at),
    })
}

fn team(world: &World, index: usize) -> Value {
    let team = &world.teams()[index];
    json!({"id": team.id, "name": team.name})
}

/// # Source
/// S2.4.
pub(super) fn measurement(world: &World, measurement: &Measurement, base_url: &str) -> Value {
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
        "request": request(world, measurement, base_url),
        "result": measurement.survey.as_ref().map(|survey| result(measurement, survey, base_url)),
    })
}

fn request(world: &World, measurement: &Measurement, base_url: &str) -> Value {
    let customer = &measurement.customer;
    let app_name = &world.settings().app_name;
    json!({
        "id": measurement.request_id,
        "created_at": time(measurement.created_at),
        "customer": {"name": customer.name, "email": customer.email, "phone": customer.phone},
        "notes": measurement.notes,
        "external": measurement.external.as_ref().map(|link| external(link, app_name)),
        "url": format!("{base_url}/requests/{}", measurement.request_id),
    })
}

fn external(link: &External, app_name: &str) -> Value {
    json!({
        "id": link.id,
        "url": link.url,
        "label": link.label.as_deref().unwrap_or(app_name),
    })
}

fn result(measurement: &Measurement, survey: &Survey, base_url: &str) -> Value {
    let ready = survey.pictures == Pictures::Ready;
    let kinds = survey.kinds.iter().filter(|_| ready);
    let pack: Vec<Value> = kinds
        .map(|kind| {
            json!({
                "kind": kind.word(),
                "url": format!("{base_url}/assets/{}/{}.png", measurement.id, kind.word()),
                "content_type": "image/png",
            })
        })
        .collect();
    let downspouts: Vec<Value> = survey.downspouts.iter().map(downspout).collect();
    json!({
        "gutter_length_ft": survey.gutter_length.decimal(),
        "gutter_size_in": survey.gutter_size_in,
        "corner_count": survey.corners,
        "downspout_count": survey.downspouts.len(),
        "downspout_length_ft": survey.downspout_length().decimal(),
        "downspouts": downspouts,
        "installer_message": survey.installer_message,
        "asset_pack": pack,
    })
}

fn downspout(downspout: &Downspout) -> Value {
    json!({
        "length_ft": downspout.length.decimal(),
        "floors": downspout.floors,
        "size_in": downspout.size_in,
    })
}

/// The one shape of every API error.
///
/// # Source
/// S7.
pub(super) fn error(code: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}

/// The shape of a body that breaks rules.
pub(super) fn validation(errors: &[FieldError]) -> Value {
    let message = match errors {
        [one] => format!("{} {}", one.field, one.message),
        many => format!("{} fields are not valid", many.len()),
    };
    json!({"error": {"code": "validation_failed", "message": message, "errors": errors}})
}
