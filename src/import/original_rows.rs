//! Finds the row of the original for each row of a rejects file.
//!
//! The number in `source_row` may be wrong: the file may be an older copy, its columns may have been sorted without that
//! one, and rows may have been copied. It is used only if no other rejected row has the id or the house of the corrected
//! row, or resembles it as much. Where it is missing, the only row with the id takes its place. A missed correction only
//! changes the exit code; a wrong one would lose a house.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::import::RowCells;
use crate::import::compared_row::{ComparedRow, RowSimilarity};
use crate::import::row_cells::fields_from_json;
use crate::model::{Field, HouseHash, RowNumber, StreetAddress};

/// By the index of a row of rejects: the number of the row in the original, and its cells there as JSON.
pub type OriginalRows = BTreeMap<usize, (RowNumber, String)>;

/// The row of the original for each row of its rejects, if it can be determined; `rejected` has the rows of the original
/// that the rejects contain, with their cells as JSON, `refused` the cells of those that the service refused, and
/// `may_correct` tells of the index of a row whether it may be the correction of such cells. No two rows have the same
/// original.
pub(super) fn original_rows(
    cells: &BTreeMap<usize, RowCells>,
    (rejected, refused): (&BTreeMap<RowNumber, String>, &BTreeSet<String>),
    may_correct: impl Fn(usize, &str) -> bool,
) -> OriginalRows {
    let compared = rejected.iter().map(|(row, json)| {
        let mut compared = ComparedRow::new(fields_from_json(json));
        compared.is_refused = refused.contains(json);
        (*row, compared)
    });
    let compared = RejectedRowIndex::new(compared.collect());
    let mut claims: BTreeMap<RowNumber, CorrectionCandidate> = BTreeMap::new();
    for (index, cells) in cells {
        let now = ComparedRow::new(cells.fields.clone());
        let Some((row, similarity)) = row_at_source_row(&now, cells.source_row, &compared) else {
            continue;
        };
        if !may_correct(*index, &rejected[&row]) {
            continue;
        }
        let claim = CorrectionCandidate {
            similarity,
            by: Some(*index),
            fields: now.fields,
        };
        match claims.get_mut(&row) {
            None => drop(claims.insert(row, claim)),
            Some(best) if similarity > best.similarity => *best = claim,
            // A copy of the row does not compete with it, even under another id.
            Some(best) if similarity == best.similarity && !best.is_copy(&claim) => {
                best.by = None;
            }
            Some(_) => {}
        }
    }
    let claims = claims.into_iter();
    claims
        .filter_map(|(row, claim)| Some((claim.by?, (row, rejected.get(&row)?.clone()))))
        .collect()
}

/// A row of the rejects that may be the correction of a row of the original.
struct CorrectionCandidate {
    similarity: RowSimilarity,
    /// Its index; `None` if several rows resemble the original equally.
    by: Option<usize>,
    fields: BTreeMap<String, String>,
}

impl CorrectionCandidate {
    /// Whether the rows are equal but for their ids.
    fn is_copy(&self, other: &Self) -> bool {
        let without_id = |row: &Self| {
            let fields = row.fields.clone().into_iter();
            fields
                .filter(|(field, _)| field != Field::Id.name())
                .collect::<Vec<_>>()
        };
        without_id(self) == without_id(other)
    }
}

/// The row with that number, or without one the only row with the id of the corrected row, if this resembles it, and no
/// other as much.
fn row_at_source_row(
    now: &ComparedRow,
    source_row: Option<RowNumber>,
    rejected: &RejectedRowIndex,
) -> Option<(RowNumber, RowSimilarity)> {
    let row = source_row.or_else(|| rejected.only_row_with_id(now.id()?))?;
    let before = rejected.rows.get(&row)?;
    // Another row of a customer may have the id of another system.
    let is_other_house = || before.house.is_some() && !now.has_house_of(before);
    if !now.corrects(before) || source_row.is_none() && is_other_house() {
        return None;
    }
    let similarity = now.similarity(before);
    let others = rejected.possible_rivals(now, similarity);
    // Rows with the same cells are all the same to the user.
    let mut others = others.filter(|other| other.fields != before.fields);
    let is_unique = now.fields == before.fields
        || !others.any(|other| now.similarity(other).rivals(similarity));
    is_unique.then_some((row, similarity))
}

/// The rejected rows, indexed by id and by house, so that a row need not be compared with all of them.
struct RejectedRowIndex {
    rows: BTreeMap<RowNumber, ComparedRow>,
    by_id: HashMap<String, Vec<RowNumber>>,
    by_house: HashMap<HouseHash, Vec<RowNumber>>,
}

impl RejectedRowIndex {
    fn new(rows: BTreeMap<RowNumber, ComparedRow>) -> Self {
        let mut by_id: HashMap<String, Vec<RowNumber>> = HashMap::new();
        let mut by_house: HashMap<HouseHash, Vec<RowNumber>> = HashMap::new();
        for (number, row) in &rows {
            if let Some(id) = row.id() {
                by_id.entry(id.to_owned()).or_default().push(*number);
            }
            for house_hash in row.house.iter().flat_map(StreetAddress::house_hashes) {
                by_house.entry(house_hash).or_default().push(*number);
            }
        }
        Self {
            rows,
            by_id,
            by_house,
        }
    }

    fn only_row_with_id(&self, id: &str) -> Option<RowNumber> {
        let [row] = self.by_id.get(id)?[..] else {
            return None;
        };
        Some(row)
    }

    /// The rows that may be as similar to `now` as this one. If id or house match, only rows with the same id or house
    /// can be.
    fn possible_rivals(
        &self,
        now: &ComparedRow,
        similarity: RowSimilarity,
    ) -> impl Iterator<Item = &ComparedRow> {
        let has_neither = !similarity.has_id && !similarity.has_house;
        let of_id = now.id().and_then(|id| self.by_id.get(id));
        let house_hash = now.house.as_ref().map(StreetAddress::house_hash);
        let of_house = house_hash.and_then(|house_hash| self.by_house.get(&house_hash));
        let found = of_id.into_iter().chain(of_house).flatten();
        let found = found.filter_map(|number| self.rows.get(number));
        let all = has_neither.then(|| self.rows.values());
        found.chain(all.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [Field; 6] = [
        Field::Id,
        Field::Name,
        Field::Line1,
        Field::Line2,
        Field::PostalCode,
        Field::Email,
    ];

    /// Cells by the fields above, separated by commas.
    fn row(source_row: u32, cells: &str) -> RowCells {
        let fields = FIELDS.iter().zip(cells.split(','));
        let fields = fields.filter(|(_, text)| !text.is_empty());
        RowCells {
            fields: fields
                .map(|(field, text)| (field.name().to_owned(), text.to_owned()))
                .collect(),
            source_row: Some(RowNumber(source_row)),
            ..RowCells::default()
        }
    }

    /// The numbers of the original for each corrected row.
    fn found(rejected: &[(u32, &str)], corrected: &[(u32, &str)]) -> Vec<Option<u32>> {
        let rejected = rejected
            .iter()
            .map(|(number, cells)| (RowNumber(*number), row(*number, cells).json()));
        let cells = corrected.iter().map(|(number, cells)| row(*number, cells));
        let original_rows = original_rows(
            &cells.enumerate().collect(),
            (&rejected.collect(), &BTreeSet::new()),
            |_, _| true,
        );
        (0..corrected.len())
            .map(|index| original_rows.get(&index).map(|(row, _)| row.0))
            .collect()
    }

    const NEIGHBOURS: [(u32, &str); 2] = [(2, "a,Ann,1001 Elm St,,"), (3, "b,Ann,1003 Elm St,,")];

    #[test]
    fn an_unchanged_row_stands_for_itself_also_beside_a_copy_of_it_with_an_id() {
        let rows = [
            (2, ",Ann,1001 Elm St,,02134,a@b.c"),
            (6, "n,Ann,1001 Elm St,,02134,a@b.c"),
        ];
        assert_eq!(found(&rows, &rows), [Some(2), Some(6)]);
    }

    #[test]
    fn a_corrected_row_stands_for_the_row_of_its_number() {
        let corrected = [(2, "a,Ann,1001 Elm St,,02134"), (3, "b,Ann,1003 Elm St,,")];
        assert_eq!(found(&NEIGHBOURS, &corrected), [Some(2), Some(3)]);
        // A new id, another street for a known id, and an id for a row that had none.
        for (before, now) in [
            ("a,Ann,1001 Elm St,,", "c,Ann,1001 Elm St,,"),
            ("a,Ann,1001 Elm St,,", "a,Ann,1010 Elm St,,"),
            (",Ann,1001 Elm St,,", "c,Ann,1001 Elm St,,"),
            (",Ann,1 Birchwod St,,,a@b.c", ",Ann,1 Birchwood St,,,a@b.c"),
            (",Ann,,,02134", ",Ann,1001 Elm St,,02134"),
            (",Ann,TBD,,,a@b.c", ",Ann,1001 Elm St,,02134,a@b.c"),
            (",Ann,?,,,a@b.c", ",Ann,1001 Elm St,,02134,a@b.c"),
            (",Ann,1001 Elm St,Apt 2,,a@b.c", ",Ann,1001 Elm St Apt 2,,,"),
        ] {
            assert_eq!(found(&[(2, before)], &[(2, now)]), [Some(2)], "{now}");
        }
    }

    #[test]
    fn a_street_without_a_number_is_completed_only_where_all_else_is_the_same() {
        let completed = ",Ann,1001 Elm St,,02134,a@b.c";
        for (before, now) in [
            (",Ann,TBD,,02134,", completed),
            (",Bo,TBD,,02134,a@b.c", completed),
            (",Ann,1003 Oak St,,02134,a@b.c", completed),
            (",Ann,Rose Cottage,,,a@b.c", ",Ann,Elm Cottage,,,a@b.c"),
            // The building of another row, without its unit.
            ("a,Ann,12 Elm St Apt 2,,,", "b,Ann,12 Elm Street,,,"),
        ] {
            assert_eq!(found(&[(2, before)], &[(2, now)]), [None], "{before}");
        }
        let twice = [(2, ",Ann,TBD,,,a@b.c"), (3, ",Ann,?,,,a@b.c")];
        assert_eq!(found(&twice, &[(2, completed)]), [None]);
    }

    #[test]
    fn the_number_of_a_row_with_another_id_or_house_is_not_believed() {
        assert_eq!(
            found(&NEIGHBOURS, &[(3, "a,Ann,1001 Elm St,,02134")]),
            [None]
        );
        // Nor where the row itself is no longer among those that were rejected.
        assert_eq!(
            found(&NEIGHBOURS[1..], &[(3, "a,Ann,1001 Elm St,,02134")]),
            [None]
        );
        let without_ids = NEIGHBOURS.map(|(row, cells)| (row, &cells[1..]));
        assert_eq!(
            found(&without_ids, &[(3, ",Ann,1001 Elm St,,02134")]),
            [None]
        );
        let units = [(2, ",Ann,12 Elm St,Apt 1,"), (3, ",Ann,12 Elm St,Apt 2,")];
        assert_eq!(found(&units, &[(3, ",Ann,12 Elm St,Apt 1,02134")]), [None]);
        assert_eq!(
            found(&units, &[(2, ",Ann,12 Elm St,Apt 1,02134")]),
            [Some(2)]
        );
    }

    #[test]
    fn a_row_that_resembles_two_rejected_rows_stands_for_none() {
        // The id of one, the house of the other.
        assert_eq!(
            found(&NEIGHBOURS, &[(2, "a,Ann,1003 Elm St,,02134")]),
            [None]
        );
        let both = [(2, ",Ann,,,02134"), (3, ",Ann,,,02139")];
        assert_eq!(found(&both, &[(2, ",Ann,1001 Elm St,,02140")]), [None]);
        let twins = [(2, ",Ann,,,02134"), (3, ",Ann,,,02134")];
        assert_eq!(found(&twins, &[(3, ",Ann,1001 Elm St,,02134")]), [Some(3)]);
    }

    #[test]
    fn of_two_rows_with_one_number_the_one_of_the_same_house_stands_for_it() {
        let rejected = [(2, ",Ann,1001 Elm St,,")];
        let completed = (2, ",Ann,1001 Elm St,,02134");
        let changed = (2, ",Ann,1003 Elm St,,02134");
        assert_eq!(found(&rejected, &[changed, completed]), [None, Some(2)]);
        assert_eq!(found(&rejected, &[completed, changed]), [Some(2), None]);
        assert_eq!(found(&rejected, &[completed, completed]), [Some(2), None]);
        // Two units of a house whose unit was missing: either may be meant.
        let units = [
            (2, ",Ann,1001 Elm St,Apt 1,02134"),
            (2, ",Ann,1001 Elm St,Apt 2,02134"),
        ];
        assert_eq!(found(&rejected, &units), [None, None]);
    }

    #[test]
    fn no_rival_is_missed_among_rows_found_by_id_and_house() {
        let streets = ["1001 Elm St", "1001 Elm Ave", "1003 Elm St", ""];
        let cells = ["a", "b", ""].iter().flat_map(|id| {
            ["Ann", "Bob"]
                .iter()
                .flat_map(move |name| streets.map(|street| format!("{id},{name},{street},,02134")))
        });
        let cells: Vec<String> = cells.collect();
        let compared = |cells: &String| ComparedRow::new(row(2, cells).fields);
        let numbers = (2..).map(RowNumber);
        let rejected = RejectedRowIndex::new(numbers.zip(cells.iter().map(compared)).collect());
        for (now, before) in cells
            .iter()
            .flat_map(|now| cells.iter().map(move |one| (now, one)))
        {
            let (now, before) = (compared(now), compared(before));
            let similarity = now.similarity(&before);
            let is_rival = |other: &&ComparedRow| now.similarity(other).rivals(similarity);
            let found = rejected
                .possible_rivals(&now, similarity)
                .any(|other| is_rival(&other));
            assert_eq!(found, rejected.rows.values().any(|other| is_rival(&other)));
        }
    }
}
