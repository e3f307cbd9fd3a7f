//! What the user calls the fields of a sheet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Field;

/// The header of the column that feeds each field, by the field's public name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldNames(BTreeMap<String, String>);

impl FieldNames {
    /// Names a field by a header.
    pub fn insert(&mut self, field: Field, header: String) {
        self.0.insert(field.name().to_owned(), header);
    }

    /// The header of the column that feeds a field; the field's own words where no column does.
    pub fn name_of(&self, field: Field) -> String {
        let header = self.0.get(field.name()).cloned();
        header.unwrap_or_else(|| field.name().replace('_', " "))
    }
}
