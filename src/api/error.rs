//! Every way a call can fail before there is an answer, as facts.

/// Why no answer came, or none that could be read whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No connection was made: refused, no route, no such host.
    #[error("no connection to the service: {0}")]
    Connect(String),
    /// TLS failed: certificate, name or protocol.
    #[error("no secure connection to the service: {0}")]
    Tls(String),
    /// A time-out passed.
    #[error("the service did not answer in time")]
    TimedOut,
    /// The connection broke before the answer was whole.
    #[error("the answer was cut off: {0}")]
    Incomplete(String),
    /// The body passed the limit.
    #[error("the answer was larger than {limit} bytes")]
    TooLarge {
        /// Bytes.
        limit: usize,
    },
}

/// Why there can be no client at all.
#[derive(Debug, thiserror::Error)]
pub enum ClientSetupError {
    /// The base address is no address.
    #[error("`{0}` is not a base address")]
    InvalidBaseUrl(String),
    /// Neither https nor http on loopback, or it carries a password, query or fragment.
    #[error("{0} is not safe to send a token to")]
    UnsafeBaseUrl(String),
    /// Not a date in the form YYYY-MM-DD.
    #[error("`{0}` is not a service version")]
    InvalidVersion(String),
    /// The HTTP library refused.
    #[error("the HTTP client cannot start: {0}")]
    HttpLibrary(String),
}
