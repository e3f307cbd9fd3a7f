//! The user's names for fields: the headers of the columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Field;

/// The header of the column that supplies each field, keyed by the field's public name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldNames(BTreeMap<String, String>);

impl FieldNames {
    /// Sets the header of a field's column.
    pub fn insert(&mut self, field: Field, header: String) {
        self.0.insert(field.name().to_owned(), header);
    }

    /// Returns the header of the column that supplies a field, or part of it, or the field's name in words if none does.
    pub fn name_of(&self, field: Field) -> String {
        let header = field
            .with_substitutes()
            .find_map(|field| self.0.get(field.name()));
        header.map_or_else(|| field.words(), Clone::clone)
    }
}
