//! Exports, copies and restored journals on a computer, through the library.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use gutterbatch::dispatch::{Clock, DispatchError, QuotaWait, StopSignal};
use gutterbatch::export::{
    BillingFilter, CompletionPeriod, CompletionWait, CustomerRow, CustomerSheet, Error,
    ExportFormat, ExportJob, ExportOptions, ExportRun, ExportTarget, FormulaEscaping, ImageExport,
    OutputFile, OverwritePolicy, RecordFilter, RefreshPolicy, TimeZoneName, refuse_protected,
    restore, write_sealed_again,
};
use gutterbatch::import::{
    self, CheckResult, CheckedFile, ImportInput, ImportOptions, RowOutcomes,
};
use gutterbatch::journal::{self, BilledElsewhereDeclaration, Journal, JournalAccess, read_index};
use gutterbatch::model::{Outcome, RowNumber};
use jiff::Timestamp;

use super::computer::{Computer, Ending, ImportCommand, reason};
use super::steps::Fate;
use super::virtual_time::{self, time};

/// What is exported.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExportKind {
    Everything,
    /// `--for FILE`
    For(String),
    /// `--new`, perhaps with `--month`; `--billed-until DATE` or `never` where it is given.
    New {
        month: Option<String>,
        billed_until: Option<BilledUntil>,
    },
}

/// The value of `--billed-until`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BilledUntil {
    Never,
    Before(Timestamp),
}

/// An export as it was typed.
#[derive(Clone, Debug)]
pub(super) struct ExportCommand {
    pub(super) out: String,
    pub(super) kind: ExportKind,
    pub(super) refresh: RefreshPolicy,
}

impl ExportCommand {
    /// Whether it says what was billed elsewhere.
    pub(super) fn is_declared(&self) -> bool {
        matches!(&self.kind, ExportKind::New { billed_until, .. } if billed_until.is_some())
    }

    /// The command as a person types it.
    pub(super) fn words(&self) -> String {
        let mut words = vec![format!("gutterbatch export '{}'", self.out)];
        match &self.kind {
            ExportKind::Everything => {}
            ExportKind::For(file) => words.push(format!("--for '{file}'")),
            ExportKind::New {
                month,
                billed_until,
            } => {
                words.push("--new".to_owned());
                words.extend(month.as_ref().map(|month| format!("--month {month}")));
                words.extend(billed_until.map(|until| match until {
                    BilledUntil::Never => "--billed-until never".to_owned(),
                    BilledUntil::Before(until) => format!("--billed-until {until}"),
                }));
            }
        }
        match self.refresh {
            RefreshPolicy::Auto => {}
            RefreshPolicy::All => words.push("--refresh all".to_owned()),
            RefreshPolicy::Never => words.push("--offline".to_owned()),
        }
        words.join(" ")
    }
}

/// What an export did.
#[derive(Debug)]
pub(super) struct ExportResult {
    /// Whether some measurements could not be requested again.
    pub(super) is_partial: bool,
    /// The number of the sealed export.
    pub(super) sealed: Option<u64>,
}

impl Computer {
    pub(super) fn export(&self, command: &ExportCommand, fate: Fate) -> Ending<ExportResult> {
        if !self.journal.exists() {
            return Ending::Unusable("Missing".to_owned());
        }
        match self.process(|journal| self.try_export(journal, command, fate)) {
            None => Ending::Died,
            Some(Err(reason)) => Ending::Unusable(reason),
            Some(Ok(result)) => Ending::Ended(result),
        }
    }

    fn try_export(
        &self,
        journal: &Arc<Journal>,
        command: &ExportCommand,
        fate: Fate,
    ) -> Result<ExportResult, String> {
        let out = self.desk.join(&command.out);
        let format = match command.kind {
            ExportKind::For(_) => ExportFormat::Xlsx,
            _ => ExportFormat::from_path(&out).map_err(|error| export_error(&error))?,
        };
        let output = OutputFile::new(&out).map_err(|error| export_error(&error))?;
        let own = match &command.kind {
            ExportKind::For(file) => Some(self.customer_sheet(file)?),
            _ => None,
        };
        let zone = TimeZoneName::from_name(virtual_time::zone()).unwrap();
        let month = match &command.kind {
            ExportKind::New { month, .. } => month.as_deref(),
            _ => None,
        };
        let job = ExportJob {
            journal: Arc::clone(journal),
            options: ExportOptions {
                format,
                formula_escaping: FormulaEscaping::Off,
                filter: RecordFilter {
                    period: month.and_then(|month| CompletionPeriod::from_month(month, &zone)),
                    billing: BillingFilter::All,
                    external_ids: None,
                },
                zone,
                partial: None,
                images: None,
                stop: StopSignal::never(),
            },
            target: match (&command.kind, &own) {
                (ExportKind::New { billed_until, .. }, _) => ExportTarget::SealedFile {
                    output,
                    billed_elsewhere: billed_until.map(declaration),
                },
                (_, Some(own)) => ExportTarget::CustomerSheet {
                    output,
                    sheet: own.sheet(),
                },
                _ => ExportTarget::File(output),
            },
            overwrite: OverwritePolicy::UnchangedExports,
            refresh: command.refresh,
            images: ImageExport::Link,
            clock: Clock::new(virtual_time::now),
            report: &|_| {},
        };
        let mut run = ExportRun::start(job).map_err(|error| export_error(&error))?;
        let candidates = run
            .refresh_candidates()
            .map_err(|error| export_error(&error))?;
        if !candidates.is_empty() {
            let (dispatcher, runtime) = self.dispatcher(journal, QuotaWait::NoWait);
            let refreshed = runtime.block_on(run.refresh(
                &dispatcher,
                &candidates,
                CompletionWait::Once,
                |_| {},
            ));
            runtime.shutdown_background();
            refreshed.map_err(|error| export_error(&error))?;
        }
        if fate.dies_writing.is_some() {
            virtual_time::die_after(fate.dies_writing);
        }
        let completed = run.finish().map_err(|error| {
            if let Error::Undeclared(undeclared) = &error {
                let completed = undeclared.measurements.iter().map(|one| one.completed_at);
                self.asked_about.set(completed.max());
            }
            export_error(&error)
        })?;
        Ok(ExportResult {
            is_partial: completed.partial.is_some(),
            sealed: completed.sealed,
        })
    }

    /// The user's file for `--for`, with whose measurement each row has.
    fn customer_sheet(&self, file: &str) -> Result<OwnSheet, String> {
        let command = ImportCommand {
            file: file.to_owned(),
            ..ImportCommand::default()
        };
        let input = self.input(&command.file, &self.recalled(&command));
        let checked = import::check(&input, |_| {}).map_err(|error| reason(&error.cause))?;
        let index = read_index(&self.journal).map_err(|error| reason(&error))?;
        let planned = import::plan(&input, &checked, &index, &ImportOptions::default());
        let planned = planned.map_err(|error| reason(&error))?.rows;
        let rows = customer_rows(&checked, &planned);
        Ok(OwnSheet {
            input,
            checked,
            rows,
        })
    }

    /// `export --again N`.
    pub(super) fn export_again(&self, number: u64, out: &str) -> Result<(), String> {
        let path = self.desk.join(out);
        let journal = Journal::open(&self.journal, &JournalAccess::Shared);
        let journal = journal.map_err(|error| reason(&error))?;
        refuse_protected(&path, Some(&journal)).map_err(|error| export_error(&error))?;
        let written = write_sealed_again(&journal, number, &path, time());
        written.map_err(|error| export_error(&error))?;
        journal.record_seals().map_err(|error| reason(&error))
    }

    pub(super) fn back_up(&self, to: &Path) -> Result<(), String> {
        let copied = journal::backup(&self.journal, to, time());
        copied.map(drop).map_err(|error| reason(&error))
    }

    /// `import --restore WORKBOOK`.
    pub(super) fn restore(&self, workbook: &str) -> Result<(), String> {
        let journal = self.open_journal()?;
        let service = Self::base_url().to_string();
        let path = self.desk.join(workbook);
        let restored = restore(&journal, &path, Some(&service), virtual_time::now());
        restored.map(drop).map_err(|error| export_error(&error))
    }
}

/// The user's sheet, checked.
struct OwnSheet {
    input: ImportInput,
    checked: CheckedFile,
    rows: HashMap<RowNumber, CustomerRow>,
}

impl OwnSheet {
    fn sheet(&self) -> CustomerSheet<'_> {
        CustomerSheet {
            table: self.checked.table(&self.input),
            rows: &self.rows,
        }
    }
}

/// What each row is for `--for`, as `cli` decides it.
fn customer_rows(checked: &CheckedFile, planned: &RowOutcomes) -> HashMap<RowNumber, CustomerRow> {
    let mut rows: HashMap<RowNumber, CustomerRow> = HashMap::new();
    for (index, row) in checked.rows.iter().enumerate() {
        let own = match &row.result {
            CheckResult::Valid { external_id, .. } => match planned.outcome(index) {
                Outcome::Conflict => {
                    CustomerRow::WithoutResult(Outcome::Conflict, "conflict".to_owned())
                }
                Outcome::Duplicate => {
                    CustomerRow::WithoutResult(Outcome::SameHouse, "skipped".to_owned())
                }
                _ => {
                    let corrected = planned.corrected().get(&index).map(|id| id.as_str().into());
                    CustomerRow::Identified(corrected.unwrap_or_else(|| Box::from(&**external_id)))
                }
            },
            CheckResult::Duplicate { of } => {
                let first = rows.get(of).cloned();
                first.unwrap_or_else(|| {
                    CustomerRow::WithoutResult(Outcome::Invalid, "the same".to_owned())
                })
            }
            CheckResult::Invalid { .. } => match planned.corrected().get(&index) {
                Some(id) => CustomerRow::Identified(id.as_str().into()),
                None => CustomerRow::WithoutResult(Outcome::Invalid, "invalid".to_owned()),
            },
        };
        rows.insert(row.number, own);
    }
    rows
}

fn declaration(billed_until: BilledUntil) -> BilledElsewhereDeclaration {
    let until = match billed_until {
        BilledUntil::Never => None,
        BilledUntil::Before(until) => Some(until),
    };
    BilledElsewhereDeclaration {
        declared_at: virtual_time::now(),
        until,
        text: "as the person says".to_owned(),
        replaces_earlier: false,
    }
}

fn export_error(error: &Error) -> String {
    match error {
        Error::Journal(error) | Error::Refresh(DispatchError::Journal(error)) => reason(error),
        Error::Refresh(error) => reason(error),
        Error::CustomerSheet(error) => reason(&error.cause),
        error => reason(error),
    }
}
