//! Reads the file again for customer and address of rejected rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::check::row_check::RowCheck;
use crate::import::{CheckedFile, ImportInput};
use crate::sheet;
use crate::table;

/// Customer and address of a row, if it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowDescription {
    /// The customer's name.
    pub customer: Option<String>,
    /// The address in one line.
    pub address: Option<String>,
}

impl CheckedFile {
    /// Customer and address of the rows at these indices of [`CheckedFile::rows`]; none if the file has changed since it
    /// was checked. Reads the file up to the last of them.
    ///
    /// # Errors
    /// If the file cannot be read.
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
            let non_empty = |text: String| (!text.is_empty()).then_some(text);
            let row = RowDescription {
                address: non_empty(request.address.one_line()),
                customer: non_empty(request.customer.name),
            };
            described.insert(index, row);
        }
        Ok(described)
    }
}
