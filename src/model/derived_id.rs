//! The form of the ids that are derived for rows without one.

use crate::model::{ContentHash, hexadecimal};

const START: &str = "gb-";

/// Number of bytes of the hash that an id contains.
const HASH_BYTES: usize = 10;

/// Returns the id that is derived from the hash of a row.
pub fn derived_id(hash: ContentHash) -> String {
    START.to_owned() + &hexadecimal(&hash.to_bytes()[..HASH_BYTES])
}

/// Whether an id is a derived one, with or without a prefix. An id of the user's in this form counts as one.
pub fn is_derived_id(id: &str) -> bool {
    derived_id_prefix(id).is_some()
}

/// Returns the prefix of a derived id, empty if it has none; `None` for other ids.
pub fn derived_id_prefix(id: &str) -> Option<&str> {
    let start = id.len().checked_sub(START.len() + 2 * HASH_BYTES)?;
    let (prefix, derived) = id.split_at_checked(start)?;
    let hash = derived.strip_prefix(START)?;
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derived_id_is_recognized_behind_a_prefix() {
        let id = derived_id(ContentHash::from_fields([Some("12 Elm St")]));
        assert!(is_derived_id(&id));
        assert_eq!(derived_id_prefix(&format!("acme-{id}")), Some("acme-"));
        assert!(!is_derived_id(&id[..id.len() - 1]));
        assert!(!is_derived_id("gb-1"));
        assert!(!is_derived_id("é"));
    }
}
