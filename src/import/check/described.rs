//! Reads the file again for customer and address of rejected rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::{CheckedFile, ImportInput};
use crate::sheet;

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
        let non_empty = |text: String| (!text.is_empty()).then_some(text);
        self.for_each_row(input, wanted, |index, rows| {
            let request = rows.check().draft().into_request();
            let row = RowDescription {
                address: non_empty(request.address.one_line()),
                customer: non_empty(request.customer.name),
            };
            described.insert(index, row);
        })?;
        Ok(described)
    }
}
