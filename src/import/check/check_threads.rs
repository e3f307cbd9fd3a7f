//! Checks batches of rows in parallel on a few threads; the results are returned in the file's order.
//!
//! The check of a single row does not depend on other rows.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{Scope, available_parallelism};

use hashbrown::DefaultHashBuilder;

use crate::import::check::closed_rows::ClosingColumns;
use crate::import::check::country::CountrySource;
use crate::import::check::identity;
use crate::import::check::problem_message::RowProblem;
use crate::import::check::row_check::RowCheck;
use crate::import::check::table_problem::RowGroup;
use crate::import::check::trailing::{TrailingRow, classify_trailing_row, is_note};
use crate::import::{CheckRules, RowHouseKey, RowId, TypedDecision};
use crate::model::{
    ContentHash, Country, Field, HouseDecision, HouseHash, RowNumber, Severity, excerpt,
};
use crate::sheet::{Charset, FileFormat, Row, RowBatch, RowVisibility};
use crate::table::{Columns, DecisionColumn, DetectedLayout, rejects};

/// Maximum number of threads; more would wait for the reading thread.
const MAX_THREADS: usize = 4;

/// The result of checking a row on its own.
#[derive(Debug)]
pub(super) struct RowCheckResult {
    pub(super) number: RowNumber,
    pub(super) visibility: RowVisibility,
    /// Empty if the row has no usable id.
    pub(super) id: RowId,
    /// None for an invalid row.
    pub(super) content: Option<ContentHash>,
    pub(super) id_key: u64,
    /// Without the row's index.
    pub(super) house: RowHouseKey,
    /// The hashes of the other numbers of a range.
    pub(super) range: Vec<HouseHash>,
    pub(super) country: Option<Country>,
    pub(super) country_source: CountrySource,
    pub(super) decision: Option<TypedDecision>,
    pub(super) problems: Vec<RowProblem>,
    /// What it has in common with other rows if it is valid, with the word that says so.
    pub(super) counted: Vec<(RowGroup, Option<&'static str>)>,
    /// Whether its id was derived from address and customer.
    pub(super) has_derived_id: bool,
    /// Whether it is the headers of another table.
    pub(super) is_another_header_row: bool,
    /// Text of another encoding, with its column.
    pub(super) other_encoding: Option<(usize, String)>,
    /// The kind of an invalid row without an address; `None` for every other row.
    pub(super) trailing: Option<TrailingRow>,
    /// Whether such a row is a note, if it is below the table.
    pub(super) is_note: bool,
}

/// The results for the rows of a batch.
#[derive(Debug, Default)]
pub(super) struct BatchCheckResult {
    pub(super) rows: Vec<RowCheckResult>,
    /// A warning about the first text that was decoded with the fallback encoding, with its row.
    pub(super) fallback_decoded: Option<(RowNumber, RowProblem)>,
}

/// Checks single rows.
#[derive(Clone, Debug)]
pub(super) struct TableChecker<'a> {
    pub(super) columns: &'a Columns,
    rules: &'a CheckRules,
    format: FileFormat,
    /// Whether text was decoded with the fallback encoding.
    is_fallback: bool,
    decisions: DecisionColumn,
    closing: ClosingColumns,
    /// Makes the keys of ids.
    hasher: &'a DefaultHashBuilder,
}

impl<'a> TableChecker<'a> {
    pub(super) fn new(
        columns: &'a Columns,
        rules: &'a CheckRules,
        layout: &DetectedLayout,
        hasher: &'a DefaultHashBuilder,
    ) -> Self {
        Self {
            columns,
            rules,
            format: layout.format,
            is_fallback: layout.charset == Some(Charset::Fallback),
            decisions: DecisionColumn::find(columns, layout),
            closing: ClosingColumns::find(columns),
            hasher,
        }
    }

    fn check_batch(&self, batch: &RowBatch) -> BatchCheckResult {
        let mut results = BatchCheckResult {
            rows: Vec::with_capacity(batch.len()),
            fallback_decoded: None,
        };
        for row in batch.rows() {
            if self.is_fallback && results.fallback_decoded.is_none() {
                results.fallback_decoded = first_not_ascii(&row);
            }
            results.rows.push(self.check_row(row));
        }
        results
    }

    /// The check of a row, before it begins.
    pub(super) fn begin_check<'r>(&self, row: Row<'r>) -> RowCheck<'r>
    where
        'a: 'r,
    {
        RowCheck {
            is_fallback: self.is_fallback,
            ..RowCheck::new(row, self.columns, self.rules, self.format)
        }
    }

    fn check_row(&self, row: Row<'_>) -> RowCheckResult {
        let mut check = self.begin_check(row);
        let draft = check.draft();
        let decision = self.decision(&mut check);
        let content = (!check.is_invalid()).then(|| draft.content_hash());
        let mut ids = self.columns.indexes_of(Field::Id).iter();
        let has_derived_id =
            self.rules.derive_ids && ids.all(|&column| row.cell(column).is_blank());
        let trailing = match content {
            Some(_) => None,
            None => classify_trailing_row(&row, self.columns),
        };
        if let Some(TrailingRow::Total(_)) = trailing {
            check.problems.clear();
            let message = message!("the row looks like a total; delete it");
            check.add(Severity::Error, None, None, message);
        }
        let other_address = check.other_address(&draft);
        let other_address = other_address.map(|(at, field)| RowGroup::OtherAddress(at, field));
        let no_country = draft.country.is_none().then_some(RowGroup::NoCountry);
        let other_link = check.has_other_link().then_some(RowGroup::OtherLink);
        let counted = other_address
            .into_iter()
            .chain(check.unused_parts(&draft))
            .chain(check.other_name())
            .chain(check.last_first(&draft.name))
            .chain(check.half_of_name(&draft.name))
            .chain(check.group_of_postal_code())
            .chain(no_country)
            .chain(other_link);
        let counted = counted.map(|kind| (kind, None));
        let closed = self.closing.of_row(&row);
        let (house, range) = draft.house_key();
        check.problems.sort_by_key(|problem| problem.column);
        RowCheckResult {
            counted: counted.chain(closed).collect(),
            has_derived_id,
            other_encoding: check.other_encoding.take(),
            is_another_header_row: content.is_none() && check.is_another_header_row(),
            is_note: trailing.is_some() && is_note(&row, self.columns),
            trailing,
            number: row.number,
            visibility: row.visibility,
            id_key: identity::folded_key(&draft.external_id, self.hasher),
            house,
            range,
            country: draft.country,
            country_source: draft.country_source,
            decision,
            id: RowId::from(&*draft.external_id),
            content,
            problems: check.problems,
        }
    }
}

impl TableChecker<'_> {
    /// The user's decision in the rejects about a row of the same house.
    fn decision(&self, check: &mut RowCheck<'_>) -> Option<TypedDecision> {
        let (column, text) = self.decisions.cell(&check.row)?;
        let decision = HouseDecision::from_name(&text.to_ascii_lowercase());
        if decision.is_none() && !text.is_empty() {
            let message = message!(
                "`{text}` is neither send nor skip: type one of them, or clear the cell to read again which house it is"
            );
            check.add(Severity::Error, None, Some(column), message);
        }
        if decision == Some(HouseDecision::Skip) && check.is_invalid() {
            let message = message!(
                "`skip` is only for a row of the same house as another; to leave this row out, delete it here and in its sheet"
            );
            check.add(Severity::Error, None, Some(column), message);
        }
        let question = rejects::question(&check.row, self.columns);
        Some(TypedDecision {
            decision: decision?,
            column,
            question: question.map(str::to_owned),
        })
    }
}

fn first_not_ascii(row: &Row<'_>) -> Option<(RowNumber, RowProblem)> {
    let column = (0..row.width()).find(|&column| !row.cell(column).text.is_ascii())?;
    Some((row.number, decoded_by_fallback(row, column)))
}

/// A warning about the first text that was decoded with the fallback encoding.
fn decoded_by_fallback(row: &Row<'_>, column: usize) -> RowProblem {
    let text = row.cell(column).text.trim();
    RowProblem {
        severity: Severity::Warning,
        field: None,
        column: Some(column),
        message: message!(
            "the file is not UTF-8 and was read as Windows-1252: does `{}` look right? Else give --encoding",
            excerpt(text)
        ),
    }
}

/// The threads that check batches.
pub(super) struct CheckThreadPool {
    threads: VecDeque<CheckThread>,
    waiting: usize,
}

/// A thread that checks batches in order.
struct CheckThread {
    batches: SyncSender<RowBatch>,
    results: Receiver<(RowBatch, BatchCheckResult)>,
}

/// Why a channel to a thread cannot be closed.
const THREAD_ENDED: &str =
    "a thread ends only after its batches, or with a panic that is propagated here";

impl CheckThreadPool {
    /// Starts one thread per processor, at most [`MAX_THREADS`].
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        checker: &TableChecker<'scope>,
    ) -> Self {
        let threads = available_parallelism()
            .map_or(1, NonZero::get)
            .min(MAX_THREADS);
        let threads = (0..threads)
            .map(|_| start_thread(scope, checker.clone()))
            .collect();
        Self {
            threads,
            waiting: 0,
        }
    }

    /// Whether a result must be taken before another batch is given.
    pub(super) fn is_full(&self) -> bool {
        self.waiting >= self.threads.len() * 2
    }

    /// Gives a batch to the next thread.
    pub(super) fn submit(&mut self, batch: RowBatch) {
        let turn = self.waiting % self.threads.len();
        self.threads[turn].batches.send(batch).expect(THREAD_ENDED);
        self.waiting += 1;
    }

    /// Takes the oldest batch, once it is checked; `None` if no batch is waiting.
    pub(super) fn take(&mut self) -> Option<(RowBatch, BatchCheckResult)> {
        self.waiting = self.waiting.checked_sub(1)?;
        let results = self.threads[0].results.recv().expect(THREAD_ENDED);
        // The thread in front always has the oldest batch.
        self.threads.rotate_left(1);
        Some(results)
    }
}

fn start_thread<'scope>(
    scope: &'scope Scope<'scope, '_>,
    checker: TableChecker<'scope>,
) -> CheckThread {
    let (batches, given) = sync_channel::<RowBatch>(2);
    let (done, results) = channel();
    scope.spawn(move || {
        for batch in given {
            let results = checker.check_batch(&batch);
            // Nobody takes it where the check has failed meanwhile.
            let _ = done.send((batch, results));
        }
    });
    CheckThread { batches, results }
}
