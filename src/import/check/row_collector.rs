//! Collects the checked rows, and finds duplicates, contradictions and footers.

use std::collections::{BTreeMap, HashSet};

use hashbrown::DefaultHashBuilder;

use crate::import::check::check_threads::{BatchCheckResult, RowCheckResult};
use crate::import::check::country::CountryCounts;
use crate::import::check::ids::IdIndex;
use crate::import::check::problem_collector::ProblemCollector;
use crate::import::check::table_problem::{HouseComparison, RowGroup, RowGroupCount, TableProblem};
use crate::import::check::trailing::{self, TrailingRow};
use crate::import::{
    CheckResult, CheckRules, CheckedRow, RowHouseKey, RowId, SkippedRows, TypedDecision,
};
use crate::model::{ContentHash, Field, RowNumber, excerpt};
use crate::sheet::{CellRange, RowVisibility, SheetError, column_letters};
use crate::table::Table;

/// The rows so far.
#[derive(Debug, Default)]
pub(super) struct RowCollector {
    pub(super) rows: Vec<CheckedRow>,
    ids: IdIndex,
    pub(super) problems: ProblemCollector,
    /// Whether a prefix makes the ids unique in the app.
    has_prefix: bool,
    pub(super) decisions: BTreeMap<usize, TypedDecision>,
    /// Whether the warning about the fallback encoding was added.
    has_warned_of_encoding: bool,
    /// Rows without an address after the last row with one, until a row with an address or the end follows.
    trailing: Vec<(RowCheckResult, TrailingRow)>,
    pub(super) skipped: Vec<SkippedRows>,
    /// The hidden rows that were read.
    pub(super) hidden: Vec<RowNumber>,
    /// Notes below the last row with an address.
    pub(super) notes: Vec<RowNumber>,
    /// Rows with one filled cell.
    headings: HashSet<RowNumber>,
    pub(super) derived_ids: Vec<String>,
    pub(super) countries: CountryCounts,
    /// The parts of the customers so far that all rows have in common: name, email and phone.
    customers: [SharedPart; 3],
    /// The first row that is the headers of another table.
    pub(super) other_table: Option<RowNumber>,
    /// The first text of another encoding.
    pub(super) other_encoding: Option<SheetError>,
}

/// A part of the customers, by the keys of their sketches.
#[derive(Debug, Default)]
struct SharedPart {
    first: Option<u16>,
    is_varied: bool,
    rows: RowGroupCount,
}

/// Minimum number of rows with the same email or phone for which a warning is added.
const MIN_SHARED: u64 = 5;

/// Maximum number of rows in a footer.
const LONGEST_FOOTER: usize = 32;
/// Number of derived ids that are shown.
const SHOWN_IDS: usize = 3;

impl RowCollector {
    pub(super) fn new(rules: &CheckRules, hasher: DefaultHashBuilder) -> Self {
        Self {
            ids: IdIndex::new(hasher),
            has_prefix: rules.id_prefix.is_some(),
            ..Self::default()
        }
    }

    /// Adds the rows of a batch.
    pub(super) fn add_batch(&mut self, batch: BatchCheckResult) -> std::io::Result<()> {
        let mut fallback_decoded = batch
            .fallback_decoded
            .filter(|_| !self.has_warned_of_encoding);
        for mut row in batch.rows {
            if let Some((column, text)) = row.other_encoding.take() {
                self.other_encoding
                    .get_or_insert_with(|| SheetError::OtherEncoding {
                        cell: format!("{}{}", column_letters(column), row.number),
                        text: excerpt(&text).into_owned(),
                    });
            }
            if row.is_another_header_row && self.other_table.is_none() {
                self.other_table = Some(row.number);
            }
            if let Some((_, problem)) =
                fallback_decoded.take_if(|(number, _)| *number == row.number)
            {
                self.has_warned_of_encoding = true;
                row.problems.insert(0, problem);
            }
            if row.trailing == Some(TrailingRow::SingleCell) {
                self.headings.insert(row.number);
            }
            match row.trailing.take() {
                Some(trailing) if self.trailing.len() < LONGEST_FOOTER => {
                    self.trailing.push((row, trailing));
                }
                _ => {
                    self.add_trailing()?;
                    self.add_row(row)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the trailing rows so far, because they are not a footer.
    fn add_trailing(&mut self) -> std::io::Result<()> {
        for (row, _) in std::mem::take(&mut self.trailing) {
            self.add_row(row)?;
        }
        Ok(())
    }

    /// Skips totals and footers among the rows below the last address, and adds the others.
    fn skip_footer(&mut self) -> std::io::Result<()> {
        let trailing = std::mem::take(&mut self.trailing);
        let kinds: Vec<&TrailingRow> = trailing.iter().map(|(_, kind)| kind).collect();
        let skipped = trailing::skip_reasons(&kinds);
        for ((row, kind), skipped) in trailing.into_iter().zip(skipped) {
            if let Some(reason) = skipped {
                trailing::add(&mut self.skipped, row.number, reason, kind);
            } else {
                self.notes.extend(row.is_note.then_some(row.number));
                self.add_row(row)?;
            }
        }
        Ok(())
    }

    fn add_row(&mut self, row: RowCheckResult) -> std::io::Result<()> {
        let number = row.number;
        match row.visibility {
            RowVisibility::Hidden => {
                self.hidden.push(number);
                self.count(number, RowGroup::Hidden, None);
            }
            RowVisibility::CrossedOut => self.count(number, RowGroup::CrossedOut, None),
            RowVisibility::Visible => {}
        }
        for problem in row.problems {
            self.problems.add(number, problem)?;
        }
        if row.has_derived_id && row.content.is_some() && self.derived_ids.len() < SHOWN_IDS {
            self.derived_ids.push(row.id.to_string());
        }
        let result = self.check_result(number, (row.id, row.id_key), &row.house, row.content);
        if let CheckResult::Valid { external_id, .. } = &result {
            self.ids
                .add_house(external_id, row.id_key, row.house, &self.rows);
            self.ids.add_range(&row.range);
            self.countries.add(row.country, row.country_source);
            for (part, key) in row.house.customer.keys() {
                let shared = &mut self.customers[part];
                shared.is_varied |= *shared.first.get_or_insert(key) != key;
                shared.rows.add(number, None);
            }
            for (kind, word) in row.counted {
                self.count(number, kind, word);
            }
        }
        if let Some(decision) = row.decision {
            self.decisions.insert(self.rows.len(), decision);
        }
        self.rows.push(CheckedRow { number, result });
        Ok(())
    }

    fn count(&mut self, number: RowNumber, kind: RowGroup, word: Option<&'static str>) {
        let counted = self.problems.counted.entry(kind);
        counted.or_default().add(number, word);
    }

    fn check_result(
        &mut self,
        number: RowNumber,
        (id, key): (RowId, u64),
        house: &RowHouseKey,
        content: Option<ContentHash>,
    ) -> CheckResult {
        if id.is_empty() {
            return CheckResult::Invalid { external_id: None };
        }
        let Some(earlier) = self.ids.add(&id, key, &self.rows) else {
            return match content {
                Some(content) => CheckResult::Valid {
                    external_id: id,
                    content,
                },
                None => CheckResult::Invalid {
                    external_id: Some(id),
                },
            };
        };
        let first = &self.rows[earlier];
        match &first.result {
            // The same content: sent once.
            CheckResult::Valid { content: same, .. } if content == Some(*same) => {
                let of = first.number;
                self.problems
                    .add_table_problem(number, TableProblem::Duplicate { of });
                CheckResult::Duplicate { of }
            }
            // Other content: the service would keep the first and ignore the second.
            _ => {
                let house = self.ids.compare_house(earlier, house);
                self.invalidate_both(earlier, number, house);
                CheckResult::Invalid {
                    external_id: Some(id),
                }
            }
        }
    }

    fn invalidate_both(&mut self, earlier: usize, number: RowNumber, house: HouseComparison) {
        let first = &mut self.rows[earlier];
        let other = first.number;
        let repeated = |other| TableProblem::RepeatedId { other, house };
        self.problems.add_table_problem(number, repeated(other));
        if let CheckResult::Valid { external_id, .. } = &mut first.result {
            let external_id = Some(external_id.clone());
            first.result = CheckResult::Invalid { external_id };
            self.problems.add_table_problem(other, repeated(number));
        }
    }

    /// Adds the problems that depend on the whole table; returns the houses of the rows, sorted.
    pub(super) fn end(&mut self, table: &Table) -> std::io::Result<Vec<RowHouseKey>> {
        self.skip_footer()?;
        self.invalidate_copies_of_invalid_rows();
        self.count_shared_contacts(table);
        let rows = self.rows.len();
        let counted = &mut self.problems.counted;
        counted.retain(|kind, group| group.is_told(*kind, rows));
        self.problems.add_counted();
        for (index, merge) in (0..).zip(table.merges()) {
            self.add_merge_problems(index, merge, table);
        }
        self.ids.warn_of_similar(&self.rows, &mut self.problems);
        if !self.has_prefix {
            self.ids.warn_of_row_numbers(&self.rows, &mut self.problems);
        }
        Ok(self.ids.take_houses())
    }

    /// Counts the rows of customers with different names if all have one email or one phone: the office's own, or a
    /// cell that was dragged down.
    fn count_shared_contacts(&mut self, table: &Table) {
        let [name, email, phone] = std::mem::take(&mut self.customers);
        for (field, part) in [(Field::Email, email), (Field::Phone, phone)] {
            let column = table.columns().indexes_of(field).first();
            let column = column.and_then(|column| u32::try_from(*column).ok());
            if let Some(column) = column
                && name.is_varied
                && !part.is_varied
                && part.rows.count >= MIN_SHARED
            {
                let kind = RowGroup::OneContact(column, field);
                self.problems.counted.insert(kind, part.rows);
            }
        }
    }

    /// Makes duplicates invalid whose first row became invalid because of a contradicting row.
    fn invalidate_copies_of_invalid_rows(&mut self) {
        for index in 0..self.rows.len() {
            let CheckResult::Duplicate { of } = self.rows[index].result else {
                continue;
            };
            let Ok(first) = self.rows.binary_search_by_key(&of, |row| row.number) else {
                continue;
            };
            if let (CheckResult::Invalid { .. }, Some(id)) =
                (&self.rows[first].result, self.rows[first].external_id())
            {
                let external_id = Some(id.into());
                let number = self.rows[index].number;
                self.rows[index].result = CheckResult::Invalid { external_id };
                let table_problem = TableProblem::RepeatedId {
                    other: of,
                    house: HouseComparison::Same,
                };
                self.problems.add_table_problem(number, table_problem);
            }
        }
    }

    /// Adds a problem for each row with a cell that is empty because it is merged with another.
    fn add_merge_problems(&mut self, index: u32, merge: &CellRange, table: &Table) {
        let headers = table.layout().header_row;
        if let Some(row) = headers.filter(|row| (merge.top..=merge.bottom).contains(row)) {
            if merge.right > merge.left {
                let table_problem = TableProblem::Merged {
                    merge: index,
                    column: u32::try_from(merge.left).unwrap_or(u32::MAX),
                    row_is_valid: true,
                };
                self.problems.add_table_problem(row, table_problem);
            }
            return;
        }
        let from = self.rows.partition_point(|row| row.number < merge.top);
        let inside = self.rows[from..]
            .iter()
            .take_while(|row| row.number <= merge.bottom);
        for row in inside.filter(|row| !self.headings.contains(&row.number)) {
            let mut mapped = table.columns().mapped().map(|(_, column)| column.index);
            let Some(column) = mapped.find(|&column| merge.covers(row.number, column)) else {
                continue;
            };
            let table_problem = TableProblem::Merged {
                merge: index,
                column: u32::try_from(column).unwrap_or(u32::MAX),
                row_is_valid: !matches!(row.result, CheckResult::Invalid { .. }),
            };
            self.problems.add_table_problem(row.number, table_problem);
        }
    }
}
