//! Errors of calls without a complete response, and of setting up a client.

/// Why there is no complete response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// There was no connection, for instance because it was refused or the host is unknown. It holds the host and the
    /// cause.
    #[error("no connection to {0}")]
    Connect(String),
    /// TLS failed because of the certificate, the name or the protocol. It holds the cause.
    #[error("no secure connection: {0}")]
    Tls(String),
    /// A timeout passed.
    #[error("the service did not answer in time")]
    TimedOut,
    /// The connection ended before the response was complete. It holds the cause.
    #[error("the connection ended before the response was complete: {0}")]
    Incomplete(String),
    /// The body exceeds the limit.
    #[error("the response is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

/// Why a client cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ClientSetupError {
    /// The base address is not a URL. It holds the text.
    #[error("`{0}` is not a base address")]
    InvalidBaseUrl(String),
    /// The base address has a user name, password, query or fragment. It holds scheme and host.
    #[error("the address at {0} has a user name, a password, a query or a fragment")]
    BaseUrlParts(String),
    /// The base address is neither https nor http on loopback. It holds scheme and host.
    #[error("{0} is not safe to send a token to")]
    UnsafeBaseUrl(String),
    /// The service version is not a date in the form YYYY-MM-DD. It holds the text.
    #[error("`{0}` is not a service version")]
    InvalidVersion(String),
    /// The environment variable that names a proxy has another value. It holds the variable; the value may have a
    /// password.
    #[error("{0} is not the address of an HTTP proxy")]
    InvalidProxy(&'static str),
    /// The HTTP library cannot be initialized. It holds the cause.
    #[error("the HTTP client cannot be initialized: {0}")]
    HttpLibrary(String),
}
