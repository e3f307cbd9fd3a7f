//! A rehearsal with faults: the service drops, cuts, delays and refuses calls, and the importing process is killed
//! repeatedly.

use std::collections::BTreeSet;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};
use serde_json::{Value, json};

use crate::cli::progress::ProgressLine;
use crate::cli::rehearse::commands::{failed, not_run};
use crate::cli::rehearse::environment::{PROFILE, RehearsalEnvironment, RehearsedSheet};
use crate::cli::rehearse::rough_report::{RoughReport, rough_report, valid_ids};
use crate::cli::rehearse::{Args, commands};
use crate::cli::{CommandError, ExitStatus};
use crate::import::{self, ImportOptions};
use crate::journal;
use crate::model::Outcome;
use crate::sandbox::ReceivedCall;

/// The maximum number of kills.
const MAX_KILLS: u64 = 40;

/// How long the first process runs at most before it is killed, in milliseconds, less than an import takes.
/// Each later one may run longer by this time.
const LIFETIME: u64 = 80;

/// The maximum number of runs after the last kill.
const MAX_RUNS: u64 = 30;

/// The maximum number of runs, killed or not.
const MAX_ROUNDS: u64 = MAX_KILLS + MAX_RUNS;

/// How a rough import ended.
pub(super) struct RoughImport {
    pub(super) import: Value,
    pub(super) exit: ExitStatus,
    pub(super) report: RoughReport,
}

/// Imports in child processes that are killed after random times, until one finishes.
pub(super) fn import(
    args: &Args,
    environment: &RehearsalEnvironment<'_>,
    sheet: RehearsedSheet<'_>,
) -> Result<RoughImport, CommandError> {
    let mut rng = StdRng::seed_from_u64(args.seed);
    let rows = valid_ids(sheet.checked).count() as u64;
    let mut progress = ProgressLine::start(&environment.outer.console, Some(rows));
    let mut show = |round: u64| {
        let state = format!("round {round} of at most {MAX_ROUNDS}; Ctrl-C is safe");
        progress.update(environment.sandbox.measurements().len() as u64, &state);
    };
    let mut kills = 0;
    while kills < MAX_KILLS {
        show(kills + 1);
        let mut child = environment.spawn(&commands::import(args, environment))?;
        let lifetime = Duration::from_millis(rng.random_range(20..LIFETIME * (kills + 1)));
        environment.wait(&mut child, lifetime)?;
        if child.try_wait().map_err(not_run)?.is_some() {
            break;
        }
        child.kill().map_err(not_run)?;
        child.wait().map_err(not_run)?;
        kills += 1;
    }
    let (mut import, exit) = finish(args, environment, |run| show(kills + run))?;
    drop(progress);
    sum_runs(&mut import, &environment.sandbox.calls());
    // Without faults, so that the count and the export see what the service holds.
    let faults = environment.sandbox.injected_faults();
    environment.sandbox.set_faults(None);
    let without_measurement = without_measurement(environment, sheet)?;
    let counted = rough_report(
        sheet.checked,
        &without_measurement,
        &environment.sandbox.measurements(),
    );
    Ok(RoughImport {
        import,
        exit,
        report: RoughReport {
            kills,
            faults,
            ..counted
        },
    })
}

/// Turns the document of the last run into that of all runs: the rows that it knew were created by runs before it, and
/// the requests are those that the stand-in received.
fn sum_runs(import: &mut Value, calls: &[ReceivedCall]) {
    let outcomes = &mut import["outcomes"];
    let known = std::mem::replace(&mut outcomes["known"], 0.into());
    let created = outcomes["created"].as_u64().unwrap_or(0) + known.as_u64().unwrap_or(0);
    outcomes["created"] = created.into();
    let of_answers = ["created", "existing", "refused", "conflict"];
    let answered: u64 = of_answers
        .iter()
        .filter_map(|one| outcomes[one].as_u64())
        .sum();
    let count = |is_counted: &dyn Fn(&ReceivedCall) -> bool| {
        calls.iter().filter(|call| is_counted(call)).count() as u64
    };
    let post = count(&|call| call.method == "POST");
    import["requests"] = json!({
        "total": calls.len(),
        "post": post,
        "get": count(&|call| call.method == "GET"),
        "retried": post.saturating_sub(answered),
        "rate_limited": count(&|call| call.status == Some(429)),
    });
}

/// The ids of rows that have no measurement for a reason: the service refused them, or they repeat another row.
fn without_measurement(
    environment: &RehearsalEnvironment<'_>,
    sheet: RehearsedSheet<'_>,
) -> Result<BTreeSet<String>, CommandError> {
    let index = journal::read_index(&environment.home().journal(PROFILE))?;
    let plan = import::plan(
        sheet.input,
        sheet.checked,
        &index,
        &ImportOptions::default(),
    )?;
    let rows = sheet.checked.rows.iter().enumerate();
    let without_measurement = rows.filter(|(index, _)| {
        matches!(
            plan.rows.outcome(*index),
            Outcome::Refused | Outcome::SameHouse | Outcome::Duplicate
        )
    });
    let ids = without_measurement.filter_map(|(_, row)| row.external_id());
    Ok(ids.map(str::to_owned).collect())
}

/// Runs the same command again without killing it, until no row is pending.
fn finish(
    args: &Args,
    environment: &RehearsalEnvironment<'_>,
    mut show: impl FnMut(u64),
) -> Result<(Value, ExitStatus), CommandError> {
    for run in 1..=MAX_RUNS {
        match environment.run_showing(&commands::import(args, environment), || show(run)) {
            Ok((_, ExitStatus::Pending)) => {}
            Err(failure) if failure.exit() == ExitStatus::Pending => {}
            ended => return ended,
        }
    }
    Err(failed(format!("rows were still pending after {MAX_RUNS} runs")).into())
}
