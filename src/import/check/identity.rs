//! The id that is derived from a row without one, and the keys of similar ids.

use std::hash::{BuildHasher, Hasher};

use hashbrown::DefaultHashBuilder;

use crate::import::check::draft::RowDraft;
use crate::model::{self, ContentHash, for_each_folded, letters_and_digits, without_plus_four};

/// A stable id for a row without one, derived from address and customer.
///
/// It does not depend on the order of rows and columns, on case, spaces, punctuation and accents, or on phone and email.
/// Two customers at one address have different ids.
pub(super) fn derived_id(draft: &RowDraft<'_>) -> String {
    let line2 = draft.line2.as_deref().unwrap_or_default();
    let parts = [
        without_plus_four(&letters_and_digits(&draft.postal_code)).to_owned(),
        letters_and_digits(&draft.line1),
        letters_and_digits(line2),
        words_in_order(&draft.name),
    ];
    // This encoding never changes: with another one, houses that were requested would get other ids.
    let mut bytes = Vec::new();
    for part in &parts {
        bytes.extend_from_slice(&(part.len() as u64 + 1).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    model::derived_id(ContentHash::of_bytes(&bytes))
}

/// The words in alphabetical order, so that `Smith, John` equals `John Smith`.
fn words_in_order(name: &str) -> String {
    let mut words: Vec<String> = name
        .split(|c: char| c.is_whitespace() || c == ',')
        .map(letters_and_digits)
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words.join(" ")
}

/// A key that is equal for texts, such as ids, that differ only in case, spaces or the encoding of accents.
pub(super) fn folded_key(text: &str, hasher: &DefaultHashBuilder) -> u64 {
    let mut key = hasher.build_hasher();
    for_each_folded(text, |c| key.write_u32(c.into()));
    key.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(
        line1: &'static str,
        postal_code: &'static str,
        name: &'static str,
    ) -> RowDraft<'static> {
        RowDraft {
            line1: line1.into(),
            postal_code: postal_code.into(),
            name: name.into(),
            ..RowDraft::default()
        }
    }

    #[test]
    fn a_derived_id_is_that_of_every_earlier_version() {
        let id = derived_id(&draft("12 Elm Street", "14604", "Acme"));
        assert_eq!(id, "gb-f1f9671de38c4bb7db21");
    }

    #[test]
    fn a_derived_id_survives_reformatting() {
        let id = derived_id(&draft("12 Elm St.", "M5V 1A1", "José Smith"));
        assert_eq!(
            derived_id(&draft("12  ELM ST", "m5v1a1", "Smith, Jose")),
            id
        );
        assert_eq!(
            derived_id(&draft("12 Elm St.", "02134-1234", "A")),
            derived_id(&draft("12 Elm St", "02134", "A"))
        );
        assert_eq!(id.len(), 23);
    }

    #[test]
    fn two_customers_at_one_address_have_two_ids() {
        let of = |name| derived_id(&draft("12 Elm St", "M5V 1A1", name));
        assert_ne!(of("John Smith"), of("Jane Smith"));
    }

    #[test]
    fn ids_that_differ_by_case_or_spaces_share_a_key() {
        let hasher = DefaultHashBuilder::default();
        let key = |id| folded_key(id, &hasher);
        assert_eq!(key("0016Ratd"), key("0016 RATD"));
        assert_ne!(key("0016Ratd"), key("0016Rate"));
    }
}
