//! The outcome of a row in a run; every row has exactly one.

use serde::{Serialize, Serializer};

use crate::model::named_enum;

named_enum! {
    /// The outcome of a row in a run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Outcome {
        /// The service created the measurement in this run (201).
        Created = "created",
        /// The service knew the id (200), and its original agrees with the row.
        Existing = "existing",
        /// The journal already had the measurement; no request was sent.
        Known = "known",
        /// The row failed validation and was not sent.
        Invalid = "invalid",
        /// The service refused the row (422); its messages are stored.
        Refused = "refused",
        /// The external id belongs to another house.
        Conflict = "conflict",
        /// The house was requested before under another id; the row was not sent.
        SameHouse = "same_house",
        /// The row has the same id and content as an earlier row, which was sent; or a person decided to skip it as the
        /// same house.
        Duplicate = "duplicate",
        /// The row has no result yet; the next run continues with it.
        Pending = "pending",
    }
}

impl Outcome {
    /// The outcomes of rows that a person must look at; such rows are written to the rejects.
    pub const REJECTED: [Self; 4] = [
        Self::Invalid,
        Self::Refused,
        Self::Conflict,
        Self::SameHouse,
    ];

    /// Returns what is said of a number of such rows: `2 in conflict`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Known => "known already",
            Self::Conflict => "in conflict",
            Self::SameHouse => "with the house of another request",
            Self::Created
            | Self::Existing
            | Self::Invalid
            | Self::Refused
            | Self::Duplicate
            | Self::Pending => self.name(),
        }
    }
}

/// The number of rows per outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts([u64; Outcome::ALL.len()]);

impl OutcomeCounts {
    /// Adds one row.
    pub fn add(&mut self, outcome: Outcome) {
        self.add_many(outcome, 1);
    }

    /// Adds a number of rows.
    pub fn add_many(&mut self, outcome: Outcome, rows: u64) {
        self.0[outcome as usize] += rows;
    }

    /// Moves one row from one outcome to another.
    pub fn reclassify(&mut self, from: Outcome, to: Outcome) {
        self.0[from as usize] -= 1;
        self.0[to as usize] += 1;
    }

    /// Returns the number of rows with an outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.0[outcome as usize]
    }

    /// Returns the number of rows that a person must look at.
    pub fn rejected(&self) -> u64 {
        let rejected = Outcome::REJECTED.map(|outcome| self.count(outcome));
        rejected.iter().sum()
    }

    /// Returns the number of all rows, which equals the number of rows read.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Iterates over the outcomes and their numbers of rows, in display order.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        Outcome::ALL
            .into_iter()
            .map(|outcome| (outcome, self.count(outcome)))
    }
}

impl Serialize for OutcomeCounts {
    /// Serializes the numbers of rows by the names of their outcomes, in display order.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(outcome, rows)| (outcome.name(), rows)))
    }
}
