//! The router, and the middleware for calls of the API and of the OAuth endpoints.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

use crate::sandbox::api::{self, ApiResponse};
use crate::sandbox::faults::{inject, no_response};
use crate::sandbox::received_call::ReceivedCall;
use crate::sandbox::service::Service;
use crate::sandbox::{assets, oauth, pages, validation};

/// The maximum length of a body in bytes, far beyond what the documented limits allow: a client may read the response only
/// after it has sent everything.
const BODY_LIMIT: usize = 64 << 20;

/// All routes of the service.
pub(super) fn router(service: Arc<Service>) -> Router {
    let calls = api::routes().merge(oauth::endpoints());
    let calls = calls
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(service.clone(), pass));
    calls
        .merge(assets::routes())
        .merge(pages::routes())
        .fallback(unknown_path)
        .with_state(service)
}

async fn unknown_path(headers: HeaderMap) -> Response {
    let answer = || ApiResponse::not_found("nothing is at this path").into_response();
    pages::not_found(&headers).unwrap_or_else(answer)
}

/// Adds the latency, injects a fault if one is due, and records the call.
async fn pass(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let mut call = ReceivedCall {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        status: None,
        external_id: serde_json::from_slice(&body)
            .ok()
            .and_then(|body| validation::external_id(&body).map(str::to_owned)),
    };
    if !service.latency.is_zero() {
        tokio::time::sleep(service.latency).await;
    }
    let request = Request::from_parts(head, Body::from(body));
    let faults = service.faults();
    let fault = faults.and_then(|faults| faults.fault_for(service.seed, &call));
    let response = match fault {
        Some(fault) => {
            service.injected_faults.fetch_add(1, Ordering::Relaxed);
            inject(fault, &service, request, next).await
        }
        None => Some(next.run(request).await),
    };
    call.status = response.as_ref().map(|response| response.status().as_u16());
    service.remember_call(call);
    response.unwrap_or_else(no_response)
}
