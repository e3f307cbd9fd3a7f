//! What a plan is made from: the file, its check, the journal and the options.

use crate::import::{CheckedFile, ImportInput, ImportOptions};
use crate::journal::SubmissionIndex;

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanInput<'a> {
    pub(super) input: &'a ImportInput,
    pub(super) checked: &'a CheckedFile,
    pub(super) index: &'a SubmissionIndex,
    pub(super) options: &'a ImportOptions,
}
