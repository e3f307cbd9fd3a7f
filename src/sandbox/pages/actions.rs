//! The contractor's actions on a request: each is a form of the request's page and redirects to that page.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{REFUSED_FORM, is_from_here, notice};
use crate::sandbox::pages::{numbers, request};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::service::Service;
use crate::sandbox::store::{Customer, Store, TransitionError};

pub(super) async fn open(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    _: Posted,
) -> Result<Response, LogError> {
    perform(&service, &id, "opened", Store::open)
}

pub(super) async fn withdraw(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    _: Posted,
) -> Result<Response, LogError> {
    perform(&service, &id, "withdrawn", Store::withdraw)
}

pub(super) async fn correct(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Posted(form): Posted,
) -> Result<Response, LogError> {
    let text = |name| {
        let text = form.get(name).map(|text| text.trim().to_owned());
        text.filter(|text| !text.is_empty())
    };
    let customer = Customer {
        name: text("name").unwrap_or_default(),
        email: text("email"),
        phone: text("phone"),
    };
    if !customer.is_valid() {
        let text = "A customer has a name of at most 120 characters, and an email or a phone. What you typed is in the \
            form: go back in the browser.";
        return Ok(notice(StatusCode::UNPROCESSABLE_ENTITY, "Not saved", text));
    }
    perform(&service, &id, "corrected", |store, id, now| {
        store.correct(id, customer, now)
    })
}

/// Completes the request with the numbers of the form.
pub(super) async fn complete(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Posted(form): Posted,
) -> Result<Response, LogError> {
    let result = match numbers::parse(form) {
        Ok(result) => result,
        Err(form) => return request::refuse(&service, &id, form),
    };
    perform(&service, &id, "completed", |store, id, now| {
        store.measure(id, result, now)
    })
}

/// A form that a page of this service posted; any other is refused before its handler runs.
pub(super) struct Posted(pub(super) Parameters);

impl FromRequest<Arc<Service>> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Response> {
        let headers = request.headers().clone();
        let body = Bytes::from_request(request, service)
            .await
            .map_err(IntoResponse::into_response)?;
        if is_from_here(&headers) {
            return Ok(Self(Parameters::read(&body)));
        }
        let title = "Nothing was changed";
        Err(notice(StatusCode::FORBIDDEN, title, REFUSED_FORM))
    }
}

/// Redirects the browser after a form, so that reloading the page repeats nothing.
pub(super) fn see_other(address: &str) -> Response {
    let location = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

fn perform(
    service: &Service,
    request_id: &str,
    done: &str,
    action: impl FnOnce(&mut Store, &str, Timestamp) -> Result<(), TransitionError>,
) -> Result<Response, LogError> {
    let outcome = service.act(|store, now| {
        let measurement = store.request(request_id).ok_or(TransitionError::Unknown)?;
        let id = measurement.id.clone();
        action(store, &id, now)
    })?;
    Ok(match outcome {
        Ok(()) => see_other(&format!("/requests/{request_id}?done={done}")),
        Err(error) => {
            let status = match error {
                TransitionError::Unknown => StatusCode::NOT_FOUND,
                TransitionError::AlreadyComplete | TransitionError::Withdrawn => {
                    StatusCode::CONFLICT
                }
            };
            notice(status, "Nothing was changed", error.sentence())
        }
    })
}
