//! S5, S7, S8, S9: token, quota and version, which every API call passes in this order.

use std::time::Duration;

use gutterbatch::sandbox::{Options, Rate};

use crate::sandbox::stage::{body, stage, stage_with};

const PATHS: [&str; 2] = ["/me", "/measurements/msr_x"];

#[tokio::test]
async fn without_a_live_token_every_call_is_unauthorized() {
    let stage = stage().await;
    for path in PATHS {
        for header in [
            None,
            Some("Bearer wrong"),
            Some("Bearer"),
            Some("Basic abc"),
            Some(""),
        ] {
            let mut request = stage.client.get(stage.url(path));
            if let Some(header) = header {
                request = request.header("authorization", header);
            }
            let refused = stage.send(request).await;
            assert_eq!(
                (refused.status, refused.code()),
                (401, "unauthorized"),
                "{path} {header:?}"
            );
        }
    }
}

#[tokio::test]
async fn the_scheme_may_be_spelled_in_any_case() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let request = stage
        .client
        .get(stage.url("/me"))
        .header("authorization", format!("bearer {}", connection_info.token))
        .header("service-version", &connection_info.service_version);
    assert_eq!(stage.send(request).await.status, 200);
}

#[tokio::test]
async fn a_header_that_is_given_twice_is_not_chosen_from() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let version = &connection_info.service_version;
    let call = || stage.client.get(stage.url("/me"));
    let two_tokens = call()
        .bearer_auth(&connection_info.token)
        .header("authorization", "Bearer other")
        .header("service-version", version);
    assert_eq!(stage.send(two_tokens).await.code(), "unauthorized");
    let two_versions = stage.signed(call()).header("service-version", "2020-01-01");
    assert_eq!(stage.send(two_versions).await.code(), "unsupported_version");
}

#[tokio::test]
async fn a_body_beyond_all_measure_is_answered_in_the_documented_shapes() {
    let stage = stage().await;
    let body = vec![b'x'; 3 << 20];
    let post = |path| stage.client.post(stage.url(path)).body(body.clone());
    let stranger = stage.send(post("/measurements")).await;
    assert_eq!((stranger.status, stranger.code()), (401, "unauthorized"));
    let refused = stage.send(stage.signed(post("/measurements"))).await;
    assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
    for path in ["/oauth/token", "/oauth/revoke"] {
        let refused = stage.send(post(path)).await;
        assert_eq!(
            (refused.status, &refused.body["error"]),
            (400, &"invalid_request".into()),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_call_without_a_version_or_with_another_one_is_refused() {
    let options = Options {
        versions: vec!["2025-06-01".to_owned(), "2026-01-15".to_owned()],
        ..Options::default()
    };
    let stage = stage_with(options).await;
    let token = stage.running.connection_info().token.clone();
    assert_eq!(
        stage.running.connection_info().service_version,
        "2026-01-15"
    );
    let call = |version: Option<&str>| {
        let request = stage.client.get(stage.url("/me")).bearer_auth(&token);
        match version {
            Some(version) => request.header("service-version", version),
            None => request,
        }
    };
    let missing = stage.send(call(None)).await;
    assert_eq!((missing.status, missing.code()), (400, "missing_version"));
    for version in ["2026-01-16", "latest", ""] {
        let refused = stage.send(call(Some(version))).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "unsupported_version"),
            "{version}"
        );
    }
    for version in ["2025-06-01", "2026-01-15"] {
        assert_eq!(
            stage.send(call(Some(version))).await.status,
            200,
            "{version}"
        );
    }
}

#[tokio::test]
async fn unknown_paths_and_wrong_methods_answer_in_the_documented_shape() {
    let stage = stage().await;
    let unknown = stage.get("/quotes").await;
    assert_eq!((unknown.status, unknown.code()), (404, "not_found"));
    let no_text = stage.get("/measurements/%ff").await;
    assert_eq!((no_text.status, no_text.code()), (404, "not_found"));
    for (method, path, allowed) in [
        ("DELETE", "/measurements/msr_x", "GET,HEAD"),
        ("GET", "/measurements", "POST"),
        ("POST", "/me", "GET,HEAD"),
    ] {
        let method = method.parse().unwrap();
        let request = stage.signed(stage.client.request(method, stage.url(path)));
        let refused = stage.send(request).await;
        assert_eq!(
            (refused.status, refused.code()),
            (405, "method_not_allowed"),
            "{path}"
        );
        assert_eq!(refused.header("allow"), Some(allowed));
        assert!(refused.body["error"]["message"].is_string());
    }
}

fn three_a_minute() -> Options {
    Options {
        rate: Rate {
            count: 3,
            window: Duration::from_secs(60),
        },
        ..Options::default()
    }
}

#[tokio::test]
async fn the_quota_counts_every_call_of_the_team_and_slides() {
    let stage = stage_with(three_a_minute()).await;
    assert_eq!(stage.get("/me").await.status, 200);
    stage.running.advance(Duration::from_secs(30));
    assert_eq!(stage.get("/measurements/msr_x").await.status, 404);
    assert_eq!(stage.create(&serde_json::json!({})).await.status, 422);
    let refused = stage.create(&body("a")).await;
    assert_eq!((refused.status, refused.code()), (429, "rate_limited"));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((28..=30).contains(&wait), "{wait}");
    stage.running.advance(Duration::from_secs(wait));
    assert_eq!(stage.create(&body("a")).await.status, 201);
    assert_eq!(stage.get("/me").await.status, 429);
}

#[tokio::test]
async fn refused_calls_and_strangers_do_not_use_the_quota_up() {
    let stage = stage_with(three_a_minute()).await;
    for _ in 0..5 {
        assert_eq!(stage.get_as("wrong", "/me").await.status, 401);
    }
    for _ in 0..3 {
        assert_eq!(stage.get("/me").await.status, 200);
    }
    for _ in 0..5 {
        assert_eq!(stage.get("/me").await.status, 429);
    }
    stage.running.advance(Duration::from_secs(60));
    assert_eq!(stage.get("/me").await.status, 200);
}

#[tokio::test]
async fn retry_after_is_at_least_a_second() {
    let options = Options {
        rate: Rate {
            count: 1,
            window: Duration::from_millis(900),
        },
        ..Options::default()
    };
    let stage = stage_with(options).await;
    stage.get("/me").await;
    let refused = stage.get("/me").await;
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn the_calls_are_remembered_in_order() {
    let stage = stage().await;
    stage.get("/me").await;
    stage.create(&body("L-1")).await;
    let calls = stage.running.calls();
    let seen: Vec<_> = calls
        .iter()
        .map(|call| (call.method.as_str(), call.path.as_str(), call.status))
        .collect();
    assert_eq!(
        seen,
        [
            ("GET", "/me", Some(200)),
            ("POST", "/measurements", Some(201))
        ]
    );
    assert_eq!(calls[1].external_id.as_deref(), Some("L-1"));
}
