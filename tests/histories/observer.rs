//! Watches the requests that reach the service: which journal sent them, and what must never happen among them.
//!
//! A journal knows the measurements that its own requests created or found. A house that it knows is not requested again,
//! unless a person wants that. A journal that was lost knows nothing, and a copy knows what the journal knew that it was
//! copied from.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;

use gutterbatch::api::MAX_ATTEMPTS;

use super::journals::JournalHistory;
use super::loopback::ServiceRequest;
use super::service::{MeasurementRecord, Service, ServiceAnswer, WINDOW};
use super::sheet::house_of;
use super::virtual_time::{self, time, wall};

/// After so many rows in succession without a usable answer, no other row is sent.
const MOST_EXHAUSTED: usize = 10;

/// The longest pause in seconds that a run waits for.
const MOST_PAUSE: u64 = 2 * 3600;

/// A row as it was sent.
#[derive(Clone, Debug)]
pub(super) struct SentRow {
    pub(super) external_id: String,
    pub(super) house: String,
    name: String,
    pub(super) body: Value,
    /// Whether it was sent before: only the answer to an earlier request shows whether a row that was given another id
    /// may be skipped.
    pub(super) is_repeated: bool,
}

/// Watches the requests.
#[derive(Debug, Default)]
pub(super) struct Observer {
    /// The journal of the command that runs.
    pub(super) journal: JournalHistory,
    /// Houses of which a person has changed the number or the unit.
    pub(super) renumbered: BTreeSet<String>,
    /// How often each row was sent without a usable answer to any row since.
    failures_now: BTreeMap<String, u32>,
    /// Houses that a person wants to be requested again.
    pub(super) wanted_again: BTreeSet<String>,
    /// Houses at whose address the network put another house's measurement.
    pub(super) shown_for_others: BTreeSet<String>,
    /// The ids of measurements about which it lied in the present command.
    pub(super) deceived_now: BTreeSet<String>,
    /// Those of [`JournalHistory::created_as_others`] that the present command created.
    created_now: Vec<String>,
    /// How often the service asked for a pause in the present command.
    pub(super) pauses_now: i64,
    /// How many requests have left.
    departures: u64,
    /// Whether an answer has ended the present command.
    is_ended: bool,
    /// Whether an answer came too late in the present command: other requests may not have left in that time.
    was_late: bool,
    /// Rows that the present command has sent.
    pub(super) sent_now: Vec<SentRow>,
    /// Measurements that the service has shown in the present command.
    pub(super) shown_now: BTreeSet<String>,
    /// Rows that the service has refused in the present command.
    pub(super) refused_now: BTreeSet<String>,
    /// Rows for which it has shown their measurement in the present command.
    answered_now: BTreeSet<String>,
    /// Houses that the person of the present command wants to be skipped.
    pub(super) skipped_now: BTreeSet<String>,
    /// The id that was derived from each house, customer and postal code.
    pub(super) derived_ids: BTreeMap<[String; 3], String>,
    /// Whether a clock was changed, so that the quota may be exceeded by a window.
    pub(super) is_clock_changed: bool,
    /// Which journal counts each request that the service has counted.
    counted: Vec<(Timestamp, Option<usize>)>,
    /// What must never happen, and did.
    pub(super) violation: Option<String>,
}

impl Observer {
    /// A command begins.
    pub(super) fn begin(&mut self) {
        self.deceived_now.clear();
        self.journal.believed_now.clear();
        self.created_now.clear();
        self.pauses_now = 0;
        self.is_ended = false;
        self.was_late = false;
        self.sent_now.clear();
        self.failures_now.clear();
        self.shown_now.clear();
        self.refused_now.clear();
        self.answered_now.clear();
        self.skipped_now.clear();
        self.journal.pauses.end_run();
    }

    /// A command has ended: it waits for no answer any more.
    pub(super) fn command_ended(&mut self) {
        for _ in 0..self.journal.in_flight {
            self.ends(None);
        }
    }

    /// A request leaves; returns its number. The service may count it now, and each earlier one at any time until it was
    /// answered.
    pub(super) fn leaves(&mut self, request: &ServiceRequest<'_>, quota: usize) -> u64 {
        self.gives_up_without_answers(request);
        if self.is_ended {
            let text = "a request is sent although an answer ended the run";
            self.violation.get_or_insert(text.to_owned());
        }
        let now = time();
        let journal = &mut self.journal;
        drop_while(&mut journal.ended, |at| !is_within_window(*at, now));
        journal.in_flight += 1;
        let recent = journal.ended.len() + journal.in_flight;
        if recent > quota {
            self.violate(format!("{recent} requests may count within a window"));
        }
        self.departures += 1;
        self.departures
    }

    /// After so many rows without an answer, no other one leaves. What is on its way arrives all the same.
    fn gives_up_without_answers(&mut self, request: &ServiceRequest<'_>) {
        let failures = self.failures_now.values();
        let exhausted = failures.filter(|times| **times >= MAX_ATTEMPTS).count();
        if exhausted < MOST_EXHAUSTED {
            return;
        }
        let row = sent_row(request);
        if let Some(row) = row.filter(|row| !self.failures_now.contains_key(&row.external_id)) {
            let text = format!("{exhausted} rows got no answer, and {} is sent", row.house);
            self.violation.get_or_insert(text);
        }
    }

    /// A request is answered or given up. One that is refused with 429 does not count.
    pub(super) fn ends(&mut self, status: Option<u16>) {
        self.journal.in_flight -= 1;
        if status != Some(429) {
            self.journal.ended.push(time());
        }
    }

    /// The program has sent a request.
    pub(super) fn sent(&mut self, request: &ServiceRequest<'_>) {
        let row = sent_row(request);
        if self.journal.pauses.forbid(request) {
            self.violate("a request is sent although the service asked for a pause".to_owned());
        }
        let Some(mut row) = row else {
            return;
        };
        self.journal.is_bound = true;
        *self
            .failures_now
            .entry(row.external_id.clone())
            .or_default() += 1;
        if self.journal.conflicts.remove(&row.external_id).as_ref() == Some(&row.body) {
            let text = format!("{} is in conflict, and is sent again", row.house);
            self.violation.get_or_insert(text);
        }
        if self.answered_now.contains(&row.external_id) {
            let text = format!("{} is answered, and is sent again", row.house);
            self.violation.get_or_insert(text);
        }
        if !self.journal.awaited.insert(row.external_id.clone()) || self.was_late {
            self.journal.repeated.insert(row.external_id.clone());
        }
        let attempt = (row.external_id.clone(), row.house.clone());
        row.is_repeated = !self.journal.attempted.insert(attempt);
        let is_first = !row.is_repeated && !self.journal.begun.contains(&row.house);
        if self.skipped_now.contains(&row.house) && is_first {
            let text = format!("{} is sent although the person wrote skip", row.house);
            self.violation.get_or_insert(text);
        }
        self.sent_now.push(row);
    }

    /// An answer is on its way to the program.
    pub(super) fn answered(&mut self, request: &ServiceRequest<'_>, answer: &ServiceAnswer) {
        let row = sent_row(request);
        self.pauses_now += i64::from(answer.status == 429);
        self.journal
            .pauses
            .answered(request, answer, self.departures);
        let is_long = answer
            .retry_after
            .is_some_and(|seconds| seconds > MOST_PAUSE);
        self.is_ended |=
            matches!(answer.status, 400 | 401 | 501) || answer.status == 429 && is_long;
        if answer.status < 500 {
            self.failures_now.clear();
        }
        let Some(row) = row else {
            return;
        };
        if answer.status == 422 {
            self.journal.awaited.remove(&row.external_id);
            let name = row.name;
            self.journal.refused.insert(row.external_id.clone(), name);
            self.refused_now.insert(row.external_id);
        } else if answer.body["id"].is_string()
            && answer.body["request"]["external"]["id"] == row.external_id.as_str()
        {
            self.journal.awaited.remove(&row.external_id);
            self.answered_now.insert(row.external_id);
        }
    }

    /// The program waits for an answer until it is too late.
    pub(super) fn is_late(&mut self) {
        self.was_late = true;
    }

    /// An answer after which nothing may be sent.
    pub(super) fn ends_the_run(&mut self) {
        self.is_ended = true;
    }

    /// Whether the service has answered a row in the present command.
    pub(super) fn is_answered(&self, external_id: &str) -> bool {
        self.answered_now.contains(external_id) || self.refused_now.contains(external_id)
    }

    /// The program believes the answer about a measurement.
    pub(super) fn shows(&mut self, measurement: &MeasurementRecord) {
        let id = measurement.id();
        if measurement.is_complete() {
            let figures = measurement.figures();
            self.journal.figures.insert(id.clone(), figures);
        }
        self.shown_now.insert(id.clone());
        self.journal.shown.insert(id, measurement.clone());
    }

    /// What the program knows of a measurement is uncertain.
    pub(super) fn forget_shown(&mut self, id: &str) {
        self.journal.shown.remove(id);
        self.journal.figures.remove(id);
    }

    /// The measurements that are not final, as far as the journal knows.
    pub(super) fn open_measurements(&self) -> BTreeSet<String> {
        let shown = self.journal.shown.iter();
        let open = shown.filter(|(_, shown)| !shown.is_final(wall()));
        open.map(|(id, _)| id.clone()).collect()
    }

    /// Whether the journal knows that all measurements of a house are withdrawn.
    pub(super) fn is_withdrawn(&self, house: &str, service: &Service) -> bool {
        let mut of_house = service.of_house(house).peekable();
        let shown = |one: &MeasurementRecord| self.journal.shown.get(&one.id());
        of_house.peek().is_some()
            && !self.shown_for_others.contains(house)
            && of_house.all(|one| shown(one).is_some_and(MeasurementRecord::is_canceled))
    }

    /// The process has died, perhaps before it recorded its last answers.
    pub(super) fn died(&mut self, concurrency: usize) {
        if let Some(woke_at) = virtual_time::woke_at() {
            self.forget_requests_of_the_night(woke_at, concurrency);
        }
        self.journal.died(std::mem::take(&mut self.answered_now));
        for id in std::mem::take(&mut self.created_now) {
            self.journal.created_as_others.remove(&id);
        }
        for id in std::mem::take(&mut self.shown_now) {
            self.forget_shown(&id);
        }
    }

    /// At most `concurrency` requests were on their way in a night, and perhaps nothing was recorded of them: for the
    /// journal they timed out before it, and only their answers could tell that they were counted after it.
    fn forget_requests_of_the_night(&mut self, woke_at: Timestamp, concurrency: usize) {
        let ended = &mut self.journal.ended;
        let first = ended.partition_point(|at| *at < woke_at);
        ended.drain(first..ended.len().min(first + concurrency));
        let since = self.counted.iter_mut().filter(|(at, _)| *at >= woke_at);
        (since.take(concurrency)).for_each(|(_, journal)| *journal = None);
    }

    /// The service has handled a request.
    pub(super) fn handled(
        &mut self,
        request: &ServiceRequest<'_>,
        answer: &ServiceAnswer,
        service: &Service,
    ) {
        let now = time();
        if answer.status == 429 {
            if self.is_counted_by_the_journal(now) {
                self.violate("the quota is exceeded, and the service says 429".to_owned());
            }
            return;
        }
        drop_while(&mut self.counted, |(at, _)| !is_within_window(*at, now));
        self.counted.push((now, Some(self.journal.number)));
        if request.method != "POST" {
            return;
        }
        let Some(id) = answer.body["id"].as_str() else {
            return;
        };
        if answer.status == 201 {
            self.created(id, service);
        }
        let body = &request.body;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let house = house_of(&text(&body["notes"])).to_owned();
        let sent = (text(&body["external"]["id"]), house.clone());
        self.journal.sent_houses.insert(sent);
        let measurement = service.with_id(id).unwrap();
        // An id that is another house's tells nothing about the house of the row.
        if house != measurement.house {
            return;
        }
        self.journal.known.insert(id.to_owned());
        self.journal.restored.remove(id);
        for name in ["name", "email", "phone"] {
            let text = text(&body["customer"][name]);
            self.journal.sent_texts.insert((id.to_owned(), name, text));
        }
        if self.journal.learned.contains(id) && !self.journal.deceived.contains(&measurement.house)
        {
            let text = format!("{} is known, and is requested again", measurement.house);
            self.violation.get_or_insert(text);
        }
    }

    /// Whether the journal counts all requests that the service counts.
    pub(super) fn is_counted_by_the_journal(&self, now: Timestamp) -> bool {
        let counted = self.counted.iter();
        let mut recent = counted.filter(|(at, _)| is_within_window(*at, now));
        recent.all(|(_, journal)| *journal == Some(self.journal.number))
    }

    fn created(&mut self, id: &str, service: &Service) {
        let created = service.with_id(id).unwrap();
        let house = &created.house;
        let mut earlier = service.of_house(house).filter(|one| {
            one.id() != id && !one.is_canceled() && self.journal.holds(created, &one.id())
        });
        let is_excused = self.wanted_again.contains(house)
            || self.renumbered.contains(house)
            || self.journal.deceived.contains(house);
        if let Some(earlier) = earlier.next().filter(|_| !is_excused) {
            let text = format!("{house} is requested twice: {} and {id}", earlier.id());
            self.violation.get_or_insert(text);
        }
    }

    fn violate(&mut self, text: String) {
        if !self.is_clock_changed {
            self.violation.get_or_insert(text);
        }
    }

    /// Notes that the network lied about a measurement and its house.
    pub(super) fn deceive(&mut self, id: String, house: String) {
        self.deceived_now.insert(id);
        self.journal.deceived.insert(house);
    }

    /// The program has created a measurement, and the answer says that it is another house's. The journal has it all the
    /// same, and believes a later answer.
    pub(super) fn created_as_another(&mut self, id: String) {
        self.created_now.push(id.clone());
        self.journal.created_as_others.insert(id);
    }

    /// The program has read a measurement, and the answer is true.
    pub(super) fn reads(&mut self, measurement: &MeasurementRecord) {
        if self.journal.created_as_others.contains(&measurement.id()) {
            self.journal.believe(&measurement.house);
        }
    }
}

/// Removes the first of those that are ordered by time.
fn drop_while<T>(times: &mut Vec<T>, is_past: impl Fn(&T) -> bool) {
    times.drain(..times.partition_point(is_past));
}

fn is_within_window(at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(at).unsigned_abs() < WINDOW
}

/// The row of a creation.
fn sent_row(request: &ServiceRequest<'_>) -> Option<SentRow> {
    if request.method != "POST" {
        return None;
    }
    let body = &request.body;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(SentRow {
        external_id: text(&body["external"]["id"]),
        house: house_of(&text(&body["notes"])).to_owned(),
        name: text(&body["customer"]["name"]),
        body: body.clone(),
        is_repeated: false,
    })
}
