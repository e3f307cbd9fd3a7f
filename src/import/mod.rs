//! Rows become submitted requests: check, plan, submit.

mod check;
mod checked;
mod compare;
mod corrections;
mod error;
mod forecast;
mod input;
mod options;
mod plan;
mod rejected;
mod rejects;
mod rows;
mod run;
mod schedule;
mod submit;
mod summary;

pub use check::{
    CheckProgress, Counts, Described, Found, LABEL_LIMIT, Problems, Requests, check, region_codes,
};
pub use checked::{Checked, CheckedRow, Ids, LongNotes, MappedColumn, Rules, Standing, Tidying};
pub use corrections::{RowCells, cells_of, corrections};
pub use error::Error;
pub use forecast::{Forecast, forecast};
pub use input::Input;
pub use options::{InvalidRows, MaxRefused, Options, RefusedBefore};
pub use plan::{Plan, plan};
pub use rejected::rejected;
pub use rejects::{rejects_place, write_rejects};
pub use rows::{Rejection, Rows};
pub use run::{Ending, Question, Reply, Session, Talk, run};
pub use schedule::{Schedule, requests_for, schedule};
pub use submit::RowSettled;
pub use summary::{Facts, Summary, summary};
