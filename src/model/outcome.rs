//! How a row ended a run; every row gets exactly one outcome.

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// 201 in this run.
    Created,
    /// 200 in this run, and the original agrees with the row.
    Existing,
    /// The journal already had the measurement; no request was spent.
    Known,
    /// Fails offline validation; never sent.
    Invalid,
    /// 422; the service's field messages are kept.
    Refused,
    /// The id belongs to another house.
    Conflict,
    /// The house was requested before under another id; not sent.
    SameHouse,
    /// The same id and content as an earlier row, sent once; or the same house, which a person decided to skip.
    Duplicate,
    /// Not settled; the next run takes it up.
    Pending,
}

impl Outcome {
    /// Every outcome, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Created,
        Self::Existing,
        Self::Known,
        Self::Invalid,
        Self::Refused,
        Self::Conflict,
        Self::SameHouse,
        Self::Duplicate,
        Self::Pending,
    ];

    /// The public name, as JSON and sheets spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Existing => "existing",
            Self::Known => "known",
            Self::Invalid => "invalid",
            Self::Refused => "refused",
            Self::Conflict => "conflict",
            Self::SameHouse => "same_house",
            Self::Duplicate => "duplicate",
            Self::Pending => "pending",
        }
    }

    /// The outcome of a public name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// How many rows ended in each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes([u64; 9]);

impl Outcomes {
    /// Counts one more row.
    pub fn add(&mut self, outcome: Outcome) {
        self.add_many(outcome, 1);
    }

    /// Counts many more rows.
    pub fn add_many(&mut self, outcome: Outcome, rows: u64) {
        self.0[outcome as usize] += rows;
    }

    /// Counts a row under another outcome than before.
    pub fn move_one(&mut self, from: Outcome, to: Outcome) {
        self.0[from as usize] -= 1;
        self.0[to as usize] += 1;
    }

    /// The rows of one outcome.
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.0[outcome as usize]
    }

    /// All rows; equals the rows read.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Each outcome with its rows, in display order.
    pub fn iter(&self) -> impl Iterator<Item = (Outcome, u64)> + '_ {
        Outcome::ALL
            .into_iter()
            .map(|outcome| (outcome, self.of(outcome)))
    }
}
