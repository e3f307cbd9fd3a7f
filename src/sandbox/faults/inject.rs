//! Injects a fault into a call: before it is handled, instead of handling it, or into its response.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::sandbox::api::{ApiResponse, bearer};
use crate::sandbox::faults::rule::{Action, Rule};
use crate::sandbox::service::Service;
use crate::sandbox::wire;

/// Handles a call with a fault; `None` where the client gets no response.
pub(in crate::sandbox) async fn inject(
    fault: Rule,
    service: &Service,
    request: Request,
    next: Next,
) -> Option<Response> {
    match &fault.action {
        Action::Delay { duration } => tokio::time::sleep(*duration).await,
        Action::Revoke {} => {
            let token = bearer(request.headers()).unwrap_or_default().to_owned();
            // A log that cannot be written fails the call itself.
            let _ = service.act(|store, _| store.disconnect_token(&token));
        }
        Action::CutBody {} => return Some(cut_body(next.run(request).await).await),
        Action::NoId {} => return Some(edit(next.run(request).await, without_id).await),
        Action::UnknownFields {} => {
            return Some(edit(next.run(request).await, with_unknown_fields).await);
        }
        Action::OtherMeasurement {} => {
            let response = next.run(request).await;
            return Some(edit(response, |body| other_measurement(body, service)).await);
        }
        instead => {
            if fault.conditions.handled {
                next.run(request).await;
            }
            return replacement(instead);
        }
    }
    Some(next.run(request).await)
}

/// The response that replaces the real one; `None` where there is none.
fn replacement(action: &Action) -> Option<Response> {
    match action {
        Action::Status {
            status,
            retry_after,
        } => Some(status_answer(*status, retry_after.as_deref())),
        Action::Html {} => {
            let page = "<!doctype html><title>Guest network</title><p>Please sign in to go on.";
            Some(Html(page).into_response())
        }
        Action::Redirect { to } => {
            let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
            Some((StatusCode::FOUND, [(header::LOCATION, to)]).into_response())
        }
        _ => None,
    }
}

/// A response whose body fails at once: the server closes the connection before it has sent anything.
pub(in crate::sandbox) fn no_response() -> Response {
    let broken = stream::once(async { Err::<Bytes, _>(connection_reset()) });
    Response::new(Body::from_stream(broken))
}

fn connection_reset() -> std::io::Error {
    std::io::ErrorKind::ConnectionReset.into()
}

/// Gateway statuses have a plain text body, others the documented error shape.
fn status_answer(status: u16, retry_after: Option<&str>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let code = match status.as_u16() {
        401 => "unauthorized",
        404 => "not_found",
        422 => "validation_failed",
        429 => "rate_limited",
        501 => "not_implemented",
        _ => "server_error",
    };
    let mut response = match status.as_u16() {
        502..=504 => (status, status.to_string()).into_response(),
        _ => ApiResponse::error(status, code, "this fault was requested").into_response(),
    };
    let retry_after = retry_after.and_then(|text| HeaderValue::from_str(text).ok());
    if let Some(retry_after) = retry_after {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, retry_after);
    }
    response
}

/// Sends the first half of a body with the length of the whole, then cuts the connection.
async fn cut_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let body = read_all(body).await;
    head.headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    let half = body.slice(..body.len() / 2);
    let broken = stream::once(async {
        // The server flushes while it waits for more; without a wait it would drop the first half too.
        tokio::task::yield_now().await;
        Err(connection_reset())
    });
    let parts = stream::iter([Ok(half)]).chain(broken);
    Response::from_parts(head, Body::from_stream(parts))
}

/// Changes a JSON body; any other is returned unchanged.
async fn edit(response: Response, change: impl FnOnce(&mut Value)) -> Response {
    let (mut head, body) = response.into_parts();
    let body = read_all(body).await;
    let Ok(mut value) = serde_json::from_slice(&body) else {
        return Response::from_parts(head, Body::from(body));
    };
    change(&mut value);
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(value.to_string()))
}

async fn read_all(body: Body) -> Bytes {
    // These bodies are in memory already.
    to_bytes(body, usize::MAX).await.unwrap_or_default()
}

fn without_id(body: &mut Value) {
    if let Some(fields) = body.as_object_mut() {
        fields.remove("id");
    }
}

/// Adds an image kind, which the service may do without a new version, and an unknown field.
///
/// # Source
/// S9, additive changes.
fn with_unknown_fields(body: &mut Value) {
    let Some(fields) = body.as_object_mut() else {
        return;
    };
    fields.insert("revision".to_owned(), json!({"number": 7}));
    let pack = fields
        .get_mut("result")
        .and_then(|result| result.get_mut("asset_pack"))
        .and_then(Value::as_array_mut);
    if let Some(pack) = pack {
        let twin = pack.first().cloned().unwrap_or_default();
        let mut asset = json!({"kind": "thermal", "url": "", "content_type": "image/jpeg"});
        asset["url"] = twin["url"].clone();
        pack.insert(0, asset);
    }
}

/// Replaces the measurement by another one, if there is one.
fn other_measurement(body: &mut Value, service: &Service) {
    let id = body["id"].as_str().unwrap_or_default().to_owned();
    let other = service.read(|store| {
        let others = store.measurements().iter().rev();
        let mut others = others.filter(|measurement| measurement.id != id);
        others
            .next()
            .map(|measurement| wire::measurement(store, measurement, &service.base_url))
    });
    if let Some(other) = other.filter(|_| !id.is_empty()) {
        *body = other;
    }
}
