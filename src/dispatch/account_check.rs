//! The check of the account that a token belongs to, before anything else is sent.

use rand::RngExt as _;

use crate::api::BearerToken;
use crate::dispatch::{DispatchError, Dispatcher};
use crate::journal;
use crate::model::Account;

impl Dispatcher {
    /// Checks without a request that the journal is not bound to another service.
    ///
    /// # Errors
    /// [`journal::Error::OtherAccount`], and other errors of the journal.
    pub fn require_service(&self) -> Result<(), journal::Error> {
        let base_url = self.config.client.base_url().to_string();
        let bound = self.journal().binding()?;
        bound.map_or(Ok(()), |bound| bound.require_service(&base_url))
    }

    /// Requests the account that the token belongs to. Binds a new journal to that service, app and team, and otherwise
    /// checks that the journal is bound to them.
    ///
    /// # Errors
    /// [`DispatchError::Journal`] if the journal is bound to another account, and any other [`DispatchError`].
    ///
    /// # Source
    /// The section on GET /me in the service's description.
    pub async fn verify_account(&self, token: &BearerToken) -> Result<Account, DispatchError> {
        let account = self.me().await?;
        let salt = self.rng().random();
        self.journal()
            .bind(account.clone(), token.expose(), salt)
            .await?;
        Ok(account)
    }
}
