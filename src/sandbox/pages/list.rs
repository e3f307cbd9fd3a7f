//! The list of requests.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use maud::{Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{page, time};
use crate::sandbox::service::Service;
use crate::sandbox::store::{Measurement, Status, Store};

/// Maximum number of requests on the page; each has a page of its own, whose address the app receives.
const MAX_SHOWN_REQUESTS: usize = 500;

pub(super) async fn show(State(service): State<Arc<Service>>) -> Result<Html<String>, LogError> {
    let main = service.act(|store, _| list(store))?;
    Ok(page("Requests", "/", &main))
}

/// The newest requests.
fn list(store: &Store) -> Markup {
    let all = store.measurements();
    let older = all.len().saturating_sub(MAX_SHOWN_REQUESTS);
    html! {
        h1 { "Requests" }
        @if all.is_empty() {
            section.card {
                p { "No requests yet. Connect an app with the credentials that the sandbox printed, and let it send some." }
            }
        } @else {
            (table(all.iter().rev().take(MAX_SHOWN_REQUESTS), store))
            @if older > 0 { p.quiet { "Not shown: " (older) " older." } }
        }
    }
}

fn table<'a>(rows: impl Iterator<Item = &'a Measurement>, store: &Store) -> Markup {
    let many_teams = store.teams().len() > 1;
    html! {
        table.list {
            thead { tr {
                th scope="col" { "Customer" } th scope="col" { "Address" }
                @if many_teams { th scope="col" { "Team" } }
                th scope="col" { "External id" } th scope="col" { "Status" } th scope="col" { "Requested" }
            } }
            tbody {
                @for measurement in rows {
                    tr {
                        td.first { a href=(format!("/requests/{}", measurement.request_id)) {
                            (measurement.customer.name)
                        } }
                        td { bdi { (measurement.address.line1) } ", " bdi { (measurement.address.city) } " "
                            bdi { (measurement.address.region) } }
                        @if many_teams { td data-label="Team" { (store.teams()[measurement.team].name) } }
                        td data-label="External id" { code { (measurement.external_id().unwrap_or("–")) } }
                        td { (badge(measurement.status)) }
                        td data-label="Requested" { (time(measurement.created_at)) }
                    }
                }
            }
        }
    }
}

/// The status in words and in its color.
pub(super) fn badge(status: Status) -> Markup {
    let name = match status {
        Status::Pending => "Pending",
        Status::InProgress => "In progress",
        Status::Complete => "Complete",
        Status::Canceled => "Canceled",
    };
    html! { span class=(format!("badge {}", status.word())) { (name) } }
}
