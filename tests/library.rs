//! A program that links the library runs whole imports and exports without the command line.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gutterbatch::api::{ApiClient, BearerToken, Timeouts};
use gutterbatch::dispatch::{
    Clock, DispatchLimits, Dispatcher, DispatcherConfig, QuotaWait, stop_signal,
};
use gutterbatch::export::{
    CompletionWait, Error, ExportFormat, ExportJob, ExportRun, ExportSummary, ExportTarget,
    ImageExport, OutputFile, OverwritePolicy, RefreshPolicy, write_sealed_again,
};
use gutterbatch::import::{
    self, CheckRules, Confirmation, ImportConnection, ImportContext, ImportError, ImportInput,
    ImportOptions, ImportSummary, RejectsTarget,
};
use gutterbatch::journal::{FlagsByName, Journal, JournalAccess};
use gutterbatch::model::{Outcome, QuotaShare};
use gutterbatch::table::TableOptions;
use jiff::Timestamp;

use crate::billing::sealed::everything;
use crate::support::Stage;
use crate::support::imports::sheet;

fn now() -> Timestamp {
    Timestamp::constant(1_800_000_000, 0)
}

/// Imports a file; the second value has the rows and outcomes that were reported.
fn import_with_library(
    stage: &Stage,
    file: &Path,
    answer: Confirmation,
) -> (ImportSummary<ImportError>, Vec<(u32, Outcome)>) {
    let input = ImportInput::new(file, TableOptions::default(), CheckRules::default()).unwrap();
    let checked = import::check(&input, |_| {}).unwrap();
    let access = JournalAccess::Exclusive {
        holder: "a test".to_owned(),
    };
    let journal = Arc::new(Journal::open(&stage.path("journal.db"), &access).unwrap());
    let reported = RefCell::new(Vec::new());
    let context = ImportContext {
        input: &input,
        checked: &checked,
        options: ImportOptions::default(),
        rejects: RejectsTarget::BesideInput,
        journal: &journal,
        base_url: None,
        other_journals: Vec::new(),
        supplied_token: None,
        reading: FlagsByName::new(),
        remember_on_submission_only: false,
        rejects_reading: FlagsByName::new(),
        now,
    };
    let outcome = import::run(&context, None, |_| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let connection = ImportConnection {
            dispatcher: dispatcher(stage, &journal),
            confirm: Box::new(|_| answer),
            on_row_result: Box::new(|result| {
                reported.borrow_mut().push((result.row.0, result.outcome));
            }),
        };
        Ok((connection, runtime))
    });
    let outcome = outcome.expect("the journal can be read and written");
    (outcome, reported.into_inner())
}

fn token(stage: &Stage) -> BearerToken {
    BearerToken::new(&stage.sandbox().connection_info().token).unwrap()
}

fn dispatcher(stage: &Stage, journal: &Arc<Journal>) -> Dispatcher {
    let announced = stage.sandbox().connection_info();
    let client = ApiClient::new(
        announced.base_url.parse().unwrap(),
        announced.service_version.parse().unwrap(),
        token(stage),
        Timeouts {
            connect: Duration::from_secs(10),
            call: Duration::from_secs(30),
        },
    );
    Dispatcher::new(DispatcherConfig {
        journal: Arc::clone(journal),
        client: client.unwrap(),
        limits: DispatchLimits {
            share: QuotaShare {
                rate: "600/1h".parse().unwrap(),
                reserve: 0,
            },
            max_rps: None,
            concurrency: 2,
            quota_wait: QuotaWait::NoWait,
        },
        clock: Clock::new(now),
        seed: 1,
        stop: stop_signal().1,
        report: Box::new(|_| {}),
    })
}

#[test]
fn a_linked_program_imports_a_file_and_its_rejects_without_the_command_line() {
    let stage = Stage::open();
    let invalid = "A-9,Customer 9,c9@example.com,9 Elm Street,Ottawa,ON,\n";
    let file = stage.file("leads.csv", sheet(0..3) + invalid);
    let (outcome, mut reported) = import_with_library(&stage, &file, Confirmation::CannotAsk);
    outcome.ended.unwrap();
    reported.sort_unstable();
    let created = |row| (row, Outcome::Created);
    assert_eq!(reported, [created(2), created(3), created(4)]);
    assert_eq!(outcome.rows.outcomes().count(Outcome::Created), 3);
    assert_eq!((outcome.counts.get, outcome.counts.post), (1, 3));
    assert!(outcome.team.is_some());
    let rejects = outcome.rejects.unwrap();
    assert_eq!(rejects.rows, 1);
    let rejects = std::fs::read_to_string(rejects.path).unwrap();
    assert!(rejects.contains("A-9"), "{rejects}");

    let (again, reported) = import_with_library(&stage, &file, Confirmation::No);
    again.ended.unwrap();
    assert_eq!(reported, []);
    assert_eq!(again.rows.outcomes().count(Outcome::Known), 3);
    assert_eq!(again.counts.post, 0);
}

#[test]
fn a_linked_program_that_declines_submits_nothing() {
    let stage = Stage::open();
    let file = stage.file("leads.csv", sheet(0..3));
    let (outcome, reported) = import_with_library(&stage, &file, Confirmation::No);
    assert!(matches!(outcome.ended, Err(ImportError::Declined)));
    assert_eq!(reported, []);
    assert_eq!(outcome.rows.outcomes().count(Outcome::Pending), 3);
    assert_eq!(outcome.counts.post, 0);
}

/// Seals everything that is complete; the notices are ignored.
fn seal_with_library(stage: &Stage, name: &str) -> Result<ExportSummary, Error> {
    let access = JournalAccess::Exclusive {
        holder: "a test".to_owned(),
    };
    let journal = Arc::new(Journal::open(&stage.path("journal.db"), &access).unwrap());
    let mut run = ExportRun::start(ExportJob {
        journal: Arc::clone(&journal),
        options: everything(ExportFormat::Xlsx),
        target: ExportTarget::SealedFile {
            output: OutputFile::new(&stage.path(name))?,
            billed_elsewhere: None,
        },
        overwrite: OverwritePolicy::UnchangedExports,
        refresh: RefreshPolicy::Auto,
        images: ImageExport::Link,
        clock: Clock::new(now),
        report: &|_| {},
    })?;
    let candidates = run.refresh_candidates()?;
    let dispatcher = dispatcher(stage, &journal);
    stage.block_on(run.refresh(&dispatcher, &candidates, CompletionWait::Once, |_| {}))?;
    run.finish()
}

#[test]
fn a_linked_program_seals_an_export_and_writes_it_again() {
    let stage = Stage::open();
    let file = stage.file("leads.csv", sheet(0..3));
    import_with_library(&stage, &file, Confirmation::Yes);
    for number in 1..=2 {
        let calls = stage.sandbox().calls();
        let created = calls.iter().filter(|call| call.method == "POST").count();
        assert_eq!(created, 3);
        let journal = Journal::open(&stage.path("journal.db"), &JournalAccess::Shared).unwrap();
        let states = journal.snapshot().unwrap().measurement_states().unwrap();
        let id = &states[number - 1].measurement_id;
        stage.sandbox().complete(id).unwrap();
        drop(journal);
        let name = format!("bill-{number}.xlsx");
        let sealed = seal_with_library(&stage, &name).unwrap();
        assert_eq!(
            (sealed.sealed, sealed.statistics.completed),
            (Some(number as u64), 1)
        );
        assert_eq!(
            sealed.written,
            Some(stage.path(&name).canonicalize().unwrap())
        );
    }
    let nothing = seal_with_library(&stage, "none.xlsx").unwrap();
    assert_eq!((nothing.sealed, nothing.written), (None, None));
    let journal = Journal::open(&stage.path("journal.db"), &JournalAccess::Shared).unwrap();
    let copy = stage.path("again.xlsx");
    let export = write_sealed_again(&journal, 1, &copy, now()).unwrap();
    assert_eq!(export.measurements, 1);
    let read = |path: &Path| std::fs::read(path).unwrap();
    assert!(read(&copy) == read(&stage.path("bill-1.xlsx")));
    assert!(matches!(
        seal_with_library(&stage, "bill-1.xlsx"),
        Ok(summary) if summary.sealed.is_none()
    ));
}
