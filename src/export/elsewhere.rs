//! Whether measurements that are about to be billed may have been billed from another journal.

use jiff::Timestamp;

use crate::export::{Error, Results};

/// Measurements that a seal would bill, that this journal did not create, and of which nothing was declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undeclared {
    /// How many.
    pub measurements: u64,
    /// Those of them that were completed before the journal learned of them.
    pub earlier: Vec<EarlierMeasurement>,
}

/// A measurement that was completed before the journal learned of it.
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
/// After a first declaration, only what the journal learned of later and was completed before is asked about.
///
/// # Errors
/// As [`Results::each`].
pub(super) fn undeclared(results: &Results<'_>) -> Result<Option<Undeclared>, Error> {
    let declared = results.about.declarations.iter();
    let declared_at = declared.map(|declaration| declaration.declared_at).max();
    let mut undeclared = Undeclared::default();
    results.each_selected(&mut |line| {
        let Some((learned_at, (_, completed_at))) = line.learned_at.zip(line.completed()) else {
            return Ok(());
        };
        let is_earlier = completed_at < learned_at;
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
    Ok((undeclared.measurements > 0).then_some(undeclared))
}

/// Measurements that were billed elsewhere, as the user said.
///
/// # Errors
/// As [`Results::each`].
pub(super) fn billed_elsewhere(results: &Results<'_>) -> Result<u64, Error> {
    let mut count = 0;
    results.each(&mut |line, _| {
        count += u64::from(results.about.is_billed_elsewhere(line));
        Ok(())
    })?;
    Ok(count)
}
