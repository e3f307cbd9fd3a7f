//! Messages for remembered flags whose columns a file has no longer, or in other places.

use crate::cli::failure::suggested_flag::SuggestedFlag;
use crate::cli::{CommandError, ErrorKind};
use crate::sheet::Error;

/// The error of a file that cannot be read with the flags that are remembered. Those that name columns are repeated in the
/// command of the hint, because the flags of a command line replace them all.
pub(in crate::cli) fn unfit_flags(
    error: Error,
    words: &str,
    named: &[SuggestedFlag],
) -> CommandError {
    let mut failure = CommandError::from(error);
    for set in &mut failure.flags {
        let is_kept = |flag: &&SuggestedFlag| !set.iter().any(|own| own.replaces_flag(flag));
        let kept: Vec<SuggestedFlag> = named.iter().filter(is_kept).cloned().collect();
        set.splice(0..0, kept);
    }
    let hint = failure.hint.take().unwrap_or_default();
    failure.hinted(format!(
        "`{words}` is remembered from the last import of this file; to read it without, add --forget-reading and the flags that still apply\n{hint}"
    ))
}

/// The error of a file whose columns have moved since they were named by letters.
pub(in crate::cli) fn moved_columns(
    file: &str,
    moved: &[String],
    asked: Vec<SuggestedFlag>,
) -> CommandError {
    let mut failure = CommandError::new(
        ErrorKind::Input,
        format!(
            "{file}: its headers have changed since the import with {}, which named columns by their letters",
            moved.join(" ")
        ),
    );
    failure.flags = vec![asked];
    failure.hinted(
        "put the header of the column, or the letters that it has now, in the place of HEADER",
    )
}
