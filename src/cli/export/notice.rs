//! The notices of an export as warnings.

use crate::cli::console::Console;
use crate::cli::context::Context;
use crate::cli::export::args::Args;
use crate::cli::failure::unsynced_folder;
use crate::cli::settings::SettingOrigin;
use crate::cli::{clock, shell};
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
            console.hint(&format!("{} writes it to another file", again(*number)));
        }
        ExportNotice::SealedFileReplaced { number } => console.warn(&format!(
            "replaced sealed export {number}; `{}` writes it again",
            again(*number)
        )),
        ExportNotice::SealRecordUnsynced(unsynced) => console.warn(&unsynced_folder(unsynced)),
        ExportNotice::SealRecordFailed(error) => console.warn(&format!(
            "the seals are in the journal, but not in the record beside it: {error}"
        )),
    }
}

/// Returns the command that writes a sealed export again.
fn again(number: u64) -> String {
    shell::command(["export", "FILE", "--again", &number.to_string()])
}

/// Which zone cuts months and days, if none was named and it is not the zone of this computer.
pub(super) fn of_zone(args: &Args, context: &Context) -> Option<String> {
    let has_period =
        args.month.is_some() || args.completed_from.is_some() || args.completed_to.is_some();
    let tz = context
        .settings
        .iter()
        .find(|setting| setting.key == "tz")?;
    let zone = clock::zone_name()?;
    let is_unnamed = tz.origin == SettingOrigin::Default && zone != tz.value;
    (has_period && is_unnamed).then(|| {
        format!(
            "months and days are those of {}; for the zone of this computer, add --tz {zone}",
            tz.value
        )
    })
}
