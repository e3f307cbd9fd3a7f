//! Two teams of one app: the service returns the measurement of another team for its external id.

use crate::support::canned::{self, Canned};
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

#[test]
fn ids_of_another_team_of_the_app_are_not_sent() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    stage.file("more.csv", sheet(2..4));
    let service = Canned::answering(|request| {
        let mut account = canned::account();
        if request.contains("Bearer trial") {
            account["team"]["id"] = "team_2".into();
            account["team"]["name"] = "Trial".into();
        }
        if request.starts_with("GET /me") {
            return canned::json("200 OK", &account);
        }
        canned::healthy(request)
    });
    let import = |token: &str, args: &[&str]| {
        let args = [&["import", "--yes"], args].concat();
        let mut command = stage.against(&service, &args);
        command.env("GUTTERBATCH_TOKEN", token);
        Run::of(command.output().unwrap())
    };
    import("trial", &["leads.csv", "--profile", "trial"]).expect(0);
    let stopped = import("live", &["more.csv"]).expect(10);
    let error = "error: the team Trial of the same app has measurements with 1 id of these rows, such as `A-2`; the service would return those\n";
    assert!(stopped.stderr.contains(error), "{}", stopped.stderr);
    assert!(
        stopped.stderr.contains("--id-prefix main-"),
        "{}",
        stopped.stderr
    );
    let heard = service.heard().into_iter();
    assert_eq!(heard.filter(|one| one.starts_with("POST")).count(), 3);
    // The stopped import leaves no rows that wait for it.
    let status = stage.run(&["status", "--json"]).expect(0).json();
    assert_eq!(status["last_runs"], serde_json::json!([]), "{status}");
    import("live", &["more.csv", "--id-prefix", "A-"]).expect(0);

    // Of few rows, and beside known ones, only these are not sent.
    stage.file("few.csv", sheet(2..8));
    stage.file("more.csv", sheet(1..8));
    for (file, counts) in [
        ("few.csv", serde_json::json!({"conflict": 1, "created": 5})),
        ("few.csv", serde_json::json!({"conflict": 1, "known": 5})),
        ("more.csv", serde_json::json!({"conflict": 2, "known": 5})),
    ] {
        let words = [
            file,
            "--journal",
            "live.db",
            "--allow-same-house",
            "--json",
            "--forget-reading",
        ];
        let run = import("live", &words).expect(3);
        assert_eq!(crate::rejects::corrected::outcomes(&run), counts);
        let message = run.json()["problems"][0]["message"].to_string();
        assert!(
            message.contains("the team Trial of the same app has the measurement with this id"),
            "{message}"
        );
        assert!(
            message.contains("give it a new id, for example A-"),
            "{message}"
        );
    }
}
