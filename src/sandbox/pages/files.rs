//! The files that pages load: the style sheet and the icon.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::sandbox::service::Service;

pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route(
            "/assets/style.css",
            get(async || file("text/css; charset=utf-8", include_str!("style.css"))),
        )
        .route(
            "/assets/icon.svg",
            get(async || file("image/svg+xml", include_str!("icon.svg"))),
        )
}

fn file(content_type: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, content_type)], text)
}
