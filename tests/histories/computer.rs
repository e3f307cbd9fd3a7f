//! A computer with a desk of files and a journal, on which the library imports.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gutterbatch::api::{ApiClient, BaseUrl, BearerToken, Timeouts};
use gutterbatch::dispatch::{
    Clock, DispatchError, DispatchEvent, DispatchLimits, Dispatcher, DispatcherConfig, QuotaWait,
    StopSignal,
};
use gutterbatch::import::{
    self, CheckRules, CheckedFile, Confirmation, ImportConnection, ImportContext, ImportError,
    ImportInput, ImportOptions, ImportSummary, RejectsTarget,
};
use gutterbatch::journal::{
    self, FlagsByName, Journal, JournalAccess, RememberedFlags, stored_flags,
};
use gutterbatch::model::{Field, Outcome, QuotaShare};
use gutterbatch::table::{self, TableOptions};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use super::listener::{runtime, service_address};
use super::loopback::Network;
use super::service::{QUOTA, VERSION};
use super::virtual_time::{self, wall};
use super::waiting_room::{TurnOrder, WaitingRoom};
use super::waits::Waits;

/// How often another thread may run before a lock counts as held.
const MOST_YIELDS: u32 = 100_000;

/// A computer of the office.
pub(super) struct Computer {
    /// The user's files.
    pub(super) desk: PathBuf,
    pub(super) journal: PathBuf,
    /// The token of the last connection.
    pub(super) token: String,
    pub(super) network: Arc<Mutex<Network>>,
    /// How many requests may be in flight.
    pub(super) concurrency: usize,
    /// In which order they are answered, where that matters.
    pub(super) turns: TurnOrder,
    /// Whether they are answered one after the other, also where there are several.
    pub(super) takes_turns: bool,
    /// After how many changed rows the journal refuses the others.
    pub(super) refuses_after: Option<u32>,
    /// When the newest measurement was completed about which the last export asks.
    pub(super) asked_about: Cell<Option<Timestamp>>,
}

thread_local! {
    /// The clients of a thread by their token, since reading the certificates of the system takes long.
    static CLIENTS: RefCell<HashMap<String, ApiClient>> = RefCell::default();
}

thread_local! {
    /// The file of a new journal. Without optimization its tables take long to create.
    static NEW_JOURNAL: Vec<u8> = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        drop(Journal::open(&path, &JournalAccess::Shared).unwrap());
        fs::read(path).unwrap()
    };
}

/// An import as it was typed.
#[derive(Clone, Debug, Default)]
pub(super) struct ImportCommand {
    pub(super) file: String,
    pub(super) reading: FlagsByName,
    pub(super) forget_reading: bool,
    pub(super) options: ImportOptions,
    pub(super) no_wait: bool,
}

/// What an import did.
pub(super) struct ImportResult {
    /// Outcome and external id of each row of the file.
    pub(super) rows: Vec<(Outcome, Option<String>)>,
    pub(super) outcomes: BTreeMap<&'static str, u64>,
    /// The fields that the program says were edited after they were sent, or that it warns about; `None` is the whole
    /// row.
    edited: BTreeSet<(usize, Option<&'static str>)>,
    /// The rows that were corrected in the rejects.
    pub(super) corrected: BTreeSet<usize>,
    /// Why it ended early.
    pub(super) ended: Result<(), String>,
    /// The name of the rejects.
    pub(super) rejects: Option<String>,
    /// The prefix that all rows of the same house have in the journal.
    pub(super) earlier_prefix: Option<String>,
    /// How many pending rows are not in the file any more.
    pub(super) missing: u64,
    /// The flags with which the file was read.
    pub(super) reading: FlagsByName,
    /// Whether it is not clear which flags the file has, as rejects that were read with others before.
    pub(super) has_unclear_reading: bool,
}

impl ImportResult {
    /// Whether a person is told that a field of a row was edited, or that the row was corrected in the rejects.
    pub(super) fn tells_edit_of(&self, row: usize, field: &'static str) -> bool {
        let is_told = [None, Some(field)];
        self.corrected.contains(&row)
            || is_told
                .iter()
                .any(|field| self.edited.contains(&(row, *field)))
    }
}

/// How a command ends.
pub(super) enum Ending<T> {
    /// The process died.
    Died,
    /// It did nothing, for this reason.
    Unusable(String),
    Ended(T),
}

impl Computer {
    pub(super) fn new(folder: &Path, network: &Arc<Mutex<Network>>) -> Self {
        let (desk, home) = (folder.join("desk"), folder.join("home"));
        fs::create_dir_all(&desk).unwrap();
        fs::create_dir_all(&home).unwrap();
        Self {
            desk,
            journal: home.join("journal.db"),
            token: "token-1".to_owned(),
            network: Arc::clone(network),
            concurrency: 1,
            turns: TurnOrder::FirstName,
            takes_turns: false,
            refuses_after: None,
            asked_about: Cell::new(None),
        }
    }

    /// Opens the journal for a run. Another test may start a process meanwhile, which has the lock of a journal that was
    /// just closed until it begins its program.
    pub(super) fn open_journal(&self) -> Result<Arc<Journal>, String> {
        if !self.journal.exists() {
            NEW_JOURNAL.with(|journal| fs::write(&self.journal, journal).unwrap());
        }
        let access = JournalAccess::Exclusive {
            holder: "a history".to_owned(),
        };
        let mut opened = Journal::open(&self.journal, &access);
        for _ in 0..MOST_YIELDS {
            if !matches!(opened, Err(journal::Error::Locked { .. })) {
                break;
            }
            std::thread::yield_now();
            opened = Journal::open(&self.journal, &access);
        }
        opened.map(Arc::new).map_err(|error| reason(&error))
    }

    pub(super) fn import(&self, command: &ImportCommand) -> Ending<ImportResult> {
        let reading = self.recalled(command);
        let input = ImportInput {
            is_prefix_given: command.reading.contains_key("id-prefix"),
            has_unknown_rejects: command.reading.is_empty()
                && !command.forget_reading
                && self.has_unclear_rejects(&command.file),
            ..self.input(&command.file, &reading)
        };
        let checked = match import::check(&input, |_| {}) {
            Ok(checked) => checked,
            Err(error) => return Ending::Unusable(format!("{:?}", error.cause)),
        };
        let died_or_ended = self.process(|journal| {
            let context = ImportContext {
                input: &input,
                checked: &checked,
                options: command.options,
                rejects: RejectsTarget::BesideInput,
                journal,
                base_url: Some(Self::base_url().to_string()),
                other_journals: Vec::new(),
                supplied_token: None,
                reading: reading.clone(),
                remember_on_submission_only: command.forget_reading,
                rejects_reading: reading.clone(),
                now: virtual_time::now,
            };
            let quota_wait = if command.no_wait {
                QuotaWait::NoWait
            } else {
                QuotaWait::Wait
            };
            let begun = import::run(&context, None, |_| {
                let (dispatcher, runtime) = self.dispatcher(journal, quota_wait);
                let connection = ImportConnection {
                    dispatcher,
                    confirm: Box::new(|_| Confirmation::CannotAsk),
                    on_row_result: Box::new(|_| {}),
                };
                Ok::<_, ImportError>((connection, runtime))
            });
            Ok(begun.unwrap_or_else(|error| ImportSummary {
                ended: Err(error),
                ..ImportSummary::new(&checked)
            }))
        });
        match died_or_ended {
            None => Ending::Died,
            Some(Err(reason)) => Ending::Unusable(reason),
            Some(Ok(outcome)) => Ending::Ended(ImportResult {
                has_unclear_reading: input.has_unknown_rejects,
                ..result(&checked, outcome, reading)
            }),
        }
    }

    pub(super) fn input(&self, file: &str, reading: &FlagsByName) -> ImportInput {
        let rules = rules(reading);
        let input = ImportInput::new(&self.desk.join(file), TableOptions::default(), rules);
        input.expect("a path is not opened here")
    }

    /// The flags of the command, and those that the journal remembers for the file or its headers, as `cli` adds them.
    pub(super) fn recalled(&self, command: &ImportCommand) -> FlagsByName {
        let given = command.reading.clone();
        if command.forget_reading {
            return given;
        }
        let path = self.desk.join(&command.file);
        let sample = || Some(table::rejects::sample(&path)?.rows);
        let Ok(known) = stored_flags(&self.journal, &path, sample) else {
            return given;
        };
        let mut flags = if let Some(of_file) = known.file_flags.into_iter().next() {
            of_file.flags
        } else {
            let mut layouts = known.header_flags.into_iter();
            let of_layout = layouts.find(|remembered| self.has_layout(&command.file, remembered));
            let mut flags = of_layout.map_or_else(FlagsByName::new, |of_layout| of_layout.flags);
            // Another file with the same headers may have the ids of another system.
            flags.remove("id-prefix");
            flags
        };
        flags.extend(given);
        flags.retain(|_, value| value != "");
        flags
    }

    /// Whether the program stops before it sends rows of a file because it has rejects whose flags are not clear.
    fn has_unclear_rejects(&self, file: &str) -> bool {
        let path = self.desk.join(file);
        let sample = || Some(table::rejects::sample(&path)?.rows);
        stored_flags(&self.journal, &path, sample).is_ok_and(|known| known.has_unclear_rejects)
    }

    /// Whether a file, read with the flags of another one, has the headers of that one.
    fn has_layout(&self, file: &str, of_other: &RememberedFlags) -> bool {
        let input = self.input(file, &of_other.flags);
        let opened = table::open(&input.file, &input.options);
        let layout = opened.ok().and_then(|table| table.layout().header_digest);
        let found = layout.zip(of_other.headers);
        !of_other.flags.is_empty() && found.is_some_and(|(layout, stored)| layout.is_same(stored))
    }

    pub(super) fn bearer_token(&self) -> BearerToken {
        BearerToken::new(&self.token).unwrap()
    }

    pub(super) fn base_url() -> BaseUrl {
        format!("http://{}", service_address()).parse().unwrap()
    }

    fn client(&self) -> ApiClient {
        let create = || {
            let timeouts = Timeouts {
                connect: Duration::from_secs(10),
                call: Duration::from_secs(30),
            };
            let version = VERSION.parse().unwrap();
            ApiClient::new(Self::base_url(), version, self.bearer_token(), timeouts).unwrap()
        };
        CLIENTS.with_borrow_mut(|clients| {
            let client = clients.entry(self.token.clone());
            client.or_insert_with(create).clone()
        })
    }

    /// A dispatcher, and the runtime for it. A wait of the program moves the clock to its end.
    pub(super) fn dispatcher(
        &self,
        journal: &Arc<Journal>,
        quota_wait: QuotaWait,
    ) -> (Dispatcher, Runtime) {
        let quota = self.network.lock().unwrap().service.quota;
        let waits = Arc::new(Waits::new(journal));
        // Where nothing ends the run but its last row, the order of several requests does not matter.
        let takes_turns = self.takes_turns || self.concurrency == 1;
        let room = takes_turns.then(|| Arc::new(WaitingRoom::new(self.turns, &waits)));
        // With a large quota, requests are recorded while another one is in flight.
        if takes_turns && (self.concurrency > 1 || quota > QUOTA) {
            virtual_time::begin_turns();
        }
        let runtime = runtime(&self.network, room.clone());
        let _guard = runtime.enter();
        let dispatcher = Dispatcher::new(DispatcherConfig {
            journal: Arc::clone(journal),
            client: self.client(),
            limits: DispatchLimits {
                share: QuotaShare {
                    rate: format!("{quota}/1h").parse().unwrap(),
                    reserve: 0,
                },
                max_rps: None,
                concurrency: self.concurrency,
                quota_wait,
            },
            clock: Clock::new(virtual_time::now),
            seed: 1,
            stop: StopSignal::never(),
            report: Box::new(move |event| match event {
                DispatchEvent::Waiting { until, .. } => waits.begin(until),
                DispatchEvent::Retrying { after, .. } => waits.begin(wall() + after),
                DispatchEvent::Sent { .. } => waits.sent(),
                DispatchEvent::Completed(request) => {
                    let of_row = request.external_id.filter(|_| request.method == "POST");
                    if let Some(room) = &room {
                        room.completed(&of_row.unwrap_or(request.path));
                    }
                    waits.completed();
                }
                DispatchEvent::RateLimited => {}
            }),
        });
        (dispatcher, runtime)
    }
}

/// An error without paths and ports, which differ from run to run.
pub(super) fn reason(error: &impl std::fmt::Debug) -> String {
    let text = format!("{error:?}");
    text.split([' ', '(', '{']).next().unwrap().to_owned()
}

fn import_error(error: &ImportError) -> String {
    match error {
        ImportError::Dispatch(DispatchError::Journal(error))
        | ImportError::Storage(import::Error::Journal(error)) => reason(error),
        ImportError::Dispatch(error) => reason(error),
        ImportError::Storage(import::Error::Table(error)) => reason(&error.cause),
        ImportError::Storage(import::Error::Stopped(stop)) => reason(stop),
        ended => reason(ended),
    }
}

fn rules(reading: &FlagsByName) -> CheckRules {
    let prefix = reading.get("id-prefix").and_then(|prefix| prefix.as_str());
    CheckRules {
        id_prefix: prefix
            .filter(|prefix| !prefix.is_empty())
            .map(str::to_owned),
        derive_ids: reading.contains_key("derive-id"),
        ..CheckRules::default()
    }
}

fn result(
    checked: &CheckedFile,
    outcome: ImportSummary<ImportError>,
    reading: FlagsByName,
) -> ImportResult {
    let rows = &outcome.rows;
    let row = |(index, row): (usize, &import::CheckedRow)| {
        let corrected = rows.corrected().get(&index).cloned();
        let id = corrected.or_else(|| row.external_id().map(str::to_owned));
        (rows.outcome(index), id)
    };
    let warnings = rows.warnings().iter();
    let warned = warnings.map(|warning| (warning.index, warning.field));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    ImportResult {
        rows: checked.rows.iter().enumerate().map(row).collect(),
        outcomes: rows
            .outcomes()
            .iter()
            .map(|(outcome, count)| (outcome.name(), count))
            .collect(),
        edited: rows
            .edited()
            .iter()
            .flat_map(|(row, edit)| edit.fields.iter().map(|field| (*row, Some(*field))))
            .chain(warned)
            .map(|(row, field)| (row, field.map(Field::name)))
            .collect(),
        corrected: rows.corrected().keys().copied().collect(),
        ended: outcome.ended.as_ref().copied().map_err(import_error),
        rejects: outcome.rejects.as_ref().map(|rejects| name(&rejects.path)),
        earlier_prefix: outcome.earlier_prefix.clone(),
        missing: outcome.missing,
        has_unclear_reading: false,
        reading,
    }
}
