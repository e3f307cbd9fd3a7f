//! A run on a virtual clock: workers that ask the budget, a service that counts, and a machine whose clocks jump.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::time::Duration;

use gutterbatch::model::{Admission, QuotaBudget, QuotaShare, QuotaSlot, Timeline};
use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};

use super::service::Service;

const START: Timestamp = Timestamp::constant(1_800_000_000, 0);
const TIME_OUT: Duration = Duration::from_secs(40);

/// What is simulated.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) share: QuotaShare,
    pub(super) requests: usize,
    pub(super) concurrency: usize,
    pub(super) latency_ms: Range<u64>,
    pub(super) jumps: Vec<Jump>,
    pub(super) seed: u64,
}

/// What happens to the machine, at a time since the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) enum Jump {
    /// Nothing runs, and the monotonic clock stands still.
    Sleep { at: Duration, long: Duration },
    /// The wall clock is set back.
    SetBack { at: Duration, by: Duration },
    /// The process ends and starts again; the journal recalls the slots.
    Restart { at: Duration },
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Answers of 429.
    pub(super) limited: usize,
    /// When each came.
    limited_at: Vec<Duration>,
    /// When the last request was accepted.
    pub(super) makespan: Duration,
}

impl History {
    /// 429s apart from each other; those of one moment were in flight together.
    pub(super) fn limited_events(&self) -> usize {
        let apart = self.limited_at.windows(2);
        let apart = apart.filter(|pair| pair[1] - pair[0] > Duration::from_secs(2));
        apart.count() + usize::from(!self.limited_at.is_empty())
    }
}

/// What happens to a request once it left, in this order of time.
type Journey = Reverse<(Duration, i64, Stage)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// The service counts it; the answer is on its way back for so long.
    Counted { back: Duration },
    /// The answer is here: accepted, or to come again after so long.
    Answered { wait: Option<Duration> },
}

struct Machine {
    now: Duration,
    asleep: Duration,
    set_back: Duration,
    jumps: Vec<Jump>,
    timeline: Timeline,
}

impl Machine {
    fn wall(&self) -> Timestamp {
        START + self.now - self.set_back
    }

    fn time(&mut self) -> Timestamp {
        let elapsed = self.now - self.asleep;
        let wall = self.wall();
        self.timeline.read(wall, elapsed)
    }

    /// Lets time pass up to `until`, with the jumps in between. Says whether the process restarted.
    fn pass(&mut self, until: Duration) -> bool {
        let mut restarted = false;
        self.now = self.now.max(until);
        while let Some(jump) = self.jumps.first().copied() {
            match jump {
                Jump::Sleep { at, long } if at <= self.now => {
                    self.asleep += long;
                    self.now += long;
                }
                Jump::SetBack { at, by } if at <= self.now => self.set_back += by,
                Jump::Restart { at } if at <= self.now => {
                    restarted = true;
                    self.timeline = Timeline::new(self.wall(), self.now - self.asleep);
                }
                _ => break,
            }
            self.jumps.remove(0);
        }
        restarted
    }
}

/// Runs until every request was accepted.
pub(super) fn simulate(run: &Run, service: &mut Service) -> History {
    let mut rng = StdRng::seed_from_u64(run.seed);
    let mut half = || Duration::from_millis(rng.random_range(run.latency_ms.clone()) / 2 + 1);
    let mut history = History::default();
    let mut machine = Machine {
        now: Duration::ZERO,
        asleep: Duration::ZERO,
        set_back: Duration::ZERO,
        jumps: run.jumps.clone(),
        timeline: Timeline::new(START, Duration::ZERO),
    };
    let mut journal: Vec<QuotaSlot> = Vec::new();
    let mut budget = QuotaBudget::default();
    let mut journeys: BinaryHeap<Journey> = BinaryHeap::new();
    let mut waiting = run.requests;
    while waiting > 0 || !journeys.is_empty() {
        let now = machine.time();
        let mut wake = None;
        while waiting > 0 && journeys.len() < run.concurrency {
            let admission = budget.admit(now, run.share);
            if let Admission::WindowFull(at) | Admission::RateLimited(at) = admission {
                wake = Some(machine.now + at.duration_since(now).unsigned_abs());
                break;
            }
            let slot = QuotaSlot {
                attempt: i64::try_from(journal.len()).unwrap(),
                taken_at: now,
                times_out_at: now + TIME_OUT,
                ended_at: None,
            };
            budget.take_slot(slot);
            journal.push(slot);
            waiting -= 1;
            let counted = Stage::Counted { back: half() };
            journeys.push(Reverse((machine.now + half(), slot.attempt, counted)));
        }
        let next = journeys.peek().map(|Reverse((at, ..))| *at);
        // Waits are slept in slices, so that a machine that wakes looks at its clock again.
        let slice = machine.now + Duration::from_secs(15);
        let until = [next, wake, Some(slice)].into_iter().flatten().min();
        if machine.pass(until.unwrap()) {
            budget = {
                let limit = budget.adaptive_limit().cloned();
                QuotaBudget::from_slots(journal.iter().copied(), limit, machine.time())
            };
        }
        while let Some(Reverse((at, attempt, stage))) = journeys.pop() {
            if at > machine.now {
                journeys.push(Reverse((at, attempt, stage)));
                break;
            }
            let wait = match stage {
                Stage::Counted { back } => {
                    let wait = service.count(at).err();
                    journeys.push(Reverse((at + back, attempt, Stage::Answered { wait })));
                    continue;
                }
                Stage::Answered { wait } => wait,
            };
            let slot = &mut journal[usize::try_from(attempt).unwrap()];
            let now = machine.time();
            slot.ended_at = Some(now);
            if wait.is_some() {
                budget.record_rate_limit(*slot, now, wait, run.share);
                history.limited += 1;
                history.limited_at.push(machine.now);
                waiting += 1;
            } else {
                budget.record_response(*slot, now, run.share);
                history.makespan = machine.now;
            }
        }
    }
    history
}
