//! The stand-in, judged over plain HTTP.

use gutterbatch::sandbox::Options;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;

use crate::contract::shape::{differences, texts};
use crate::contract::{Asked, Example, Given, MEASUREMENT};
use crate::support::{Canned, Contractor as _, Stage, canned, http};

/// The pair of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// What differs between an example and the stand-in's answer to its call.
pub(super) fn judge(example: &Example, creation: &Value) -> Vec<String> {
    let quota = if example.given.contains(&Given::QuotaSpent) {
        "1/30s"
    } else {
        "600/1h"
    };
    let stage = Stage::with(Options {
        rate: quota.parse().unwrap(),
        app_name: "House CRM".to_owned(),
        ..Options::default()
    });
    let scene = Scene::set(&stage);
    let measurement = scene.prepare(example, creation);
    let path = example.request.path.replace(MEASUREMENT, &measurement);
    let response = scene.send(&example.request, &path);
    let status = response.status().as_u16();
    let mut faults = Vec::new();
    if status != example.answer.status {
        faults.push(format!("the status is {status}"));
    }
    for (name, value) in &example.answer.headers {
        let actual = response.headers().get(name).map(|it| it.to_str().unwrap());
        if actual != Some(value) {
            faults.push(format!("{name} is {actual:?}"));
        }
    }
    let body: Value = stage.block_on(response.json()).unwrap();
    let said = example.request.body.as_ref().map(texts).unwrap_or_default();
    faults.extend(differences(&example.answer.body, &body, &said));
    faults
}

/// A stand-in with a code that was just granted.
struct Scene<'a> {
    stage: &'a Stage,
    client: Client,
    redirect_uri: String,
    code: String,
}

impl<'a> Scene<'a> {
    fn set(stage: &'a Stage) -> Self {
        let browser = Canned::answering(|_| canned::answer("200 OK", "", ""));
        let redirect_uri = browser.url() + "/callback";
        let announced = stage.sandbox().connection_info();
        let link = url::Url::parse_with_params(
            &format!("{}/oauth/authorize", announced.base_url),
            [
                ("client_id", announced.client_id.as_str()),
                ("redirect_uri", &redirect_uri),
                ("response_type", "code"),
                ("state", "any"),
                ("code_challenge", CHALLENGE),
                ("code_challenge_method", "S256"),
            ],
        );
        let link = String::from(link.unwrap());
        stage.allow(&link);
        let heard = browser.heard().remove(0);
        let (_, code) = heard.split_once("code=").unwrap();
        let code = code.split(['&', ' ']).next().unwrap().to_owned();
        let client = http().build().unwrap();
        Self {
            stage,
            client,
            redirect_uri,
            code,
        }
    }

    /// Lets happen what the example presupposes; gives the id of the measurement that it speaks of.
    fn prepare(&self, example: &Example, creation: &Value) -> String {
        let sandbox = self.stage.sandbox();
        let mut id = MEASUREMENT.to_owned();
        for given in &example.given {
            match given {
                Given::QuotaSpent => {
                    self.wait(self.signed(self.client.get(self.url("/me")), None));
                }
                Given::Created => {
                    let post = self.client.post(self.url("/measurements")).json(creation);
                    let made = self.wait(self.signed(post, None));
                    let made: Value = self.stage.block_on(made.json()).unwrap();
                    made["id"].as_str().unwrap().clone_into(&mut id);
                }
                Given::Completed => sandbox.complete(&id).unwrap(),
                Given::Withdrawn => self.stage.block_on(sandbox.withdraw(&id)).unwrap(),
                Given::Exchanged => {
                    self.send(&example.request, &example.request.path);
                }
            }
        }
        id
    }

    fn send(&self, asked: &Asked, path: &str) -> Response {
        let request = self
            .client
            .request(asked.method.parse().unwrap(), self.url(path));
        if let Some(form) = &asked.form {
            let form = form.iter().map(|(name, value)| (name, self.meant(value)));
            return self.wait(request.form(&form.collect::<Vec<_>>()));
        }
        let request = match &asked.body {
            Some(body) => request.json(body),
            None => request,
        };
        self.wait(self.signed(request, Some(asked)))
    }

    /// Adds token and version, but for what the example leaves out or changes.
    fn signed(&self, request: RequestBuilder, asked: Option<&Asked>) -> RequestBuilder {
        let announced = self.stage.sandbox().connection_info();
        let without = asked.and_then(|asked| asked.without.as_deref());
        let version = asked.and_then(|asked| asked.version.as_ref());
        let headers = [
            ("Authorization", format!("Bearer {}", announced.token)),
            (
                "Service-Version",
                version.unwrap_or(&announced.service_version).clone(),
            ),
        ];
        let kept = headers
            .into_iter()
            .filter(|(name, _)| without != Some(*name));
        kept.fold(request, |request, (name, value)| {
            request.header(name, value)
        })
    }

    /// What a placeholder of a form stands for.
    fn meant<'b>(&'b self, value: &'b str) -> &'b str {
        let announced = self.stage.sandbox().connection_info();
        match value {
            "THE CODE" => &self.code,
            "THE REDIRECT URI" => &self.redirect_uri,
            "THE APP" => &announced.client_id,
            "ITS SECRET" => &announced.client_secret,
            "THE VERIFIER" => VERIFIER,
            other => other,
        }
    }

    fn url(&self, path: &str) -> String {
        self.stage.sandbox().connection_info().base_url.clone() + path
    }

    fn wait(&self, request: RequestBuilder) -> Response {
        self.stage.block_on(request.send()).unwrap()
    }
}
