//! An id that is advised for a row whose own id is taken.

use crate::import::ImportInput;

/// The id without the prefix of the file, with the first number behind it that makes an id which is not taken: `411-2`
/// for `411`.
///
/// # Errors
/// That of `is_taken`.
pub(super) fn unused_id<E>(
    input: &ImportInput,
    external_id: &str,
    is_taken: impl Fn(&str) -> Result<bool, E>,
) -> Result<String, E> {
    let mut number = 2;
    while is_taken(&format!("{external_id}-{number}"))? {
        number += 1;
    }
    Ok(format!("{}-{number}", input.bare_id(external_id)))
}
