//! Whether measurements that are about to be billed may have been billed from another journal, and which ones a billing
//! export leaves out.

use jiff::Timestamp;

use crate::export::{Error, ExportResults};

/// Measurements that a seal would bill, that another journal may have billed, and of which nothing was declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndeclaredBilling {
    /// How many.
    pub measurements: u64,
    /// Those of them that were completed before the journal learned of them, or that it held when it was copied.
    pub earlier: Vec<EarlierMeasurement>,
    /// The declaration that the next one replaces, where it keeps measurements out.
    pub replaced: Option<ReplacedDeclaration>,
}

/// What the user said before of other measurements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedDeclaration {
    /// As the user reads it.
    pub text: String,
    /// How many measurements it keeps out.
    pub measurements: u64,
}

/// A measurement that may have been billed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierMeasurement {
    /// `external.id`.
    pub external_id: String,
    /// The address in one line.
    pub address: String,
    /// When it was completed.
    pub completed_at: Timestamp,
    /// `msr_…`
    pub measurement_id: String,
}

/// Walks the lines that a seal would bill; none where nothing has to be declared.
///
/// After a first declaration, only what the journal learned of later and was completed before is asked about. What a
/// copy of a journal held is asked about whenever it was completed, since the other journal may go on.
///
/// # Errors
/// As [`ExportResults::each`].
pub(super) fn undeclared(results: &ExportResults<'_>) -> Result<Option<UndeclaredBilling>, Error> {
    let declared = results.about.declarations.iter();
    let declared_at = declared.map(|declaration| declaration.declared_at).max();
    let mut undeclared = UndeclaredBilling::default();
    results.each_selected(&mut |line| {
        let Some((learned_at, (_, completed_at))) = line.learned_at.zip(line.completed()) else {
            return Ok(());
        };
        let copied_at = results.about.copied_at;
        let is_of_copy = copied_at.is_some_and(|copied_at| learned_at <= copied_at);
        let is_earlier = completed_at < learned_at || is_of_copy;
        let asks = match declared_at {
            None => true,
            Some(declared_at) => learned_at > declared_at && is_earlier,
        };
        if !asks {
            return Ok(());
        }
        undeclared.measurements += 1;
        if is_earlier {
            undeclared.earlier.push(EarlierMeasurement {
                external_id: line.external_id.clone(),
                address: line.full_address(),
                completed_at,
                measurement_id: line.measurement.id.clone(),
            });
        }
        Ok(())
    })?;
    if undeclared.measurements == 0 {
        return Ok(None);
    }
    if let Some(newest) = results.about.declarations.last() {
        let measurements = billed_elsewhere(results)?;
        undeclared.replaced = (measurements > 0).then(|| ReplacedDeclaration {
            text: newest.text.clone(),
            measurements,
        });
    }
    Ok(Some(undeclared))
}

/// Measurements that were completed before the period of a billing export and are not billed: no later month takes them.
///
/// # Errors
/// As [`ExportResults::each`].
pub(super) fn unbilled_before_period(results: &ExportResults<'_>) -> Result<u64, Error> {
    let Some(period) = &results.selection.period else {
        return Ok(0);
    };
    let mut count = 0;
    results.each(&mut |line, _| {
        let is_before = line
            .completed()
            .is_some_and(|(_, completed_at)| period.starts_after(completed_at));
        let is_billed = line.billed.is_some() || results.about.is_billed_elsewhere(line);
        count += u64::from(is_before && !is_billed);
        Ok(())
    })?;
    Ok(count)
}

/// Measurements that were billed elsewhere, as the user said.
///
/// # Errors
/// As [`ExportResults::each`].
pub(super) fn billed_elsewhere(results: &ExportResults<'_>) -> Result<u64, Error> {
    let mut count = 0;
    results.each(&mut |line, _| {
        count += u64::from(results.about.is_billed_elsewhere(line));
        Ok(())
    })?;
    Ok(count)
}
