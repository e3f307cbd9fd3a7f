//! The list of requests, with search and paging.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Html;
use maud::{Markup, html};
use url::form_urlencoded::Serializer;

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{NavItem, page, time};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::service::Service;
use crate::sandbox::store::{Measurement, Status, Store};

/// Requests on one page.
const PAGE: usize = 25;

/// The search and the page of a list.
#[derive(Debug, Default)]
struct Filter {
    search: String,
    /// Counted from 1.
    page: usize,
}

pub(super) async fn show(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
) -> Result<Html<String>, LogError> {
    let filter = Filter::read(&query.unwrap_or_default());
    let main = service.act(|store, _| list(store, &filter))?;
    Ok(page("Requests", NavItem::Requests, &main))
}

impl Filter {
    fn read(query: &str) -> Self {
        let parameters = Parameters::read(query.as_bytes());
        let page = parameters.get("page").and_then(|page| page.parse().ok());
        Self {
            search: parameters.get("q").unwrap_or_default().trim().to_owned(),
            page: page.unwrap_or(1).max(1),
        }
    }

    fn link(&self, page: usize) -> String {
        let mut query = Serializer::new(String::new());
        if !self.search.is_empty() {
            query.append_pair("q", &self.search);
        }
        query.append_pair("page", &page.to_string());
        format!("/?{}", query.finish())
    }

    fn finds(&self, measurement: &Measurement) -> bool {
        let needle = self.search.to_lowercase();
        let address = &measurement.address;
        let places = [
            measurement.customer.name.as_str(),
            &address.line1,
            &address.city,
            &address.region,
            &address.postal_code,
            measurement.external_id().unwrap_or_default(),
            &measurement.id,
            &measurement.request_id,
        ];
        places
            .iter()
            .any(|place| place.to_lowercase().contains(&needle))
    }
}

fn list(store: &Store, filter: &Filter) -> Markup {
    let found = store.measurements().iter().rev();
    let shown: Vec<&Measurement> = found
        .filter(|measurement| filter.finds(measurement))
        .collect();
    let pages = shown.len().div_ceil(PAGE).max(1);
    let current = filter.page.min(pages);
    let rows = shown.iter().skip((current - 1) * PAGE).take(PAGE);
    html! {
        h1 { "Requests" }
        form.search method="get" action="/" role="search" {
            label.hidden for="q" { "Search" }
            input #q type="search" name="q" value=(filter.search) placeholder="Name, address or id";
            button { "Search" }
        }
        @if shown.is_empty() {
            (nothing(store, filter))
        } @else {
            (table(rows.copied(), store))
            (paging(filter, current, pages))
        }
    }
}

fn nothing(store: &Store, filter: &Filter) -> Markup {
    html! {
        section.card {
            @if store.measurements().is_empty() {
                p { "No requests yet. Connect an app with the credentials that the sandbox printed, and let it send some." }
            } @else {
                p { "No request matches." }
                @if !filter.search.is_empty() { p { a href="/" { "Show all requests" } } }
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

fn paging(filter: &Filter, current: usize, pages: usize) -> Markup {
    html! {
        @if pages > 1 {
            nav.paging aria-label="Pages" {
                @if current > 1 {
                    a href=(filter.link(current - 1)) rel="prev" { "Newer" }
                }
                span { "Page " (current) " of " (pages) }
                @if current < pages {
                    a href=(filter.link(current + 1)) rel="next" { "Older" }
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
