//! Only the histories.
#![allow(clippy::unwrap_used, clippy::unchecked_time_subtraction, unused)]
mod histories;
