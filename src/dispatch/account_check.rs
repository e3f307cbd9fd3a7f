//! The check of the account that a token belongs to, before anything else is sent.

use rand::RngExt as _;

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

    /// Whether the journal is bound to the account of the token.
    ///
    /// # Errors
    /// Errors of the journal.
    pub fn is_verified(&self) -> Result<bool, journal::Error> {
        let token = self.config.client.token();
        self.journal().has_verified_token(token.expose())
    }

    /// Requests the account that the token belongs to. Binds a new journal to that service, app and team, and otherwise
    /// checks that the journal is bound to them.
    ///
    /// # Errors
    /// [`DispatchError::Journal`] if the journal is bound to another account, and any other [`DispatchError`].
    ///
    /// # Source
    /// S4.4.
    pub async fn verify_account(&self) -> Result<Account, DispatchError> {
        let account = self.me().await?;
        let (token, salt) = (self.config.client.token(), self.rng().random());
        self.journal()
            .bind(account.clone(), token.expose(), salt)
            .await?;
        Ok(account)
    }
}
