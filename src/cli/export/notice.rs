//! The notices of an export as warnings.

use crate::cli::console::Console;
use crate::cli::failure::unsynced_folder;
use crate::cli::shell;
use crate::export::ExportNotice;

/// Prints a notice, with a hint if there is something to do about it.
pub(super) fn print(console: &Console, notice: &ExportNotice) {
    match notice {
        ExportNotice::SealDelivered { number, path } => console.warn(&format!(
            "an earlier run sealed export {number} and was interrupted; its file has been written now: {}",
            path.display()
        )),
        ExportNotice::SealNotDelivered { number, path } => {
            console.warn(&format!(
                "the file of sealed export {number} was never written: {}",
                path.display()
            ));
            console.hint(&format!("{} writes it to another file", shell::export_again(*number, path)));
        }
        ExportNotice::SealRecordUnsynced(unsynced) => console.warn(&unsynced_folder(unsynced)),
        ExportNotice::SealRecordFailed(error) => console.warn(&format!(
            "the seals are in the journal, but not in the record beside it: {error}"
        )),
    }
}
