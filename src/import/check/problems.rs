//! Reads the findings of a check as problems, in the file's order.

use std::collections::{BTreeMap, VecDeque};
use std::io;

use crate::import::CheckedFile;
use crate::import::check::findings::{CheckFindings, Finding};
use crate::import::check::spool::SpoolReader;
use crate::import::check::table_finding::{CountedRow, HouseComparison, TableFinding};
use crate::model::{Field, Problem, RowNumber, Severity};
use crate::sheet::{self, SheetError, cell_address};

/// Every problem of a check, by row; within a row errors first.
#[derive(Debug)]
pub struct Problems<'a> {
    checked: &'a CheckedFile,
    reader: SpoolReader<'a>,
    spooled: Option<(RowNumber, Finding)>,
    /// Number of table findings that were read.
    table_findings_read: usize,
    of_row: VecDeque<Problem>,
}

impl CheckedFile {
    /// Every problem, in the file's order.
    ///
    /// # Errors
    /// If the temporary file that holds them cannot be read; each item may have the same error.
    pub fn problems(&self) -> Result<Problems<'_>, sheet::Error> {
        let open = || -> io::Result<Problems<'_>> {
            let mut reader = self.found.spool.reader()?;
            Ok(Problems {
                spooled: reader.next()?,
                checked: self,
                reader,
                table_findings_read: 0,
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

    /// The warnings about which houses are sent: those of hidden, crossed-out and closed rows, and those of another column
    /// with addresses.
    pub fn warnings_about_houses(&self) -> impl Iterator<Item = Problem> {
        let table_findings = self.found.table_findings.iter();
        let table_findings = table_findings.filter(|(_, table_finding)| match table_finding {
            TableFinding::Counted { kind, .. } => matches!(
                kind,
                CountedRow::OtherAddress(_)
                    | CountedRow::Hidden
                    | CountedRow::CrossedOut
                    | CountedRow::Closed(_)
            ),
            _ => false,
        });
        table_findings.map(|(row, table_finding)| {
            problem(
                *row,
                table_finding.to_finding(&self.found, &self.rows),
                &self.found,
            )
        })
    }

    /// A problem that was found after the check, with the cell of its field.
    pub(in crate::import) fn problem_of(
        &self,
        row: RowNumber,
        field: Option<Field>,
        severity: Severity,
        message: String,
    ) -> Problem {
        let columns = &self.found.columns;
        let finding = Finding {
            severity,
            field,
            column: field.and_then(|field| columns.supplying(field)),
            message,
        };
        problem(row, finding, &self.found)
    }

    /// The column of ids, if several houses have one id in it.
    pub fn column_of_shared_ids(&self) -> Option<usize> {
        let mut table_findings = self.found.table_findings.iter();
        let is_shared = table_findings.any(|(_, table_finding)| match table_finding {
            TableFinding::RepeatedId { house, .. } => *house == HouseComparison::Other,
            _ => false,
        });
        let column = self.found.columns.supplying(Field::Id);
        column.filter(|_| is_shared)
    }

    fn unreadable(&self, error: io::Error) -> sheet::Error {
        sheet::Error {
            file: self.layout.file.clone(),
            cause: SheetError::Findings(error),
        }
    }
}

impl Problems<'_> {
    fn findings(&self) -> &CheckFindings {
        &self.checked.found
    }

    fn table_finding_row(&self) -> Option<RowNumber> {
        self.findings()
            .table_findings
            .get(self.table_findings_read)
            .map(|(row, _)| *row)
    }

    /// Reads the findings of the next row that has any.
    fn read_row(&mut self) -> io::Result<()> {
        let spooled_row = self.spooled.as_ref().map(|(row, _)| *row);
        let rows = [spooled_row, self.table_finding_row()];
        let Some(row) = rows.into_iter().flatten().min() else {
            return Ok(());
        };
        let mut findings = Vec::new();
        while let Some((_, finding)) = self.spooled.take_if(|(of, _)| *of == row) {
            findings.push(finding);
            self.spooled = self.reader.next()?;
        }
        while self.table_finding_row() == Some(row) {
            let (_, table_finding) = self.findings().table_findings[self.table_findings_read];
            let findings_of_check = self.findings();
            findings.push(table_finding.to_finding(findings_of_check, &self.checked.rows));
            self.table_findings_read += 1;
        }
        findings.sort_by_key(|finding| finding.severity);
        let problems = findings
            .into_iter()
            .map(|finding| problem(row, finding, self.findings()));
        self.of_row = problems.collect();
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

fn problem(row: RowNumber, finding: Finding, facts: &CheckFindings) -> Problem {
    let headers = facts.columns.headers();
    Problem {
        row,
        column_index: finding.column,
        cell: finding.column.map(|column| cell_address(column, row)),
        column: finding
            .column
            .and_then(|column| headers.get(column))
            .filter(|header| !header.trim().is_empty())
            .cloned(),
        field: finding.field,
        severity: finding.severity,
        message: finding.message,
    }
}
