//! The routes put together, and what every API call passes on its way in and out.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::StreamExt as _;
use serde::Deserialize;

use crate::sandbox::api::{self, ApiResponse};
use crate::sandbox::faults::{CallSummary, Fault, inject};
use crate::sandbox::listen::ConnectionCutter;
use crate::sandbox::records::ReceivedCall;
use crate::sandbox::service::Service;
use crate::sandbox::{assets, oauth, pages};

/// The longest body that is read, in bytes; the documented limits fit many times over.
const BODY_LIMIT: usize = 1 << 20;

/// How much of a longer body is let pass by before its sender is told, in bytes.
const BODY_PATIENCE: usize = 64 << 20;

/// Everything the service answers.
pub(super) fn router(service: Arc<Service>) -> Router {
    let calls = api::routes().merge(oauth::endpoints());
    let calls = calls.layer(from_fn_with_state(service.clone(), pass));
    calls
        .merge(assets::routes())
        .merge(pages::routes())
        .fallback(unknown_path)
        .with_state(service)
}

async fn unknown_path(headers: HeaderMap) -> Response {
    let answer = || ApiResponse::not_found("nothing is at this path").into_response();
    pages::lost(&headers).unwrap_or_else(answer)
}

/// Slows a call down as told, lets it be handled, by luck or under a fault, and remembers it.
async fn pass(
    State(service): State<Arc<Service>>,
    ConnectInfo(line): ConnectInfo<ConnectionCutter>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    let Ok(body) = whole(body).await else {
        return too_long(&service, &head);
    };
    let mut call = ReceivedCall {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        status: None,
        external_id: external_id(&body),
    };
    if !service.latency.is_zero() {
        tokio::time::sleep(service.latency).await;
    }
    let request = Request::from_parts(head, Body::from(body));
    let response = match fault(&service, &call) {
        Some(fault) => {
            service.count_injected_fault();
            inject(fault, &service, &line, request, next).await
        }
        None => Some(next.run(request).await),
    };
    call.status = response.as_ref().map(|response| response.status().as_u16());
    service.remember_call(call);
    response.unwrap_or_default()
}

/// A body that is longer than any that is read, or that broke off.
struct BodyError;

/// Reads a body to its end. One that is too long is let pass by for a while, since many clients listen only once they
/// have said everything.
async fn whole(body: Body) -> Result<Bytes, BodyError> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| BodyError)?;
        length += chunk.len();
        if length <= BODY_LIMIT {
            bytes.extend_from_slice(&chunk);
        } else if length > BODY_PATIENCE {
            break;
        }
    }
    if length <= BODY_LIMIT {
        Ok(bytes.into())
    } else {
        Err(BodyError)
    }
}

fn too_long(service: &Service, head: &Parts) -> Response {
    if head.uri.path().starts_with("/oauth/") {
        oauth::too_long()
    } else {
        api::too_long(service, &head.headers).into_response()
    }
}

fn fault(service: &Service, call: &ReceivedCall) -> Option<Fault> {
    let sight = CallSummary {
        method: &call.method,
        path: &call.path,
        external_id: call.external_id.as_deref(),
    };
    service.faults()?.draw(service.seed, sight)
}

/// The external id in a body, if there is one.
fn external_id(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct BodySummary {
        external: Link,
    }
    #[derive(Deserialize)]
    struct Link {
        id: String,
    }
    let glance: BodySummary = serde_json::from_slice(body).ok()?;
    Some(glance.external.id)
}
