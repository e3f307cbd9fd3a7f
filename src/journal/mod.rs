//! The durable truth: every row, request, answer and sealed export, in one SQLite file.
//!
//! One writer thread owns the writing connection and commits in groups; readers open their own. Nothing outside this
//! room knows SQL.

mod backup;
mod binding;
mod copy;
mod corrections;
mod departure;
mod error;
mod facts;
mod file;
mod foreign;
mod held_houses;
mod houses;
mod index;
mod ledger;
mod lock;
mod measured;
mod overview;
mod readings;
mod restore;
mod results;
mod run;
mod schema;
mod sealed;
mod seals;
mod settle;
mod settlement;
mod store;
mod story;
mod writer;
mod written;

pub use backup::{Copied, Replacing, backup};
pub use binding::Binding;
pub use corrections::{Correction, Corrections, RejectsOrigin};
pub use departure::{Because, Departure, Intent, Submission, Taken};
pub use error::Error;
pub use foreign::Declaration;
pub use houses::{EarlierRequest, StoredDecision};
pub use index::{Entry, Index, ReadAhead, State, index};
pub use ledger::{Window, window};
pub use overview::{LastRun, Overview, Warned, overview};
pub use readings::{FlagsByName, KnownReadings, RememberedReading, known_readings};
pub use restore::{Restoration, RestoreEnd, RestoredMeasurement, RestoredSeal};
pub use results::{KeptMeasurement, RejectedRow, Snapshot};
pub use run::{Rejected, RunId, SourceId};
pub use sealed::{Kept, Seal, SealedExport, SealedItem};
pub use seals::RecordedSeal;
pub use settlement::{Effect, Noticed, Origin, Settlement};
pub use store::{Access, Journal};
pub use story::{Attempted, Known, Story, story};
pub use written::{WrittenFile, WrittenRejects};
