//! The check of the account that a token belongs to, before anything else is sent.

use std::sync::PoisonError;

use rand::RngExt as _;

use crate::api::{BearerToken, Verdict};
use crate::dispatch::{DispatchError, Dispatcher};
use crate::journal::Binding;

impl Dispatcher {
    /// Requests the account that the token belongs to. Binds a new journal to that service, app and team, and otherwise
    /// checks that the journal is bound to them.
    ///
    /// # Errors
    /// [`DispatchError::Journal`] if the journal is bound to another account, and any other [`DispatchError`].
    ///
    /// # Source
    /// The section on GET /me in the service's description.
    pub async fn verify_account(&self, token: &BearerToken) -> Result<Binding, DispatchError> {
        let account = match self.me().await?.verdict {
            Verdict::Account(account) => account,
            Verdict::Exhausted { reason } => {
                return Err(DispatchError::Unreachable { rows: 1, reason });
            }
            other => unreachable!("GET /me has no such verdict: {other:?}"),
        };
        let binding = Binding {
            base_url: self.base_url(),
            client_id: account.client_id,
            app_name: account.app_name,
            team_id: account.team_id,
            team_name: account.team_name,
            connected_at: account.connected_at,
        };
        let salt = self
            .rng
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .random();
        self.journal()
            .bind(binding.clone(), token.expose(), salt)
            .await?;
        Ok(binding)
    }
}
