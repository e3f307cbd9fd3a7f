//! Leaves out of the log, at a start, what no longer counts: calls that no quota remembers. A poller makes one a second,
//! and everything else in the log grows only with what people did.
//!
//! The shorter log is written beside the old one and takes its name as a whole, so that a crash leaves the one or the
//! other.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::private::{private_file, sync_folder};
use crate::sandbox::world::Event;

/// A call stays for as long as the service's documented window, whatever this start's: the next may be of another.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(1);

/// A log is written anew once this part of it is spent; a smaller gain is not worth the write.
const WORTHWHILE: usize = 4;

/// The shorter log, open and locked in place of the old one; none where it would hardly be shorter.
///
/// # Errors
/// Where it cannot be written. The old log is as it was.
pub(super) fn compacted(
    path: &Path,
    text: &[u8],
    window: SignedDuration,
    now: Timestamp,
) -> io::Result<Option<File>> {
    let Ok(horizon) = now.checked_sub(window.max(REMEMBERED)) else {
        return Ok(None);
    };
    let lines = || text.split_inclusive(|byte| *byte == b'\n');
    let spent = lines().filter(|line| is_spent(line, horizon));
    if spent.map(<[u8]>::len).sum::<usize>() * WORTHWHILE <= text.len() {
        return Ok(None);
    }
    let beside = path.with_extension("jsonl.new");
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = private_file(&beside)?;
    // Before it takes the name, so that no other sandbox finds it free.
    file.try_lock()?;
    let mut writer = io::BufWriter::new(&file);
    for line in lines().filter(|line| !is_spent(line, horizon)) {
        writer.write_all(line)?;
    }
    writer.flush()?;
    drop(writer);
    file.sync_all()?;
    fs::rename(&beside, path)?;
    if let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(Some(file))
}

/// Whether a line is of a call before `horizon`.
fn is_spent(line: &[u8], horizon: Timestamp) -> bool {
    // Most lines are told by their beginning; reading each would take as long as the replay.
    line.starts_with(br#"{"event":"counted""#)
        && matches!(serde_json::from_slice(line), Ok(Event::Counted { at, .. }) if at < horizon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(at: &str) -> String {
        let event = Event::Counted {
            team: 0,
            at: at.parse().unwrap(),
        };
        serde_json::to_string(&event).unwrap() + "\n"
    }

    #[test]
    fn only_calls_beyond_the_window_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        // What a crash left of an earlier attempt.
        fs::write(path.with_extension("jsonl.new"), "half a li").unwrap();
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let team = "{\"event\":\"team_founded\",\"id\":\"t\"}\n";
        let fresh = counted("2026-03-01T11:00:01Z");
        let later = counted("2026-03-02T00:00:00Z");
        let old = counted("2026-03-01T10:59:59Z").repeat(9);
        let text = format!("{old}{team}{fresh}{later}");
        fs::write(&path, &text).unwrap();
        let window = SignedDuration::from_secs(6);
        let shorter = compacted(&path, text.as_bytes(), window, now).unwrap();
        assert!(shorter.is_some());
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("{team}{fresh}{later}")
        );
        assert!(!path.with_extension("jsonl.new").exists());
        let day = SignedDuration::from_hours(24);
        assert!(
            compacted(&path, text.as_bytes(), day, now)
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn a_log_with_little_to_leave_out_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let text = counted("2026-03-01T01:00:00Z") + &counted("2026-03-01T11:59:00Z").repeat(9);
        let same = compacted(&path, text.as_bytes(), SignedDuration::ZERO, now);
        assert!(same.unwrap().is_none());
        assert!(!path.exists());
    }
}
