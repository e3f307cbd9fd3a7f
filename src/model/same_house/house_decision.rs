//! A person's decision about a row that was not sent because its house was requested before.

/// A person's decision about a row that was not sent because its house was requested before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseDecision {
    /// The row is sent.
    Send,
    /// The row is never sent.
    Skip,
}

impl HouseDecision {
    /// Returns the word used in the rejects file and in the journal.
    pub fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Skip => "skip",
        }
    }

    /// Returns the decision with a word, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Send, Self::Skip];
        all.into_iter()
            .find(|decision| name.trim().eq_ignore_ascii_case(decision.name()))
    }
}
