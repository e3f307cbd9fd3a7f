//! Rows to standings: what may be sent, what not and why.
//!
//! Nothing here stops at a bad row, and nothing keeps a row: of a million rows only ids and hashes stay in memory.

mod address;
mod cells;
mod contact;
mod draft;
mod findings;
mod identity;
mod ids;
mod mapping;
mod numbers;
mod postal_code;
mod regions;
mod requests;
mod row;
mod tidy;

use crate::import::check::findings::Findings;
use crate::import::check::ids::{Ids, Keys, Prefixed, Twin, id_of, rival, twin};
use crate::import::check::mapping::Samples;
use crate::import::check::row::RowCheck;
use crate::import::{Checked, CheckedRow, Input, Rules, Standing};
use crate::model::{ContentHash, RowNumber};
use crate::table::{self, Charset, Columns, Form, Row, Table};

pub use findings::Counts;
pub use regions::region_codes;
pub use requests::Requests;
pub use row::LABEL_LIMIT;

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckProgress {
    /// Rows read.
    pub rows: u64,
    /// Bytes of the file read; 0 where that cannot be told.
    pub bytes: u64,
    /// Bytes of the whole file.
    pub of_bytes: u64,
}

/// Rows between two reports of progress.
const REPORT_EVERY: u64 = 4096;

/// Reads the whole file once and judges every row.
///
/// # Errors
/// Only what makes the file unusable; a bad row is a problem among others.
pub fn check(
    input: &Input,
    mut progress: impl FnMut(CheckProgress),
) -> Result<Checked, table::Error> {
    let mut table = table::open(&input.document, &input.options)?;
    let columns = table.columns().clone();
    let reading = table.reading().clone();
    let mut samples = Samples::new(&columns);
    let mut judge = Judge::new(&columns, &input.rules, &reading);
    let of_bytes = table.fingerprint().length();
    let mut rows = 0;
    loop {
        if rows % REPORT_EVERY == 0 {
            progress(CheckProgress {
                rows,
                bytes: table.bytes_read(),
                of_bytes,
            });
        }
        let Some(row) = table.next_row()? else { break };
        rows += 1;
        samples.look(&row);
        judge.row(row);
    }
    Ok(finish(&table, judge, samples, &columns))
}

fn finish(table: &Table, judge: Judge<'_>, samples: Samples, columns: &Columns) -> Checked {
    let (rows, findings) = judge.end();
    let (problems, counts) = findings.into_sorted();
    Checked {
        source: table.source().clone(),
        reading: table.reading().sentence(),
        layout: table.reading().clone(),
        mapping: samples.into_mapping(columns),
        unused: columns.unused().map(str::to_owned).collect(),
        rows,
        blank_skipped: table.blank_skipped(),
        problems,
        counts,
        fingerprint: table.fingerprint(),
    }
}

/// Gathers the standings of rows.
struct Judge<'a> {
    columns: &'a Columns,
    rules: &'a Rules,
    form: Form,
    rows: Vec<CheckedRow>,
    ids: Ids,
    findings: Findings,
    /// Text was read in an encoding of last resort, and nobody was told yet.
    doubtful: bool,
    hidden: Vec<RowNumber>,
}

impl<'a> Judge<'a> {
    fn new(columns: &'a Columns, rules: &'a Rules, reading: &table::Reading) -> Self {
        Self {
            columns,
            rules,
            form: reading.form,
            rows: Vec::new(),
            ids: Ids::default(),
            findings: Findings::default(),
            doubtful: reading.charset == Some(Charset::LastResort),
            hidden: Vec::new(),
        }
    }

    fn row(&mut self, row: Row<'_>) {
        let number = row.number;
        self.warn_of_encoding(&row);
        if row.hidden {
            self.hidden.push(number);
        }
        let mut check = RowCheck {
            row,
            columns: self.columns,
            rules: self.rules,
            form: self.form,
            findings: Vec::new(),
        };
        let draft = check.draft();
        let valid = !check.is_invalid();
        check.findings.sort_by_key(|finding| finding.column);
        for finding in check.findings {
            self.findings.add(number, self.columns, finding);
        }
        let content = valid.then(|| draft.content_hash());
        let id = draft.external_id.as_ref();
        let standing = self.standing(number, id, content);
        if matches!(standing, Standing::Valid { .. }) {
            let keys = Keys {
                id: identity::id_key(id),
                roof: identity::house_key(&draft.line1, &draft.postal_code),
            };
            self.ids.note(self.rows.len(), id, keys);
        }
        self.rows.push(CheckedRow { number, standing });
    }

    fn standing(&mut self, number: RowNumber, id: &str, content: Option<ContentHash>) -> Standing {
        if id.is_empty() {
            return Standing::Invalid { external_id: None };
        }
        let Some(earlier) = self.ids.add(id, &self.rows) else {
            return match content {
                Some(content) => Standing::Valid {
                    external_id: id.into(),
                    content,
                },
                None => Standing::Invalid {
                    external_id: Some(id.into()),
                },
            };
        };
        match twin(&self.rows[earlier], content) {
            Twin::Duplicate(of) => Standing::Duplicate { of },
            Twin::Rival => {
                self.refuse_rivals(earlier, number, id);
                Standing::Invalid {
                    external_id: Some(id.into()),
                }
            }
        }
    }

    fn refuse_rivals(&mut self, earlier: usize, number: RowNumber, id: &str) {
        let first = &mut self.rows[earlier];
        self.findings
            .add(number, self.columns, rival(first.number, self.columns));
        if matches!(first.standing, Standing::Valid { .. }) {
            first.standing = Standing::Invalid {
                external_id: Some(id.into()),
            };
            self.findings
                .add(first.number, self.columns, rival(number, self.columns));
        }
    }

    fn warn_of_encoding(&mut self, row: &Row<'_>) {
        if !self.doubtful {
            return;
        }
        let odd = (0..row.width()).find(|&column| !row.cell(column).text.is_ascii());
        if let Some(column) = odd {
            self.doubtful = false;
            self.findings
                .add(row.number, self.columns, mapping::doubtful(row, column));
        }
    }

    fn end(mut self) -> (Vec<CheckedRow>, Findings) {
        self.refuse_copies_of_invalid_rows();
        if let Some(finding) = mapping::hidden_rows(&self.hidden) {
            self.findings.add(self.hidden[0], self.columns, finding);
        }
        let prefixed = match self.rules.id_prefix {
            Some(_) => Prefixed::Yes,
            None => Prefixed::No,
        };
        self.ids
            .warn(&self.rows, self.columns, prefixed, &mut self.findings);
        (self.rows, self.findings)
    }

    /// A copy of a row that a later rival made invalid is as doubtful as that row.
    fn refuse_copies_of_invalid_rows(&mut self) {
        for index in 0..self.rows.len() {
            let Standing::Duplicate { of } = self.rows[index].standing else {
                continue;
            };
            let Ok(first) = self.rows.binary_search_by_key(&of, |row| row.number) else {
                continue;
            };
            if let (Standing::Invalid { .. }, Some(id)) =
                (&self.rows[first].standing, id_of(&self.rows[first]))
            {
                let external_id = Some(id.into());
                let number = self.rows[index].number;
                self.rows[index].standing = Standing::Invalid { external_id };
                self.findings
                    .add(number, self.columns, rival(of, self.columns));
            }
        }
    }
}
