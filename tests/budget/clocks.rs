//! The persisted budget on a machine whose clocks are set, which sleeps, and whose processes end and start again.

use std::path::Path;
use std::time::Duration;

use gutterbatch::journal::{Access, Departure, Effect, Intent, Journal, Settlement, Taken};
use gutterbatch::model::{Moment, Rate, Share, Slot, Timeline, Uptime};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::service::Service;

const START: Timestamp = Timestamp::constant(1_800_000_000, 0);
const WINDOW: Duration = Duration::from_secs(3600);
const SHARE: Share = Share {
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
            timeline: Timeline::starting(START, Duration::ZERO),
        }
    }

    fn wall(&self) -> Timestamp {
        START + self.now + self.ahead
    }

    fn awake(&self) -> Duration {
        self.now - self.asleep
    }

    fn moment(&mut self) -> Moment {
        let (wall, awake) = (self.wall(), self.awake());
        Moment {
            at: self.timeline.read(wall, awake),
            uptime: Some(Uptime {
                boot: 7,
                long: self.now,
            }),
        }
    }

    fn restart(&mut self) {
        self.timeline = Timeline::starting(self.wall(), self.awake());
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let day = 86_400_i64;
    let change = prop_oneof![
        (1_u64..5_000).prop_map(Change::Wait),
        (1_u64..5_000).prop_map(Change::Sleep),
        (-day..day).prop_map(Change::Set),
        Just(Change::Restart),
    ];
    prop::collection::vec(change, 1..12)
}

fn open(path: &Path) -> Journal {
    Journal::open(path, &Access::Beside).unwrap()
}

/// Sends one request, where the budget lets it leave.
async fn send(journal: &Journal, now: Moment) -> Option<Slot> {
    let departure = Departure {
        intent: Intent::Me,
        now,
        times_out_at: now.at + Duration::from_secs(40),
        share: SHARE,
    };
    let Taken::Slot { slot, .. } = journal.take(departure).await.unwrap() else {
        return None;
    };
    let settlement = Settlement {
        slot,
        now: now.at,
        share: SHARE,
        external_id: None,
        status: Some(200),
        body: None,
        error: None,
        effect: Effect::Nothing,
    };
    journal.settle(settlement).await.unwrap();
    Some(slot)
}

/// Lives through the changes and spends what there is after each; says when each request left.
async fn live(changes: &[Change]) -> Vec<Duration> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let mut machine = Machine::new();
    let mut journal = Some(open(&path));
    let mut sent = Vec::new();
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
            let now = machine.moment();
            journal.forget_the_future(now, SHARE).await.unwrap();
        }
        let now = machine.moment();
        assert_eq!(
            journal.window(now, SHARE).unwrap().left,
            free(&sent, machine.now),
            "{change:?}"
        );
        while send(journal, machine.moment()).await.is_some() {
            sent.push(machine.now);
        }
    }
    sent
}

/// The slots that are free again, by the time that has truly passed.
fn free(sent: &[Duration], now: Duration) -> usize {
    let held = |at: &&Duration| now < **at + SHARE.hold();
    SHARE.allowed() - sent.iter().filter(held).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clocks_that_are_set_neither_free_a_slot_nor_hold_it(changes in changes()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let sent = runtime.block_on(live(&changes));
        let mut service = Service::sliding(5, WINDOW);
        for at in sent {
            prop_assert_eq!(service.count(at), Ok(()));
        }
    }
}

#[test]
fn a_clock_set_back_over_a_restart_and_forward_again_frees_no_slot() {
    let back_and_forth = [
        Change::Set(-5 * 3600),
        Change::Restart,
        Change::Wait(600),
        Change::Set(5 * 3600),
        Change::Restart,
    ];
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(live(&back_and_forth)).len(), 5);
}

#[test]
fn after_a_new_start_of_the_machine_stamps_ahead_count_as_just_taken() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("journal.db"));
    let moment = |boot, seconds| Moment {
        at: START + SignedDuration::from_secs(seconds),
        uptime: Some(Uptime {
            boot,
            long: Duration::from_secs(60),
        }),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        assert!(send(&journal, moment(1, 0)).await.is_some());
        let later = moment(2, -7200);
        journal.forget_the_future(later, SHARE).await.unwrap();
        assert_eq!(journal.window(later, SHARE).unwrap().left, 4);
        let hour_later = Moment::wall(START - WINDOW + Duration::from_secs(10));
        assert_eq!(journal.window(hour_later, SHARE).unwrap().left, 5);
    });
}
