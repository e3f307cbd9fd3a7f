//! The pictures of complete measurements, public and at addresses that never change.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::sandbox::api::Answer;
use crate::sandbox::roof;
use crate::sandbox::service::Service;
use crate::sandbox::world::{Pictures, World};

/// # Source
/// S2.4, `asset_pack` rules.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new().route("/assets/{measurement}/{picture}", get(picture))
}

async fn picture(
    State(service): State<Arc<Service>>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let found = service.act(|world, _| find(world, &id, &name));
    let file = match found {
        Ok(Some(file)) => file,
        Ok(None) => return Answer::not_found("no picture has this address").into_response(),
        Err(failed) => return Answer::from(failed).into_response(),
    };
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, file).into_response()
}

/// The picture of a measurement, if it has one of this kind; all kinds share it.
fn find(world: &World, id: &str, file_name: &str) -> Option<Vec<u8>> {
    let survey = world.measurement(id)?.survey.as_ref()?;
    let kind = file_name.strip_suffix(".png")?;
    let listed = survey.kinds.iter().any(|listed| listed.word() == kind);
    (listed && survey.pictures == Pictures::Ready).then(|| {
        let (length, corners) = (survey.gutter_length, survey.corners);
        roof::draw(&survey.roof, length, corners, survey.downspouts.len())
    })
}
