//! The page for developers: credentials, redirect URIs, and the commands to connect.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use maud::html;

use crate::sandbox::log::LogError;
use crate::sandbox::pages::layout::{NavItem, page};
use crate::sandbox::service::Service;

/// # Source
/// S2.1; S8; S9.
pub(super) async fn show(State(service): State<Arc<Service>>) -> Result<Html<String>, LogError> {
    let versions = service.versions.join(", ");
    let base_url = &service.base_url;
    let main = service.act(|store, _| {
        let (app, settings) = (store.app(), store.settings());
        html! {
            h1 { "Developer" }
            section.card {
                h2 { (settings.app_name) }
                dl {
                    dt { "Base address" } dd { code { (base_url) } }
                    dt { "Client id" } dd { code { (app.client_id) } }
                    dt { "Client secret" }
                    dd { details { summary { "Show" } code { (app.client_secret) } } }
                    dt { "Redirect URIs" }
                    dd { @for uri in &settings.redirect_uris { code.block { (uri) } } }
                    dt { "Versions" } dd { code { (versions) } }
                    dt { "Quota" } dd { code { (settings.rate) } " per team" }
                }
                p.quiet { "Local redirect URIs match on any port, all others exactly. The real service shows the secret "
                    "once; the sandbox shows it always." }
            }
            section.card {
                h2 { "Connect from a terminal" }
                pre tabindex="0" { code {
                    "export GUTTERBATCH_BASE_URL=" (base_url) "\n"
                    "export GUTTERBATCH_SERVICE_VERSION=" (service.versions.last().map_or("", String::as_str)) "\n"
                    "export GUTTERBATCH_CLIENT_ID=" (app.client_id) "\n"
                    "gutterbatch connect --profile sandbox"
                } }
            }
        }
    })?;
    Ok(page("Developer", NavItem::Developer, &main))
}
