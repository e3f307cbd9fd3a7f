//! What a person sees: server-rendered pages that need no script, no build step and no other host.

pub(super) mod consent;
pub(super) mod guard;
mod layout;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;

use crate::sandbox::oauth;
use crate::sandbox::service::Service;

/// All pages, under their protection.
pub(super) fn routes() -> Router<Arc<Service>> {
    oauth::pages().layer(from_fn(layout::protect))
}
