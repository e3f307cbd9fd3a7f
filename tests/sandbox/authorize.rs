//! S4.1: the consent page, what it asks of the app, and where it sends the browser.

use gutterbatch::sandbox::Options;

use crate::sandbox::stage::{REDIRECT, STATE, hidden, query, stage, stage_with};

#[tokio::test]
async fn the_page_names_the_app_the_team_and_the_three_permissions() {
    let options = Options {
        app_name: "Roof <CRM> & Co".to_owned(),
        team_names: vec!["Gutters \"R\" Us".to_owned()],
        ..Options::default()
    };
    let stage = stage_with(options).await;
    let page = stage.authorize(&[]).await;
    assert_eq!(page.status(), 200);
    let text = page.text().await.unwrap();
    assert!(text.contains("Roof &lt;CRM&gt; &amp; Co"), "{text}");
    assert!(text.contains("Gutters &quot;R&quot; Us"), "{text}");
    assert_eq!(text.matches("<li>").count(), 3);
    for decision in ["allow", "deny"] {
        assert!(text.contains(&format!("value=\"{decision}\"")));
    }
}

#[tokio::test]
async fn the_page_cannot_be_framed_or_kept() {
    let stage = stage().await;
    let page = stage.authorize(&[]).await;
    let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-frame-options"), "DENY");
    assert_eq!(header("cache-control"), "no-store");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let policy = header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(
        policy.contains("form-action 'self' https: http://127.0.0.1:*"),
        "{policy}"
    );
}

#[tokio::test]
async fn allow_returns_a_code_and_the_state_unchanged() {
    let stage = stage().await;
    let back = stage.click(&stage.authorize_url(&[]), "allow").await;
    assert!(back.as_str().starts_with(REDIRECT));
    assert!(query(&back, "code").is_some());
    assert_eq!(query(&back, "state").as_deref(), Some(STATE));
    assert_eq!(query(&back, "error"), None);
}

#[tokio::test]
async fn deny_returns_an_error_and_no_code() {
    let stage = stage().await;
    let back = stage.click(&stage.authorize_url(&[]), "deny").await;
    assert_eq!(query(&back, "error").as_deref(), Some("access_denied"));
    assert_eq!(query(&back, "state").as_deref(), Some(STATE));
    assert_eq!(query(&back, "code"), None);
}

#[tokio::test]
async fn an_unknown_app_or_address_shows_a_page_and_redirects_nowhere() {
    let stage = stage().await;
    for change in [
        ("client_id", ""),
        ("client_id", "app_other"),
        ("redirect_uri", ""),
        ("redirect_uri", "https://evil.example.com/callback"),
        ("redirect_uri", "http://127.0.0.1:7777/other"),
        ("redirect_uri", "http://127.0.0.1:7777/callback?x=1"),
        ("redirect_uri", "http://127.0.0.1.example.com/callback"),
        ("redirect_uri", "https://127.0.0.1:7777/callback"),
    ] {
        let url = stage.authorize_url(&[change]);
        let page = stage.client.get(url).send().await.unwrap();
        assert_eq!(page.status(), 400, "{change:?}");
        assert!(page.headers().get("location").is_none(), "{change:?}");
        assert!(page.text().await.unwrap().contains("<h1>"), "{change:?}");
    }
}

#[tokio::test]
async fn a_local_redirect_uri_matches_on_any_port_and_others_exactly() {
    let options = Options {
        redirect_uris: vec![
            "https://crm.example.com/back?from=gutters".to_owned(),
            "http://localhost/callback".to_owned(),
        ],
        ..Options::default()
    };
    let stage = stage_with(options).await;
    for uri in [
        "https://crm.example.com/back?from=gutters",
        "http://localhost/callback",
        "http://localhost:1/callback",
        "http://localhost:65535/callback",
    ] {
        let url = stage.authorize_url(&[("redirect_uri", uri)]);
        let back = stage.click(&url, "allow").await;
        assert!(back.as_str().starts_with(uri), "{back}");
        assert!(query(&back, "code").is_some(), "{back}");
    }
    for uri in [
        "https://crm.example.com:444/back?from=gutters",
        "http://127.0.0.1:1/callback",
    ] {
        let url = stage.authorize_url(&[("redirect_uri", uri)]);
        assert_eq!(
            stage.client.get(url).send().await.unwrap().status(),
            400,
            "{uri}"
        );
    }
}

#[tokio::test]
async fn what_else_is_missing_or_wrong_is_told_to_the_app() {
    let stage = stage().await;
    for (change, error) in [
        (("response_type", ""), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
        (("state", ""), "invalid_request"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("code_challenge_method", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
    ] {
        let url = stage.authorize_url(&[change]);
        let answer = stage.client.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 303, "{change:?}");
        let location = answer.headers()["location"].to_str().unwrap();
        let back = url::Url::parse(location).unwrap();
        assert!(location.starts_with(REDIRECT), "{location}");
        assert_eq!(query(&back, "error").as_deref(), Some(error), "{change:?}");
        let returned = (change.0 != "state").then_some(STATE.to_owned());
        assert_eq!(query(&back, "state"), returned, "{change:?}");
    }
}

#[tokio::test]
async fn an_app_or_address_given_twice_redirects_nowhere() {
    let stage = stage().await;
    for more in [
        "&redirect_uri=https%3A%2F%2Fevil.example.com",
        "&client_id=other",
    ] {
        let url = stage.authorize_url(&[]) + more;
        let answer = stage.client.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{more}");
    }
}

#[tokio::test]
async fn any_other_parameter_given_twice_is_told_to_the_app() {
    let stage = stage().await;
    for name in [
        "response_type",
        "state",
        "code_challenge",
        "code_challenge_method",
        "prompt",
    ] {
        let url = format!("{}&{name}=a&{name}=b", stage.authorize_url(&[]));
        let answer = stage.client.get(url).send().await.unwrap();
        assert_eq!(answer.status(), 303, "{name}");
        let back = url::Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
        let error = query(&back, "error");
        assert_eq!(error.as_deref(), Some("invalid_request"), "{name}");
        let returned = (name != "state").then_some(STATE.to_owned());
        assert_eq!(query(&back, "state"), returned, "{name}");
    }
}

#[tokio::test]
async fn a_form_from_elsewhere_is_refused() {
    let stage = stage().await;
    let page = stage.authorize(&[]).await;
    let mut fields = hidden(&page.text().await.unwrap());
    fields.push(("decision".to_owned(), "allow".to_owned()));
    let post = |origin: &str| {
        let post = stage.client.post(stage.url("/oauth/authorize"));
        post.header("origin", origin).form(&fields)
    };
    // A page on another port of this machine is another site.
    for origin in ["http://127.0.0.1:1", "https://evil.example.com", "null"] {
        let refused = post(origin).send().await.unwrap();
        assert_eq!(refused.status(), 403, "{origin}");
        assert!(refused.headers().get("location").is_none());
    }
    let allowed = post(&stage.url("")).send().await.unwrap();
    assert_eq!(allowed.status(), 303);
}

#[tokio::test]
async fn the_form_is_checked_anew() {
    let stage = stage().await;
    let page = stage.authorize(&[]).await;
    let mut fields = hidden(&page.text().await.unwrap());
    for (name, value) in &mut fields {
        if name == "redirect_uri" {
            *value = "https://evil.example.com/".to_owned();
        }
    }
    fields.push(("decision".to_owned(), "allow".to_owned()));
    let post = stage.client.post(stage.url("/oauth/authorize"));
    let refused = post.form(&fields).send().await.unwrap();
    assert_eq!(refused.status(), 400);
}

#[tokio::test]
async fn pages_answer_to_local_names_only() {
    let stage = stage().await;
    let get = |host: &str| {
        stage
            .client
            .get(stage.authorize_url(&[]))
            .header("host", host)
    };
    for host in [
        "evil.example.com",
        "127.0.0.1.evil.example.com:80",
        "10.0.0.1",
    ] {
        let refused = get(host).send().await.unwrap();
        assert_eq!(refused.status(), 421, "{host}");
        assert!(!refused.text().await.unwrap().contains("<form"), "{host}");
    }
    for host in ["localhost:8787", "127.0.0.1", "[::1]:8787"] {
        assert_eq!(get(host).send().await.unwrap().status(), 200, "{host}");
    }
}
