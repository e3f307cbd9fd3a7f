//! A running sandbox and a plain HTTP client for it.

use std::time::Duration;

use gutterbatch::sandbox::{self, Options, SandboxHandle};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

pub(super) use crate::support::browser::hidden;
use crate::support::http;

/// A sandbox and a client that follows no redirect and reuses no connection.
pub(super) struct Stage {
    pub(super) running: SandboxHandle,
    pub(super) client: Client,
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: reqwest::header::HeaderMap,
    pub(super) body: Value,
}

impl Answer {
    pub(super) fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// The fields that `error.errors` names.
    pub(super) fn fields(&self) -> Vec<&str> {
        let errors = self.body["error"]["errors"].as_array();
        let errors = errors.expect("a validation failure lists its fields");
        errors
            .iter()
            .map(|error| error["field"].as_str().unwrap())
            .collect()
    }

    pub(super) fn id(&self) -> &str {
        self.body["id"].as_str().expect("a measurement has an id")
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        Some(self.headers.get(name)?.to_str().unwrap())
    }
}

pub(super) fn client() -> Client {
    http()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_mins(5))
        .build()
        .unwrap()
}

pub(super) async fn stage() -> Stage {
    stage_with(Options::default()).await
}

pub(super) async fn stage_with(options: Options) -> Stage {
    Stage {
        running: sandbox::start(options).await.unwrap(),
        client: client(),
    }
}

pub(super) async fn answer(response: Response) -> Answer {
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.json().await.unwrap_or(Value::Null),
    }
}

impl Stage {
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.running.connection_info().base_url)
    }

    /// Adds the ready-made token and the announced version.
    pub(super) fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        let connection_info = self.running.connection_info();
        request
            .bearer_auth(&connection_info.token)
            .header("Service-Version", &connection_info.service_version)
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.send(self.signed(self.client.get(self.url(path))))
            .await
    }

    pub(super) async fn get_as(&self, token: &str, path: &str) -> Answer {
        let version = &self.running.connection_info().service_version;
        let request = self.client.get(self.url(path));
        self.send(
            request
                .bearer_auth(token)
                .header("Service-Version", version),
        )
        .await
    }

    pub(super) async fn create(&self, body: &Value) -> Answer {
        let request = self.client.post(self.url("/measurements"));
        self.send(self.signed(request).json(body)).await
    }

    pub(super) async fn send(&self, request: RequestBuilder) -> Answer {
        answer(request.send().await.unwrap()).await
    }

    /// Posts a form to an OAuth endpoint.
    pub(super) async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send(self.client.post(self.url(path)).form(fields))
            .await
    }

    /// The answer to a browser that an app sends to the consent page.
    pub(super) async fn authorize(&self, changes: &[(&str, &str)]) -> reqwest::Response {
        let url = self.authorize_url(changes);
        self.client.get(url).send().await.unwrap()
    }

    /// The address of the consent page, with changes to the usual parameters; an empty value leaves one out.
    pub(super) fn authorize_url(&self, changes: &[(&str, &str)]) -> String {
        let mut parameters = vec![
            (
                "client_id",
                self.running.connection_info().client_id.as_str(),
            ),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("state", STATE),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        for change in changes {
            parameters.retain(|(name, _)| *name != change.0);
            if !change.1.is_empty() {
                parameters.push(*change);
            }
        }
        let url = url::Url::parse_with_params(&self.url("/oauth/authorize"), parameters);
        url.unwrap().into()
    }

    /// Clicks on the consent page; gives the address that the browser is sent to.
    pub(super) async fn click(&self, authorize_url: &str, decision: &str) -> url::Url {
        let page = self.client.get(authorize_url).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let mut fields = hidden(&page.text().await.unwrap());
        fields.push(("decision".to_owned(), decision.to_owned()));
        let post = self.client.post(self.url("/oauth/authorize"));
        let decided = post.header("origin", self.url("")).form(&fields);
        let decided = decided.send().await.unwrap();
        assert_eq!(decided.status(), 303);
        let location = decided.headers()["location"].to_str().unwrap();
        url::Url::parse(location).unwrap()
    }

    /// A fresh code for [`VERIFIER`] and [`REDIRECT`].
    pub(super) async fn code(&self) -> String {
        let back = self.click(&self.authorize_url(&[]), "allow").await;
        query(&back, "code").expect("Allow gives a code")
    }

    /// Exchanges a code, with changes to the usual fields; an empty value leaves one out.
    pub(super) async fn exchange(&self, code: &str, changes: &[(&str, &str)]) -> Answer {
        let connection_info = self.running.connection_info();
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("client_id", &connection_info.client_id),
            ("client_secret", &connection_info.client_secret),
            ("code_verifier", VERIFIER),
        ];
        for change in changes {
            fields.retain(|(name, _)| *name != change.0);
            if !change.1.is_empty() {
                fields.push(*change);
            }
        }
        self.form("/oauth/token", &fields).await
    }
}

pub(super) const REDIRECT: &str = "http://127.0.0.1:7777/callback";
pub(super) const STATE: &str = "kept & returned=1";
/// The pair of RFC 7636, appendix B.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(super) fn query(url: &url::Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

/// A body in which everything is in order.
pub(super) fn body(external_id: &str) -> Value {
    json!({
        "address": {
            "line1": "12 Elm St", "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1", "country": "CA",
        },
        "customer": {"name": "Zoë Ng", "email": "zoe@example.com", "phone": "613-555-0142"},
        "notes": "Gate on the left.",
        "external": {"id": external_id, "url": "https://crm.example.com/1", "label": "CRM"},
    })
}
