//! The course of an export: asks again, fetches pictures, then writes or seals.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use crate::cli::context::Context;
use crate::cli::export::customer_sheet::CustomerSheetFindings;
use crate::cli::export::flags::{Args, ExportDestination};
use crate::cli::export::images::ImageReport;
use crate::cli::export::job::ExportJob;
use crate::cli::export::undeclared::UndeclaredReport;
use crate::cli::failure::unsynced_folder;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, clock, shell};
use crate::dispatch::RequestCounts;
use crate::export::{
    self, CustomerSheet, ExportOptions, ExportOutcome, OutputClaim, ProtectedFile, RefreshOutcome,
    RefreshPolicy, SealCandidate, SealDelivery, UndeclaredBilling, prepare, to_customer_sheet,
    to_place, to_stream,
};
use crate::journal::{self, Journal, JournalAccess};
use crate::model::{Team, counted};

/// Measurements that are listed.
const SHOWN: usize = 20;

/// What came of it.
#[derive(Debug)]
pub(super) struct ExportRun {
    pub(super) team: Option<Team>,
    pub(super) refreshed: RefreshOutcome,
    pub(super) counts: RequestCounts,
    pub(super) exported: ExportOutcome,
    pub(super) pictures: Option<ImageReport>,
    pub(super) order: ExportOptions,
    /// What was found in the user's own sheet.
    pub(super) own: CustomerSheetFindings,
}

/// Opens the journal beside whatever run there is.
pub(super) fn open_beside(context: &Context) -> Result<Journal, CommandError> {
    open(context, &JournalAccess::Shared)
}

fn open(context: &Context, access: &JournalAccess) -> Result<Journal, CommandError> {
    let path = context.journal_path();
    if !path.exists() {
        return Err(journal::Error::Missing { path }.into());
    }
    Ok(Journal::open(&path, access)?)
}

/// Shows that the export may replace what stands in its place.
///
/// # Errors
/// [`Exit::Files`] where it may not, with the reason.
///
/// [`Exit::Files`]: crate::cli::ExitStatus::Files
pub(super) fn refuse_protected(args: &Args, journal: &Journal) -> Result<(), export::Error> {
    if args.force || args.path() == Path::new("-") {
        return Ok(());
    }
    export::refuse_protected(args.path(), Some(journal))
}

impl ExportJob<'_> {
    pub(super) fn go(mut self) -> Result<ExportRun, CommandError> {
        let journal = Arc::new(open(self.context, &self.access())?);
        if !journal.has_rows()? {
            let path = journal.path().to_owned();
            return Err(export::Error::NothingImported { path }.into());
        }
        self.refuse_before_asking(&journal)?;
        // Read now, since nothing may fail once a file is sealed and in its place.
        let team = journal.binding()?.map(|owner| owner.team());
        if self.args.new {
            self.declare(&journal)?;
        }
        if let Some(exported) = self.deliver_undelivered(&journal)? {
            self.record(&journal);
            return Ok(ExportRun {
                team,
                refreshed: RefreshOutcome::default(),
                counts: RequestCounts::default(),
                exported,
                pictures: None,
                order: self.order,
                own: CustomerSheetFindings::default(),
            });
        }
        let questions = self.questions(&journal)?;
        let context = self.context;
        let signals = SignalListener::listen()?;
        self.order.stop = signals.stop();
        let (refreshed, counts, pictures) = context.block_on(async {
            let (refreshed, counts) = match questions {
                Some(questions) => self.refresh(&journal, &questions, &signals).await?,
                None => Default::default(),
            };
            let pictures = self.pictures(&journal, &signals).await?;
            Ok((refreshed, counts, pictures))
        })?;
        self.order.partial = refreshed.partial();
        // Every line looks whether a signal came.
        let exported = self.write(&journal, &signals)?;
        if self.args.new {
            self.record(&journal);
        }
        Ok(ExportRun {
            team,
            refreshed,
            counts,
            exported,
            pictures,
            order: self.order,
            own: self.own.map(|own| own.findings).unwrap_or_default(),
        })
    }

    /// Refuses before any request is spent. A billing export that is run again under its own name may have nothing to
    /// seal, and then replaces nothing; it is refused once there is a file to write.
    fn refuse_before_asking(&self, journal: &Journal) -> Result<(), export::Error> {
        match refuse_protected(self.args, journal) {
            Err(export::Error::Protected {
                why: ProtectedFile::Sealed { number: Some(_) },
                ..
            }) if self.args.new => Ok(()),
            refused => refused,
        }
    }

    /// Records what was billed elsewhere, and refuses a journal that is older than its seals unless that was said.
    fn declare(&self, journal: &Journal) -> Result<(), CommandError> {
        let lacking = journal.missing_seals()?;
        let declaration = self.args.declaration(clock::now())?;
        let known = journal.snapshot()?.sealed_exports()?;
        let is_taken = |number| known.iter().any(|seal| seal.number == number);
        let newest = lacking.iter().map(|seal| seal.number).max();
        match (declaration, newest) {
            (None, None) => Ok(()),
            // The record shows that something was billed; and a number that stands for another file in the journal cannot
            // be taken over.
            (Some(declaration), _)
                if lacking.is_empty()
                    || declaration.until.is_some()
                        && !lacking.iter().any(|seal| is_taken(seal.number)) =>
            {
                Ok(journal.record_declaration(declaration, lacking)?)
            }
            (_, number) => Err(self.older(journal, number.unwrap_or_default())),
        }
    }

    /// Names what to do with a journal that is older than its seals.
    fn older(&self, journal: &Journal, number: u64) -> CommandError {
        let record = journal.seal_record_path();
        let out = self.args.path().to_string_lossy();
        let command = shell::command(["export", &out, "--new", "--billed-until", "YYYY-MM-DD"]);
        let hint = format!(
            "nothing was sealed; put the newest journal back. If it is lost, give the day before which everything completed was billed: {command}\nif the record belongs to another journal, move {} away",
            shell::quoted(&record.to_string_lossy())
        );
        CommandError::from(journal::Error::MissingSeals {
            path: journal.path().to_owned(),
            record,
            number,
        })
        .hinted(hint)
    }

    /// Writes the seals beside the journal. They are in the journal already, so that a failure is a warning.
    fn record(&self, journal: &Journal) {
        let console = &self.context.console;
        match journal.record_seals() {
            Ok(None) => {}
            Ok(Some(unsynced)) => console.warn(&unsynced_folder(&unsynced)),
            Err(error) => console.warn(&format!(
                "the seals are in the journal, but not in the record beside it: {error}"
            )),
        }
    }

    /// An export that asks or seals is alone with the journal; any other stands beside.
    fn access(&self) -> JournalAccess {
        if self.args.policy() == RefreshPolicy::Never && !self.args.new {
            return JournalAccess::Shared;
        }
        JournalAccess::Exclusive {
            holder: format!(
                "{}, process {}",
                self.context.command_line,
                std::process::id()
            ),
        }
    }

    /// Delivers sealed files that an earlier run could not. Where one was meant for this very place, it is what this
    /// run was to do.
    fn deliver_undelivered(
        &self,
        journal: &Journal,
    ) -> Result<Option<ExportOutcome>, CommandError> {
        let place = match &self.destination {
            ExportDestination::Place(place) => Some(place),
            ExportDestination::Stream => None,
        };
        let claim = match place {
            Some(place) if self.args.new => OutputClaim::Seal(place),
            place => OutputClaim::Write(place),
        };
        let mut ours = None;
        for delivery in export::deliver_undelivered(journal, claim, clock::now())? {
            match delivery {
                SealDelivery::Done(export) => {
                    self.context.console.warn(&format!(
                        "an earlier run sealed export {} and was cut off; it is now in {}",
                        export.number,
                        export.path.display()
                    ));
                    let here = place.is_some_and(|place| place.path() == export.path);
                    if here && self.args.new {
                        ours = Some(export);
                    }
                }
                SealDelivery::Left(export) => {
                    self.context.console.warn(&format!(
                        "sealed export {} was never put into {}",
                        export.number,
                        export.path.display()
                    ));
                    self.context.console.hint(&format!(
                        "gutterbatch export FILE --again {} writes it anywhere else",
                        export.number
                    ));
                }
            }
        }
        let Some(export) = ours else { return Ok(None) };
        let snapshot = journal.snapshot()?;
        Ok(Some(export::delivered(&snapshot, &self.order, &export)?))
    }

    fn write(
        &self,
        journal: &Journal,
        signals: &SignalListener,
    ) -> Result<ExportOutcome, CommandError> {
        self.written(journal).map_err(|error| match error {
            export::Error::Interrupted => self.interrupted(signals),
            export::Error::Undeclared(undeclared) => self.undeclared(undeclared),
            error => error.into(),
        })
    }

    /// Names what may have been billed elsewhere.
    fn undeclared(&self, undeclared: Box<UndeclaredBilling>) -> CommandError {
        let console = &self.context.console;
        if !undeclared.earlier.is_empty() {
            console.warn("these may have been billed by another journal:");
        }
        for earlier in undeclared.earlier.iter().take(SHOWN) {
            let day = earlier.completed_at.strftime("%Y-%m-%d");
            let (id, address) = (&earlier.external_id, &earlier.address);
            console.warn(&format!("{day}  {id}  {address}"));
        }
        let more = undeclared.earlier.len().saturating_sub(SHOWN);
        if more > 0 {
            console.warn(&format!("and {more} more"));
        }
        if let Some(replaced) = &undeclared.replaced {
            console.warn(&format!(
                "the answer also replaces the earlier one, `{}`, which leaves out {} as billed elsewhere",
                replaced.text,
                counted(replaced.measurements, "measurement")
            ));
        }
        // Whoever reads the document needs all of them.
        let _ = console.json(&UndeclaredReport::new(&undeclared));
        let command = &self.context.command_line;
        CommandError::from(export::Error::Undeclared(undeclared)).hinted(format!(
            "say what was billed elsewhere, and it is asked once\nwhat was completed before a day: {command} --billed-until YYYY-MM-DD\nnothing: {command} --billed-until never"
        ))
    }

    /// Nothing was written; what was learned is kept.
    pub(super) fn interrupted(&self, signals: &SignalListener) -> CommandError {
        CommandError::new(signals.exit(), "interrupted; nothing was written").hinted(format!(
            "what was learned is kept; run the same command again to resume: {}",
            self.context.command_line
        ))
    }

    fn written(&self, journal: &Journal) -> Result<ExportOutcome, export::Error> {
        // A long refresh is time enough to open and save what stands there.
        if !self.args.new {
            refuse_protected(self.args, journal)?;
        }
        let replaced = self.forced_over(journal)?;
        let exported = self.put(journal)?;
        if let (Some(number), Some(_)) = (replaced, &exported.written) {
            let again = ["export", "FILE", "--again", &number.to_string()].map(str::to_owned);
            self.context.console.warn(&format!(
                "replaced sealed export {number}; `{}` writes it again",
                shell::command(again)
            ));
        }
        Ok(exported)
    }

    /// The sealed export that `--force` is about to replace.
    fn forced_over(&self, journal: &Journal) -> Result<Option<u64>, export::Error> {
        if !self.args.force || self.args.path() == Path::new("-") {
            return Ok(None);
        }
        match export::refuse_protected(self.args.path(), Some(journal)) {
            Err(export::Error::Protected {
                why: ProtectedFile::Sealed { number },
                ..
            }) => Ok(number),
            Ok(()) | Err(export::Error::Protected { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn put(&self, journal: &Journal) -> Result<ExportOutcome, export::Error> {
        let snapshot = journal.snapshot()?;
        let place = match &self.destination {
            ExportDestination::Stream => {
                let out = std::io::BufWriter::new(StdoutPipe(std::io::stdout()));
                return to_stream(&snapshot, &self.order, out);
            }
            ExportDestination::Place(place) => place,
        };
        if let Some(own) = &self.own {
            let sheet = CustomerSheet {
                document: &own.input.document,
                options: &own.input.options,
                rows: &own.rows,
                fingerprint: own.fingerprint,
                form: own.form,
            };
            return to_customer_sheet(&snapshot, &self.order, &sheet, place)?.put(journal);
        }
        if !self.args.new {
            return to_place(&snapshot, &self.order, place)?.put(journal);
        }
        match prepare(&snapshot, &self.order, place, clock::now())? {
            SealCandidate::Nothing(exported) => Ok(*exported),
            SealCandidate::File(prepared) => {
                drop(snapshot);
                refuse_protected(self.args, journal)?;
                prepared.seal(journal)?.deliver(journal, clock::now())
            }
        }
    }
}

/// Standard output whose reader may have seen enough: that is no failure.
struct StdoutPipe(std::io::Stdout);

impl Write for StdoutPipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
