//! Sealed exports: each measurement is billed exactly once.

pub(crate) mod adjustments;
mod backup;
mod billed_days;
pub(crate) mod billed_elsewhere;
mod journal_copies;
mod restored_bills;
pub(crate) mod sealed;
mod sealed_killed;
