//! The page of one request: its customer, address, result, and the forms of the contractor.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{notice, page, time};
use crate::sandbox::pages::list::badge;
use crate::sandbox::pages::numbers::NumbersForm;
use crate::sandbox::parameters::Parameters;
use crate::sandbox::service::Service;
use crate::sandbox::store::{
    Customer, Figures, ImageState, MeasuredResult, Measurement, Status, Store, simulated_result,
};

/// What the page shows besides the request itself.
#[derive(Debug)]
struct RequestView {
    /// The action that brought the browser here, as in the query `done`.
    done: Option<String>,
    /// Plausible numbers for the form, or those that were typed and not saved.
    numbers: Option<NumbersForm>,
}

/// # Source
/// S2.4, request.url.
pub(super) async fn show(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, LogError> {
    let query = Parameters::read(query.unwrap_or_default().as_bytes());
    let numbers = match query.get("fill") {
        Some("plausible") => service.act(|store, _| {
            let measurement = store.request(&id)?;
            let result = simulated_result(service.seed, &measurement.id);
            Some(NumbersForm::from(&result.figures))
        })?,
        _ => None,
    };
    let view = RequestView {
        done: query.get("done").map(str::to_owned),
        numbers,
    };
    render(&service, &id, &view)
}

/// The page with the form that was not saved, as it was typed.
pub(super) fn refuse(service: &Service, id: &str, form: NumbersForm) -> Result<Response, LogError> {
    let view = RequestView {
        done: None,
        numbers: Some(form),
    };
    let page = render(service, id, &view)?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

fn render(service: &Service, id: &str, view: &RequestView) -> Result<Response, LogError> {
    let shown = service.act(|store, _| {
        let measurement = store.request(id)?;
        let main = content(store, measurement, view);
        Some((measurement.customer.name.clone(), main))
    })?;
    Ok(match shown {
        Some((customer, main)) => page(&customer, "/", &main).into_response(),
        None => notice(
            StatusCode::NOT_FOUND,
            "No such request",
            "No request has this address.",
        ),
    })
}

impl RequestView {
    /// What became of the action, in words, if it is still so: the page may be loaded again later.
    fn message(&self, status: Status) -> Option<&'static str> {
        match (self.done.as_deref()?, status) {
            ("opened", Status::InProgress) => {
                Some("The request is open. Fill in the numbers below.")
            }
            ("completed", Status::Complete) => {
                Some("The numbers are saved. The app can read them now.")
            }
            ("withdrawn", Status::Canceled) => Some("The request is canceled."),
            ("corrected", _) => Some("The customer is corrected."),
            _ => None,
        }
    }
}

fn content(store: &Store, measurement: &Measurement, view: &RequestView) -> Markup {
    html! {
        p.crumb { a href="/" { "Requests" } }
        @if let Some(message) = view.message(measurement.status) { p.message role="status" { (message) } }
        @if view.numbers.as_ref().is_some_and(NumbersForm::has_errors) { p.message.refused role="alert" {
            "Nothing was saved. " a href="#numbers" { "Correct the marked fields." }
        } }
        div.title { h1 { (measurement.customer.name) } (badge(measurement.status)) }
        (facts(store, measurement))
        @if let Some(result) = &measurement.result { (results(measurement, result)) }
        @match measurement.status {
            Status::Pending => (pending(measurement)),
            Status::InProgress => (in_progress(measurement, view)),
            Status::Complete => details.card open[view.numbers.is_some()] {
                summary { "Correct the numbers" }
                (numbers(measurement, view))
            },
            Status::Canceled => p { "This request was canceled. It cannot be opened again." }
        }
        (correction(measurement))
    }
}

fn facts(store: &Store, measurement: &Measurement) -> Markup {
    let address = &measurement.address;
    let customer = &measurement.customer;
    html! {
        section.card {
            dl {
                dt { "Address" }
                dd { bdi { (address.line1) } @if let Some(unit) = &address.line2 { ", " bdi { (unit) } } br;
                    bdi { (address.city) } ", " bdi { (address.region) } " " bdi { (address.postal_code) } br;
                    (address.country.name()) }
                dt { "Geocoded as" }
                dd { bdi { (measurement.place.formatted) } br;
                    span.quiet { (measurement.place.lat) ", " (measurement.place.lng) } }
                dt { "Customer" }
                dd { bdi { (customer.name) }
                    @for contact in customer.email.iter().chain(&customer.phone) { br; bdi { (contact) } } }
                @if let Some(notes) = &measurement.notes { dt { "Notes" } dd.notes { (notes) } }
                @if let Some(external) = &measurement.external {
                    dt { "External id" }
                    dd {
                        @if let Some(id) = &external.id { code { bdi { (id) } } " " }
                        @if let Some(url) = &external.url {
                            a href=(url) rel="noopener noreferrer" target="_blank" {
                                "Open " bdi { (external.label.as_deref().unwrap_or(&store.options().app_name)) }
                            }
                        }
                    }
                }
                dt { "Team" } dd { (store.teams()[measurement.team].name) }
                dt { "Ids" } dd { code.block { (measurement.request_id) } code.block { (measurement.id) } }
                dt { "Requested" } dd { (time(measurement.created_at)) }
                @if let Some(at) = measurement.completed_at { dt { "Completed" } dd { (time(at)) } }
            }
        }
    }
}

fn results(measurement: &Measurement, result: &MeasuredResult) -> Markup {
    let size = |size: Option<u8>| size.map_or_else(|| "–".to_owned(), |size| size.to_string());
    let inches =
        |size: Option<u8>| size.map_or_else(|| "–".to_owned(), |size| format!("{size} in"));
    let Figures {
        gutter_length_ft,
        gutter_size_in,
        corner_count,
        downspouts,
        installer_message,
    } = &result.figures;
    html! {
        section.card {
            h2 { "Result" }
            dl.figures {
                div { dt { "Gutter" } dd { (gutter_length_ft.decimal()) " ft" } }
                div { dt { "Size" } dd { (inches(*gutter_size_in)) } }
                div { dt { "Corners" } dd { (corner_count) } }
                div { dt { "Downspouts" } dd { (downspouts.len()) } }
                div { dt { "Downspout length" } dd { (result.figures.downspout_length().decimal()) " ft" } }
            }
            @if let Some(message) = installer_message { p.notes { (message) } }
            @if !downspouts.is_empty() {
                table.plain {
                    thead { tr { th scope="col" { "Downspout" } th scope="col" { "Length (ft)" }
                        th scope="col" { "Floors" } th scope="col" { "Size (in)" } } }
                    tbody { @for (index, spout) in downspouts.iter().enumerate() {
                        tr { td { (index + 1) } td { (spout.length_ft.decimal()) } td { (spout.floors) }
                            td { (size(spout.size_in)) } }
                    } }
                }
            }
            @if result.images == ImageState::Ready {
                @if let Some(kind) = result.kinds.first() {
                    img.picture src=(format!("/assets/{}/{}.png", measurement.id, kind))
                        alt="The roof from above with its gutters and downspouts" width="480" height="360";
                }
            } @else { p.quiet { "The pictures are still being produced." } }
        }
    }
}

fn pending(measurement: &Measurement) -> Markup {
    html! {
        section.card {
            h2 { "Not started" }
            div.actions {
                (action(measurement, "open", &html! { button.primary { "Open the request" } }))
                (withdrawal(measurement))
            }
        }
    }
}

fn in_progress(measurement: &Measurement, view: &RequestView) -> Markup {
    html! {
        section.card { h2 { "Numbers" } (numbers(measurement, view)) }
        section.card { h2 { "Withdraw" } (withdrawal(measurement)) }
    }
}

/// The form for the numbers, filled in with plausible or with the known ones.
fn numbers(measurement: &Measurement, view: &RequestView) -> Markup {
    let result = measurement.result.as_ref();
    let known = result.map(|result| NumbersForm::from(&result.figures));
    let known = known.unwrap_or_default();
    let save = match result {
        Some(_) => "Save these numbers",
        None => "Complete with these numbers",
    };
    html! {
        form.fill method="get" action=(format!("/requests/{}", measurement.request_id)) {
            button name="fill" value="plausible" { "Fill in plausible numbers" }
        }
        div #numbers {
            (action(measurement, "numbers", &html! {
                (view.numbers.as_ref().unwrap_or(&known).fields())
                button.primary { (save) }
            }))
        }
    }
}

fn withdrawal(measurement: &Measurement) -> Markup {
    action(
        measurement,
        "withdraw",
        &html! { button.danger { "Withdraw the request" } },
    )
}

/// # Source
/// S2.4: the contractor may correct the customer.
fn correction(measurement: &Measurement) -> Markup {
    let customer = &measurement.customer;
    html! {
        details.card {
            summary { "Correct the customer" }
            (action(measurement, "customer", &html! {
                div.grid {
                    label { "Name" input name="name" required maxlength=(Customer::MAX_NAME) value=(customer.name) autocomplete="off"; }
                    label { "Email" input name="email" value=[customer.email.as_ref()] autocomplete="off"; }
                    label { "Phone" input name="phone" value=[customer.phone.as_ref()] autocomplete="off"; }
                }
                button { "Save" }
            }))
        }
    }
}

fn action(measurement: &Measurement, name: &str, fields: &Markup) -> Markup {
    html! {
        form method="post" action=(format!("/requests/{}/{name}", measurement.request_id)) {
            (fields)
        }
    }
}
