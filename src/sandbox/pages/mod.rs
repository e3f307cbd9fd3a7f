//! What a person sees: server-rendered pages that need no build step and no other host, and whose every job can be done
//! without a script.

pub(super) mod consent;
mod deeds;
mod developer;
mod drawing;
mod files;
pub(super) mod guard;
mod layout;
mod list;
mod numbers;
mod request;
mod settings;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::{get, post};

use crate::sandbox::oauth;
use crate::sandbox::service::Service;

/// All pages, under their protection.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(list::show))
        .route("/requests/{id}", get(request::show))
        .route("/requests/{id}/open", post(deeds::open))
        .route("/requests/{id}/withdraw", post(deeds::withdraw))
        .route("/requests/{id}/customer", post(deeds::correct))
        .route("/requests/{id}/numbers", post(deeds::take_numbers))
        .route("/requests/{id}/drawing", post(deeds::take_drawing))
        .route("/settings", get(settings::show))
        .route("/settings/disconnect", post(settings::disconnect))
        .route("/developer", get(developer::show))
        .merge(files::routes())
        .merge(oauth::pages())
        .layer(from_fn(layout::protect))
}
