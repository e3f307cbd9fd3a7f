//! Reads the problems of a check as problems, in the file's order.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::io;

use crate::import::CheckedFile;
use crate::import::check::problem_message::{ProblemMessage, RowProblem};
use crate::import::check::problem_spool::{ProblemSpool, SpoolReader};
use crate::import::check::table_problem::{
    RowGroup, RowGroupCount, TableProblem, merged, repeated_id_message, similar_ids,
};
use crate::model::{Field, Problem, RowNumber, Severity};
use crate::sheet::{self, CellRange, SheetError, cell_address};
use crate::table::Columns;

/// All problems of a check, read by [`crate::import::CheckedFile::problems`].
#[derive(Debug)]
pub struct CheckProblems {
    pub(super) spool: ProblemSpool,
    /// Sorted by row.
    pub(super) table_problems: Vec<(RowNumber, TableProblem)>,
    pub(super) counted: BTreeMap<RowGroup, RowGroupCount>,
    pub(super) merges: Vec<CellRange>,
}

impl CheckProblems {
    /// A problem that depends on the whole table, with its message.
    fn row_problem(&self, table_problem: TableProblem, checked: &CheckedFile) -> RowProblem {
        let (rows, columns) = (&checked.rows, &checked.columns);
        let (field, column, message) = match table_problem {
            TableProblem::RepeatedId { other, house } => {
                let message = repeated_id_message(other, house, columns);
                (Some(Field::Id), None, message)
            }
            TableProblem::Duplicate { of } => (
                Some(Field::Id),
                None,
                message!("the same request as row {of}, sent once"),
            ),
            TableProblem::SimilarIds { first, second } => (
                Some(Field::Id),
                None,
                similar_ids(&rows[first as usize], &rows[second as usize]),
            ),
            TableProblem::BareNumbers { largest } => (
                Some(Field::Id),
                None,
                message!(
                    "ids are plain numbers up to {largest}; ids must be unique in the whole app, so those of another file would collide; add --id-prefix"
                ),
            ),
            TableProblem::Counted { group } => {
                let field = match group {
                    RowGroup::NoCountry => Some(Field::Country),
                    RowGroup::OtherLink => Some(Field::Url),
                    _ => None,
                };
                let message = self.counted[&group].message(group, columns);
                (field, group.column(), message)
            }
            TableProblem::Merged { merge, column, .. } => {
                let column = column as usize;
                let mapped = columns.mapped().find(|(_, other)| other.index == column);
                (
                    mapped.map(|(field, _)| field),
                    Some(column),
                    merged(&self.merges[merge as usize]),
                )
            }
        };
        let of_field = || columns.supplying(field?);
        RowProblem {
            severity: table_problem.severity(),
            field,
            column: column.or_else(of_field),
            message,
        }
    }
}

/// Every problem of a check, by row; within a row errors first.
#[derive(Debug)]
pub struct Problems<'a> {
    checked: &'a CheckedFile,
    reader: SpoolReader<'a>,
    spooled: Option<(RowNumber, RowProblem)>,
    /// Number of table problems that were read.
    table_problems_read: usize,
    of_row: VecDeque<Problem>,
}

impl CheckedFile {
    /// Every problem, in the file's order.
    ///
    /// # Errors
    /// If the temporary file that holds them cannot be read; each item may have the same error.
    pub fn problems(&self) -> Result<Problems<'_>, sheet::Error> {
        let open = || -> io::Result<Problems<'_>> {
            let mut reader = self.stored_problems.spool.reader()?;
            Ok(Problems {
                spooled: reader.next()?,
                checked: self,
                reader,
                table_problems_read: 0,
                of_row: VecDeque::new(),
            })
        };
        open().map_err(|error| self.unreadable(error))
    }

    /// The errors of each invalid row.
    ///
    /// # Errors
    /// As [`CheckedFile::problems`].
    pub fn errors_by_row(&self) -> Result<BTreeMap<RowNumber, Vec<Problem>>, sheet::Error> {
        let mut errors: BTreeMap<RowNumber, Vec<Problem>> = BTreeMap::new();
        if self.counts.errors == 0 {
            // A sheet without errors may have a warning in every row; there is no need to read them all.
            return Ok(errors);
        }
        for problem in self.problems()? {
            let problem = problem?;
            if problem.severity == Severity::Error {
                errors.entry(problem.row).or_default().push(problem);
            }
        }
        Ok(errors)
    }

    /// Whether a cell belongs to a merged range without holding its value.
    pub fn is_merged_away(&self, row: RowNumber, column: usize) -> bool {
        let mut merges = self.stored_problems.merges.iter();
        merges.any(|merge| merge.covers(row, column))
    }

    /// The warnings about which houses are sent: those of hidden, crossed-out and closed rows, and those of another
    /// column with addresses.
    pub fn warnings_about_houses(&self) -> impl Iterator<Item = Problem> {
        self.table_problems(|table_problem| {
            matches!(table_problem, TableProblem::Counted { group } if !matches!(group, RowGroup::NoCountry | RowGroup::OtherLink))
        })
    }

    /// The warnings about rows that are sent once with an earlier row.
    pub fn duplicates(&self) -> impl Iterator<Item = Problem> {
        self.table_problems(|table_problem| matches!(table_problem, TableProblem::Duplicate { .. }))
    }

    fn table_problems(&self, is_asked: fn(&TableProblem) -> bool) -> impl Iterator<Item = Problem> {
        let stored = &self.stored_problems;
        let table_problems = stored.table_problems.iter();
        let table_problems = table_problems.filter(move |(_, problem)| is_asked(problem));
        table_problems.map(move |(row, table_problem)| {
            let problem = stored.row_problem(*table_problem, self);
            problem.in_row(*row, &self.columns)
        })
    }

    /// A problem that was found after the check, with the cell of its field; it is a kind of its own.
    pub(in crate::import) fn problem_of(
        &self,
        row: RowNumber,
        field: Option<Field>,
        severity: Severity,
        message: String,
    ) -> Problem {
        let problem = RowProblem {
            severity,
            field,
            column: field.and_then(|field| self.columns.supplying(field)),
            message: ProblemMessage {
                kind: Cow::Owned(message.clone()),
                text: message,
            },
        };
        problem.in_row(row, &self.columns)
    }

    fn unreadable(&self, error: io::Error) -> sheet::Error {
        SheetError::ProblemStore(error).in_file(&self.layout.file)
    }
}

impl Problems<'_> {
    fn stored(&self) -> &CheckProblems {
        &self.checked.stored_problems
    }

    fn table_problem_row(&self) -> Option<RowNumber> {
        self.stored()
            .table_problems
            .get(self.table_problems_read)
            .map(|(row, _)| *row)
    }

    /// Reads the problems of the next row that has any.
    fn read_row(&mut self) -> io::Result<()> {
        let spooled_row = self.spooled.as_ref().map(|(row, _)| *row);
        let rows = [spooled_row, self.table_problem_row()];
        let Some(row) = rows.into_iter().flatten().min() else {
            return Ok(());
        };
        let mut problems = Vec::new();
        while let Some((_, problem)) = self.spooled.take_if(|(of, _)| *of == row) {
            problems.push(problem);
            self.spooled = self.reader.next()?;
        }
        while self.table_problem_row() == Some(row) {
            let (_, table_problem) = self.stored().table_problems[self.table_problems_read];
            problems.push(self.stored().row_problem(table_problem, self.checked));
            self.table_problems_read += 1;
        }
        problems.sort_by_key(|problem| problem.severity);
        let columns = &self.checked.columns;
        let problems = problems.into_iter();
        self.of_row = problems
            .map(|problem| problem.in_row(row, columns))
            .collect();
        Ok(())
    }
}

impl Iterator for Problems<'_> {
    type Item = Result<Problem, sheet::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.of_row.is_empty()
            && let Err(error) = self.read_row()
        {
            return Some(Err(self.checked.unreadable(error)));
        }
        self.of_row.pop_front().map(Ok)
    }
}

impl RowProblem {
    /// The problem with its cell and the header of its column.
    fn in_row(self, row: RowNumber, columns: &Columns) -> Problem {
        let header = self.column.and_then(|column| columns.headers().get(column));
        Problem {
            row,
            column_index: self.column,
            cell: self.column.map(|column| cell_address(column, row)),
            column: header.filter(|header| !header.trim().is_empty()).cloned(),
            field: self.field,
            severity: self.severity,
            kind: self.message.kind,
            message: self.message.text,
        }
    }
}
