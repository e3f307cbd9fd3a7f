//! OAuth without the consent page: the authorization request, the exchange of a code, and revocation.

mod authorization;
mod form;
mod redirect;
mod revoke;
mod token;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;

pub(super) use authorization::{AuthorizationError, AuthorizationRequest, check, denied};
use form::OauthError;
pub(super) use redirect::may_be_registered;

use crate::sandbox::service::Service;

/// The server-side endpoints.
///
/// # Source
/// S4.2; S4.3.
pub(super) fn endpoints() -> Router<Arc<Service>> {
    Router::new()
        .route("/oauth/token", post(token::exchange))
        .route("/oauth/revoke", post(revoke::revoke))
        .method_not_allowed_fallback(only_post)
}

async fn only_post() -> OauthError {
    let description = "this endpoint takes POST only";
    OauthError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "invalid_request",
        description,
    )
}
