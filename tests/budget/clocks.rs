//! The persisted budget on a machine whose clocks are set, which sleeps, and whose processes end and start again.

use std::path::Path;
use std::time::Duration;

use gutterbatch::journal::{
    Journal, JournalAccess, ResponseEffect, ResponseRecord, SlotGrant, SlotPurpose, SlotRequest,
};
use gutterbatch::model::{QuotaShare, QuotaSlot, Rate, Timeline};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::service::Service;

const START: Timestamp = Timestamp::constant(1_800_000_000, 0);
const WINDOW: Duration = Duration::from_secs(3600);
const SHARE: QuotaShare = QuotaShare {
    rate: Rate {
        count: 5,
        window: WINDOW,
    },
    reserve: 0,
};

/// What happens from one look at the budget to the next.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// So many seconds pass.
    Wait(u64),
    /// So many pass, and nothing runs.
    Sleep(u64),
    /// The wall clock is set ahead by so many seconds, or back.
    Set(i64),
    /// The process is killed and another one starts.
    Restart,
}

/// One machine, seen from outside: all times are since the beginning.
struct Machine {
    now: Duration,
    asleep: Duration,
    /// How far ahead the wall clock is.
    ahead: SignedDuration,
    timeline: Timeline,
}

impl Machine {
    fn new() -> Self {
        Self {
            now: Duration::ZERO,
            asleep: Duration::ZERO,
            ahead: SignedDuration::ZERO,
            timeline: Timeline::new(START, Duration::ZERO),
        }
    }

    fn wall(&self) -> Timestamp {
        START + self.now + self.ahead
    }

    fn awake(&self) -> Duration {
        self.now - self.asleep
    }

    fn time(&mut self) -> Timestamp {
        let (wall, awake) = (self.wall(), self.awake());
        self.timeline.read(wall, awake)
    }

    fn restart(&mut self) {
        self.timeline = Timeline::new(self.wall(), self.awake());
    }
}

/// Changes with which the wall clock is never set ahead.
fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (1_u64..5_000).prop_map(Change::Wait),
        (1_u64..5_000).prop_map(Change::Sleep),
        (-86_400_i64..0).prop_map(Change::Set),
        Just(Change::Restart),
    ];
    prop::collection::vec(change, 1..12)
}

/// Changes within one process, which does not sleep.
fn changes_in_a_run() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (1_u64..5_000).prop_map(Change::Wait),
        (-86_400_i64..0).prop_map(Change::Set),
    ];
    prop::collection::vec(change, 1..12)
}

fn open(path: &Path) -> Journal {
    Journal::open(path, &JournalAccess::Shared).unwrap()
}

/// Sends one request, where the budget lets it leave.
async fn send(journal: &Journal, now: Timestamp) -> Option<QuotaSlot> {
    take_slot(journal, now, SHARE).await
}

/// Sends one request of a share, where the budget lets it leave.
pub(super) async fn take_slot(
    journal: &Journal,
    now: Timestamp,
    share: QuotaShare,
) -> Option<QuotaSlot> {
    let departure = SlotRequest {
        purpose: SlotPurpose::Me,
        now,
        times_out_at: now + Duration::from_secs(40),
        share,
    };
    let SlotGrant::Slot { slot, .. } = journal.acquire_slot(departure).await.unwrap() else {
        return None;
    };
    let settlement = ResponseRecord {
        slot,
        now,
        share,
        external_id: None,
        status: Some(200),
        body: None,
        error: None,
        effect: ResponseEffect::Unchanged,
    };
    journal.record_response(settlement).await.unwrap();
    Some(slot)
}

/// Goes through the changes and spends what there is after each; returns when each request was sent, and how many
/// slots were free at each of these times by the journal and by the time that has truly passed.
async fn live(changes: &[Change]) -> (Vec<Duration>, Vec<(usize, usize)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let mut machine = Machine::new();
    let mut journal = Some(open(&path));
    let (mut sent, mut left) = (Vec::new(), Vec::new());
    for change in [&[Change::Restart], changes].concat() {
        match change {
            Change::Wait(seconds) => machine.now += Duration::from_secs(seconds),
            Change::Sleep(seconds) => {
                machine.now += Duration::from_secs(seconds);
                machine.asleep += Duration::from_secs(seconds);
            }
            Change::Set(seconds) => machine.ahead += SignedDuration::from_secs(seconds),
            Change::Restart => {
                drop(journal.take());
                journal = Some(open(&path));
                machine.restart();
            }
        }
        let journal = journal.as_ref().unwrap();
        if matches!(change, Change::Restart) {
            journal.clamp_slots(machine.time()).await.unwrap();
        }
        let window = journal.window(machine.time(), SHARE).unwrap();
        left.push((window.available, free(&sent, machine.now)));
        while send(journal, machine.time()).await.is_some() {
            sent.push(machine.now);
        }
    }
    (sent, left)
}

fn run(changes: &[Change]) -> (Vec<Duration>, Vec<(usize, usize)>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(live(changes))
}

/// The slots that are free again, by the time that has truly passed.
fn free(sent: &[Duration], now: Duration) -> usize {
    let held = |at: &&Duration| now < **at + SHARE.slot_lifetime();
    SHARE
        .allowed()
        .saturating_sub(sent.iter().filter(held).count())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clock_that_is_set_back_in_a_run_neither_frees_a_slot_nor_holds_it(changes in changes_in_a_run()) {
        for (left, free) in run(&changes).1 {
            prop_assert_eq!(left, free);
        }
    }

    #[test]
    fn a_clock_that_is_set_back_over_restarts_frees_no_slot(changes in changes()) {
        let mut service = Service::sliding(5, WINDOW);
        for at in run(&changes).0 {
            prop_assert_eq!(service.count(at), Ok(()));
        }
    }

    #[test]
    fn a_clock_that_is_set_back_holds_a_slot_for_one_more_window_at_most(changes in changes()) {
        let window = Change::Wait(SHARE.slot_lifetime().as_secs() + 1);
        let (_, left) = run(&[&changes[..], &[Change::Restart, window]].concat());
        prop_assert_eq!(left.last().unwrap().0, 5);
    }
}

#[test]
fn a_clock_set_back_and_forward_again_overruns_by_one_window_at_most() {
    let back_and_forth = [
        Change::Set(-5 * 3600),
        Change::Restart,
        Change::Wait(600),
        Change::Set(5 * 3600),
        Change::Restart,
    ];
    assert!(run(&back_and_forth).0.len() <= 10);
}

#[test]
fn after_a_restart_slots_later_than_now_count_as_just_taken() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("journal.db"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        assert!(send(&journal, START).await.is_some());
        let set_back = START - SignedDuration::from_secs(7200);
        journal.clamp_slots(set_back).await.unwrap();
        assert_eq!(journal.window(set_back, SHARE).unwrap().available, 4);
        let hour_later = START - WINDOW + Duration::from_secs(10);
        assert_eq!(journal.window(hour_later, SHARE).unwrap().available, 5);
    });
}
