//! The problems that the newest run of each table reported.

use rusqlite::OptionalExtension;

use crate::journal::{Error, SubmissionIndex};
use crate::model::{ContentHash, TableSource};

/// Size of a stored digest.
const DIGEST_BYTES: usize = 16;

/// The problems of a run, as sorted digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportedProblems(Vec<ContentHash>);

impl ReportedProblems {
    /// Whether the run reported the problem.
    pub fn contains(&self, problem: ContentHash) -> bool {
        self.0.binary_search(&problem).is_ok()
    }

    /// The digests as the journal stores them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|digest| digest.to_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let (digests, _) = bytes.as_chunks::<DIGEST_BYTES>();
        digests
            .iter()
            .copied()
            .map(ContentHash::from_bytes)
            .collect()
    }
}

impl FromIterator<ContentHash> for ReportedProblems {
    fn from_iter<I: IntoIterator<Item = ContentHash>>(digests: I) -> Self {
        let mut digests: Vec<ContentHash> = digests.into_iter().collect();
        digests.sort_unstable();
        digests.dedup();
        Self(digests)
    }
}

impl SubmissionIndex {
    /// Returns the problems that the newest run of a table reported.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn reported_problems(&self, source: &TableSource) -> Result<ReportedProblems, Error> {
        let path = source.path.to_string_lossy();
        let sheet = source.sheet.as_deref().unwrap_or_default();
        let sql = "SELECT problems FROM sources WHERE path = ?1 AND sheet = ?2";
        let connection = self.connection();
        let bytes: Option<Option<Vec<u8>>> = connection
            .query_row(sql, [&*path, sheet], |row| row.get(0))
            .optional()?;
        let bytes = bytes.flatten().unwrap_or_default();
        Ok(ReportedProblems::from_bytes(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_problems_are_found_again() {
        let digest = |text| ContentHash::from_fields([Some(text)]);
        let reported: ReportedProblems = ["b", "a", "b", "c"].map(digest).into_iter().collect();
        let read = ReportedProblems::from_bytes(&reported.to_bytes());
        assert_eq!(read, reported);
        assert_eq!(read.to_bytes().len(), 3 * DIGEST_BYTES);
        assert!(read.contains(digest("a")) && !read.contains(digest("d")));
    }
}
