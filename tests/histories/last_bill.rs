//! The bills in the end of a history: every completed measurement is billed once, with its present numbers.

use std::time::Duration;

use gutterbatch::export::RefreshPolicy;

use super::computer::Ending;
use super::exports::{ExportCommand, ExportKind, ExportResult};
use super::figures::is_same;
use super::results::{ShownAdjustment, sealed_workbook};
use super::service::MeasurementRecord;
use super::steps::Fate;
use super::virtual_time;
use super::world::{Held, World, require};

impl World {
    /// In the end everything is complete and billed: first what is asked for as usual, then with every change.
    pub(super) fn bill_everything(&mut self) -> Held {
        self.month();
        // Otherwise no export could ask for all of them.
        let mut network = self.network();
        let count = network.service.measurements.len();
        network.service.quota = network.service.quota.max(count + 2);
        drop(network);
        for refresh in [RefreshPolicy::Auto, RefreshPolicy::All] {
            if !self.is_billed_whole(refresh)? {
                return Ok(());
            }
            self.each_is_billed_once(refresh)?;
        }
        self.has_nothing_to_bill()
    }

    /// Another billing export would bill nothing and adjust nothing.
    fn has_nothing_to_bill(&mut self) -> Held {
        let command = ExportCommand {
            out: format!("billing {}.xlsx", self.fresh()),
            kind: ExportKind::New {
                month: None,
                billed_until: None,
            },
            refresh: RefreshPolicy::Never,
        };
        self.export(&command, Fate::default())?;
        require(!self.path(&command.out).exists(), || {
            format!("{} bills what is billed", command.out)
        })
    }

    /// Bills until every measurement that is wanted was requested again; `false` if nothing was ever imported.
    fn is_billed_whole(&mut self, refresh: RefreshPolicy) -> Result<bool, String> {
        for _ in 0..8 {
            let mut command = ExportCommand {
                out: format!("billing {}.xlsx", self.fresh()),
                kind: ExportKind::New {
                    month: None,
                    billed_until: None,
                },
                refresh,
            };
            let mut ending = self.export(&command, Fate::default())?;
            if let Ending::Unusable(reason) = &ending
                && matches!(reason.as_str(), "Undeclared" | "MissingSeals")
            {
                self.declare(&mut command);
                ending = self.export(&command, Fate::default())?;
            }
            match ending {
                Ending::Unusable(reason) if reason == "NothingImported" => return Ok(false),
                Ending::Unusable(reason)
                    if reason == "MissingSeals" && self.has_two_of_a_number() =>
                {
                    return Ok(false);
                }
                Ending::Ended(result) if !result.is_partial => return Ok(true),
                _ => {}
            }
            virtual_time::pass(Duration::from_secs(3 * 3600));
        }
        Err("the billing comes to no end".to_owned())
    }

    /// Whether a seal in the record has the number of another sealed workbook: a journal that was restored from that one
    /// bills nothing any more.
    fn has_two_of_a_number(&self) -> bool {
        let is_another = |workbook: &Vec<u8>| {
            let number = sealed_workbook(workbook).map(|sealed| sealed.number);
            let recorded = number.and_then(|number| self.office().seals.get(&number));
            recorded.is_some_and(|recorded| recorded != workbook)
        };
        self.files().values().any(is_another)
    }

    /// Every completed measurement of the journal is billed with its present numbers, except where the person said that
    /// it was billed elsewhere, and nothing is billed for one that was withdrawn.
    fn each_is_billed_once(&self, refresh: RefreshPolicy) -> Held {
        let network = self.network();
        let journal = &network.observer.journal;
        for measurement in &network.service.measurements {
            let id = measurement.id();
            let is_known = journal.learned.contains(&id)
                && !journal.deceived.contains(&measurement.house)
                || journal.created_as_others.contains(&id);
            let is_elsewhere = journal.declared.contains(&id) || self.office().billed.contains(&id);
            let is_complete = measurement.is_complete();
            match journal.billed.get(&id) {
                None => require(!is_complete || !is_known || is_elsewhere, || {
                    format!("{id} of {} is complete and never billed", measurement.house)
                })?,
                Some(billed) if refresh == RefreshPolicy::All => {
                    let present = if is_complete {
                        measurement.figures()
                    } else {
                        [0.0; 4]
                    };
                    let is_elsewhere = journal.adjusted_elsewhere.contains(&id);
                    require(is_same(billed, &present) || is_elsewhere, || {
                        format!("{id} is billed with {billed:?}, and has {present:?}")
                    })?;
                }
                // Final results are not asked for again.
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// A billing export bills every measurement that the journal knows to be complete, or every one of its month.
    pub(super) fn all_of_its_month_are_billed(
        &self,
        command: &ExportCommand,
        result: &ExportResult,
    ) -> Held {
        let network = self.network();
        let ExportKind::New { month, .. } = &command.kind else {
            return Ok(());
        };
        // One that only writes a file which was sealed before bills nothing else.
        if result.sealed.is_some() && network.requests == 0 || network.observer.is_clock_changed {
            return Ok(());
        }
        let journal = &network.observer.journal;
        for measurement in &network.service.measurements {
            let id = measurement.id();
            let shown = journal.shown.get(&id);
            let completed_at = measurement.completed_at.map(virtual_time::month_of);
            let is_of_month = month.is_none() || *month == completed_at;
            let is_known = journal.learned.contains(&id)
                && !journal.deceived.contains(&measurement.house)
                && shown.is_some_and(MeasurementRecord::is_complete);
            let is_billed = journal.billed.contains_key(&id)
                || journal.declared.contains(&id)
                || self.office().billed.contains(&id);
            require(!is_known || !is_of_month || is_billed, || {
                format!("{id} is complete, and {} leaves it out", command.out)
            })?;
        }
        Ok(())
    }

    /// What seals adjusted that the record names and the journal has not written.
    pub(super) fn recorded_adjustments(&self) -> Vec<ShownAdjustment> {
        let network = self.network();
        let known = &network.observer.journal.sealed;
        let seals = self.office().seals.iter();
        let missing = seals.filter(|(number, _)| !known.contains_key(number));
        let missing = missing.filter_map(|(_, seal)| sealed_workbook(seal));
        missing.flat_map(|seal| seal.adjustments).collect()
    }

    /// An export that has begun adds all seals of its journal to the record, also those of a backup whose record was
    /// lost.
    pub(super) fn note_recorded_seals(&mut self, ending: &Ending<ExportResult>) {
        let has_begun = match ending {
            Ending::Died => false,
            Ending::Unusable(reason) => {
                matches!(reason.as_str(), "Undeclared" | "Service" | "OtherAccount")
            }
            Ending::Ended(_) => true,
        };
        if has_begun {
            let sealed = self.network().observer.journal.sealed.clone();
            let seals = &mut self.office_mut().seals;
            for (number, content) in sealed {
                seals.entry(number).or_insert(content);
            }
        }
    }

    /// The journal was told of the seals that only the record named.
    pub(super) fn note_recorded_adjustments(&self) {
        let adjustments = self.recorded_adjustments().into_iter();
        let ids = adjustments.map(|adjusted| adjusted.measurement);
        let journal = &mut self.network().observer.journal;
        journal.adjusted_elsewhere.extend(ids);
    }
}
