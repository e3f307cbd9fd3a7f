//! A bad day: a service that drops, cuts, delays and refuses, and an importing process that is killed again and again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};
use serde_json::Value;

use crate::cli::rehearse::environment::RehearsalEnvironment;
use crate::cli::rehearse::rough_report::{RoughReport, rough_report};
use crate::cli::rehearse::{Args, arguments};
use crate::cli::{CommandError, ExitStatus};
use crate::import::{self, CheckedFile, ImportInput, ImportOptions};
use crate::journal;
use crate::model::Outcome;

/// How often the process is killed at most.
const MOST_KILLS: u64 = 40;

/// How long a process lives before it is killed, in milliseconds.
const LIFE: std::ops::Range<u64> = 20..700;

/// How often a run that stopped by itself with rows pending is started again.
const MOST_RESUMES: u64 = 30;

/// The user's sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct RehearsedSheet<'a> {
    pub(super) input: &'a ImportInput,
    pub(super) checked: &'a CheckedFile,
}

/// How a rough import ended.
pub(super) struct RoughImport {
    pub(super) import: Value,
    pub(super) exit: ExitStatus,
    pub(super) reckoning: RoughReport,
}

/// Imports by child processes that are killed by seed, until one comes to its end.
pub(super) fn import(
    args: &Args,
    scene: &RehearsalEnvironment<'_>,
    sheet: RehearsedSheet<'_>,
) -> Result<RoughImport, CommandError> {
    let mut rng = StdRng::seed_from_u64(args.seed);
    let mut kills = 0;
    while kills < MOST_KILLS {
        let mut child = spawn(args, scene, "killed.log")?;
        let life = Duration::from_millis(rng.random_range(LIFE));
        scene.block_on(async { tokio::time::sleep(life).await });
        if ended(&mut child)?.is_some() {
            break;
        }
        child.kill().map_err(|error| not_run(&error))?;
        child.wait().map_err(|error| not_run(&error))?;
        kills += 1;
    }
    let (import, exit) = finish(args, scene)?;
    // What the service was told to do to calls is over; the count and the export look at what it holds.
    let faults = scene.sandbox().injected_faults();
    scene.sandbox().set_faults(None);
    let withheld = withheld(scene, sheet)?;
    let counted = rough_report(sheet.checked, &withheld, &scene.sandbox().measurements());
    Ok(RoughImport {
        import,
        exit,
        reckoning: RoughReport {
            kills,
            faults,
            ..counted
        },
    })
}

/// The ids of rows that are rightly not with the service: refused by its own validation, or of the same house as others.
fn withheld(
    scene: &RehearsalEnvironment<'_>,
    sheet: RehearsedSheet<'_>,
) -> Result<BTreeSet<String>, CommandError> {
    let (inner, _) = scene.context();
    let index = journal::read_index(&inner.journal_path())?;
    let plan = import::plan(
        sheet.input,
        sheet.checked,
        &index,
        &ImportOptions::default(),
    )?;
    let rows = sheet.checked.rows.iter().enumerate();
    let withheld = rows.filter(|(index, _)| {
        matches!(
            plan.rows.outcome(*index),
            Outcome::Refused | Outcome::SameHouse | Outcome::Duplicate
        )
    });
    let ids = withheld.filter_map(|(_, row)| row.external_id());
    Ok(ids.map(str::to_owned).collect())
}

/// The same command again, unkilled, until it has nothing left to do.
fn finish(
    args: &Args,
    scene: &RehearsalEnvironment<'_>,
) -> Result<(Value, ExitStatus), CommandError> {
    for _ in 0..MOST_RESUMES {
        let output = spawn(args, scene, "last.log")?
            .wait_with_output()
            .map_err(|error| not_run(&error))?;
        let exit = match output.status.code() {
            Some(0) => ExitStatus::Done,
            Some(3) => ExitStatus::Attention,
            Some(4) => continue,
            code => {
                let log = std::fs::read_to_string(log(scene, "last.log")).unwrap_or_default();
                let code = code.map_or("by a signal".to_owned(), |code| format!("with {code}"));
                return Err(CommandError::new(
                    ExitStatus::Bug,
                    format!("the importing process ended {code}: {}", log.trim()),
                ));
            }
        };
        let document = serde_json::from_slice(&output.stdout);
        let document = document.map_err(|error| {
            CommandError::new(
                ExitStatus::Bug,
                format!("the importing process said no JSON: {error}"),
            )
        })?;
        return Ok((document, exit));
    }
    Err(CommandError::new(
        ExitStatus::Pending,
        format!("rows were still pending after {MOST_RESUMES} runs"),
    ))
}

fn spawn(
    args: &Args,
    scene: &RehearsalEnvironment<'_>,
    log_name: &str,
) -> Result<Child, CommandError> {
    let program = std::env::current_exe().map_err(|error| not_run(&error))?;
    let path = log(scene, log_name);
    let errors =
        std::fs::File::create(&path).map_err(|error| CommandError::file("write", &path, &error))?;
    let (inner, _) = scene.context();
    let mut command = Command::new(program);
    command
        .arg("import")
        .args(arguments::import(args, scene))
        .args(["--json", "--no-progress", "--secrets", "file"])
        // The user's own connection is none of a rehearsal's business.
        .env_remove("GUTTERBATCH_TOKEN")
        .env_remove("GUTTERBATCH_CLIENT_ID")
        .env_remove("GUTTERBATCH_CLIENT_SECRET")
        .env("GUTTERBATCH_HOME", scene.folder())
        .env("GUTTERBATCH_PROFILE", &inner.common.profile)
        .env(
            "GUTTERBATCH_BASE_URL",
            inner.common.base_url.as_deref().unwrap_or_default(),
        )
        .env(
            "GUTTERBATCH_SERVICE_VERSION",
            inner.common.service_version.as_deref().unwrap_or_default(),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors);
    command.spawn().map_err(|error| not_run(&error))
}

fn ended(child: &mut Child) -> Result<Option<std::process::ExitStatus>, CommandError> {
    child.try_wait().map_err(|error| not_run(&error))
}

fn log(scene: &RehearsalEnvironment<'_>, name: &str) -> PathBuf {
    scene.folder().join(name)
}

fn not_run(error: &std::io::Error) -> CommandError {
    CommandError::new(
        ExitStatus::Files,
        format!("cannot run the importing process: {error}"),
    )
}
