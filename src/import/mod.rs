//! Imports a file: check its rows, plan, submit, write the rejects.
//!
//! [`check()`] validates a file without the network, [`plan()`] decides what is done with each row, and [`run()`]
//! submits the rows and writes the rejects.

mod check;
mod checked;
mod compared_row;
mod connection;
mod corrections;
mod edited_rows;
mod error;
mod field_edit;
mod input;
mod known_customers;
mod missing_rows;
mod options;
mod original_rows;
mod other_teams;
mod plan;
mod plan_input;
mod planned_request;
mod record_run;
mod rejects;
mod rejects_reading;
mod rejects_target;
mod replaced_rows;
mod row_cells;
mod row_id;
mod row_outcomes;
mod row_problems;
mod run;
mod same_house;
mod schedule;
mod stop_reason;
mod submit;

pub use check::{
    CheckProblems, CheckProgress, CountryCounts, ID_LIMIT, LABEL_LIMIT, LINE1_LIMIT, NAME_LIMIT,
    NOTES_LIMIT, ProblemCounts, Problems, RequestReader, check,
};
pub use checked::{
    AddressSample, CheckResult, CheckRules, CheckedFile, CheckedRow, MappedColumn, RowHouseKey,
    SkippedRowReason, SkippedRows, TypedDecision,
};
pub use connection::{Confirmation, ImportConnection, ImportQuestion, RowResult};
pub use error::{Error, ImportError};
pub use field_edit::RowEdit;
pub use input::{FlagChange, ImportInput, ImportStop, with_or_without};
pub use options::{ImportOptions, MaxRefused};
pub use original_rows::OriginalRows;
pub use plan::{SubmissionPlan, plan};
pub use rejects_target::RejectsTarget;
pub use row_cells::RowCells;
pub use row_id::RowId;
pub use row_outcomes::{ConflictCause, RowOutcomes, RowRejectionReason, RowWarning};
pub use row_problems::{
    comparison_problems, edit_message, has_address_edit, is_corrected, problem_digest,
    problem_outcome, row_index, row_problems,
};
pub use run::{ImportContext, ImportSummary, run};
pub use same_house::{EarlierHouse, EarlierRow, EarlierState, KnownPrefix, UnansweredRequest};
pub use schedule::{ImportSchedule, requests_for, schedule};
pub use submit::HOUSES_SHOWN;
