//! Opens the journal for a run, and waits for another run that uses it.

use std::time::Duration;

use crate::cli::clock;
use crate::cli::context::{Context, block_on};
use crate::cli::network::NetworkArgs;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::{RunWait, Wait};
use crate::cli::{CliError, CommandError};
use crate::dispatch::StopStage;
use crate::journal::{Error, Journal, JournalAccess};

/// Time between two tries to lock the journal.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Opens the profile's journal. If another run has locked it, tries again for the time that `--lock-wait` gives.
///
/// # Errors
/// As [`Journal::open`]; `ExitStatus::Locked` if the journal is still locked after the wait.
pub(super) fn open_journal(
    context: &Context,
    network: &NetworkArgs,
    access: &JournalAccess,
) -> Result<Journal, CommandError> {
    let path = context.journal_path();
    let started = clock::instant();
    let mut shown = None;
    loop {
        match Journal::open(&path, access) {
            Err(Error::Locked { holder, .. }) => {
                let left = network
                    .lock_wait
                    .unwrap_or_default()
                    .saturating_sub(clock::instant().duration_since(started));
                if left.is_zero() {
                    let locked = CommandError::from(Error::Locked { path, holder });
                    return Err(match network.lock_wait {
                        None => locked,
                        Some(_) => locked.hinted("give a longer --lock-wait; `gutterbatch status` shows the progress of the other run"),
                    });
                }
                shown.get_or_insert_with(|| {
                    let console = &context.console;
                    let words = RunWait::OtherRun.words();
                    console.info_progress(&format!("{words}: {holder}"));
                    let wait = Wait {
                        until: clock::now() + left,
                        reason: RunWait::OtherRun,
                    };
                    ProgressLine::start_wait(console, wait)
                });
                block_on(async {
                    let signals = context.signals();
                    let stop = signals.stop();
                    tokio::select! {
                        () = tokio::time::sleep(left.min(RETRY_INTERVAL)) => Ok(()),
                        () = stop.reached(StopStage::Draining) => {
                            Err(CliError::Interrupted(signals.exit()).into())
                        }
                    }
                })?;
            }
            opened => return Ok(opened?),
        }
    }
}
