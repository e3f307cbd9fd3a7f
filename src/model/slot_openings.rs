//! The times at which the slots of a quota window become available. Slots that are not taken are stored as a number,
//! because an unlimited quota has more of them than fit in memory.

use jiff::Timestamp;

/// The times at which this program's slots of a window become available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotOpenings {
    /// Number of slots that are not taken.
    free: usize,
    /// When those become available.
    floor: Timestamp,
    /// When the taken slots become available, in ascending order; never before `floor`.
    taken: Vec<Timestamp>,
}

impl SlotOpenings {
    /// `free` slots that become available at `floor`, and taken slots that become available later, in any order.
    pub fn new(free: usize, floor: Timestamp, taken: impl IntoIterator<Item = Timestamp>) -> Self {
        let mut taken: Vec<Timestamp> = taken.into_iter().map(|at| at.max(floor)).collect();
        taken.sort_unstable();
        Self { free, floor, taken }
    }

    /// Returns the number of slots.
    pub fn count(&self) -> usize {
        self.free + self.taken.len()
    }

    /// Returns the time at which the slot at an index becomes available; the earliest slot has index 0.
    pub fn nth(&self, index: usize) -> Option<Timestamp> {
        match index.checked_sub(self.free) {
            None => Some(self.floor),
            Some(index) => self.taken.get(index).copied(),
        }
    }

    /// Returns the time at which the last slot becomes available.
    pub fn last(&self) -> Option<Timestamp> {
        self.nth(self.count().checked_sub(1)?)
    }

    /// Returns the number of slots that are available at `now`.
    pub fn open_at(&self, now: Timestamp) -> usize {
        let free = if self.floor <= now { self.free } else { 0 };
        free + self.taken.partition_point(|at| *at <= now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

    #[test]
    fn free_slots_come_first_and_cost_no_memory() {
        let later = NOW + Duration::from_secs(60);
        let openings = SlotOpenings::new(usize::MAX - 2, NOW, [later, NOW]);
        assert_eq!(openings.nth(0), Some(NOW));
        assert_eq!(openings.last(), Some(later));
        assert_eq!(openings.nth(usize::MAX), None);
        assert_eq!(openings.open_at(NOW), usize::MAX - 1);
    }

    #[test]
    fn nothing_opens_before_the_floor() {
        let floor = NOW + Duration::from_secs(60);
        let openings = SlotOpenings::new(3, floor, [NOW]);
        assert_eq!(openings.open_at(NOW), 0);
        assert_eq!(openings.open_at(floor), 4);
    }
}
