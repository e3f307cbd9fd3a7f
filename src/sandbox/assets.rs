//! The pictures of complete measurements, public and at addresses that never change.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::sandbox::api::ApiResponse;
use crate::sandbox::roof;
use crate::sandbox::service::Service;
use crate::sandbox::store::{ImageState, Store};

/// # Source
/// S2.4, `asset_pack` rules.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new().route("/assets/{measurement}/{picture}", get(picture))
}

async fn picture(
    State(service): State<Arc<Service>>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let found = service.act(|store, _| find(store, &id, &name));
    let file = match found {
        Ok(Some(file)) => file,
        Ok(None) => return ApiResponse::not_found("no picture has this address").into_response(),
        Err(failed) => return ApiResponse::from(failed).into_response(),
    };
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, file).into_response()
}

/// The picture of a measurement, if it has one of this kind; all kinds share it.
fn find(store: &Store, id: &str, file_name: &str) -> Option<Vec<u8>> {
    let result = store.measurement(id)?.result.as_ref()?;
    let kind = file_name.strip_suffix(".png")?;
    let listed = result.kinds.iter().any(|listed| listed == kind);
    (listed && result.images == ImageState::Ready).then(|| roof::draw(result.roof))
}
