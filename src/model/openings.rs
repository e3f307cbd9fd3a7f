//! When the slots of a window open, soonest first: a time for each one that is taken, and a number for those that are
//! free, since a lifted quota has more of them than memory.

use jiff::Timestamp;

/// The slots of a window that are ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotOpenings {
    /// Slots that nobody holds.
    free: usize,
    /// When those open.
    floor: Timestamp,
    /// When the others open, soonest first; none before the floor.
    taken: Vec<Timestamp>,
}

impl SlotOpenings {
    /// So many free slots that open at `floor`, and others that open later, in any order.
    pub fn new(free: usize, floor: Timestamp, taken: impl IntoIterator<Item = Timestamp>) -> Self {
        let mut taken: Vec<Timestamp> = taken.into_iter().map(|at| at.max(floor)).collect();
        taken.sort_unstable();
        Self { free, floor, taken }
    }

    /// All slots.
    pub fn count(&self) -> usize {
        self.free + self.taken.len()
    }

    /// When the slot of that number opens; the soonest has number 0.
    pub fn nth(&self, number: usize) -> Option<Timestamp> {
        match number.checked_sub(self.free) {
            None => Some(self.floor),
            Some(number) => self.taken.get(number).copied(),
        }
    }

    /// When the last slot opens.
    pub fn last(&self) -> Option<Timestamp> {
        self.nth(self.count().checked_sub(1)?)
    }

    /// Slots that are open at `now`.
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
