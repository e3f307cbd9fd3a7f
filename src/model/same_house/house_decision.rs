//! A person's decision about a row that was not sent because its house was requested before.

use crate::model::named_enum;

named_enum! {
    /// A person's decision about a row that was not sent because its house was requested before. The names are the
    /// words of the rejects file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum HouseDecision {
        /// The row is sent.
        Send = "send",
        /// The row is never sent.
        Skip = "skip",
    }
}
