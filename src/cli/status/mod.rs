//! `status`: how far the job is, what the budget holds, and where everything is kept. Never touches the network.

mod document;
mod story;
mod token;

use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::{Exit, Failure};
use crate::journal::overview;

/// Show how far the job is, the budget left, and where everything is kept
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch status
  gutterbatch status leads.xlsx
  gutterbatch status --id 00Q5e000012AbCd")]
pub(super) struct Args {
    /// Only the rows of this file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// One row's whole story: every attempt, answer and export
    #[arg(long, value_name = "EXTERNAL_ID", conflicts_with = "file")]
    id: Option<String>,
}

pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    if let Some(external_id) = &args.id {
        return story::show(external_id, context);
    }
    let file = args.file.as_deref().map(std::path::absolute).transpose();
    let file =
        file.map_err(|error| Failure::new(Exit::Files, format!("cannot find the file: {error}")))?;
    let path = context.journal_path();
    let overview = overview(&path, file.as_deref())?;
    let token = token::Token::find(context)?;
    let document = document::Document::new(context, token, overview.as_ref());
    context.console.json(&document)?;
    context.console.answer(&document.text())?;
    Ok(Exit::Done)
}
