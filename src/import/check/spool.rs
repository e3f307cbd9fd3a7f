//! Stores findings in memory, or in a private temporary file once they are many, so that a million wrong rows need no more
//! memory than a million valid ones.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Result, Write};

use tempfile::NamedTempFile;

use crate::import::check::finding::Finding;
use crate::model::{Field, RowNumber, Severity};

/// Maximum number of bytes in memory.
const IN_MEMORY: usize = 4 << 20;

/// Represents no column or no field.
const NONE: u32 = u32::MAX;

/// A finding with its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpooledFinding {
    pub(super) row: RowNumber,
    pub(super) finding: Finding,
}

/// Findings in the order in which they were pushed.
#[derive(Debug, Default)]
pub(super) struct FindingSpool {
    memory: Vec<u8>,
    /// The findings before those in `memory`.
    file: Option<NamedTempFile>,
}

impl FindingSpool {
    pub(super) fn push(&mut self, spooled: &SpooledFinding) -> Result<()> {
        write_one(&mut self.memory, spooled);
        if self.memory.len() > IN_MEMORY {
            self.spill()?;
        }
        Ok(())
    }

    /// Makes all findings readable.
    pub(super) fn flush(&mut self) -> Result<()> {
        match self.file {
            Some(_) => self.spill(),
            None => Ok(()),
        }
    }

    fn spill(&mut self) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(NamedTempFile::new()?),
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        file.flush()
    }

    /// Reads from the start.
    pub(super) fn reader(&self) -> Result<SpoolReader<'_>> {
        let source = match &self.file {
            Some(file) => SpoolSource::File(BufReader::new(file.reopen()?)),
            None => SpoolSource::Memory(Cursor::new(&self.memory)),
        };
        Ok(SpoolReader { source })
    }
}

fn write_one(out: &mut Vec<u8>, spooled: &SpooledFinding) {
    let SpooledFinding { row, finding } = spooled;
    let field = finding.field.map_or(NONE, |field| field as u32);
    let column = finding.column.and_then(|column| u32::try_from(column).ok());
    let length = u32::try_from(finding.message.len()).expect("a message is shorter than 4 GiB");
    let numbers = [
        row.0,
        finding.severity as u32,
        field,
        column.unwrap_or(NONE),
        length,
    ];
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(finding.message.as_bytes());
}

/// Reads the findings in order.
#[derive(Debug)]
pub(super) struct SpoolReader<'a> {
    source: SpoolSource<'a>,
}

#[derive(Debug)]
enum SpoolSource<'a> {
    Memory(Cursor<&'a Vec<u8>>),
    File(BufReader<File>),
}

impl SpoolReader<'_> {
    /// The next finding; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<SpooledFinding>> {
        match &mut self.source {
            SpoolSource::Memory(memory) => read_one(memory),
            SpoolSource::File(file) => read_one(file),
        }
    }
}

fn read_one(source: &mut impl Read) -> Result<Option<SpooledFinding>> {
    let mut head = [0; 20];
    if source.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    source.read_exact(&mut head[1..])?;
    let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
    let mut message = vec![0; number(16) as usize];
    source.read_exact(&mut message)?;
    let severities = [Severity::Error, Severity::Warning, Severity::Tidied];
    let severity = severities
        .into_iter()
        .find(|severity| *severity as u32 == number(4));
    let field = Field::ALL
        .into_iter()
        .find(|field| *field as u32 == number(8));
    Ok(Some(SpooledFinding {
        row: RowNumber(number(0)),
        finding: Finding {
            severity: severity.unwrap_or(Severity::Error),
            field,
            column: Some(number(12))
                .filter(|column| *column != NONE)
                .map(|column| column as usize),
            message: String::from_utf8_lossy(&message).into_owned(),
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spooled(row: u32, message: &str) -> SpooledFinding {
        SpooledFinding {
            row: RowNumber(row),
            finding: Finding {
                severity: Severity::Tidied,
                field: Some(Field::City),
                column: Some(6),
                message: message.to_owned(),
            },
        }
    }

    fn read(spool: &FindingSpool) -> Vec<SpooledFinding> {
        let mut reader = spool.reader().unwrap();
        std::iter::from_fn(|| reader.next().unwrap()).collect()
    }

    #[test]
    fn findings_come_back_as_they_went_in() {
        let mut spool = FindingSpool::default();
        let mut bare = spooled(3, "");
        (bare.finding.field, bare.finding.column) = (None, None);
        let all = [spooled(2, "`Québec` → `QC`"), bare];
        for one in &all {
            spool.push(one).unwrap();
        }
        spool.flush().unwrap();
        assert_eq!(read(&spool), all);
        assert!(spool.file.is_none());
    }

    #[test]
    fn many_findings_leave_the_memory_and_keep_their_order() {
        let mut spool = FindingSpool::default();
        let message = "x".repeat(1000);
        let rows = 10_000;
        for row in 0..rows {
            spool.push(&spooled(row, &message)).unwrap();
        }
        spool.flush().unwrap();
        assert!(spool.memory.is_empty() && spool.file.is_some());
        let found: Vec<u32> = read(&spool).iter().map(|one| one.row.0).collect();
        assert_eq!(found, (0..rows).collect::<Vec<_>>());
    }
}
