//! Asking again about what may have changed, as far as the quota goes.

use std::sync::Arc;

use crate::cli::connection::{AuthorizedClient, permitted};
use crate::cli::dispatcher::{DispatcherOptions, dispatcher};
use crate::cli::export::job::ExportJob;
use crate::cli::export::progress::ExportProgress;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, clock};
use crate::dispatch::{DispatchError, Dispatcher, QuotaWait, RequestCounts};
use crate::export::{
    RefreshCandidate, RefreshOutcome, RefreshPolicy, RoundPauses, ask, refresh_candidates,
    wait_complete, wanted,
};
use crate::journal::Journal;
use crate::model::counted;

/// What is asked for again, and the permission to ask.
#[derive(Debug)]
pub(super) struct RefreshRequests {
    permitted: AuthorizedClient,
    wanted: Vec<RefreshCandidate>,
}

impl ExportJob<'_> {
    /// What there is to ask; none where nothing may have changed, or nothing is to be sent.
    pub(super) fn questions(
        &self,
        journal: &Journal,
    ) -> Result<Option<RefreshRequests>, CommandError> {
        let known = match self.args.policy() {
            RefreshPolicy::Never => Vec::new(),
            RefreshPolicy::Auto | RefreshPolicy::All => refresh_candidates(&journal.snapshot()?)?,
        };
        // What other files wait for is no concern of the user's own sheet.
        let known = match &self.own {
            Some(own) => own.asked_about(known),
            None => known,
        };
        let wanted = wanted(known, self.args.policy(), clock::now());
        if wanted.is_empty() {
            return Ok(None);
        }
        let permitted = permitted(self.context, &self.args.network)?;
        Ok(Some(RefreshRequests { permitted, wanted }))
    }

    /// Asks. Every answer is in the journal before it is counted.
    pub(super) async fn refresh(
        &self,
        journal: &Arc<Journal>,
        questions: &RefreshRequests,
        signals: &SignalListener,
    ) -> Result<(RefreshOutcome, RequestCounts), CommandError> {
        journal.clamp_slots(clock::now()).await?;
        let quota_wait = if self.args.wait_complete {
            QuotaWait::Wait
        } else {
            QuotaWait::NoWait
        };
        // Who waits for all looks at final ones too, and says himself of how many.
        let total = (!self.args.wait_complete).then_some(questions.wanted.len() as u64);
        let view = ExportProgress::new(&self.context.console, total);
        let reported = view.clone();
        let dispatcher = dispatcher(
            &self.args.network,
            DispatcherOptions {
                journal: Arc::clone(journal),
                client: questions.permitted.client.clone(),
                quota_wait,
                stop: signals.stop(),
                report: Box::new(move |event| reported.event(&event)),
            },
        );
        let refreshed = self.ask(&dispatcher, questions, &view).await?;
        let counts = dispatcher.request_counts();
        Ok((self.unless_ended(refreshed, signals)?, counts))
    }

    async fn ask(
        &self,
        dispatcher: &Dispatcher,
        questions: &RefreshRequests,
        view: &ExportProgress,
    ) -> Result<RefreshOutcome, CommandError> {
        let RefreshRequests { permitted, wanted } = questions;
        if !dispatcher
            .journal()
            .has_verified_token(permitted.token.expose())?
            && let Err(error) = dispatcher.verify_account(&permitted.token).await
        {
            return Ok(RefreshOutcome {
                not_asked: wanted.len() as u64,
                error: Some(error),
                ..RefreshOutcome::default()
            });
        }
        let concurrency = usize::from(self.args.network.concurrency);
        if self.args.wait_complete {
            let tell = |done: u64, total: u64| {
                view.done(done, format!("final of {}", counted(total, "measurement")));
            };
            return Ok(
                wait_complete(dispatcher, wanted, concurrency, RoundPauses::USUAL, tell).await?,
            );
        }
        Ok(ask(dispatcher, wanted, concurrency, |done| {
            view.done(done, "asked again".to_owned());
        })
        .await)
    }

    /// What was learned stays; only what leaves no honest file ends the run.
    fn unless_ended(
        &self,
        refreshed: RefreshOutcome,
        signals: &SignalListener,
    ) -> Result<RefreshOutcome, CommandError> {
        match refreshed.error {
            Some(DispatchError::Interrupted) => Err(self.interrupted(signals)),
            Some(error @ (DispatchError::Service(_) | DispatchError::Journal(_))) => {
                Err(error.into())
            }
            _ => Ok(refreshed),
        }
    }
}
