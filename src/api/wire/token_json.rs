//! The token response. Because it contains the token, its errors show no part of the text.

use serde::Deserialize;

use crate::api::BearerToken;
use crate::api::wire::WireError;
use crate::model::Team;

/// A new connection, from the token endpoint.
///
/// # Source
/// S2.2.
#[derive(Clone, Debug)]
pub struct TokenGrant {
    /// The bearer token. The team's earlier token is no longer valid.
    pub token: BearerToken,
    /// The team.
    pub team: Team,
    /// When the team connected the app; RFC 3339, as the service wrote it.
    pub connected_at: String,
}

#[derive(Deserialize)]
struct GrantJson {
    access_token: String,
    token_type: String,
    team: Team,
    connected_at: String,
}

/// Parses a token response. The case of `token_type` does not matter (RFC 6749 section 5.1).
pub(in crate::api) fn grant(json: &str) -> Result<TokenGrant, WireError> {
    // The parser's message may quote the token, so only its position is used.
    let json: GrantJson = serde_json::from_str(json)
        .map_err(|error| WireError(format!("line {}, column {}", error.line(), error.column())))?;
    if !json.token_type.eq_ignore_ascii_case("bearer") {
        return Err(WireError("its token is not a bearer token".to_owned()));
    }
    let token = BearerToken::new(&json.access_token).ok_or_else(|| {
        WireError("its token has characters that a header does not allow".to_owned())
    })?;
    Ok(TokenGrant {
        token,
        team: json.team,
        connected_at: json.connected_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(token: &str, kind: &str) -> String {
        format!(
            r#"{{"access_token":"{token}","token_type":"{kind}","team":{{"id":"t1","name":"T"}},
                "connected_at":"2026-01-02T03:04:05Z"}}"#
        )
    }

    #[test]
    fn a_grant_reads_whatever_the_case_of_its_type() {
        for kind in ["bearer", "Bearer", "BEARER"] {
            assert_eq!(grant(&json("abc", kind)).unwrap().token.expose(), "abc");
        }
    }

    #[test]
    fn a_text_that_is_no_grant_is_refused_without_being_quoted() {
        for text in [
            json("s3cret", "mac"),
            json("s3 cret", "bearer"),
            r#"{"access_token":"s3cret"}"#.to_owned(),
            r#"{"access_token":"s3cret","token_type":["s3cret"]}"#.to_owned(),
            "s3cret".to_owned(),
        ] {
            let error = grant(&text).unwrap_err();
            assert!(!error.to_string().contains("s3"), "{error}");
        }
    }
}
