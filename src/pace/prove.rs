//! Whose token it is: GET /me, held against the journal before anything else is sent.

use std::sync::PoisonError;

use rand::RngExt as _;

use crate::api::{Token, Verdict};
use crate::journal::Binding;
use crate::pace::{Halt, Line};

impl Line {
    /// Asks whose token it is, and binds a new journal to that service, app and team, or makes sure that it is the
    /// journal's own.
    ///
    /// # Errors
    /// [`Halt::Journal`] with a foreign journal, and any other [`Halt`].
    ///
    /// # Source
    /// S4.4.
    pub async fn prove(&self, token: &Token) -> Result<Binding, Halt> {
        let account = match self.me().await?.verdict {
            Verdict::Account(account) => account,
            Verdict::Exhausted { reason } => return Err(Halt::Unreachable { rows: 1, reason }),
            other => unreachable!("GET /me never ends so: {other:?}"),
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
