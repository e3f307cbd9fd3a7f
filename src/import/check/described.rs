//! Whose the rejected rows are, and of which house: read once more, since a check keeps no row.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::check::row_check::RowCheck;
use crate::import::{CheckedFile, ImportInput};
use crate::sheet;
use crate::table;

/// Whose a row is, and of which house, as far as it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowDescription {
    /// The customer's name.
    pub customer: Option<String>,
    /// The address in one line.
    pub address: Option<String>,
}

impl CheckedFile {
    /// Describes the rows at these indices of [`CheckedFile::rows`]. Reads the file as far as the last of them; none are
    /// described where it is no longer the file that was checked.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn described(
        &self,
        input: &ImportInput,
        wanted: &BTreeSet<usize>,
    ) -> Result<BTreeMap<usize, RowDescription>, sheet::Error> {
        let mut described = BTreeMap::new();
        let Some(&last) = wanted.last() else {
            return Ok(described);
        };
        let mut table = table::open(&input.document, &input.options)?;
        if table.fingerprint() != self.fingerprint {
            return Ok(described);
        }
        let (columns, form) = (table.columns().clone(), table.reading().format);
        for (index, expected) in self.rows.iter().enumerate().take(last + 1) {
            let row = loop {
                match table.next_row()? {
                    Some(row) if self.is_skipped(row.number) => {}
                    other => break other,
                }
            };
            let Some(row) = row else { break };
            if row.number != expected.number {
                break;
            }
            if !wanted.contains(&index) {
                continue;
            }
            let mut check = RowCheck {
                row,
                columns: &columns,
                rules: &input.rules,
                form,
                findings: Vec::new(),
            };
            let request = check.draft().into_request();
            let said = |text: String| (!text.is_empty()).then_some(text);
            let row = RowDescription {
                address: said(request.address.one_line()),
                customer: said(request.customer.name),
            };
            described.insert(index, row);
        }
        Ok(described)
    }
}
