//! `backup`: copies the journal consistently.

use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::failure::unsynced_folder;
use crate::cli::{CommandError, ExitStatus, clock};
use crate::export::refuse_irreplaceable;
use crate::journal::{BackupTarget, backup, read_snapshot};

/// Copy the journal to a file, also while an import runs
///
/// The copy is consistent, and only you can read it. An earlier copy of the same journal is replaced only when the new one
/// is complete. A copy that was opened for writing is a journal in use, and is not replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Path of the copy
    #[arg(value_name = "OUT")]
    pub(super) out: PathBuf,

    /// Replace a file of another kind or a copy of another journal, but no journal in use, imported sheet or sealed export (bill)
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "Examples:
  gutterbatch backup journal-backup.db
  gutterbatch status --journal journal-backup.db";

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let journal = context.journal_path();
    if args.force
        && args.out.exists()
        && let Some(snapshot) = read_snapshot(&journal)?
    {
        refuse_irreplaceable(&args.out, &snapshot)
            .map_err(|error| CommandError::from(error).hinted("name another file"))?;
    }
    let replacing = if args.force {
        BackupTarget::AnyFile
    } else {
        BackupTarget::UnusedCopy
    };
    let copied = backup(&journal, &args.out, replacing, clock::now())?;
    let console = &context.console;
    console.json(&report! {"backup", ExitStatus::Done;
        profile: context.common.profile,
        journal: journal.display().to_string(),
        written: args.out.display().to_string(),
        bytes: copied.bytes,
    })?;
    console.answer(&format!(
        "{}: a copy of the journal {}",
        args.out.display(),
        journal.display()
    ))?;
    if let Some(unsynced) = &copied.unsynced {
        console.warn(&unsynced_folder(unsynced));
    }
    Ok(ExitStatus::Done)
}
