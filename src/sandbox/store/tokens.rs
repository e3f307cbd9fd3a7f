//! Authorization codes, and the one valid token of each team.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::sandbox::store::{App, Store};

/// How long a code is valid.
///
/// # Source
/// S2.2; S8, authorization code.
const CODE_LIFE: SignedDuration = SignedDuration::from_mins(10);

/// A connection of the app to a team.
///
/// # Source
/// S2.2.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::sandbox) struct Connection {
    pub(in crate::sandbox) team: usize,
    pub(in crate::sandbox) connected_at: Timestamp,
}

/// A code that a contractor allowed.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::sandbox) struct Grant {
    pub(in crate::sandbox) code: String,
    pub(in crate::sandbox) team: usize,
    pub(in crate::sandbox) redirect_uri: String,
    pub(in crate::sandbox) challenge: String,
    pub(in crate::sandbox) at: Timestamp,
}

/// The parameters of an exchange. `challenge` is derived from the verifier.
pub(in crate::sandbox) struct CodeExchange<'a> {
    pub(in crate::sandbox) code: &'a str,
    pub(in crate::sandbox) redirect_uri: &'a str,
    pub(in crate::sandbox) challenge: &'a str,
    /// The token to issue.
    pub(in crate::sandbox) token: String,
}

/// Why a code is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum GrantError {
    UnknownCode,
    UsedBefore,
    Expired,
    OtherRedirectUri,
    OtherVerifier,
}

impl GrantError {
    /// The `error_description`.
    pub(in crate::sandbox) fn describe(self) -> &'static str {
        match self {
            Self::UnknownCode => "the code is not one that was issued",
            Self::UsedBefore => "the code was used before; its token is revoked",
            Self::Expired => "the code is older than 10 minutes",
            Self::OtherRedirectUri => "redirect_uri differs from the one of the authorization",
            Self::OtherVerifier => "code_verifier does not match the code_challenge",
        }
    }
}

/// The app, its teams, codes and tokens. Codes are kept after use, so that a second use is recognized.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(in crate::sandbox) struct Access {
    pub(super) app: App,
    pub(super) team_ids: Vec<String>,
    /// Each with the token that it was exchanged for.
    grants: HashMap<String, (Grant, Option<String>)>,
    live: HashMap<String, Connection>,
}

impl Access {
    /// Issues a token, which replaces the team's earlier one.
    fn connect(&mut self, connection: Connection, token: String) {
        self.disconnect(connection.team);
        self.live.insert(token, connection);
    }

    fn disconnect(&mut self, team: usize) {
        self.live.retain(|_, connection| connection.team != team);
    }
}

impl Store {
    /// The connection of a token, while it is valid.
    pub(in crate::sandbox) fn connection(&self, token: &str) -> Option<&Connection> {
        self.access.live.get(token)
    }

    /// The connection of a team, with its token.
    pub(in crate::sandbox) fn connection_of(&self, team: usize) -> Option<(&str, &Connection)> {
        let mut live = self.access.live.iter();
        live.find(|(_, connection)| connection.team == team)
            .map(|(token, connection)| (token.as_str(), connection))
    }

    /// A contractor clicked Allow.
    pub(in crate::sandbox) fn grant(&mut self, grant: Grant) {
        self.change_access(|access| {
            access.grants.insert(grant.code.clone(), (grant, None));
        });
    }

    /// Connects a team without a code.
    pub(in crate::sandbox) fn connect(&mut self, team: usize, token: String, now: Timestamp) {
        let connection = Connection {
            team,
            connected_at: now,
        };
        self.change_access(|access| access.connect(connection, token));
    }

    /// Exchanges a code for a token, once.
    ///
    /// # Errors
    /// A code that is used a second time also revokes the token it gave (RFC 9700, section 2.1.1 and
    /// RFC 6749, section 4.1.2): one of the two who presented it has stolen it.
    ///
    /// # Source
    /// S4.2; S5.1; S5.3.
    pub(in crate::sandbox) fn exchange(
        &mut self,
        exchange: CodeExchange<'_>,
        now: Timestamp,
    ) -> Result<Connection, GrantError> {
        let Some((grant, used)) = self.access.grants.get(exchange.code) else {
            return Err(GrantError::UnknownCode);
        };
        if let Some(token) = used.clone() {
            self.disconnect_token(&token);
            return Err(GrantError::UsedBefore);
        }
        check(grant, &exchange, now)?;
        let connection = Connection {
            team: grant.team,
            connected_at: now,
        };
        self.change_access(|access| {
            if let Some((_, used)) = access.grants.get_mut(exchange.code) {
                *used = Some(exchange.token.clone());
            }
            access.connect(connection.clone(), exchange.token);
        });
        Ok(connection)
    }

    /// Revokes a token if it is valid.
    pub(in crate::sandbox) fn disconnect_token(&mut self, token: &str) {
        if let Some(team) = self.connection(token).map(|connection| connection.team) {
            self.disconnect(team);
        }
    }

    /// Ends the connection of a team, if there is one.
    pub(in crate::sandbox) fn disconnect(&mut self, team: usize) {
        if self.connection_of(team).is_some() {
            self.change_access(|access| access.disconnect(team));
        }
    }
}

fn check(grant: &Grant, exchange: &CodeExchange<'_>, now: Timestamp) -> Result<(), GrantError> {
    if is_expired(grant, now) {
        return Err(GrantError::Expired);
    }
    if grant.redirect_uri != exchange.redirect_uri {
        return Err(GrantError::OtherRedirectUri);
    }
    if grant.challenge != exchange.challenge {
        return Err(GrantError::OtherVerifier);
    }
    Ok(())
}

fn is_expired(grant: &Grant, now: Timestamp) -> bool {
    now.duration_since(grant.at) >= CODE_LIFE
}
