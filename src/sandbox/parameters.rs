//! The parameters of a form or a query, as OAuth and the pages read them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The parameters of a form or query. OAuth forbids to give one twice (RFC 6749, section 3.1): such a one has no value.
#[derive(Debug, Default)]
pub(in crate::sandbox) struct Parameters {
    values: HashMap<String, String>,
    doubled: Option<String>,
}

impl Parameters {
    pub(in crate::sandbox) fn read(text: &[u8]) -> Self {
        let mut parameters = Self::default();
        for (name, value) in url::form_urlencoded::parse(text) {
            let name = name.into_owned();
            match parameters.values.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(value.into_owned());
                }
                Entry::Occupied(mut place) => {
                    place.get_mut().clear();
                    parameters.doubled = Some(place.key().clone());
                }
            }
        }
        parameters
    }

    /// A parameter that is there and not empty: one without a value counts as left out (RFC 6749, section 3.1).
    pub(in crate::sandbox) fn get(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    /// The name of one that came twice, if one did.
    pub(in crate::sandbox) fn doubled(&self) -> Option<&str> {
        self.doubled.as_deref()
    }
}
