//! Pictures of measured roofs, public and at addresses that never change.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::sandbox::api::Answer;
use crate::sandbox::roof::{self, Kind};
use crate::sandbox::service::Service;
use crate::sandbox::world::{Pictures, Survey, World};

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
    let (kind, survey) = match found {
        Ok(Some(found)) => found,
        Ok(None) => return Answer::not_found("no picture has this address").into_response(),
        Err(failed) => return Answer::from(failed).into_response(),
    };
    let file = roof::draw(kind, &survey.roof, survey.gutter_length);
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, file).into_response()
}

fn find(world: &World, id: &str, file_name: &str) -> Option<(Kind, Survey)> {
    let survey = world.measurement(id)?.survey.as_ref()?;
    let kind = file_name.strip_suffix(".png")?;
    let kind = survey.kinds.iter().find(|known| known.word() == kind)?;
    (survey.pictures == Pictures::Ready).then(|| (*kind, survey.clone()))
}
