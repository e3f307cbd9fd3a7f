//! The settings of each team: which app is connected, and how to disconnect it.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::actions::{Posted, see_other};
use crate::sandbox::pages::guard::Guard;
use crate::sandbox::pages::layout::{Here, guarded, moment, page};
use crate::sandbox::service::Service;
use crate::sandbox::world::World;

pub(super) async fn show(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, LogError> {
    let guard = Guard::of(&headers, &service.form_key);
    let done = query.as_deref() == Some("done=disconnected");
    let main = service.act(|world, _| {
        html! {
            @if done { p.message role="status" { "The app is disconnected. Its token no longer works." } }
            h1 { "Settings" }
            @for index in 0..world.teams().len() { (team(world, index, &guard)) }
        }
    })?;
    let page = page("Settings", Here::Settings, &main);
    Ok(guarded(&guard, page))
}

fn team(world: &World, index: usize, guard: &Guard) -> Markup {
    let team = &world.teams()[index];
    html! {
        section.card {
            h2 { (team.name) }
            p.quiet { "Team id " code { (team.id) } }
            h3 { "Connected apps" }
            @match world.connection_of(index) {
                Some((_, connection)) => {
                    div.line {
                        div {
                            strong { (world.settings().app_name) }
                            p.quiet { "Connected since " (moment(connection.connected_at)) }
                        }
                        form method="post" action="/settings/disconnect" {
                            (guard.field())
                            input type="hidden" name="team" value=(team.id);
                            button.danger { "Disconnect" }
                        }
                    }
                }
                None => p { "None. An app connects by sending you to its consent page." }
            }
        }
    }
}

/// # Source
/// S3, disconnect.
pub(super) async fn disconnect(
    State(service): State<Arc<Service>>,
    Posted(form): Posted,
) -> Result<Response, LogError> {
    let id = form.get("team").unwrap_or_default();
    service.act(|world, now| {
        let mut teams = world.teams().iter();
        if let Some(team) = teams.position(|team| team.id == id) {
            world.disconnect(team, now);
        }
    })?;
    Ok(see_other("/settings?done=disconnected"))
}
