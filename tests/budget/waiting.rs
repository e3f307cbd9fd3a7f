//! How long a run waits for a slot.

use std::cell::Cell;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gutterbatch::api::{ApiClient, BearerToken, Timeouts};
use gutterbatch::dispatch::{
    Clock, DispatchEvent, DispatchLimits, Dispatcher, DispatcherConfig, QuotaWait, StopSignal,
};
use gutterbatch::journal::{Journal, JournalAccess};
use gutterbatch::model::QuotaShare;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::time::Instant;

const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

thread_local! {
    static READINGS: Cell<u32> = const { Cell::new(0) };
}

/// The first request takes the slot at `START`. The second asks for it within its window, which is over when the journal
/// has answered.
fn clock() -> Timestamp {
    const READINGS_WITHIN_THE_WINDOW: u32 = 2;
    let reading = READINGS.replace(READINGS.get() + 1);
    let late = reading >= READINGS_WITHIN_THE_WINDOW;
    START + Duration::from_secs(if late { 3700 } else { 3590 })
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_ended_while_the_journal_answered_takes_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db"), &JournalAccess::Shared);
    let journal = Arc::new(journal.unwrap());
    let share = QuotaShare {
        rate: "1/1h".parse().unwrap(),
        reserve: 0,
    };
    super::clocks::take_slot(&journal, START, share).await;
    let (events, sent) = (Arc::<Mutex<Vec<_>>>::default(), Arc::new(Notify::new()));
    let timeouts = Timeouts {
        connect: Duration::from_secs(10),
        call: Duration::from_secs(30),
    };
    let base_url = "http://127.0.0.1:9".parse().unwrap();
    let version = "2026-01-31".parse().unwrap();
    let token = BearerToken::new("token").unwrap();
    let began = Instant::now();
    let dispatcher = Dispatcher::new(DispatcherConfig {
        journal: Arc::clone(&journal),
        client: ApiClient::new(base_url, version, token, timeouts).unwrap(),
        limits: DispatchLimits {
            share,
            max_rps: None,
            concurrency: 1,
            quota_wait: QuotaWait::Wait,
        },
        clock: Clock::new(clock),
        seed: 1,
        stop: StopSignal::never(),
        report: {
            let (events, sent) = (Arc::clone(&events), Arc::clone(&sent));
            Box::new(move |event| match event {
                DispatchEvent::Waiting { .. } => events.lock().unwrap().push("waits"),
                DispatchEvent::Sent { .. } => {
                    events.lock().unwrap().push("sends");
                    sent.notify_one();
                }
                _ => {}
            })
        },
    });
    tokio::select! {
        biased;
        () = sent.notified() => {}
        _ = dispatcher.me() => {}
    }
    assert_eq!(events.lock().unwrap()[..2], ["waits", "sends"]);
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
}
