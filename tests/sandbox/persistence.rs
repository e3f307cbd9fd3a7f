//! `--data DIR`: what was answered for survives restarts and crashes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gutterbatch::sandbox::{Error, Options, start};

use crate::sandbox::stage::{Stage, body, stage_with};

fn kept(folder: &Path) -> Options {
    Options {
        data: Some(folder.to_owned()),
        ..Options::default()
    }
}

fn log(folder: &Path) -> PathBuf {
    folder.join("events.jsonl")
}

/// The folder as a crash at this instant would leave it.
fn crashed(folder: &Path, name: &str) -> PathBuf {
    let copy = folder.join(name);
    fs::create_dir_all(&copy).unwrap();
    fs::copy(log(folder), log(&copy)).unwrap();
    copy
}

async fn complete_one(stage: &Stage) -> String {
    let id = stage.create(&body("L-1")).await.id().to_owned();
    stage.running.complete(&id).unwrap();
    id
}

#[tokio::test]
async fn a_restart_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    let before = stage.running.connection_info().clone();
    let id = complete_one(&stage).await;
    stage.create(&body("L-2")).await;
    let measurement = stage.get(&format!("/measurements/{id}")).await.body;
    let held = stage.running.measurements();
    stage.running.stop().await;

    let stage = stage_with(kept(folder.path())).await;
    let after = stage.running.connection_info();
    assert_eq!(after.token, before.token);
    assert_eq!(after.client_id, before.client_id);
    assert_eq!(after.client_secret, before.client_secret);
    assert_eq!(stage.running.measurements(), held);
    let again = stage.get(&format!("/measurements/{id}")).await.body;
    assert_eq!(again["updated_at"], measurement["updated_at"]);
    assert_eq!(
        again["result"]["downspouts"],
        measurement["result"]["downspouts"]
    );
    assert_eq!(stage.create(&body("L-1")).await.status, 200);
}

#[tokio::test]
async fn what_was_answered_survives_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    for row in 0..20 {
        assert_eq!(stage.create(&body(&format!("L-{row}"))).await.status, 201);
        let copy = crashed(folder.path(), &format!("crash {row}"));
        let revived = stage_with(kept(&copy)).await;
        assert_eq!(revived.running.measurements(), stage.running.measurements());
    }
}

#[tokio::test]
async fn a_torn_last_line_is_cut_off_at_any_length() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    stage.create(&body("L-1")).await;
    let whole = fs::read(log(folder.path())).unwrap();
    stage.create(&body("L-2")).await;
    let longer = fs::read(log(folder.path())).unwrap();
    for (round, torn) in (whole.len()..longer.len()).step_by(37).enumerate() {
        let copy = crashed(folder.path(), &format!("torn {round}"));
        fs::write(log(&copy), &longer[..torn]).unwrap();
        let revived = stage_with(kept(&copy)).await;
        assert_eq!(revived.running.measurements().len(), 1, "{torn}");
        assert_eq!(revived.create(&body("L-2")).await.status, 201);
        revived.running.stop().await;
        let revived = stage_with(kept(&copy)).await;
        assert_eq!(revived.running.measurements().len(), 2, "{torn}");
    }
}

#[tokio::test]
async fn damage_in_the_middle_is_told_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    stage.create(&body("L-1")).await;
    stage.running.stop().await;
    let text = fs::read_to_string(log(folder.path())).unwrap();
    let damaged = text.replacen("access", "lost", 1);
    fs::write(log(folder.path()), &damaged).unwrap();
    let refused = start(kept(folder.path())).await;
    assert!(
        matches!(refused, Err(Error::Damaged { line: 1, .. })),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(log(folder.path())).unwrap(), damaged);
}

#[tokio::test]
async fn a_file_that_is_not_a_log_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    for mine in ["my own notes\n", "{\"event\": 1}", "{\"event\": 1}\n{\"ev"] {
        fs::write(log(folder.path()), mine).unwrap();
        let refused = start(kept(folder.path())).await;
        assert!(
            matches!(refused, Err(Error::Damaged { line: 1, .. })),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(log(folder.path())).unwrap(), mine);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_the_place_of_the_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.jsonl");
    for content in ["", "{\"access\":"] {
        fs::write(&mine, content).unwrap();
        let data = folder.path().join(format!("data {}", content.len()));
        fs::create_dir(&data).unwrap();
        std::os::unix::fs::symlink(&mine, log(&data)).unwrap();
        let refused = start(kept(&data)).await;
        assert!(matches!(refused, Err(Error::Data { .. })), "{refused:?}");
        assert_eq!(fs::read_to_string(&mine).unwrap(), content);
    }
}

#[tokio::test]
async fn a_torn_first_line_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    drop(stage_with(kept(folder.path())).await);
    let whole = fs::read(log(folder.path())).unwrap();
    let copy = crashed(folder.path(), "torn");
    fs::write(log(&copy), &whole[..40]).unwrap();
    let revived = stage_with(kept(&copy)).await;
    assert_eq!(revived.create(&body("L-1")).await.status, 201);
}

#[tokio::test]
async fn two_sandboxes_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    let second = start(kept(folder.path())).await;
    assert!(matches!(second, Err(Error::DataInUse(_))), "{second:?}");
    drop(stage);
}

#[tokio::test]
async fn calls_that_only_count_are_not_logged() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    let id = stage.create(&body("L-1")).await.id().to_owned();
    let before = fs::read(log(folder.path())).unwrap();
    for _ in 0..20 {
        assert_eq!(stage.get("/me").await.status, 200);
        assert_eq!(stage.get(&format!("/measurements/{id}")).await.status, 200);
        assert_eq!(stage.create(&body("L-1")).await.status, 200);
    }
    assert_eq!(fs::read(log(folder.path())).unwrap(), before);
}

#[tokio::test]
async fn the_contractor_goes_on_where_he_was() {
    let folder = tempfile::tempdir().unwrap();
    let options = || Options {
        work: Some(Duration::from_secs(3600)),
        ..kept(folder.path())
    };
    let stage = stage_with(options()).await;
    stage.create(&body("L-1")).await;
    stage.running.stop().await;
    let stage = stage_with(options()).await;
    assert_eq!(stage.running.measurements()[0].status, "pending");
    stage.running.advance(Duration::from_secs(3 * 3600));
    assert_eq!(stage.running.measurements()[0].status, "complete");
}

#[tokio::test]
async fn a_code_and_its_use_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage_with(kept(folder.path())).await;
    let code = stage.code().await;
    stage.running.stop().await;
    let stage = stage_with(kept(folder.path())).await;
    let granted = stage.exchange(&code, &[]).await;
    assert_eq!(granted.status, 200);
    let token = granted.body["access_token"].as_str().unwrap().to_owned();
    stage.running.stop().await;
    let stage = stage_with(kept(folder.path())).await;
    assert_eq!(stage.running.connection_info().token, token);
    assert_eq!(stage.exchange(&code, &[]).await.status, 400);
    assert_eq!(stage.get_as(&token, "/me").await.status, 401);
}

#[cfg(unix)]
#[tokio::test]
async fn the_log_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new");
    let stage = stage_with(kept(&data)).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&data), mode(&log(&data))), (0o700, 0o600));
    drop(stage);
}
