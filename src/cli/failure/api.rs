//! Messages for clients that cannot be set up.

use crate::api::{BaseUrl, ClientSetupError};
use crate::cli::{CommandError, ErrorKind};

impl From<ClientSetupError> for CommandError {
    fn from(error: ClientSetupError) -> Self {
        match error {
            ClientSetupError::InvalidBaseUrl(ref text) => {
                let hint = match with_scheme(text) {
                    Some(address) => format!("write {address}"),
                    None => "give the service's address, for instance https://api.example.com".to_owned(),
                };
                Self::new(ErrorKind::Settings, error.to_string()).hinted(hint)
            }
            ClientSetupError::BaseUrlParts(ref address) => Self::new(ErrorKind::UnsafeAddress, error.to_string())
                .hinted(format!("give the address without them, as {address} with its port and path")),
            ClientSetupError::UnsafeBaseUrl(_) => Self::new(ErrorKind::UnsafeAddress, error.to_string())
                .hinted("use an https address; http is accepted for this machine only"),
            ClientSetupError::InvalidVersion(_) => {
                Self::new(ErrorKind::Settings, error.to_string()).hinted("give a date, for instance 2026-01-31")
            }
            ClientSetupError::InvalidProxy(variable) => Self::new(ErrorKind::Settings, error.to_string())
                .hinted(format!("give an address, for instance http://proxy.example.com:3128, or unset {variable}")),
            ClientSetupError::HttpLibrary(_) => Self::new(ErrorKind::File, error.to_string())
                .hinted("install the system's root certificates (package ca-certificates), or name a file with certificates in SSL_CERT_FILE"),
        }
    }
}

/// An address that only lacks its scheme, with it: `http` for this machine, otherwise `https`.
fn with_scheme(text: &str) -> Option<String> {
    let is_address = text.contains(['.', ':']) && !text.contains("://");
    let mut addresses = ["http", "https"]
        .map(|scheme| format!("{scheme}://{text}"))
        .into_iter();
    addresses.find(|address| is_address && address.parse::<BaseUrl>().is_ok())
}
