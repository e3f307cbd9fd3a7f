//! Observation of the OAuth calls, for a log of requests.

use std::fmt;
use std::sync::Arc;

use crate::api::{HttpResponse, TransportError};

/// Called after a call, with its status, or with the reason why there is no response.
pub type CallEnd = Box<dyn FnOnce(Result<u16, String>) + Send>;

/// Called with the path of a call before it is sent. It never sees a body.
#[derive(Clone)]
pub struct CallObserver(Arc<dyn Fn(&'static str) -> CallEnd + Send + Sync>);

impl CallObserver {
    /// Creates an observer from a function.
    pub fn new(start: impl Fn(&'static str) -> CallEnd + Send + Sync + 'static) -> Self {
        Self(Arc::new(start))
    }

    /// Observes a POST request to `path`.
    pub(super) async fn observe(
        &self,
        path: &'static str,
        call: impl Future<Output = Result<HttpResponse, TransportError>>,
    ) -> Result<HttpResponse, TransportError> {
        let end = (self.0)(path);
        let result = call.await;
        end(match &result {
            Ok(response) => Ok(response.status),
            Err(error) => Err(error.to_string()),
        });
        result
    }
}

impl Default for CallObserver {
    /// Observes nothing.
    fn default() -> Self {
        Self::new(|_| Box::new(|_| ()))
    }
}

impl fmt::Debug for CallObserver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallObserver")
    }
}
