//! The first lines of `status`: whether it is done, when it ends, and what needs a person.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::status::as_of;
use crate::cli::status::needed_actions::NeededAction;
use crate::cli::status::report::{StatusReport, unfinished};
use crate::import::{ImportSchedule, requests_for, schedule};
use crate::journal::{LastRun, UnfinishedRun};
use crate::model::{Status, and_more, group_digits, pluralize, printable};

/// Maximum number of matters of one kind in the text.
const SHOWN: usize = 5;

impl StatusReport<'_> {
    /// The answers; what needs a person is last, because it has a line for each matter.
    pub(super) fn answers(&self) -> String {
        let ((_, done), (_, ends)) = (self.done(), self.ends());
        let mut lines = Vec::new();
        for kind in self.needs() {
            lines.extend(kind.iter().take(SHOWN).map(NeededAction::line));
            let more = and_more(kind.len().saturating_sub(SHOWN) as u64);
            lines.extend(more.map(|more| format!("{more}; `gutterbatch status --json` lists all")));
        }
        if lines.is_empty() {
            let nothing = match self.running() {
                Some(_) => "nothing while that import runs",
                None => "nothing",
            };
            lines.push(nothing.to_owned());
        }
        let needs = lines.join("\n              ");
        format!("done          {done}\nends          {ends}\nneeds you     {needs}")
    }

    /// Whether every row of every import, or of the named file, is settled; and the same in words.
    pub(super) fn done(&self) -> (bool, String) {
        let runs = self.runs();
        if let Some(run) = runs.iter().find(|run| run.outcomes.is_none()) {
            let ended = unfinished(run);
            return (
                false,
                format!("no: the import of {} {ended}", self.name(run)),
            );
        }
        let (pending, total, place) = match (self.rows.as_ref(), self.overview.measurements()) {
            (Some(rows), _) => (rows.unsent, rows.outcomes.total(), rows.file.clone()),
            (None, 0) if runs.is_empty() => return (false, "nothing was imported yet".to_owned()),
            (None, restored) if runs.is_empty() => {
                let restored = pluralize(restored, "measurement");
                let text =
                    format!("yes: {restored} in a restored journal, nothing was imported since");
                return (true, text);
            }
            (None, _) => (self.pending(), self.total(), self.place()),
        };
        if pending > 0 {
            let of = group_digits(total);
            let pending = pluralize(pending, "row");
            return (false, format!("no: {pending} of {of} pending in {place}"));
        }
        let rows = pluralize(total, "row");
        let rejected = match self.rows.as_ref() {
            Some(rows) => rows.outcomes.rejected(),
            None => self.originals().map(|run| run.rejected.total()).sum(),
        };
        let open = match rejected {
            0 => String::new(),
            rejected => format!(", {} rejected", group_digits(rejected)),
        };
        let text = format!("yes: {rows} in {place}, none left to send{open}");
        (true, text)
    }

    /// The rows of all files; rejects are rows of their original.
    fn total(&self) -> u64 {
        let outcomes = self.originals().filter_map(|run| run.outcomes);
        outcomes.map(|outcomes| outcomes.total()).sum()
    }

    /// The file, or how many there are.
    fn place(&self) -> String {
        let originals: Vec<&LastRun> = self.originals().collect();
        let files: HashSet<&str> = originals.iter().map(|run| run.file.as_str()).collect();
        match (originals.as_slice(), files.len() as u64) {
            ([run], _) => self.name(run),
            ([run, ..], 1) => {
                let sheets = pluralize(originals.len() as u64, "sheet");
                format!("{sheets} of {}", self.file_name(run))
            }
            (_, files) => pluralize(files, "file"),
        }
    }

    pub(super) fn originals(&self) -> impl Iterator<Item = &LastRun> {
        let runs = self.runs().iter();
        runs.filter(|run| run.rejects_of.is_none())
    }

    pub(super) fn runs(&self) -> &[LastRun] {
        &self.overview.last_runs
    }

    /// The name of the file, with its sheet if several were imported.
    pub(super) fn name(&self, run: &LastRun) -> String {
        format!("{}{}", self.file_name(run), self.sheet_name(run))
    }

    /// The name of a file without its folder, unless another file has the same name.
    pub(super) fn file_name(&self, run: &LastRun) -> String {
        let name = |run: &LastRun| Path::new(&run.file).file_name().map(OsStr::to_owned);
        let mut others = self.runs().iter().filter(|other| other.file != run.file);
        match name(run) {
            _ if run.file == "-" => "standard input".to_owned(),
            Some(own) if !others.any(|other| name(other).as_ref() == Some(&own)) => {
                printable(&own.to_string_lossy())
            }
            _ => printable(&run.file),
        }
    }

    /// The import that sends rows now: any, or that of the named file.
    pub(super) fn running(&self) -> Option<&UnfinishedRun> {
        let file = self.file_rows;
        let is_named = |run: &&LastRun| file.is_none_or(|file| run.is_of(&file.source));
        let mut runs = self.runs().iter().filter(is_named);
        runs.find_map(|run| run.unfinished.as_ref().filter(|run| run.holder.is_some()))
    }

    /// When the pending rows are sent, if there are any; and in words, when the measurements are final too.
    pub(super) fn ends(&self) -> (Option<Timestamp>, String) {
        if let Some(run) = self.running().filter(|run| run.pending > 0) {
            let plan = self.schedule(run.pending);
            let text = format!(
                "about {}: {} of {} of this import pending",
                clock::local(plan.finishes_at, self.now),
                group_digits(run.pending),
                pluralize(run.rows, "row")
            );
            return (Some(plan.finishes_at), text);
        }
        let pending = self
            .rows
            .as_ref()
            .map_or_else(|| self.pending(), |rows| rows.unsent);
        if pending > 0 {
            let requests = requests_for(pending);
            let plan = self.schedule(requests);
            let before = match self.token.problem(self.now) {
                Some(_) => "you connect and the import resumes now",
                None => "the import resumes now",
            };
            let text = format!(
                "{} if {before}: {}",
                clock::local(plan.finishes_at, self.now),
                pluralize(requests, "request")
            );
            return (Some(plan.finishes_at), text);
        }
        (None, self.measured())
    }

    fn schedule(&self, requests: u64) -> ImportSchedule {
        let (limits, now) = (self.limits, self.now);
        let schedule = schedule(requests, &self.window.openings, limits.share, now);
        match limits.max_rps {
            Some(max_rps) => schedule.spaced(max_rps, now),
            None => schedule,
        }
    }

    /// When the measurements are final, as far as that is known.
    fn measured(&self) -> String {
        let all = self.overview.measurements();
        let open = self.overview.with_status(Status::Pending)
            + self.overview.with_status(Status::InProgress);
        let canceled = match self.overview.with_status(Status::Canceled) {
            0 => String::new(),
            canceled => format!(
                "; {} canceled, listed on the sheet Open of an export",
                group_digits(canceled)
            ),
        };
        match (all, self.overview.open_asked_at) {
            (0, _) if self.overview.unanswered > 0 => {
                let requests = pluralize(self.overview.unanswered, "request");
                format!("not known: {requests} without a response")
            }
            (0, _) => "nothing was requested yet".to_owned(),
            (all, None) => {
                let all = pluralize(all, "measurement");
                format!("nothing to wait for: none of {all} is open{canceled}")
            }
            (all, Some(asked_at)) => format!(
                "when the contractor is done: {} of {} open, {}; `{}` asks again{canceled}",
                group_digits(open),
                pluralize(all, "measurement"),
                as_of(asked_at, self.now),
                self.console.command(["export", "results.xlsx"])
            ),
        }
    }

    /// The rows of all files that the next imports submit.
    pub(super) fn pending(&self) -> u64 {
        self.runs().iter().map(LastRun::pending).sum()
    }
}
