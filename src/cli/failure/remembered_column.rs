//! Messages for remembered flags whose columns a file has no longer, or in other places.

use crate::cli::failure::missing_flag::MissingFlag;
use crate::cli::{CommandError, ErrorKind};
use crate::sheet::Error;

/// The error of a file that lacks the column or the address of a remembered flag. The flags are the one that takes its
/// place, and the others that were remembered: those of the command line replace them all.
pub(in crate::cli) fn lost_column(
    error: Error,
    flag: &str,
    (own, others): (Option<MissingFlag>, Vec<MissingFlag>),
) -> CommandError {
    let mut failure = CommandError::from(error);
    if failure.flags.is_empty() {
        failure.flags.extend(own.map(|own| vec![own]));
    }
    for set in &mut failure.flags {
        set.splice(0..0, others.iter().cloned());
    }
    let hint = failure.hint.take().unwrap_or_default();
    let hint = format!(
        "`{flag}` is remembered from the last import of this file; if the column has another header now, put it in the place of the old one, and if its values are no longer needed, add --forget-reading and the flags that still apply\n{hint}"
    );
    failure.hinted(hint)
}

/// The error of a file whose columns have moved since they were named by letters that nothing else can replace.
pub(in crate::cli) fn moved_columns(
    file: &str,
    moved: &[String],
    asked: Vec<MissingFlag>,
) -> CommandError {
    let mut failure = CommandError::new(
        ErrorKind::Input,
        format!(
            "{file}: its headers have changed since the import with {}, which named a column without a header of its own by its letters",
            moved.join(" ")
        ),
    );
    failure.flags = vec![asked];
    failure.hinted(
        "put the letters that the column has now in the place of HEADER, or give it a header",
    )
}
