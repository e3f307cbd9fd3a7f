//! A run against the service: ask the user, prove the team, submit what the plan says, and keep count.

use crate::api::BearerToken;
use crate::dispatch::{DispatchError, Dispatcher};
use crate::import::options::RefusalCounter;
use crate::import::submit::{SubmissionStream, submit};
use crate::import::{CheckedFile, ImportInput, ImportOptions, RowSettled, SubmissionPlan};
use crate::journal::{Binding, RememberedReading, SourceId};
use crate::model::Request;
use crate::sheet;

/// Houses that the first question names.
const HOUSES_SHOWN: usize = 3;

/// All that a run works with.
#[derive(Clone, Copy, Debug)]
pub struct ImportContext<'a> {
    /// The way to the service.
    pub dispatcher: &'a Dispatcher,
    /// Proved before anything is sent.
    pub token: &'a BearerToken,
    /// The file.
    pub input: &'a ImportInput,
    /// What is known of it.
    pub checked: &'a CheckedFile,
    /// The file, as the journal numbers it.
    pub source: SourceId,
    /// How the file is read, for the journal to remember.
    pub reading: &'a RememberedReading,
    /// What the user asked.
    pub options: ImportOptions,
}

/// How a run talks with the user.
#[expect(missing_debug_implementations, reason = "closures cannot be shown")]
pub struct ImportPrompts<'a> {
    /// Asks before the first row is sent, and after the canary.
    pub ask: &'a mut dyn FnMut(ImportQuestion<'_>) -> ImportAnswer,
    /// Tells of each row that came to its end.
    pub tell: &'a mut dyn FnMut(RowSettled<'_>),
}

/// What the user is asked.
#[derive(Clone, Copy, Debug)]
pub enum ImportQuestion<'a> {
    /// Whether to begin. The team is proved before the first row leaves.
    Begin {
        /// Whose contractor will see the requests.
        team: &'a Binding,
        /// The first of the rows to be submitted.
        first: &'a [Request],
    },
    /// Whether to go on after the canary.
    GoOn {
        /// Rows of the canary.
        rows: u64,
    },
}

/// What the user says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportAnswer {
    /// Go on.
    Yes,
    /// Stop here.
    No,
    /// There is nobody to ask.
    Nobody,
}

/// Why a run ended before all of its rows were submitted.
#[derive(Debug)]
pub enum ImportError {
    /// Sending stopped.
    Dispatch(DispatchError),
    /// The service refused too many rows.
    Refused {
        /// How many.
        rows: u64,
    },
    /// The file cannot be read any more, or changed since it was checked.
    Table(sheet::Error),
    /// The user said no.
    Declined,
    /// The canary was sent, and there was nobody to ask.
    Canary {
        /// Rows of the canary.
        rows: u64,
    },
}

impl From<DispatchError> for ImportError {
    fn from(error: DispatchError) -> Self {
        Self::Dispatch(error)
    }
}

/// Submits what the plan says. What became of each row is in the plan's rows, however the run ends.
///
/// # Errors
/// The [`ImportError`] that kept the run from submitting all of it.
pub async fn run(
    session: ImportContext<'_>,
    plan: &mut SubmissionPlan,
    talk: ImportPrompts<'_>,
) -> Result<(), ImportError> {
    let journal = session.dispatcher.journal();
    // A person is asked before the run waits for the quota. Only the service can name the team of a new journal, whose
    // quota is free.
    let bound = journal.binding().map_err(DispatchError::Journal)?;
    let is_verified = bound.is_none();
    let team = match bound {
        Some(bound) => bound,
        None => session.dispatcher.verify_account(session.token).await?,
    };
    let SubmissionPlan { rows, send, .. } = plan;
    let wanted = |index: usize| send.binary_search(&index).is_ok();
    let mut rest = session
        .checked
        .requests(session.input, wanted)
        .map_err(ImportError::Table)?;
    let shown: Vec<_> = rest.by_ref().take(HOUSES_SHOWN).collect();
    let first: Vec<Request> = shown
        .iter()
        .flatten()
        .map(|(_, request)| request.clone())
        .collect();
    let begin = ImportQuestion::Begin {
        team: &team,
        first: &first,
    };
    match (talk.ask)(begin) {
        ImportAnswer::Yes | ImportAnswer::Nobody => {}
        ImportAnswer::No => return Err(ImportError::Declined),
    }
    if !is_verified {
        session.dispatcher.verify_account(session.token).await?;
    }
    // Before the first row leaves: a run that is killed then is repeated, perhaps without its flags.
    let remembered = journal.remember_reading(session.reading);
    remembered.await.map_err(DispatchError::Journal)?;
    let mut requests = shown.into_iter().chain(rest);
    let mut submission = SubmissionStream {
        dispatcher: session.dispatcher,
        input: session.input,
        checked: session.checked,
        source: session.source,
        told: talk.tell,
    };
    let mut refusals = RefusalCounter::new(session.options.max_refused, send.len() as u64);
    if let Some(canary) = session.options.canary {
        let canary = canary.min(send.len() as u64);
        let mut first = requests
            .by_ref()
            .take(usize::try_from(canary).unwrap_or(usize::MAX));
        submit(&mut submission, &mut first, rows, &mut refusals).await?;
        if canary < send.len() as u64 {
            go_on(canary, talk.ask)?;
        }
    }
    submit(&mut submission, &mut requests, rows, &mut refusals).await
}

fn go_on(
    rows: u64,
    ask: &mut dyn FnMut(ImportQuestion<'_>) -> ImportAnswer,
) -> Result<(), ImportError> {
    match ask(ImportQuestion::GoOn { rows }) {
        ImportAnswer::Yes => Ok(()),
        ImportAnswer::No => Err(ImportError::Declined),
        ImportAnswer::Nobody => Err(ImportError::Canary { rows }),
    }
}
