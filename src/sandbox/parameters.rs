//! The parameters of a form or a query, for OAuth and for the pages.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The parameters of a form or query. A repeated one has no value (RFC 6749, section 3.1).
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

    /// The value of a parameter; an empty one counts as missing (RFC 6749, section 3.1).
    pub(in crate::sandbox) fn get(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    /// The name of a parameter that was repeated, if one was.
    pub(in crate::sandbox) fn doubled(&self) -> Option<&str> {
        self.doubled.as_deref()
    }
}
