//! The client, judged by what it sends and by what it makes of an answer.

use std::collections::BTreeSet;
use std::time::Duration;

use gutterbatch::api::{
    ApiCall, ApiClient, Attempt, BaseUrl, BearerToken, ClientSecret, FatalResponse, OauthApp,
    OauthClient, OauthError, PendingAuthorization, Timeouts, Verdict, verdict,
};
use gutterbatch::model::{CreationStatus, Measurement, Request, ResponseMeaning};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::contract::{Asked, Example};
use crate::support::{Canned, canned};

const VERSION: &str = "2026-01-15";
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_mins(5),
    call: Duration::from_mins(5),
};

/// What the client makes of an example's answer, in words.
pub(super) fn understood(example: &Example) -> String {
    let answer = &example.answer;
    let headers: Vec<String> = answer
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let status = format!("{} -", answer.status);
    let answer = canned::answer(&status, &headers.concat(), &answer.body.to_string());
    let service = Canned::answering(move |_| answer.clone());
    let base_url = service.url().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let understood = if example.request.form.is_some() {
        runtime.block_on(exchange(base_url))
    } else {
        runtime.block_on(call(base_url, &example.request))
    };
    assert_sent(&service.heard()[0], &example.request);
    understood
}

async fn exchange(base_url: BaseUrl) -> String {
    let app = OauthApp {
        client_id: "app".to_owned(),
        client_secret: ClientSecret::new("secret").unwrap(),
    };
    let oauth = OauthClient::new(base_url, VERSION.parse().unwrap(), TIMEOUTS).unwrap();
    let consent =
        PendingAuthorization::new("http://127.0.0.1:1/callback".to_owned(), [1; 32], [2; 32]);
    match oauth.exchange(&app, &consent, "code").await {
        Ok(grant) => format!("granted to {}", grant.team.name),
        Err(OauthError::Refused { error, .. }) => format!("refused: {error}"),
        Err(other) => other.to_string(),
    }
}

async fn call(base_url: BaseUrl, asked: &Asked) -> String {
    let token = BearerToken::new("token").unwrap();
    let client = ApiClient::new(base_url, VERSION.parse().unwrap(), token, TIMEOUTS).unwrap();
    let request = asked.body.as_ref().map(request);
    let call = match (&request, asked.path.strip_prefix("/measurements/")) {
        (Some(request), _) => ApiCall::Create(request),
        (None, Some(measurement_id)) => ApiCall::Read {
            measurement_id,
            external_id: "house-41",
        },
        (None, None) => ApiCall::Me,
    };
    let outcome = client.send(call).await;
    let attempt = Attempt {
        number: 1,
        ended_at: "2026-04-04T00:00:00Z".parse().unwrap(),
    };
    told(&verdict(
        call,
        &outcome,
        attempt,
        &mut StdRng::seed_from_u64(1),
    ))
}

/// The checked request whose body this is.
fn request(body: &Value) -> Request {
    let external = &body["external"];
    let flat = json!({
        "external_id": external["id"],
        "address": body["address"],
        "customer": body["customer"],
        "notes": body["notes"],
        "url": external["url"],
        "label": external["label"],
    });
    serde_json::from_value(flat).unwrap()
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Account(account) => {
            format!("account of {}", account.clone().at(String::new()).team_name)
        }
        Verdict::Means(ResponseMeaning::Accepted {
            creation: CreationStatus::Created,
            measurement,
            ..
        }) => {
            format!("created, {}", state(measurement))
        }
        Verdict::Means(ResponseMeaning::Accepted {
            creation: CreationStatus::Existing,
            measurement,
            ..
        }) => {
            format!("existing, {}", state(measurement))
        }
        Verdict::Means(ResponseMeaning::Read(measurement)) => {
            format!("read, {}", state(measurement))
        }
        Verdict::Means(ResponseMeaning::NotFound { .. }) => "gone".to_owned(),
        Verdict::Means(ResponseMeaning::Refused(errors)) => {
            let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
            format!("refused: {}", fields.join(", "))
        }
        Verdict::Means(ResponseMeaning::RateLimited { retry_after }) => {
            format!("limited for {:?}", retry_after.unwrap())
        }
        Verdict::Fatal(FatalResponse::Unauthorized) => "stop: unauthorized".to_owned(),
        Verdict::Fatal(FatalResponse::Version { code, .. }) => format!("stop: {code}"),
        other => format!("{other:?}"),
    }
}

fn state(measurement: &Measurement) -> String {
    let status = measurement.status.name();
    match &measurement.result {
        Some(result) => format!("{status}, {} ft", result.gutter_length_ft),
        None => status.to_owned(),
    }
}

/// A request of the client's is the example's, word for word; only the secrets of a form are its own.
fn assert_sent(sent: &str, asked: &Asked) {
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    let line = format!("{} {} HTTP/1.1\r\n", asked.method, asked.path);
    assert!(head.starts_with(&line), "{head}");
    if let Some(form) = &asked.form {
        assert!(
            head.contains("content-type: application/x-www-form-urlencoded"),
            "{head}"
        );
        let pairs = url::form_urlencoded::parse(body.as_bytes());
        let names: BTreeSet<String> = pairs.map(|(name, _)| name.into_owned()).collect();
        assert_eq!(names, form.keys().cloned().collect());
        return;
    }
    assert!(head.contains("authorization: Bearer token"), "{head}");
    assert!(
        head.contains(&format!("service-version: {VERSION}")),
        "{head}"
    );
    if let Some(expected) = &asked.body {
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(&body, expected);
    }
}
