//! Stores problems in memory, or in a private temporary file once they are many, so that a million wrong rows need no
//! more memory than a million valid ones.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Result, Write as _};

use tempfile::NamedTempFile;

use crate::import::check::problem_message::RowProblem;
use crate::model::RowNumber;

/// Maximum number of bytes in memory.
const IN_MEMORY: usize = 4 << 20;

/// Problems with their rows, in the order in which they were pushed; a line of JSON each.
#[derive(Debug, Default)]
pub(super) struct ProblemSpool {
    memory: Vec<u8>,
    /// The problems before those in `memory`.
    file: Option<NamedTempFile>,
}

impl ProblemSpool {
    pub(super) fn push(&mut self, problem: &(RowNumber, RowProblem)) -> Result<()> {
        serde_json::to_writer(&mut self.memory, problem)?;
        self.memory.push(b'\n');
        if self.memory.len() > IN_MEMORY {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(NamedTempFile::new()?),
            };
            file.write_all(&self.memory)?;
            self.memory.clear();
        }
        Ok(())
    }

    /// Reads from the start.
    pub(super) fn reader(&self) -> Result<SpoolReader<'_>> {
        let reopen = |file: &NamedTempFile| file.reopen().map(BufReader::new);
        Ok(SpoolReader {
            file: self.file.as_ref().map(reopen).transpose()?,
            memory: &self.memory,
        })
    }
}

/// Reads the problems in order.
#[derive(Debug)]
pub(super) struct SpoolReader<'a> {
    file: Option<BufReader<File>>,
    /// What is left in memory, read after the file.
    memory: &'a [u8],
}

impl SpoolReader<'_> {
    /// The next problem; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(RowNumber, RowProblem)>> {
        let mut line = Vec::new();
        if let Some(file) = &mut self.file {
            file.read_until(b'\n', &mut line)?;
        }
        if line.is_empty() && self.memory.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&line)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Field, Severity};

    fn spooled(row: u32, message: &str) -> (RowNumber, RowProblem) {
        let problem = RowProblem {
            severity: Severity::Tidied,
            field: Some(Field::City),
            column: Some(6),
            message: message!("{message}"),
        };
        (RowNumber(row), problem)
    }

    fn read(spool: &ProblemSpool) -> Vec<(RowNumber, RowProblem)> {
        let mut reader = spool.reader().unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    #[test]
    fn problems_come_back_as_they_went_in() {
        let mut spool = ProblemSpool::default();
        let mut bare = spooled(3, "");
        (bare.1.field, bare.1.column) = (None, None);
        let all = [spooled(2, "`Québec`\n→ `QC`"), bare];
        for one in &all {
            spool.push(one).unwrap();
        }
        assert_eq!(read(&spool), all);
        assert!(spool.file.is_none());
    }

    #[test]
    fn many_problems_leave_the_memory_and_keep_their_order() {
        let mut spool = ProblemSpool::default();
        let message = "x".repeat(1000);
        let rows = 10_000;
        for row in 0..rows {
            spool.push(&spooled(row, &message)).unwrap();
        }
        assert!(spool.memory.len() <= IN_MEMORY && spool.file.is_some());
        let found: Vec<u32> = read(&spool).iter().map(|one| one.0.0).collect();
        assert_eq!(found, (0..rows).collect::<Vec<_>>());
    }
}
