//! The course of an export: asks again, then writes or seals.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::api::Images;
use crate::cli::connection::{Permitted, permitted};
use crate::cli::context::Context;
use crate::cli::export::flags::{Args, Destination};
use crate::cli::export::own::Own;
use crate::cli::line::{Wish, line};
use crate::cli::progress::Progress;
use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure, clock};
use crate::export::{
    self, Askable, Claim, Delivery, Exported, Order, OwnSheet, Pauses, Policy, Prospect, Refreshed,
    ask, askable, fetch, prepare, to_own_sheet, to_place, to_stream, wait_complete, wanted,
};
use crate::journal::{self, Access, Journal};
use crate::model::counted;
use crate::pace::{Event, Halt, Line, Patience, Tally};

/// What an export is to do.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) args: &'a Args,
    pub(super) context: &'a Context,
    pub(super) order: Order,
    pub(super) destination: Destination,
    /// The user's own sheet.
    pub(super) own: Option<Own>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) refreshed: Refreshed,
    pub(super) tally: Tally,
    pub(super) exported: Exported,
    /// Billed measurements that changed and wait for a workbook.
    pub(super) waiting: u64,
    pub(super) pictures: Option<Fetched>,
    pub(super) order: Order,
}

/// The pictures of an export.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) came: u64,
    pub(super) failed: u64,
    /// Where they are; none where the workbook holds them.
    pub(super) folder: Option<PathBuf>,
    /// Lives until the workbook is written.
    _scratch: tempfile::TempDir,
}

/// `results.xlsx` has its pictures in `results_images`.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_images"))
}

/// Opens the journal beside whatever run there is.
pub(super) fn open_beside(context: &Context) -> Result<Journal, Failure> {
    open(context, &Access::Beside)
}

fn open(context: &Context, access: &Access) -> Result<Journal, Failure> {
    let path = context.journal_path();
    if !path.exists() {
        return Err(journal::Error::Missing { path }.into());
    }
    Ok(Journal::open(&path, access)?)
}

impl Job<'_> {
    pub(super) fn go(mut self) -> Result<Course, Failure> {
        let journal = Arc::new(open(self.context, &self.access())?);
        if let Some(exported) = self.deliver_left(&journal)? {
            return Ok(Course {
                refreshed: Refreshed::default(),
                tally: Tally::default(),
                exported,
                waiting: 0,
                pictures: None,
                order: self.order,
            });
        }
        let (refreshed, tally) = self.refresh(&journal)?;
        self.order.partial = refreshed.partial();
        let pictures = self.pictures(&journal)?;
        let (exported, waiting) = self.write(&journal)?;
        Ok(Course {
            refreshed,
            tally,
            exported,
            waiting,
            pictures,
            order: self.order,
        })
    }

    /// Fetches pictures where they are asked for. Returns how many came, how many did not, and where they are.
    fn pictures(&mut self, journal: &Journal) -> Result<Option<Fetched>, Failure> {
        let place = match (&self.destination, self.args.images.as_str()) {
            (_, "link") => return Ok(None),
            (Destination::Stream, _) => {
                return Err(Failure::new(
                    Exit::Usage,
                    "images need a file to stand in or beside",
                ));
            }
            (Destination::Place(place), _) => place,
        };
        let snapshot = journal.snapshot()?;
        let wanted = export::pictures_wanted(&snapshot, &self.order, self.args.billing())?;
        let images = Images::new(self.args.network.timeouts());
        let concurrency = usize::from(self.args.network.concurrency);
        let mut shown = Progress::start(&self.context.console, Some(wanted.len() as u64));
        // Pictures for the workbook go with it; they need no place of their own.
        let scratch = tempfile::tempdir()
            .map_err(|error| Failure::file("write", &std::env::temp_dir(), &error))?;
        let embedded = self.args.images == "embed";
        let folder = if embedded {
            scratch.path().to_owned()
        } else {
            beside(place.path())
        };
        let tell = |done| shown.update(done, "images");
        let pictures = self
            .context
            .block_on(async { Ok(fetch(&images, &wanted, &folder, concurrency, tell).await?) })?;
        let (came, failed) = pictures.count();
        let fetched = Fetched {
            came,
            failed,
            folder: (!embedded).then_some(folder),
            _scratch: scratch,
        };
        self.order.pictures = embedded.then_some(pictures);
        Ok(Some(fetched))
    }

    /// An export that asks or seals is alone with the journal; any other stands beside.
    fn access(&self) -> Access {
        if self.args.policy() == Policy::Never && !self.args.new {
            return Access::Beside;
        }
        Access::Run {
            holder: format!(
                "{}, process {}",
                self.context.command_line,
                std::process::id()
            ),
        }
    }

    /// Delivers sealed files that an earlier run could not. Where one was meant for this very place, it is what this
    /// run was to do.
    fn deliver_left(&self, journal: &Journal) -> Result<Option<Exported>, Failure> {
        let place = match &self.destination {
            Destination::Place(place) => Some(place),
            Destination::Stream => None,
        };
        let claim = match place {
            Some(place) if self.args.new => Claim::Seal(place),
            place => Claim::Write(place),
        };
        let mut ours = None;
        for delivery in export::deliver_left(journal, claim, clock::now())? {
            match delivery {
                Delivery::Done(export) => {
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
                Delivery::Left(export) => {
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

    /// Asks again about what may have changed.
    fn refresh(&self, journal: &Arc<Journal>) -> Result<(Refreshed, Tally), Failure> {
        let known = match self.args.policy() {
            Policy::Never => Vec::new(),
            Policy::Auto | Policy::All => askable(&journal.snapshot()?)?,
        };
        let wanted = wanted(known, self.args.policy(), clock::now());
        if wanted.is_empty() {
            return Ok((Refreshed::default(), Tally::default()));
        }
        let permitted = permitted(self.context, &self.args.network)?;
        self.context.block_on(async {
            let signals = Signals::listen()?;
            journal.forget_the_future(clock::now()).await?;
            let patience = if self.args.wait_complete {
                Patience::Wait
            } else {
                Patience::NoWait
            };
            let console = self.context.console.clone();
            let line = line(
                &self.args.network,
                Wish {
                    journal: Arc::clone(journal),
                    client: permitted.client.clone(),
                    patience,
                    stop: signals.stop(),
                    report: Box::new(move |event| {
                        if let Event::Waiting { until, .. } = event {
                            let until = clock::local(until, clock::now());
                            console.detail(&format!("waiting for the quota until {until}"));
                        }
                    }),
                },
            );
            let refreshed = self.ask(&line, &permitted, &wanted).await;
            let tally = line.tally();
            Ok((self.unless_ended(refreshed?, &signals)?, tally))
        })
    }

    async fn ask(
        &self,
        line: &Line,
        permitted: &Permitted,
        wanted: &[Askable],
    ) -> Result<Refreshed, Failure> {
        if !line.journal().has_proved(permitted.token.expose())?
            && let Err(halt) = line.prove(&permitted.token).await
        {
            return Ok(Refreshed {
                not_asked: wanted.len() as u64,
                halt: Some(halt),
                ..Refreshed::default()
            });
        }
        let concurrency = usize::from(self.args.network.concurrency);
        let console = &self.context.console;
        let shown = Mutex::new(Progress::start(console, Some(wanted.len() as u64)));
        let update = |done: u64, message: &str| {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.update(done, message);
        };
        if self.args.wait_complete {
            let tell = |done: u64, total: u64| {
                update(done, &format!("final of {}", counted(total, "measurement")));
            };
            return Ok(wait_complete(line, concurrency, Pauses::USUAL, tell).await?);
        }
        Ok(ask(line, wanted, concurrency, |done| {
            update(done, "asked again");
        })
        .await)
    }

    /// What was learned stays; only what leaves no honest file ends the run.
    fn unless_ended(&self, refreshed: Refreshed, signals: &Signals) -> Result<Refreshed, Failure> {
        match refreshed.halt {
            Some(Halt::Interrupted) => Err(Failure::new(
                signals.exit(),
                "interrupted; nothing was written",
            )
            .hinted(format!(
                "what was learned is kept; the same command again goes on: {}",
                self.context.command_line
            ))),
            Some(halt @ (Halt::Stop(_) | Halt::Journal(_))) => Err(halt.into()),
            _ => Ok(refreshed),
        }
    }

    fn write(&self, journal: &Journal) -> Result<(Exported, u64), Failure> {
        let snapshot = journal.snapshot()?;
        let place = match &self.destination {
            Destination::Stream => {
                let out = std::io::BufWriter::new(Pipe(std::io::stdout()));
                return Ok((to_stream(&snapshot, &self.order, out)?, 0));
            }
            Destination::Place(place) => place,
        };
        if let Some(own) = &self.own {
            let sheet = OwnSheet {
                document: &own.input.document,
                options: &own.input.options,
                rows: &own.rows,
            };
            return Ok((to_own_sheet(&snapshot, &self.order, &sheet, place)?, 0));
        }
        if !self.args.new {
            return Ok((to_place(&snapshot, &self.order, place)?, 0));
        }
        match prepare(&snapshot, &self.order, place, clock::now())? {
            Prospect::Nothing { exported, waiting } => Ok((*exported, waiting)),
            Prospect::File(prepared) => {
                drop(snapshot);
                let sealed = prepared.seal(journal)?;
                Ok((sealed.deliver(journal, clock::now())?, 0))
            }
        }
    }
}

/// Standard output whose reader may have seen enough: that is no failure.
struct Pipe(std::io::Stdout);

impl Write for Pipe {
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
