//! The contractor on the sandbox's pages, by a measurement's id.

use gutterbatch::sandbox::SandboxHandle;
use reqwest::StatusCode;
use reqwest::redirect::Policy;

use crate::support::browser::hidden;
use crate::support::http;

/// What a contractor does in a browser; an error is the status of the page that refuses it.
pub(crate) trait Contractor {
    async fn open(&self, id: &str) -> Result<(), StatusCode>;

    async fn withdraw(&self, id: &str) -> Result<(), StatusCode>;

    /// Completes or corrects a measurement; each downspout is a length and its storeys.
    async fn complete_with(
        &self,
        id: &str,
        feet: f64,
        corners: u32,
        downspouts: &[(f64, u8)],
    ) -> Result<(), StatusCode>;

    /// Disconnects the app from the first team.
    async fn disconnect(&self) -> Result<(), StatusCode>;
}

impl Contractor for SandboxHandle {
    async fn open(&self, id: &str) -> Result<(), StatusCode> {
        post(self, &form_of(self, id, "open"), &[]).await
    }

    async fn withdraw(&self, id: &str) -> Result<(), StatusCode> {
        post(self, &form_of(self, id, "withdraw"), &[]).await
    }

    async fn complete_with(
        &self,
        id: &str,
        feet: f64,
        corners: u32,
        downspouts: &[(f64, u8)],
    ) -> Result<(), StatusCode> {
        let mut fields = vec![
            ("length".to_owned(), feet.to_string()),
            ("corners".to_owned(), corners.to_string()),
        ];
        for ((length, floors), row) in downspouts.iter().zip(1..) {
            fields.push((format!("length_{row}"), length.to_string()));
            fields.push((format!("floors_{row}"), floors.to_string()));
        }
        post(self, &form_of(self, id, "numbers"), &fields).await
    }

    async fn disconnect(&self) -> Result<(), StatusCode> {
        let settings = format!("{}/settings", self.connection_info().base_url);
        let client = http().build().unwrap();
        let page = client.get(settings).send().await.unwrap().text().await;
        post(self, "/settings/disconnect", &hidden(&page.unwrap())).await
    }
}

fn form_of(sandbox: &SandboxHandle, id: &str, form: &str) -> String {
    let measurements = sandbox.measurements();
    let found = measurements.iter().find(|one| one.measurement_id == id);
    let request = found.map_or(id, |one| &one.request_id);
    format!("/requests/{request}/{form}")
}

async fn post(
    sandbox: &SandboxHandle,
    path: &str,
    fields: &[(String, String)],
) -> Result<(), StatusCode> {
    let client = http().redirect(Policy::none()).build().unwrap();
    let url = format!("{}{path}", sandbox.connection_info().base_url);
    let answer = client.post(url).form(fields).send().await.unwrap();
    match answer.status() {
        StatusCode::SEE_OTHER => Ok(()),
        refused => Err(refused),
    }
}
