//! A wall clock that is set while the machine runs: the window's stamps move along, so that every slot keeps its age.
//!
//! The journal remembers when the machine started, by the wall clock of then. Where the machine is still the same start
//! and the wall clock now says otherwise, it was set in between, by that much. After a new start nothing is known of it,
//! and stamps that lie ahead count as just taken.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::journal::facts;
use crate::journal::ledger::{self, time};
use crate::model::{Boot, Share};

/// The fact that holds the machine's start.
const BOOT: &str = "boot";

/// A clock that is nudged by less was not set.
pub(super) const UNNOTICED: SignedDuration = SignedDuration::from_millis(100);

/// The machine's start as it was last written down.
pub(super) fn boot(connection: &Connection) -> rusqlite::Result<Option<Boot>> {
    let text = facts::read(connection, BOOT)?;
    Ok(text.and_then(|text| {
        let (id, at) = text.split_once(' ')?;
        Some(Boot {
            id: u128::from_str_radix(id, 16).ok()?,
            at: time(at.parse().ok()?),
        })
    }))
}

pub(super) fn remember(connection: &Connection, boot: Boot) -> rusqlite::Result<()> {
    let text = format!("{:032x} {}", boot.id, boot.at.as_millisecond());
    facts::write(connection, BOOT, Some(&text))
}

/// Moves the window's stamps, and the adaptive limit's, as far as the clock was set.
pub(super) fn move_stamps(
    connection: &Connection,
    now: Timestamp,
    ahead: SignedDuration,
    share: Share,
) -> rusqlite::Result<()> {
    // By either clock: what is free by the one must not be held by the other.
    let since = now.min(now - ahead) - share.hold();
    let sql = "UPDATE attempts SET taken_at = taken_at + ?1, times_out_at = times_out_at + ?1,
        settled_at = settled_at + ?1 WHERE times_out_at > ?2 AND counted = 1 AND coalesce(settled_at, times_out_at) > ?2";
    let ahead_ms = i64::try_from(ahead.as_millis()).unwrap_or_default();
    connection.execute(sql, params![ahead_ms, since.as_millisecond()])?;
    if let Some(mut limit) = ledger::adaptive_limit(connection)? {
        limit.move_by(ahead);
        ledger::store_adaptive_limit(connection, Some(&limit))?;
    }
    Ok(())
}
