//! `status`: progress of the job, the budget, and the locations of files. Sends no request.

mod budget;
mod report;
mod row_history;
mod rows;
mod token;

use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::reading::ReadingArgs;
use crate::cli::{CommandError, ExitStatus, clock, profiles};
use crate::journal::overview;
use crate::model::{QuotaShare, Rate};

use rows::FileRows;

/// Show what is done and what is pending, the budget left, and where files are stored
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch status
  gutterbatch status leads.xlsx
  gutterbatch status --id 00Q5e000012AbCd")]
pub(super) struct Args {
    /// Only the rows of this file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Show the history of one row: every attempt, response and export
    #[arg(long, value_name = "EXTERNAL_ID", conflicts_with = "file")]
    id: Option<String>,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Quota of the team, for the budget
    #[arg(long, value_name = "COUNT/WINDOW", default_value_t = Rate::DOCUMENTED)]
    rate: Rate,

    /// Number of requests in each window that are left to other programs
    #[arg(long, value_name = "N", default_value_t = 0)]
    reserve: u32,
}

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    profiles::refuse_unknown(context)?;
    if let Some(external_id) = &args.id {
        return row_history::show(external_id, context);
    }
    let rows = match &args.file {
        Some(file) => Some(FileRows::read(file, &mut args.reading, context)?),
        None => None,
    };
    let path = context.journal_path();
    let overview = overview(&path, rows.as_ref().map(|rows| rows.ids.as_slice()))?;
    let token = token::TokenReport::find(context)?;
    let share = QuotaShare {
        rate: args.rate,
        reserve: args.reserve,
    };
    let budget = budget::BudgetReport::read(&path, share, clock::now())?;
    let document = report::StatusReport::new(context, token, budget, overview.as_ref());
    let document = match rows {
        Some(rows) => document.with_rows(rows.report(overview.as_ref())),
        None => document,
    };
    context.console.json(&document)?;
    context.console.answer(&document.text())?;
    Ok(ExitStatus::Done)
}
