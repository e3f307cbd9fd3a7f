//! `status`: progress of the job, the budget, and the locations of files. Sends no request.

mod all;
mod budget;
pub(super) mod needed_actions;
mod open;
mod report;
mod row_history;
mod rows;
mod summary;
mod token;

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::cli::context::Context;
use crate::cli::network::QuotaArgs;
use crate::cli::reading::ReadingArgs;
use crate::cli::settings::{EffectiveSetting, SettingOrigin};
use crate::cli::{CommandError, ExitStatus, clock, profiles};
use crate::journal::{self, JournalOverview, LastRun, RunLimits, overview, read_snapshot, window};

use report::StatusReport;
use rows::FileRows;

/// Show what is done and what is pending, the budget left, where files are stored, and with -v the settings
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch status
  gutterbatch status leads.xlsx
  gutterbatch status --open
  gutterbatch status --id 00Q5e000012AbCd")]
pub(super) struct Args {
    /// Only the rows of this file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Show the history of one row: every attempt, response and export
    #[arg(long, value_name = "EXTERNAL_ID", conflicts_with = "file")]
    id: Option<String>,

    /// List the measurements that are not final, the oldest first
    #[arg(long, conflicts_with_all = ["file", "id"])]
    open: bool,

    /// Show every profile
    #[arg(long, conflicts_with_all = ["file", "id", "open"])]
    all: bool,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    quota: QuotaArgs,
}

impl Args {
    /// Whether the settings of the context's profile must be valid; with `--all` it is one of several.
    pub(super) fn uses_settings(&self) -> bool {
        !self.all
    }
}

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.all {
        return all::show(context);
    }
    profiles::require_known(context)?;
    let path = context.journal_path();
    if context.has_origin("journal", SettingOrigin::Flag) && !path.exists() {
        return Err(journal::Error::Missing { path }.into());
    }
    if args.open {
        return open::show(context);
    }
    if let Some(external_id) = &args.id {
        return row_history::show(external_id, context);
    }
    let rows = match &args.file {
        Some(file) => Some(FileRows::read(file, &mut args.reading, context)?),
        None => None,
    };
    let report = report(&args, rows.as_ref(), context)?;
    let console = &context.console;
    console.json(&report.document())?;
    let mut text = format!("{}\n{}", report.answers(), report.text());
    if console.is_verbose() {
        text.push_str(&report.settings());
    }
    console.print_result(&text)?;
    Ok(ExitStatus::Done)
}

/// The report of the context's profile.
fn report<'a>(
    args: &Args,
    file_rows: Option<&'a FileRows>,
    context: &'a Context,
) -> Result<StatusReport<'a>, CommandError> {
    let path = context.journal_path();
    let overview = overview(
        &path,
        file_rows.map(|rows| (&rows.source, rows.ids.as_slice())),
    )?;
    let refusal = overview.as_ref().and_then(|one| one.token_refusal.as_ref());
    let token = token::TokenReport::find(context, refusal)?;
    let (limits, now) = (limits(args, overview.as_ref(), context), clock::now());
    let window = window(&path, now, limits.share)?;
    let is_set = |setting: &&EffectiveSetting| {
        setting.origin != SettingOrigin::Default || setting.value != "false"
    };
    let mut report = StatusReport {
        profile: context.common.profile.clone(),
        settings: context.settings.iter().filter(is_set).cloned().collect(),
        config: context.home.config_file(),
        has_journal: overview.is_some(),
        token,
        budget: budget::BudgetReport::new(&window, limits.share, now),
        file_rows,
        rows: None,
        overview: overview.unwrap_or_default(),
        missing_seals: missing_seals(&path),
        journal: path,
        console: &context.console,
        window,
        limits,
        now,
    };
    report.rows = file_rows.map(|rows| rows.report(&report.overview));
    Ok(report)
}

/// The limits of the import that runs or was interrupted, unless flags of this command set others.
fn limits(args: &Args, overview: Option<&JournalOverview>, context: &Context) -> RunLimits {
    let is_set = |key| context.has_origin(key, SettingOrigin::Flag);
    let stored = overview.filter(|one| {
        !is_set("rate")
            && !is_set("reserve")
            && one.last_runs.iter().any(|run| LastRun::pending(run) > 0)
    });
    let own = RunLimits {
        share: args.quota.share(),
        max_rps: None,
    };
    stored.and_then(|one| one.run_limits).unwrap_or(own)
}

/// When the service said it; a restored measurement is as the workbook shows it until the service is asked.
fn as_of(asked_at: Timestamp, now: Timestamp) -> String {
    if asked_at == Timestamp::UNIX_EPOCH {
        return "as restored".to_owned();
    }
    format!("as of {}", clock::local(asked_at, now))
}

/// Number of sealed exports that the record beside the journal has, and the journal has not. A journal that cannot be
/// read is reported by the command that needs it.
fn missing_seals(path: &Path) -> u64 {
    let snapshot = read_snapshot(path).ok().flatten();
    let missing = snapshot.and_then(|snapshot| journal::missing_seals(&snapshot, path).ok());
    missing.map_or(0, |missing| missing.len() as u64)
}
