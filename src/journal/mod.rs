//! The durable truth: every row, request, answer and sealed export, in one SQLite file.
//!
//! One writer thread owns the writing connection and commits in groups; readers open their own. Nothing outside this
//! room knows SQL.

mod backup;
mod billed_elsewhere;
mod binding;
mod copy;
mod corrections;
mod error;
mod facts;
mod file;
mod held_houses;
mod houses;
mod index;
mod lock;
mod measured;
mod overview;
mod readings;
mod record_response;
mod response_record;
mod restore;
mod results;
mod row_history;
mod run;
mod schema;
mod sealed;
mod seals;
mod slot_log;
mod slot_request;
mod store;
mod writer;
mod written;

pub use backup::{BackupCopy, BackupTarget, backup};
pub use billed_elsewhere::BilledElsewhereDeclaration;
pub use binding::Binding;
pub use corrections::{Correction, Corrections, RejectsOrigin};
pub use error::Error;
pub use houses::{EarlierRequest, StoredDecision};
pub use index::{ReadAhead, SubmissionIndex, SubmissionState, SubmittedRow, index};
pub use overview::{JournalOverview, LastRun, WarnedRow, overview};
pub use readings::{FlagsByName, KnownReadings, RememberedReading, known_readings};
pub use response_record::{ResponseAnomalies, ResponseEffect, ResponseRecord};
pub use restore::{JournalRestoration, RestoreOutcome, RestoredMeasurement, RestoredSeal};
pub use results::{JournalSnapshot, RejectedRow, StoredMeasurement};
pub use row_history::{AttemptRecord, KnownMeasurement, RowHistory, story};
pub use run::{NewRejection, RunId, SourceId};
pub use sealed::{NewSeal, SealedExport, SealedItem, StoredBytes};
pub use seals::RecordedSeal;
pub use slot_log::{QuotaWindow, window};
pub use slot_request::{RowVersion, SlotGrant, SlotPurpose, SlotRequest, WaitReason};
pub use store::{Journal, JournalAccess};
pub use written::{WrittenFile, WrittenRejects};
