//! The settings of each team: the connected app and the button to disconnect it.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{Html, Response};
use maud::{Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::actions::{Posted, see_other};
use crate::sandbox::pages::layout::{page, time};
use crate::sandbox::service::Service;
use crate::sandbox::store::Store;

pub(super) async fn show(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
) -> Result<Html<String>, LogError> {
    let done = query.as_deref() == Some("done=disconnected");
    let main = service.act(|store, _| {
        html! {
            @if done { p.message role="status" { "The app is disconnected. Its token no longer works." } }
            h1 { "Settings" }
            @for index in 0..store.teams().len() { (team(store, index)) }
        }
    })?;
    Ok(page("Settings", "/settings", &main))
}

fn team(store: &Store, index: usize) -> Markup {
    let team = &store.teams()[index];
    html! {
        section.card {
            h2 { (team.name) }
            p.quiet { "Team id " code { (team.id) } }
            h3 { "Connected apps" }
            @match store.connection_of(index) {
                Some((_, connection)) => {
                    div.line {
                        div {
                            strong { (store.options().app_name) }
                            p.quiet { "Connected since " (time(connection.connected_at)) }
                        }
                        form method="post" action="/settings/disconnect" {
                            input type="hidden" name="team" value=(team.id);
                            button.danger { "Disconnect" }
                        }
                    }
                }
                None => p { "None. An app is connected through its consent page." }
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
    service.act(|store, _| {
        let mut teams = store.teams().iter();
        if let Some(team) = teams.position(|team| team.id == id) {
            store.disconnect(team);
        }
    })?;
    Ok(see_other("/settings?done=disconnected"))
}
