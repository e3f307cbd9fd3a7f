//! The clock of a history: it stands still while the program works, and moves when the program waits or a step says so.
//!
//! The library takes the wall clock as a function, which has no state of its own: the time is kept for the thread that
//! the history runs in. The clock is also where a crash happens. The program reads it before it records an intent, before
//! it records an answer, and between the steps of an export; where it reads no clock between two commits, `commits` lets
//! it die. Which of several requests reads the clock first depends on the threads; where there are several, the process
//! dies when the next of them has its turn.

use std::cell::Cell;
use std::time::Duration;

use jiff::{Timestamp, ToSpan as _};
use tokio::runtime::Handle;

use super::loopback::TroubleKind;

/// How long a computer sleeps: longer than requests count.
const NIGHT: Duration = Duration::from_hours(2);

/// How often a command may read the clock: the longest import of the histories reads it some ten thousand times.
const MOST_READINGS: u32 = 60_000;

const START: Timestamp = Timestamp::constant(1_793_520_000, 0);

thread_local! {
    static TIME: Cell<Timestamp> = const { Cell::new(START) };
    /// How far the clock of the machine is behind the time.
    static BEHIND: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// The time zone of the people.
    static ZONE: Cell<&'static str> = const { Cell::new("UTC") };
    static READINGS: Cell<u32> = const { Cell::new(0) };
    static READINGS_LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    static READINGS_UNTIL_NIGHT: Cell<Option<u32>> = const { Cell::new(None) };
    /// When the computer woke up from its last night in the present command.
    static WOKE_AT: Cell<Option<Timestamp>> = const { Cell::new(None) };
    /// Whether several requests read the clock.
    static HAS_SEVERAL: Cell<bool> = const { Cell::new(false) };
}

/// The panic that stands for the sudden death of the process.
pub(super) struct PowerFailure;

/// Sets the clock to where every history starts.
pub(super) fn reset(zone: &'static str) {
    ZONE.set(zone);
    TIME.set(START);
    BEHIND.set(Duration::ZERO);
    READINGS_LEFT.set(None);
    READINGS_UNTIL_NIGHT.set(None);
}

/// Runs something that has times of its own.
pub(super) fn kept<T>(run: impl FnOnce() -> T) -> T {
    let (time, behind) = (TIME.get(), BEHIND.get());
    let value = run();
    TIME.set(time);
    BEHIND.set(behind);
    value
}

/// The wall clock that the program reads.
pub(super) fn now() -> Timestamp {
    READINGS.set(READINGS.get() + 1);
    assert!(READINGS.get() < MOST_READINGS, "the command never ends");
    // Between two turns, the run is in its runtime.
    let waits = HAS_SEVERAL.get() && Handle::try_current().is_ok();
    match READINGS_LEFT.get() {
        Some(0) if waits => {}
        Some(0) => {
            READINGS_LEFT.set(None);
            end_process();
        }
        left => READINGS_LEFT.set(left.map(|left| left - 1)),
    }
    match READINGS_UNTIL_NIGHT.get() {
        Some(0) if waits => {}
        Some(0) => {
            READINGS_UNTIL_NIGHT.set(None);
            sleep();
        }
        left => READINGS_UNTIL_NIGHT.set(left.map(|left| left - 1)),
    }
    wall()
}

/// The process dies at once.
pub(super) fn end_process() -> ! {
    // Without the panic hook, which would print.
    std::panic::resume_unwind(Box::new(PowerFailure))
}

/// How often the command has read the clock.
pub(super) fn readings() -> u32 {
    READINGS.get()
}

/// The wall clock, read by the history itself.
pub(super) fn wall() -> Timestamp {
    TIME.get() - BEHIND.get()
}

/// The time that the service knows.
pub(super) fn time() -> Timestamp {
    TIME.get()
}

/// Lets the process die when it reads the clock after so many readings; `None` lets it live.
pub(super) fn die_after(readings: Option<u32>) {
    READINGS_LEFT.set(readings);
}

/// Lets the process die when it reads the clock for the next time.
pub(super) fn die() {
    HAS_SEVERAL.set(false);
    READINGS_LEFT.set(Some(0));
}

/// From now on, several requests read the clock.
pub(super) fn begin_turns() {
    HAS_SEVERAL.set(true);
}

/// One of several requests has its turn: the computer sleeps and the process dies if they should have done that before.
/// Returns whether it dies before or after the request is handled, by the number of readings, which is then the same
/// each time.
pub(super) fn take_turn() -> Option<TroubleKind> {
    if !HAS_SEVERAL.get() {
        return None;
    }
    if READINGS_UNTIL_NIGHT.get() == Some(0) {
        READINGS_UNTIL_NIGHT.set(None);
        sleep();
    }
    let kinds = [TroubleKind::DeathBefore, TroubleKind::DeathAfter];
    (READINGS_LEFT.get() == Some(0)).then(|| kinds[READINGS.get() as usize % kinds.len()])
}

/// Lets the computer sleep when the process reads the clock after so many readings. Its timers do not notice.
pub(super) fn sleep_after(readings: Option<u32>) {
    READINGS_UNTIL_NIGHT.set(readings);
}

/// The computer sleeps for a night. Its timers do not notice.
pub(super) fn sleep() {
    pass(NIGHT);
    WOKE_AT.set(Some(time()));
}

/// When the computer woke up from its last night in the present command.
pub(super) fn woke_at() -> Option<Timestamp> {
    WOKE_AT.get()
}

/// Time passes between two commands, or while the computer sleeps.
pub(super) fn pass(duration: Duration) {
    TIME.set(TIME.get() + duration);
}

/// The name of the time zone of the people.
pub(super) fn zone() -> &'static str {
    ZONE.get()
}

/// The month of a time where the people are, as `2026-11`.
pub(super) fn month_of(at: Timestamp) -> String {
    let month = at.in_tz(zone()).unwrap();
    month.strftime("%Y-%m").to_string()
}

/// Time passes until the last second of a month.
pub(super) fn pass_to_end_of_month() {
    let second = Duration::from_secs(1);
    let month = (TIME.get() + second)
        .in_tz(zone())
        .unwrap()
        .first_of_month();
    let next = month.and_then(|month| month.start_of_day()?.checked_add(1.month()));
    TIME.set(next.unwrap().timestamp() - second);
}

/// Somebody sets the clock of the machine back.
pub(super) fn set_back(duration: Duration) {
    BEHIND.set(BEHIND.get() + duration);
}

/// Time passes while the program runs; its timers see that too. They count in milliseconds and round up.
pub(super) async fn pass_in_run(duration: Duration) {
    let duration = duration + Duration::from_millis(2);
    pass(duration);
    tokio::time::advance(duration).await;
}

/// Time passes while the program runs, until its clock shows `until`. Where it does already, because another wait ended
/// just before, the timer of this one may still be rounded up.
pub(super) async fn pass_until(until: Timestamp) {
    let left = until.duration_since(wall()).try_into();
    pass_in_run(left.unwrap_or_default()).await;
}

/// Runs what a process runs; `None` if it died.
pub(super) fn process<T>(run: impl FnOnce() -> T) -> Option<T> {
    READINGS.set(0);
    WOKE_AT.set(None);
    HAS_SEVERAL.set(false);
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    READINGS_LEFT.set(None);
    READINGS_UNTIL_NIGHT.set(None);
    match ended {
        Ok(value) => Some(value),
        Err(panic) if panic.is::<PowerFailure>() => None,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
