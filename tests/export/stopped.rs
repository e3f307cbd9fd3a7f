//! An export that is stopped, wherever it is: no file, the old one intact, nothing sealed.

use std::fs;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use gutterbatch::dispatch::stop_signal;
use gutterbatch::export::{
    CustomerSheet, Error, ExportFormat, ExportOptions, OutputFile, prepare_sealed_export,
    to_customer_sheet, to_file, to_stream,
};
use gutterbatch::journal::{Journal, JournalAccess};
use gutterbatch::sheet::InputFile;
use gutterbatch::table::{TableOptions, open};

use crate::billing::adjustments::completed;
use crate::billing::sealed::everything;
use crate::customer_sheet::rewriting::known;
use crate::support::imports::sheet;
use crate::support::{Canned, Scripted, Stage};

fn order(format: ExportFormat) -> ExportOptions {
    let (stop_handle, stop) = stop_signal();
    stop_handle.escalate();
    ExportOptions {
        stop,
        ..everything(format)
    }
}

fn measured() -> (Scripted, Stage) {
    let (service, stage) = completed();
    stage.run(&["export", "now.csv"]).expect(0);
    (service, stage)
}

#[test]
fn no_way_of_writing_goes_on_once_it_is_stopped() {
    let (_service, stage) = measured();
    let journal = Journal::open(&stage.journal(), &JournalAccess::Shared).unwrap();
    let snapshot = journal.snapshot().unwrap();
    let before = fs::read_dir(stage.folder()).unwrap().count();
    for format in ExportFormat::ALL {
        let name = format!("old.{}", format.name());
        let place = OutputFile::new(&stage.file(&name, "old")).unwrap();
        let order = order(format);
        let now = "2026-11-21T12:00:00Z".parse().unwrap();
        let document = InputFile::at(&stage.path("leads.csv"));
        let table = open(&document, &TableOptions::default()).unwrap();
        let own = CustomerSheet {
            table: known(&table, &document),
            rows: &std::collections::HashMap::new(),
        };
        let ends = [
            to_file(&snapshot, &order, &place).map(drop),
            to_stream(&snapshot, &order, &mut Vec::new()).map(drop),
            prepare_sealed_export(&snapshot, &order, &place, now).map(drop),
            to_customer_sheet(&snapshot, &order, &own, &place).map(drop),
        ];
        for end in ends {
            assert!(matches!(end, Err(Error::Interrupted)), "{end:?}");
        }
        assert_eq!(fs::read_to_string(place.path()).unwrap(), "old");
        fs::remove_file(place.path()).unwrap();
    }
    assert_eq!(fs::read_dir(stage.folder()).unwrap().count(), before);
}

#[cfg(unix)]
#[test]
fn ctrl_c_after_the_refresh_still_ends_with_130_and_no_file() {
    use std::process::Stdio;

    use crate::support::Run;

    let (asked, is_asked) = channel();
    let asked = Mutex::new(asked);
    // The picture never comes: the run is past asking, and not yet done.
    let pictures = Canned::answering(move |_| {
        asked.lock().unwrap().send(()).unwrap();
        std::thread::park();
        Vec::new()
    });
    let (service, stage) = measured();
    service.rewrite("A-0", |measurement| {
        measurement["result"]["asset_pack"][0]["url"] = pictures.url().into();
    });
    let words = [
        "export",
        "old.xlsx",
        "--images",
        "embed",
        "--refresh",
        "all",
        "--force",
    ];
    stage.file("old.xlsx", "old");
    let child = stage
        .command(&words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    is_asked.recv().unwrap();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let run = Run::of(child.wait_with_output().unwrap()).expect(130);
    assert!(
        run.stderr
            .contains("error: interrupted\nhint: nothing was written, and "),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(stage.path("old.xlsx")).unwrap(), "old");
}

#[test]
fn a_row_that_was_sent_and_not_answered_is_pending_in_the_users_own_sheet() {
    let (sent, is_sent) = channel();
    let sent = Mutex::new(sent);
    let silent = Canned::answering(move |request| {
        if request.starts_with("POST") {
            sent.lock().unwrap().send(()).unwrap();
            std::thread::park();
        }
        crate::support::canned::json(
            "200 OK",
            &serde_json::json!({
                "team": { "id": "team_1", "name": "North Roofing" },
                "app": { "client_id": "client-1", "name": "Leads" },
                "connected_at": "2026-01-02T03:04:05Z",
            }),
        )
    });
    let stage = Stage::speaking_to(silent.url());
    stage.file("leads.csv", sheet(0..1));
    let mut child = stage.command(&["import", "leads.csv"]).spawn().unwrap();
    is_sent.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let words = ["export", "back.csv", "--for", "leads.csv", "--offline"];
    stage.run(&words).expect(0);
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    assert!(
        back.contains(",\"pending: sent, no response yet\","),
        "{back}"
    );
}
