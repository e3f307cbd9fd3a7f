//! Errors of an export whose sentence or hint depends on the command as it was typed.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::cli::document::report;
use crate::cli::export::text::under_free_name;
use crate::cli::export::{Args, ExportCommand};
use crate::cli::failure::{SuggestedFlag, command_with};
use crate::cli::{CliError, CommandError, ExitStatus, shell};
use crate::export::{Error, ProtectedFile, TimeZoneName, UndeclaredBilling, UndeclaredMeasurement};
use crate::model::{and_more, pluralize};

/// The maximum number of measurements to list.
const MAX_SHOWN_MEASUREMENTS: usize = 20;

impl ExportCommand<'_> {
    /// Turns an error into its sentence, exit code and hint. Prints what may have been billed elsewhere.
    pub(super) fn explain(&self, error: Error) -> CommandError {
        match error {
            Error::Interrupted => self.interrupted(),
            Error::Undeclared(undeclared) => self.undeclared(undeclared),
            Error::Protected {
                path,
                why:
                    why @ ProtectedFile::Sealed {
                        number: Some(number),
                        ..
                    },
            } if self.args.new => {
                let new = under_free_name(self.args.path(), &self.context.arguments, Some(number));
                let again = shell::export_again(number, &path);
                CommandError::from(Error::Protected { path, why }).hinted(format!(
                    "`{new}` bills what is not billed yet; `{again}` writes sealed export {number} again"
                ))
            }
            error => error.into(),
        }
    }

    fn interrupted(&self) -> CommandError {
        let exit = self.context.listener.exit();
        CommandError::from(CliError::Interrupted(exit)).hinted(format!(
            "nothing was written, and responses that arrived are stored; run the same command again to resume: {}",
            self.context.command_line()
        ))
    }

    /// Lists what may have been billed elsewhere.
    fn undeclared(&self, undeclared: UndeclaredBilling) -> CommandError {
        let zone = self.args.zone();
        let UndeclaredBilling {
            measurements,
            adjusted,
            own,
        } = &undeclared;
        let days = format!("completed on (days in {})", zone.name());
        self.list(
            measurements,
            &format!("these may have been billed by another journal; they were {days}:"),
        );
        self.list(
            adjusted,
            &format!("these changed after a bill of another journal, which may have adjusted them since; they were {days}:"),
        );
        let completed = measurements.iter().map(|one| one.completed_at);
        let day = completed.max().and_then(|newest| day_after(newest, &zone));
        let mut hint = vec!["declare once what was billed elsewhere".to_owned()];
        if let Some(day) = day {
            hint.push(format!(
                "all of these: {}",
                self.declaring(&day.to_string())
            ));
            hint.push(format!(
                "everything completed before a day, which itself is not included: {}",
                self.declaring("YYYY-MM-DD")
            ));
        }
        hint.push(format!("nothing: {}", self.declaring("never")));
        if *own > 0 && !measurements.is_empty() {
            hint.push(format!(
                "{} that this journal requested will be billed whatever you declare; if it is an older copy that was put back, compare the bill with the earlier ones before you send it",
                pluralize(*own, "other measurement")
            ));
        }
        if !adjusted.is_empty() {
            hint.push("adjustments are billed whatever you declare; if the other journal has sealed a later bill, restore a whole export (without --new) that it wrote after that bill instead, in a new journal: gutterbatch import --restore RESULTS.xlsx --journal PATH".to_owned());
        }
        let report = report! {"export", ExitStatus::Attention;
            sealed: None::<u64>,
            undeclared: measurements.len(),
            earlier: measurements.clone(),
            adjusted: adjusted.clone(),
        };
        let error = CommandError::from(Error::Undeclared(undeclared)).hinted(hint.join("\n"));
        // The report lists all of them. If it cannot be printed, the error matters more.
        let _ = self.context.console.json_with(&report, Some(&error));
        error
    }

    fn list(&self, measurements: &[UndeclaredMeasurement], title: &str) {
        let (console, zone) = (&self.context.console, self.args.zone());
        if !measurements.is_empty() {
            console.warn(title);
        }
        for earlier in measurements.iter().take(MAX_SHOWN_MEASUREMENTS) {
            let day = zone.to_local(earlier.completed_at).date();
            let (id, address) = (&earlier.external_id, &earlier.address);
            console.warn(&format!("{day}  {id}  {address}"));
        }
        let more = measurements.len().saturating_sub(MAX_SHOWN_MEASUREMENTS) as u64;
        if let Some(more) = and_more(more) {
            console.warn(&more);
        }
    }

    /// This command with a declaration, in the place of one that it has.
    fn declaring(&self, until: &str) -> String {
        let flag = SuggestedFlag::new("--billed-until", until);
        command_with(&self.context.arguments, &[flag])
    }
}

/// An error after export `number` was sealed and its file was written.
pub(super) fn after_seal(number: u64, args: &Args, error: CommandError) -> CommandError {
    let path = args.path();
    let done = format!(
        "export {number} is sealed and written to {}, but this could not be reported",
        path.display()
    );
    let again = shell::export_again(number, path);
    error
        .within(&done)
        .hinted(format!("{again} writes it again"))
}

/// The day after a time, in a time zone; `None` if it is out of range.
fn day_after(time: Timestamp, zone: &TimeZoneName) -> Option<Date> {
    let day = zone.to_local(time).date().tomorrow().ok();
    day.filter(|day| zone.start_of(*day).is_some())
}
