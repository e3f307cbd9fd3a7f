//! Finds out whether the journal has the ids of a file with another prefix.

use std::collections::{HashMap, HashSet};

use crate::import::{CheckedFile, ImportInput};
use crate::journal::{Error, SubmissionIndex};

/// The prefix with which the journal knows the ids of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPrefix {
    /// The prefix; empty if the journal has the ids without one.
    pub prefix: String,
    /// Number of ids that are known with it.
    pub known: u64,
    /// Number of ids in the file.
    pub ids: u64,
}

/// The prefix with which more than half of the ids are known; none if an id is known as it is.
///
/// # Errors
/// If the journal cannot be read.
pub fn known_prefix(
    input: &ImportInput,
    checked: &CheckedFile,
    index: &SubmissionIndex,
) -> Result<Option<KnownPrefix>, Error> {
    let given = input.rules.id_prefix.as_deref().unwrap_or_default();
    let ids = checked.rows.iter().filter_map(|row| row.external_id());
    let bare: HashSet<&str> = ids.filter_map(|id| id.strip_prefix(given)).collect();
    let mut counts = PrefixCounts::new(given, &bare);
    index.for_each_id(|id| counts.add(id))?;
    Ok(counts.best())
}

struct PrefixCounts<'a> {
    given: &'a str,
    bare: &'a HashSet<&'a str>,
    known_as_given: u64,
    by_prefix: HashMap<Box<str>, u64>,
}

impl<'a> PrefixCounts<'a> {
    fn new(given: &'a str, bare: &'a HashSet<&'a str>) -> Self {
        Self {
            given,
            bare,
            known_as_given: 0,
            by_prefix: HashMap::new(),
        }
    }

    fn add(&mut self, id: &str) {
        for (at, _) in id.char_indices() {
            let (prefix, rest) = id.split_at(at);
            if !self.bare.contains(rest) {
                continue;
            }
            if prefix == self.given {
                self.known_as_given += 1;
            } else if !splits_a_number(prefix, rest) {
                *self.by_prefix.entry(prefix.into()).or_default() += 1;
            }
        }
    }

    fn best(self) -> Option<KnownPrefix> {
        let ids = self.bare.len() as u64;
        let most = self.by_prefix.into_iter();
        // Of two prefixes with the same number of ids, the alphabetically first.
        let (prefix, known) = most.max_by(|(one, of_one), (other, of_other)| {
            of_one.cmp(of_other).then_with(|| other.cmp(one))
        })?;
        (self.known_as_given == 0 && known * 2 > ids).then(|| KnownPrefix {
            prefix: prefix.into(),
            known,
            ids,
        })
    }
}

/// Whether the prefix would end within a number, as `10` in `101`.
fn splits_a_number(prefix: &str, rest: &str) -> bool {
    prefix.ends_with(|c: char| c.is_ascii_digit()) && rest.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(given: &str, bare: &[&str], known: &[&str]) -> Option<(String, u64)> {
        let bare = bare.iter().copied().collect();
        let mut counts = PrefixCounts::new(given, &bare);
        for id in known {
            counts.add(id);
        }
        counts.best().map(|best| (best.prefix, best.known))
    }

    #[test]
    fn a_prefix_that_makes_most_ids_known_is_found() {
        let known = ["acme-1", "acme-2", "acme-3", "other-1"];
        let acme = Some(("acme-".to_owned(), 2));
        assert_eq!(best("", &["1", "2"], &known), acme);
        assert_eq!(best("", &["1", "2", "9"], &known), acme);
        assert_eq!(best("wrong-", &["1", "2"], &known), acme);
        assert_eq!(
            best("acme-", &["1", "2"], &["1", "2"]),
            Some((String::new(), 2))
        );
    }

    #[test]
    fn no_prefix_is_proposed_where_an_id_is_known_or_a_number_would_be_cut() {
        assert_eq!(best("", &["1", "2"], &["1", "acme-1", "acme-2"]), None);
        assert_eq!(best("", &["1", "2"], &["101", "102"]), None);
        assert_eq!(best("", &["1", "2", "3"], &["acme-1"]), None);
        assert_eq!(best("", &[], &["acme-1"]), None);
    }
}
