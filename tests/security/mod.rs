//! Secrets, TLS, proxies and hostile files.

mod hostile;
mod proxy;
mod secrets;
pub(crate) mod tls;
