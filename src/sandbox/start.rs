//! Starts a sandbox from its options.

use std::sync::Arc;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::sandbox::error::Error;
use crate::sandbox::handle::{ConnectionInfo, SandboxHandle};
use crate::sandbox::oauth;
use crate::sandbox::options::Options;
use crate::sandbox::server;
use crate::sandbox::service::Service;

/// Starts a sandbox.
///
/// # Errors
/// When an option is invalid, the address cannot be listened on, or the data cannot be used.
pub async fn start(options: Options) -> Result<SandboxHandle, Error> {
    check(&options)?;
    let address = options.listen;
    let fail = |source| Error::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(fail)?;
    let base_url = format!("http://{}", listener.local_addr().map_err(fail)?);
    let folder = options.data.clone().unwrap_or_default();
    let service = Arc::new(Service::new(options, base_url)?);
    service.provision().map_err(|_| Error::Data {
        path: folder,
        source: std::io::ErrorKind::Other.into(),
    })?;
    let (stop, stopped) = oneshot::channel::<()>();
    let router = server::router(service.clone());
    let server = tokio::spawn(async move {
        // Otherwise a small response waits for the acknowledgement of the previous one.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let until_stopped = axum::serve(listener, router).with_graceful_shutdown(async {
            let _ = stopped.await;
        });
        // The listener retries by itself, so this ends only when stopped.
        let _ = until_stopped.await;
    });
    let connection_info = announce(&service);
    Ok(SandboxHandle {
        service,
        connection_info,
        stop,
        server,
    })
}

fn check(options: &Options) -> Result<(), Error> {
    if !options.listen.ip().is_loopback() {
        return Err(Error::NotLoopback(options.listen));
    }
    if options.versions.is_empty() {
        return Err(Error::NoVersion);
    }
    let is_not_a_date = |version: &&String| version.parse::<jiff::civil::Date>().is_err();
    if let Some(version) = options.versions.iter().find(is_not_a_date) {
        return Err(Error::BadVersion(version.clone()));
    }
    let mut uris = options.redirect_uris.iter();
    match uris.find(|uri| !oauth::may_be_registered(uri)) {
        Some(uri) => Err(Error::BadRedirectUri(uri.clone())),
        None => Ok(()),
    }
}

fn announce(service: &Service) -> ConnectionInfo {
    service.read(|store| ConnectionInfo {
        base_url: service.base_url.clone(),
        service_version: service.versions.last().cloned().unwrap_or_default(),
        client_id: store.app().client_id.clone(),
        client_secret: store.app().client_secret.clone(),
        redirect_uris: store.options().redirect_uris.clone(),
        token: store
            .connection_of(0)
            .map_or_else(String::new, |(token, _)| token.to_owned()),
    })
}
