//! S4.3, as RFC 7009 has it.

use crate::sandbox::stage::stage;
use crate::support::Contractor as _;

#[tokio::test]
async fn a_revoked_token_is_dead() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let fields = [
        ("token", connection_info.token.as_str()),
        ("client_id", &connection_info.client_id),
        ("client_secret", &connection_info.client_secret),
    ];
    assert_eq!(stage.form("/oauth/revoke", &fields).await.status, 200);
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
    // A second time there is nothing left to revoke, which is as good.
    assert_eq!(stage.form("/oauth/revoke", &fields).await.status, 200);
}

#[tokio::test]
async fn credentials_may_come_by_basic() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let call = |secret: &str| {
        let post = stage.client.post(stage.url("/oauth/revoke"));
        let post = post.basic_auth(&connection_info.client_id, Some(secret));
        post.form(&[("token", connection_info.token.as_str())])
    };
    let refused = stage.send(call("wrong")).await;
    assert_eq!(
        (refused.status, &refused.body["error"]),
        (401, &"invalid_client".into())
    );
    assert!(
        refused
            .header("www-authenticate")
            .unwrap()
            .starts_with("Basic")
    );
    assert_eq!(stage.get("/me").await.status, 200);
    assert_eq!(
        stage
            .send(call(&connection_info.client_secret))
            .await
            .status,
        200
    );
    assert_eq!(stage.get("/me").await.status, 401);
}

#[tokio::test]
async fn a_stranger_revokes_nothing() {
    let stage = stage().await;
    let connection_info = stage.running.connection_info();
    let token = ("token", connection_info.token.as_str());
    for credentials in [
        vec![("client_id", "app_other")],
        vec![("client_secret", "wrong")],
        vec![
            ("client_id", connection_info.client_id.as_str()),
            ("client_secret", "wrong"),
        ],
    ] {
        let fields = [vec![token], credentials].concat();
        let refused = stage.form("/oauth/revoke", &fields).await;
        assert_eq!(
            (refused.status, &refused.body["error"]),
            (401, &"invalid_client".into())
        );
    }
    let no_token = [
        ("client_id", connection_info.client_id.as_str()),
        ("client_secret", &connection_info.client_secret),
    ];
    let no_token = stage.form("/oauth/revoke", &no_token).await;
    assert_eq!(
        (no_token.status, &no_token.body["error"]),
        (400, &"invalid_request".into())
    );
    assert_eq!(stage.get("/me").await.status, 200);
}

#[tokio::test]
async fn without_a_secret_the_token_speaks_for_itself() {
    for with_id in [false, true] {
        let stage = stage().await;
        let connection_info = stage.running.connection_info();
        let mut fields = vec![("token", connection_info.token.as_str())];
        if with_id {
            fields.push(("client_id", &connection_info.client_id));
        }
        assert_eq!(stage.form("/oauth/revoke", &fields).await.status, 200);
        assert_eq!(stage.get("/me").await.code(), "unauthorized");
    }
}

#[tokio::test]
async fn the_contractor_can_disconnect_too() {
    let stage = stage().await;
    stage.running.disconnect().await.unwrap();
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
}
