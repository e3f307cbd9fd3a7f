//! The durable state: rows, requests, responses and sealed exports, in one SQLite file.
//!
//! One writer thread owns the writing connection and commits in groups; readers open their own connections. Only this
//! module contains SQL.

mod backup;
mod billed_elsewhere;
mod binding;
mod column_values;
mod copy_mark;
mod corrections;
mod error;
mod house_column;
mod house_decisions;
mod houses;
mod houses_without_row;
mod journal_file;
mod last_runs;
mod lock_file;
mod measurement_states;
mod measurements;
mod metadata;
mod other_teams;
mod overview;
mod pending_rows;
mod quota_window;
mod record_response;
mod rejects_copies;
mod remembered_flags;
mod reported_problems;
mod response_record;
mod restore;
mod row_history;
mod run_limits;
mod runs;
mod schema;
mod seal_record;
mod sealed_exports;
mod sheet_prefix;
mod slot_log;
mod slot_request;
mod snapshot;
mod store;
mod submission_index;
mod token_refusal;
mod writer;
mod written_files;

pub use backup::{backup, is_journal};
pub use billed_elsewhere::BilledElsewhereDeclaration;
pub use corrections::{Correction, OriginalTable, SkippedCorrection, TableCorrections};
pub use error::Error;
pub use house_column::StoredHouseKey;
pub use house_decisions::{HouseQuestion, StoredDecision};
pub use houses::{FileRequests, SourceRow, StoredRequest};
pub use last_runs::{LastRun, RejectedRowsPlace, UnfinishedRun};
pub use measurement_states::MeasurementState;
pub use other_teams::{IdsOfOtherTeam, ids_of_other_team};
pub use overview::{JournalOverview, UnansweredRow, WarnedRow, overview};
pub use pending_rows::{PendingRow, UnsentRows};
pub use quota_window::{QuotaWindow, window};
pub use remembered_flags::{FlagsByName, RememberedFlags, StoredFlags, stored_flags};
pub use reported_problems::ReportedProblems;
pub use response_record::{ResponseAnomalies, ResponseEffect, ResponseRecord};
pub use restore::{JournalRestoration, RestoreResult, RestoredMeasurement};
pub use row_history::{
    AttemptRecord, CorrectedRow, KnownMeasurement, RowHistory, SealOfRow, row_history, similar_ids,
};
pub use run_limits::RunLimits;
pub use runs::{NewRejection, RunId, RunResult, SourceId};
pub use seal_record::{MissingSeal, missing_seals, seal_record_path};
pub use sealed_exports::{NewSeal, SealedExport, SealedItem};
pub use sheet_prefix::SheetPrefix;
pub use slot_request::{RowVersion, SlotGrant, SlotPurpose, SlotRequest, WaitReason};
pub use snapshot::{JournalSnapshot, RejectedRow, StoredMeasurement, read_snapshot};
pub use store::{Journal, JournalAccess};
pub use submission_index::{ReadAhead, SubmissionIndex, SubmissionState, SubmittedRow, read_index};
pub use token_refusal::TokenRefusal;
pub use written_files::{WrittenFile, WrittenRejects};
