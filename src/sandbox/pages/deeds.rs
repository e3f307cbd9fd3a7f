//! What a contractor does to a request: each a form of its page, each ending on that page again.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

use crate::sandbox::form::Parameters;
use crate::sandbox::pages::drawing::Drawing;
use crate::sandbox::pages::guard;
use crate::sandbox::pages::layout::notice;
use crate::sandbox::pages::numbers::Numbers;
use crate::sandbox::pages::request::{Desk, render};
use crate::sandbox::service::Service;
use crate::sandbox::world::{Customer, NotPossible, Survey, World};

pub(super) async fn open(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    _: Posted,
) -> Response {
    done(&service, &id, "opened", World::open).await
}

pub(super) async fn withdraw(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    _: Posted,
) -> Response {
    done(&service, &id, "withdrawn", World::withdraw).await
}

pub(super) async fn correct(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Posted(form): Posted,
) -> Response {
    let text = |name| {
        form.get(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let Some(name) = text("name") else {
        return notice(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Not saved",
            "A customer has a name.",
        );
    };
    let customer = Customer {
        name: name.to_owned(),
        email: text("email").map(str::to_owned),
        phone: text("phone").map(str::to_owned),
    };
    let correct = |world: &mut World, id: &str, now| world.correct(id, customer, now);
    done(&service, &id, "corrected", correct).await
}

pub(super) async fn take_numbers(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(form): Posted,
) -> Response {
    let numbers = Numbers::typed(&form);
    let taken = numbers.survey().map_err(|faults| Desk {
        numbers: Some(numbers.with_faults(faults)),
        ..Desk::default()
    });
    complete(&service, &headers, &id, taken).await
}

pub(super) async fn take_drawing(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Posted(form): Posted,
) -> Response {
    let drawing = Drawing::typed(&form);
    let taken = drawing.survey().map_err(|fault| Desk {
        drawing: Some(drawing.with_fault(fault)),
        ..Desk::default()
    });
    complete(&service, &headers, &id, taken).await
}

/// Completes the request, or shows its page again with what is wrong with the form.
async fn complete(
    service: &Service,
    headers: &HeaderMap,
    id: &str,
    taken: Result<Survey, Desk>,
) -> Response {
    match taken {
        Ok(survey) => {
            let measure = |world: &mut World, id: &str, now| world.measure(id, survey, now);
            done(service, id, "completed", measure).await
        }
        Err(desk) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            render(service, headers, id, desk, status).await
        }
    }
}

/// A form that one of our own pages posted; any other is refused before its handler runs.
pub(super) struct Posted(pub(super) Parameters);

impl FromRequest<Arc<Service>> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Response> {
        let headers = request.headers().clone();
        let body = Bytes::from_request(request, service)
            .await
            .map_err(IntoResponse::into_response)?;
        let form = Parameters::read(&body);
        if guard::holds(&headers, &service.form_key, &form) {
            return Ok(Self(form));
        }
        let title = "Nothing was changed";
        Err(notice(StatusCode::FORBIDDEN, title, guard::FOREIGN_FORM))
    }
}

/// Sends the browser on after a form, so that loading the page again repeats nothing.
pub(super) fn see(address: &str) -> Response {
    let location = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}

async fn done(
    service: &Service,
    request_id: &str,
    word: &str,
    deed: impl FnOnce(&mut World, &str, Timestamp) -> Result<(), NotPossible>,
) -> Response {
    let outcome = service.act(|world, now| {
        let measurement = world.request(request_id).ok_or(NotPossible::Unknown)?;
        let id = measurement.id.clone();
        deed(world, &id, now)
    });
    match outcome {
        Ok(Ok(())) => see(&format!("/requests/{request_id}?done={word}")),
        Ok(Err(refused)) => {
            let status = match refused {
                NotPossible::Unknown => StatusCode::NOT_FOUND,
                NotPossible::AlreadyComplete | NotPossible::Withdrawn => StatusCode::CONFLICT,
            };
            let mut text = refused.describe().to_owned();
            text[..1].make_ascii_uppercase();
            notice(status, "Nothing was changed", &(text + "."))
        }
        Err(failed) => failed.into_response(),
    }
}
