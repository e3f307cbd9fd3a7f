//! Rows become submitted requests: check, plan, submit.

mod check;
mod checked;
mod compare;
mod compared;
mod conflict_cause;
mod corrections;
mod error;
mod forecast;
mod input;
mod options;
mod origins;
mod plan;
mod prefix;
mod rejected;
mod rejects;
mod rows;
mod run;
mod same_house;
mod schedule;
mod submit;
mod summary;

pub use check::{
    CheckProgress, Countries, Counts, Described, Found, LABEL_LIMIT, Problems, Requests, check,
};
pub use checked::{
    AddressSample, Checked, CheckedRow, ColumnUsage, Ids, LongNotes, MappedColumn, RowHouse, Rules,
    Skipped, SkippedRows, Standing, Tidying,
};
pub use compare::FieldEdit;
pub use compared::compared;
pub use conflict_cause::ConflictCause;
pub use corrections::{RowCells, cells_of, corrections};
pub use error::Error;
pub use forecast::{Forecast, forecast};
pub use input::Input;
pub use options::{HouseRule, InvalidRows, MaxRefused, Options, RefusedBefore};
pub use origins::{Origins, is_corrected_by, origins};
pub use plan::{Plan, plan};
pub use prefix::{KnownPrefix, known_prefix};
pub use rejected::rejected;
pub use rejects::{rejects_place, write_rejects};
pub use rows::{Rejection, Rows};
pub use run::{Ending, Question, Reply, Session, Talk, run};
pub use same_house::{EarlierHouse, EarlierPlace};
pub use schedule::{Schedule, requests_for, schedule};
pub use submit::RowSettled;
pub use summary::{Facts, Summary, summary};
