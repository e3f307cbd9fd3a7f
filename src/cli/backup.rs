//! `backup`: copies the journal consistently.

use std::path::{Path, PathBuf};

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CliError, CommandError, ExitStatus, clock};
use crate::journal::backup;

/// Copy the journal to a file, also while an import runs
///
/// The copy is consistent, and only you can read it. An earlier copy of the same journal is replaced only when the new
/// one is complete. Any other file is not replaced: a copy that was opened for writing is a journal in use.
///
/// To put a copy back, move the journal that is there away, with the files beside it, and copy the backup to its path,
/// which `gutterbatch status` shows.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Path of the copy
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,
}

const EXAMPLES: &str = "Examples:
  gutterbatch backup journal-backup.db
  gutterbatch status --journal journal-backup.db";

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if args.out == Path::new("-") {
        return Err(CliError::NotOnStdout("a journal").into());
    }
    let journal = context.journal_path();
    let bytes = backup(&journal, &args.out, clock::now())?;
    let console = &context.console;
    console.json(&report! {"backup", ExitStatus::Done;
        profile: context.common.profile,
        journal: journal.display().to_string(),
        written: args.out.display().to_string(),
        bytes: bytes,
    })?;
    console.print_result(&format!(
        "{}: a copy of the journal {}",
        args.out.display(),
        journal.display()
    ))?;
    Ok(ExitStatus::Done)
}
