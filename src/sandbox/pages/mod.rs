//! The pages for a browser: rendered by the server, without scripts and without files of other hosts.

mod actions;
mod authorize;
mod consent;
mod layout;
mod list;
mod numbers;
mod request;
mod settings;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::sandbox::service::Service;

/// All pages and the files that they load, with their security headers.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(list::show))
        .route("/requests/{id}", get(request::show))
        .route("/requests/{id}/open", post(actions::open))
        .route("/requests/{id}/withdraw", post(actions::withdraw))
        .route("/requests/{id}/customer", post(actions::correct))
        .route("/requests/{id}/numbers", post(actions::complete))
        .route("/settings", get(settings::show))
        .route("/settings/disconnect", post(settings::disconnect))
        .route(
            "/oauth/authorize",
            get(authorize::show).post(authorize::decide),
        )
        .route(
            "/assets/style.css",
            get(async || file("text/css; charset=utf-8", include_str!("style.css"))),
        )
        .route(
            "/assets/icon.svg",
            get(async || file("image/svg+xml", include_str!("icon.svg"))),
        )
        .layer(from_fn(layout::protect))
}

fn file(content_type: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, content_type)], text)
}

/// The page for an unknown address; `None` where the client does not accept HTML.
pub(super) fn not_found(headers: &HeaderMap) -> Option<Response> {
    let accepted = headers.get(header::ACCEPT)?.to_str().ok()?;
    accepted.contains("text/html").then(|| {
        let text = "There is no page at this address.";
        let page = layout::notice(StatusCode::NOT_FOUND, "Page not found", text);
        layout::protected(page)
    })
}
