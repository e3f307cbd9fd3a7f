//! What a person decided about a row that was held as the same house.

/// What a person decided about a row that was held as the same house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseDecision {
    /// It is submitted all the same.
    Send,
    /// It is never submitted.
    Skip,
}

impl HouseDecision {
    /// The word that stands in the rejects and in the journal.
    pub fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Skip => "skip",
        }
    }

    /// The decision of a word, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Send, Self::Skip];
        all.into_iter()
            .find(|decision| name.trim().eq_ignore_ascii_case(decision.name()))
    }
}
