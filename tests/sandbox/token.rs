//! S4.2, S2.2, S5: the exchange of a code for the one live token.

use std::time::Duration;

use gutterbatch::sandbox::Options;

use crate::sandbox::stage::{VERIFIER, stage, stage_with};

#[tokio::test]
async fn a_code_is_exchanged_for_a_token_that_works() {
    let stage = stage().await;
    let granted = stage.exchange(&stage.code().await, &[]).await;
    assert_eq!(granted.status, 200, "{granted:?}");
    assert_eq!(granted.header("cache-control"), Some("no-store"));
    assert_eq!(granted.body["token_type"], "bearer");
    let me = stage
        .get_as(granted.body["access_token"].as_str().unwrap(), "/me")
        .await;
    assert_eq!(me.status, 200);
    assert_eq!(me.body["team"], granted.body["team"]);
    assert_eq!(me.body["connected_at"], granted.body["connected_at"]);
    assert_eq!(
        me.body["app"]["client_id"],
        stage.running.connection_info().client_id
    );
}

#[tokio::test]
async fn connecting_again_ends_the_earlier_token() {
    let stage = stage().await;
    assert_eq!(stage.get("/me").await.status, 200);
    let granted = stage.exchange(&stage.code().await, &[]).await;
    let token = granted.body["access_token"].as_str().unwrap();
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
    assert_eq!(stage.get_as(token, "/me").await.status, 200);
}

#[tokio::test]
async fn the_contractor_chooses_among_several_teams() {
    let options = Options {
        team_names: ["Evergreen Gutters", "Second Team"]
            .map(str::to_owned)
            .to_vec(),
        ..Options::default()
    };
    let stage = stage_with(options).await;
    let page = stage.authorize(&[]).await;
    let page = page.text().await.unwrap();
    assert!(page.contains("Second Team"), "{page}");
}

#[tokio::test]
async fn a_used_code_is_refused_and_ends_the_token_it_gave() {
    let stage = stage().await;
    let code = stage.code().await;
    let granted = stage.exchange(&code, &[]).await;
    let token = granted.body["access_token"].as_str().unwrap();
    assert_eq!(stage.get_as(token, "/me").await.status, 200);
    let again = stage.exchange(&code, &[]).await;
    assert_eq!(
        (again.status, &again.body["error"]),
        (400, &"invalid_grant".into())
    );
    assert_eq!(stage.get_as(token, "/me").await.status, 401);
}

#[tokio::test]
async fn a_used_code_does_not_end_a_later_token() {
    let stage = stage().await;
    let code = stage.code().await;
    assert_eq!(stage.exchange(&code, &[]).await.status, 200);
    let later = stage.exchange(&stage.code().await, &[]).await;
    let token = later.body["access_token"].as_str().unwrap();
    assert_eq!(stage.exchange(&code, &[]).await.status, 400);
    assert_eq!(stage.get_as(token, "/me").await.status, 200);
}

#[tokio::test]
async fn a_code_lives_ten_minutes() {
    let stage = stage().await;
    let code = stage.code().await;
    stage.running.advance(Duration::from_secs(595));
    assert_eq!(stage.exchange(&code, &[]).await.status, 200);
    let code = stage.code().await;
    stage.running.advance(Duration::from_secs(600));
    let late = stage.exchange(&code, &[]).await;
    assert_eq!(
        (late.status, &late.body["error"]),
        (400, &"invalid_grant".into())
    );
}

#[tokio::test]
async fn what_does_not_match_the_authorization_is_an_invalid_grant() {
    let stage = stage().await;
    let code = stage.code().await;
    let other = "x".repeat(43);
    for change in [
        ("code", "unknown"),
        ("redirect_uri", "http://127.0.0.1:7778/callback"),
        ("code_verifier", other.as_str()),
    ] {
        let refused = stage.exchange(&code, &[change]).await;
        assert_eq!(refused.status, 400, "{change:?}");
        assert_eq!(refused.body["error"], "invalid_grant", "{change:?}");
    }
    // None of these used the code up.
    assert_eq!(stage.exchange(&code, &[]).await.status, 200);
}

#[tokio::test]
async fn wrong_credentials_are_an_invalid_client() {
    let stage = stage().await;
    let code = stage.code().await;
    for change in [("client_id", "app_other"), ("client_secret", "wrong")] {
        let refused = stage.exchange(&code, &[change]).await;
        assert_eq!(refused.status, 401, "{change:?}");
        assert_eq!(refused.body["error"], "invalid_client", "{change:?}");
        assert_eq!(refused.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn credentials_by_basic_are_told_to_come_in_the_form() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let code = stage.code().await;
    for secret in [connection_info.client_secret.as_str(), "wrong"] {
        let post = stage.client.post(stage.url("/oauth/token"));
        let post = post.basic_auth(&connection_info.client_id, Some(secret));
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
        ];
        let refused = stage.send(post.form(&form)).await;
        assert_eq!(
            (refused.status, &refused.body["error"]),
            (401, &"invalid_client".into())
        );
        let challenge = refused.header("www-authenticate").unwrap();
        assert!(challenge.starts_with("Basic"), "{challenge}");
    }
}

#[tokio::test]
async fn each_missing_field_is_an_invalid_request() {
    let stage = stage().await;
    let code = stage.code().await;
    for field in [
        "grant_type",
        "code",
        "redirect_uri",
        "client_id",
        "client_secret",
        "code_verifier",
    ] {
        let refused = stage.exchange(&code, &[(field, "")]).await;
        assert_eq!(refused.status, 400, "{field}");
        assert_eq!(refused.body["error"], "invalid_request", "{field}");
    }
}

#[tokio::test]
async fn another_grant_type_is_unsupported() {
    let stage = stage().await;
    let refused = stage.exchange("code", &[("grant_type", "password")]).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.body["error"], "unsupported_grant_type");
}

#[tokio::test]
async fn a_body_that_is_no_form_or_says_something_twice_is_an_invalid_request() {
    let stage = stage().await;
    let json = stage.client.post(stage.url("/oauth/token"));
    let json = stage
        .send(json.json(&serde_json::json!({"code": "x"})))
        .await;
    assert_eq!(
        (json.status, &json.body["error"]),
        (400, &"invalid_request".into())
    );
    let twice = [("code_verifier", VERIFIER), ("code_verifier", VERIFIER)];
    let twice = stage.form("/oauth/token", &twice).await;
    assert_eq!(
        (twice.status, &twice.body["error"]),
        (400, &"invalid_request".into())
    );
}

#[tokio::test]
async fn errors_here_have_the_shape_of_oauth() {
    let stage = stage().await;
    let refused = stage.form("/oauth/token", &[]).await;
    assert!(refused.body["error"].is_string());
    assert!(refused.body["error_description"].is_string());
    let got = stage
        .send(stage.client.get(stage.url("/oauth/token")))
        .await;
    assert_eq!(
        (got.status, &got.body["error"]),
        (405, &"invalid_request".into())
    );
}
