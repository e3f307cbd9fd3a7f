//! The list of requests.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Html;
use maud::{Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{page, time};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::service::Service;
use crate::sandbox::store::{Measurement, Status, Store};

/// Maximum number of requests on one page.
const PAGE_SIZE: usize = 500;

/// The requests, from the newest; the query `page` counts from 1.
pub(super) async fn show(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
) -> Result<Html<String>, LogError> {
    let query = Parameters::read(query.unwrap_or_default().as_bytes());
    let number = query.get("page").and_then(|page| page.parse().ok());
    let main = service.act(|store, _| list(store, number.unwrap_or(1)))?;
    Ok(page("Requests", "/", &main))
}

/// One page of the requests; the last one, if there are fewer.
fn list(store: &Store, number: usize) -> Markup {
    let all = store.measurements();
    let pages = all.len().div_ceil(PAGE_SIZE);
    let number = number.clamp(1, pages.max(1));
    let newer = (number - 1) * PAGE_SIZE;
    html! {
        h1 { "Requests" }
        @if all.is_empty() {
            section.card {
                p { "No requests yet. Connect an app with the credentials that the sandbox printed, and let it send some." }
            }
        } @else {
            (table(all.iter().rev().skip(newer).take(PAGE_SIZE), store))
            @if pages > 1 {
                nav.line aria-label="Pages" {
                    @if number > 1 { a href=(format!("/?page={}", number - 1)) rel="prev" { "Newer" } }
                    span.quiet { "Page " (number) " of " (pages) ", " (all.len()) " requests" }
                    @if number < pages { a href=(format!("/?page={}", number + 1)) rel="next" { "Older" } }
                }
            }
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
