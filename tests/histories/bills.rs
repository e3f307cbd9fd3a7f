//! Billing exports in a history, and what a person says of earlier bills.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use gutterbatch::export::RefreshPolicy;
use jiff::Timestamp;

use super::computer::Ending;
use super::contractor::ContractorAction;
use super::desk::saved_by_ann;
use super::exports::{BilledUntil, ExportCommand, ExportKind};
use super::results::sealed_workbook;
use super::shown_numbers::is_named;
use super::steps::{Fate, SealPeriod};
use super::virtual_time::{self, time};
use super::world::{Held, World};

impl World {
    /// `export --new`. Where the program asks what was billed elsewhere, the person answers truthfully.
    pub(super) fn seal(&mut self, period: SealPeriod, fate: Fate) -> Held {
        let fresh = self.fresh();
        let command = billing_export(fresh, period);
        self.seal_with(command, fate)
    }

    fn seal_with(&mut self, mut command: ExportCommand, fate: Fate) -> Held {
        let fresh = self.fresh();
        let mut ended = self.export(&command, fate)?;
        if matches!(ended, Ending::Died) && fresh.is_multiple_of(2) {
            let is_taken = !fresh.is_multiple_of(3) && self.put_another_file_at(&command.out);
            self.tell("the same once more:");
            ended = self.export(&command, Fate::default())?;
            if is_taken {
                self.tell(format!("Ann moves {} away", command.out));
                fs::remove_file(self.path(&command.out)).unwrap();
            }
        }
        if let Ending::Unusable(reason) = ended
            && matches!(reason.as_str(), "Undeclared" | "MissingSeals")
        {
            self.declare(&mut command);
            // A process that did not come to the commit before which it dies may do so now.
            let fate = Fate {
                dies_committing: fate.dies_committing,
                ..Fate::default()
            };
            self.export(&command, fate)?;
        }
        Ok(())
    }

    /// Ann saves a changed copy of an export where a billing export is to be, if there is one to copy.
    fn put_another_file_at(&mut self, name: &str) -> bool {
        let exported = &self.office().exported;
        let is_copied = |(other, content): &(String, Vec<u8>)| {
            exported.contains(content)
                && is_named(other, "xlsx")
                && sealed_workbook(content).is_none()
        };
        let found = self.files().into_iter().find(is_copied);
        let Some((other, content)) = found.filter(|_| !self.path(name).exists()) else {
            return false;
        };
        self.tell(format!("Ann changes {other}, and saves it as {name}"));
        fs::write(self.path(name), saved_by_ann(&content)).unwrap();
        true
    }

    /// A measurement is completed and billed; then its result changes, and the change is billed.
    pub(super) fn bill_twice(&mut self) -> Held {
        let which = self.complete_another();
        self.seal(SealPeriod::Everything, Fate::default())?;
        if let Some(which) = which {
            self.contractor(which, ContractorAction::ChangeResult);
        }
        let command = ExportCommand {
            refresh: RefreshPolicy::All,
            ..billing_export(self.fresh(), SealPeriod::Everything)
        };
        self.seal_with(command, Fate::default())
    }

    /// `export --new` of a person who says unasked, and truthfully, what was billed elsewhere.
    pub(super) fn seal_declared(&mut self) -> Held {
        let fresh = self.fresh();
        let mut command = billing_export(fresh, SealPeriod::Everything);
        if fresh.is_multiple_of(2) {
            // The contractor may have completed more than the journal knows.
            command.refresh = RefreshPolicy::Never;
        }
        self.declare(&mut command);
        self.export(&command, Fate::default()).map(drop)
    }

    /// Adds what the person knows of earlier bills.
    pub(super) fn declare(&mut self, command: &mut ExportCommand) {
        let fresh = self.fresh();
        // Who trusts the record of seals declares nothing besides.
        let is_recorded = self.trusts_seals && self.has_recorded_all_bills();
        let has_billed = !self.office().billed.is_empty() && !is_recorded;
        let newest = self.office().computer.asked_about.take();
        let newest = newest.filter(|_| fresh.is_multiple_of(2));
        let day = Duration::from_secs(24 * 3600);
        let now = time();
        let answer = match newest {
            _ if !has_billed => BilledUntil::Never,
            // The printed day: the one after the newest of those that the program lists.
            Some(newest) => BilledUntil::Before(start_of_day(newest + day)),
            None => BilledUntil::Before(now + day),
        };
        if has_billed {
            let mut network = self.network();
            let complete = network.service.measurements.iter().filter(|one| {
                let completed_at = one.completed_at;
                completed_at.is_some_and(|at| newest.is_none_or(|newest| at <= newest))
            });
            let ids: Vec<String> = complete
                .map(super::service::MeasurementRecord::id)
                .collect();
            network.observer.journal.declared.extend(ids);
        }
        if newest.is_some() && has_billed {
            // The contractor goes on while the person looks the bills up.
            virtual_time::pass(Duration::from_secs(60));
            self.complete_another();
        }
        if let ExportKind::New { billed_until, .. } = &mut command.kind {
            *billed_until = Some(answer);
        }
    }

    /// Whether the record of seals names everything that was billed.
    fn has_recorded_all_bills(&self) -> bool {
        let seals = self.office().seals.values();
        let lines = seals
            .filter_map(|seal| sealed_workbook(seal))
            .flat_map(|seal| seal.lines);
        let recorded: BTreeSet<String> = lines.map(|line| line.measurement).collect();
        self.office().billed.is_subset(&recorded)
    }
}

/// `export --new` to a workbook with a new number.
fn billing_export(fresh: usize, period: SealPeriod) -> ExportCommand {
    let last_month = time() - Duration::from_secs(30 * 24 * 3600);
    ExportCommand {
        out: format!("billing {fresh}.xlsx"),
        kind: ExportKind::New {
            month: match period {
                SealPeriod::Everything => None,
                SealPeriod::LastMonth => Some(virtual_time::month_of(last_month)),
            },
            billed_until: None,
        },
        refresh: match fresh % 6 {
            0 | 2 | 4 => RefreshPolicy::Auto,
            3 => RefreshPolicy::Never,
            _ => RefreshPolicy::All,
        },
    }
}

fn start_of_day(at: Timestamp) -> Timestamp {
    let midnight = at.strftime("%Y-%m-%dT00:00:00Z").to_string();
    midnight.parse().unwrap()
}
