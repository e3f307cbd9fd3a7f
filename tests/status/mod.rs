//! `status`: of rows, files, sheets and profiles.

mod files;
mod profiles;
mod row_history;
pub(crate) mod rows;
mod sheets;
