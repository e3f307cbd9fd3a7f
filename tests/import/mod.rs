//! `import`: what it submits, and what it says about the rows.

mod conflict_messages;
mod conflicts;
mod edited;
mod problems;
mod renumbered;
mod rerun;
mod submission;
