//! The log of events on disk: one JSON line each, synced before any answer that depends on it leaves.
//!
//! A named thread owns the file. It takes all lines that wait, writes them, syncs once, and tells how far the disk has
//! come; so the disk's pace does not set the pace of calls. A last line without its line end was never answered for:
//! the next start cuts it off. Once most lines no longer count, the thread begins the file anew with those that do: a
//! poller adds one a second for as long as the sandbox runs.

mod file;

use std::io;
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use jiff::Timestamp;
use tokio::sync::watch;

use crate::sandbox::error::Error;
use crate::sandbox::private::private_folder;
use crate::sandbox::world::{Event, World};
use file::{LogFile, Unread, line};

/// Lines that may be of no use before the file is begun anew; about a megabyte.
const SLACK: usize = 10_000;

/// How many pieces of work share a sync at most.
const GROUP: usize = 1_000;

/// Where events are written down, if anywhere.
#[derive(Debug)]
pub(super) enum Log {
    /// Nothing is kept.
    Nowhere,
    /// One file, by its own thread.
    Kept(Kept),
    /// No more events are taken: the sandbox stops.
    Closed,
}

/// The sending end of the log's thread. Dropping it lets the thread finish and close the file.
#[derive(Debug)]
pub(super) struct Kept {
    work: mpsc::Sender<Work>,
    durable: watch::Receiver<Durable>,
    sent: u64,
    /// Lines in the file.
    lines: usize,
    /// How many of them counted when that was last looked at.
    needed: usize,
    thread: JoinHandle<()>,
}

/// What the thread is given to do, in this order.
#[derive(Debug)]
enum Work {
    /// Lines to add, and the place in the log that they reach.
    Add { text: String, upto: u64 },
    /// Everything that still counts, in place of all lines so far.
    Renew(Vec<Event>),
}

/// How far the disk has come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Durable {
    Upto(u64),
    Failed,
}

/// A place in the log that an answer depends on.
#[derive(Debug)]
pub(super) enum Mark {
    Reached,
    Awaited(watch::Receiver<Durable>, u64),
    Never,
}

impl Log {
    /// Opens the log in a folder, making both where they are missing, and replays it into the world.
    pub(super) fn open(folder: &Path, world: &mut World, now: Timestamp) -> Result<Self, Error> {
        let path = folder.join("events.jsonl");
        let fail = |source| Error::Data {
            path: path.clone(),
            source,
        };
        private_folder(folder).map_err(fail)?;
        let Some(file) = LogFile::open(&path).map_err(fail)? else {
            return Err(Error::DataInUse(folder.to_owned()));
        };
        let lines = file
            .read(|event| world.apply(&event))
            .map_err(|unread| match unread {
                Unread::Io(source) => fail(source),
                Unread::Damaged(line) => Error::Damaged {
                    path: path.clone(),
                    line,
                },
            })?;
        let mut kept = Kept::start(file, lines).map_err(fail)?;
        // One line each is what measurements need; whatever else counts is little beside them.
        kept.needed = world.measurements().len();
        let mut log = Self::Kept(kept);
        log.renew_if_overgrown(world, now);
        Ok(log)
    }

    /// Hands over what has happened in the world since the last time; the caller holds the world's lock.
    pub(super) fn append(&mut self, world: &mut World, now: Timestamp) -> Mark {
        let events = world.take_events();
        let mark = match self {
            Self::Nowhere => Mark::Reached,
            Self::Closed => Mark::Never,
            Self::Kept(kept) => kept.append(&events),
        };
        self.renew_if_overgrown(world, now);
        mark
    }

    fn renew_if_overgrown(&mut self, world: &World, now: Timestamp) {
        match self {
            Self::Kept(kept) if kept.lines > 2 * kept.needed + SLACK => {
                kept.renew(world.essence(now));
            }
            _ => {}
        }
    }

    /// Takes no more events; the thread that comes back ends once everything is written and the file is closed.
    pub(super) fn close(&mut self) -> Option<JoinHandle<()>> {
        match std::mem::replace(self, Self::Closed) {
            Self::Kept(kept) => Some(kept.thread),
            Self::Nowhere | Self::Closed => None,
        }
    }
}

impl Kept {
    fn start(file: LogFile, lines: usize) -> io::Result<Self> {
        let (work, waiting) = mpsc::channel();
        let (progress, durable) = watch::channel(Durable::Upto(0));
        let thread = std::thread::Builder::new()
            .name("sandbox-log".to_owned())
            .spawn(move || write_all(file, &waiting, &progress))?;
        Ok(Self {
            work,
            durable,
            sent: 0,
            lines,
            needed: 0,
            thread,
        })
    }

    fn append(&mut self, events: &[Event]) -> Mark {
        if !events.is_empty() {
            self.sent += 1;
            self.lines += events.len();
            self.hand_over(Work::Add {
                text: events.iter().map(line).collect(),
                upto: self.sent,
            });
        }
        Mark::Awaited(self.durable.clone(), self.sent)
    }

    fn renew(&mut self, essence: Vec<Event>) {
        (self.lines, self.needed) = (essence.len(), essence.len());
        self.hand_over(Work::Renew(essence));
    }

    fn hand_over(&self, work: Work) {
        // A thread that is gone has said `Failed` before.
        let _ = self.work.send(work);
    }
}

impl Mark {
    /// Waits until the disk holds everything up to here.
    ///
    /// # Errors
    /// When it never will.
    pub(super) async fn durable(self) -> Result<(), NotDurable> {
        let (mut durable, upto) = match self {
            Self::Reached => return Ok(()),
            Self::Never => return Err(NotDurable),
            Self::Awaited(durable, upto) => (durable, upto),
        };
        let reached = durable.wait_for(|durable| match durable {
            Durable::Upto(place) => *place >= upto,
            Durable::Failed => true,
        });
        match reached.await.map(|durable| *durable) {
            Ok(Durable::Upto(_)) => Ok(()),
            Ok(Durable::Failed) | Err(_) => Err(NotDurable),
        }
    }
}

/// The disk refused; what was answered for is safe, what was not is lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotDurable;

fn write_all(mut file: LogFile, waiting: &mpsc::Receiver<Work>, progress: &watch::Sender<Durable>) {
    while let Ok(first) = waiting.recv() {
        let group = std::iter::once(first).chain(waiting.try_iter().take(GROUP));
        // After a failed sync nothing can be promised any more, whatever a later one says.
        let Ok(reached) = write_group(&mut file, group) else {
            progress.send_replace(Durable::Failed);
            return;
        };
        if let Some(upto) = reached {
            progress.send_replace(Durable::Upto(upto));
        }
    }
}

/// Does the work and waits for the disk; gives the last place reached.
fn write_group(file: &mut LogFile, group: impl Iterator<Item = Work>) -> io::Result<Option<u64>> {
    let (mut lines, mut reached) = (String::new(), None);
    for work in group {
        match work {
            Work::Add { text, upto } => {
                lines.push_str(&text);
                reached = Some(upto);
            }
            Work::Renew(essence) => {
                file.append(&std::mem::take(&mut lines))?;
                file.renew(&essence)?;
            }
        }
    }
    file.append(&lines)?;
    file.sync()?;
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::sandbox::options::Country;
    use crate::sandbox::world::Settings;

    fn world() -> World {
        World::new(Settings {
            seed: 1,
            rate: "600/1h".parse().unwrap(),
            country: Country::CA,
            team_names: vec!["One".to_owned()],
            app_name: "App".to_owned(),
            redirect_uris: Vec::new(),
            work: None,
        })
    }

    fn finish(mut log: Log) {
        let thread = log.close().unwrap();
        drop(log);
        thread.join().unwrap();
    }

    #[test]
    fn a_log_that_is_polled_for_weeks_stays_short_while_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        // What a crash left of an earlier attempt.
        std::fs::write(folder.path().join("events.jsonl.new"), "half a li").unwrap();
        let mut now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let mut world = world();
        let mut log = Log::open(folder.path(), &mut world, now).unwrap();
        world.found("app".to_owned(), "secret".to_owned());
        world.found_team("team".to_owned());
        for _ in 0..5 * SLACK {
            now += SignedDuration::from_secs(10);
            world.admit(0, now).unwrap();
            let _ = log.append(&mut world, now);
        }
        finish(log);
        let text = std::fs::read_to_string(folder.path().join("events.jsonl")).unwrap();
        assert!(text.lines().count() < 2 * SLACK, "{}", text.lines().count());
        let mut replayed = self::world();
        finish(Log::open(folder.path(), &mut replayed, now).unwrap());
        let left = |world: &mut World| {
            (0..=600)
                .take_while(|_| world.admit(0, now).is_ok())
                .count()
        };
        assert_eq!(left(&mut replayed), left(&mut world));
        assert_eq!(replayed.app().client_id, "app");
    }
}
