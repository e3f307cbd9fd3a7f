//! Recognizes copies of rejects: a person may have them by mail, in another folder or under another name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use rusqlite::Connection;

use crate::journal::SourceId;
use crate::journal::column_values::query_rows;
use crate::journal::written_files::rejects_rows;
use crate::model::{Field, RowNumber, SampledRows, has_only_digits};

/// A rejects file that the program wrote, and its original.
pub(super) struct KnownRejects {
    /// The path of the rejects file.
    pub(super) path: String,
    pub(super) source: SourceId,
    /// The path of the original file.
    pub(super) original: String,
    /// The paths of other rejects of the original that the file may as well be a copy of.
    pub(super) others: Vec<String>,
}

/// Of which rejects a file has rows.
pub(super) enum FoundRejects {
    None,
    One(KnownRejects),
    /// Of those of several tables, which have the flags of several sheets; or it is not clear of which.
    Several,
    /// Of some, but most of its rows are others.
    Few,
}

impl FoundRejects {
    /// The rejects, if the file is a copy of one.
    pub(super) fn one(self) -> Option<KnownRejects> {
        match self {
            Self::One(rejects) => Some(rejects),
            Self::None | Self::Several | Self::Few => None,
        }
    }
}

impl From<Option<KnownRejects>> for FoundRejects {
    fn from(rejects: Option<KnownRejects>) -> Self {
        rejects.map_or(Self::None, Self::One)
    }
}

/// Returns the rejects at a path, unless no row of the file there is theirs or a row is that of another sheet's; or
/// those that the file is a copy of: it has the columns of rejects, and most of its rows are theirs, or were and are
/// corrected. Which ones it is a copy of has to be clear: those with the most equal cells, or the name of which it has.
/// Without numbers of rows, the name decides. Rows that another journal wrote beside the original may be older.
pub(super) fn find_rejects(
    connection: &Connection,
    path: &Path,
    sample: impl FnOnce() -> Option<SampledRows>,
) -> rusqlite::Result<FoundRejects> {
    let sql = "SELECT written_files.path, source, sources.path FROM written_files
        JOIN sources ON sources.id = source WHERE kind = 'rejects'";
    let mut all: Vec<KnownRejects> = query_rows(connection, sql, [], |row| {
        Ok(KnownRejects {
            path: row.get(0)?,
            source: SourceId(row.get(1)?),
            original: row.get(2)?,
            others: Vec::new(),
        })
    })?;
    // A file may have the columns and the name of rejects, without being a copy of them.
    all.retain(|rejects| Path::new(&rejects.original) != path);
    if all.is_empty() {
        return Ok(FoundRejects::None);
    }
    if let Some(at_path) = all
        .iter()
        .position(|rejects| Path::new(&rejects.path) == path)
    {
        let rejects = all.swap_remove(at_path);
        let sample = sample().unwrap_or_default();
        let known = known_texts(connection, &rejects)?;
        let (own, _) = known_rows(&known, &sample);
        let others = all.iter().filter(|other| other.source != rejects.source);
        for other in others.filter(|_| own.len() < sample.len()) {
            let of_other = known_texts(connection, other)?;
            let (rows, _) = known_rows(&of_other, &sample);
            // A row that became another house may be as near to one of another sheet, such as a copy of the original.
            let is_pasted = |row: &usize| {
                let [there, here] =
                    [&of_other, &known].map(|known| nearest(known, &sample, *row).0);
                there > here
            };
            if rows.difference(&own).any(is_pasted) {
                // Somebody has pasted rows of another sheet into the file.
                return Ok(FoundRejects::Several);
            }
        }
        let rejects = Some(rejects).filter(|_| !are_of_others(&known, &sample));
        return Ok(rejects.into());
    }
    let Some(sample) = sample() else {
        return Ok(FoundRejects::None);
    };
    let mut found: Vec<(CopyEvidence, KnownRejects)> = Vec::new();
    for rejects in all {
        let evidence = CopyEvidence::find(connection, &sample, (&rejects, path))?;
        found.push((evidence, rejects));
    }
    if found.iter().all(|(evidence, _)| evidence.rows.is_empty()) {
        if sample.iter().any(|(row, _)| row.is_some()) {
            // None of its rows is theirs: another journal wrote them.
            return Ok(FoundRejects::None);
        }
        let named = found.into_iter().filter_map(|(_, rejects)| {
            Some((name_similarity(Path::new(&rejects.path), path)?, rejects))
        });
        let nearest = named.max_by_key(|(similarity, _)| *similarity);
        return Ok(nearest.map(|(_, rejects)| rejects).into());
    }
    let rank = found.iter().map(|(evidence, _)| evidence.rank()).max();
    let (best, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|(evidence, _)| Some(evidence.rank()) == rank);
    let is_other = |rejects: &KnownRejects| best[0].1.source != rejects.source;
    let mut of_others = others.iter().filter(|(_, rejects)| is_other(rejects));
    let is_mixed = of_others.any(|(evidence, _)| !evidence.rows.is_subset(&best[0].0.rows));
    let is_most = best[0].0.rows.len() * 2 >= sample.len();
    let is_clear = !best.iter().any(|(_, rejects)| is_other(rejects));
    if is_mixed || !is_clear {
        return Ok(FoundRejects::Several);
    }
    let may_be = |(evidence, _): &&(CopyEvidence, KnownRejects)| {
        evidence.rows == best[0].0.rows && evidence.texts == best[0].0.texts
    };
    let alike = others.iter().chain(&best[1..]).filter(may_be);
    let alike = alike.map(|(_, rejects)| rejects.path.clone()).collect();
    let Some((evidence, mut rejects)) = best.into_iter().next() else {
        return Ok(FoundRejects::None);
    };
    rejects.others = alike;
    let mut rows = evidence.rows.iter();
    Ok(if is_most {
        FoundRejects::One(rejects)
    } else if rows.any(|row| sample[*row].0.is_some()) {
        FoundRejects::Few
    } else {
        // A list of other houses of a customer resembles their rows.
        FoundRejects::None
    })
}

/// What tells that a file is a copy of rejects.
struct CopyEvidence {
    /// The indices of its rows that are theirs.
    rows: BTreeSet<usize>,
    /// The number of texts of these rows that are equal.
    texts: usize,
    /// Whether it has their name, but for what marks a copy.
    has_name: bool,
}

impl CopyEvidence {
    fn find(
        connection: &Connection,
        sample: &SampledRows,
        (rejects, path): (&KnownRejects, &Path),
    ) -> rusqlite::Result<Self> {
        let written = Path::new(&rejects.path);
        let mut evidence = Self {
            rows: BTreeSet::new(),
            texts: 0,
            has_name: is_copy_name(written, path),
        };
        let is_written = is_default_name(Path::new(&rejects.original), path)
            && path.extension() == written.extension();
        if sample.is_empty() || is_written {
            return Ok(evidence);
        }
        (evidence.rows, evidence.texts) = known_rows(&known_texts(connection, rejects)?, sample);
        Ok(evidence)
    }

    fn rank(&self) -> (usize, usize, bool) {
        (self.rows.len(), self.texts, self.has_name)
    }
}

/// The number of a row, and its cells by field.
pub(super) type CellsByField = (RowNumber, BTreeMap<String, String>);

/// The texts of rejected rows by the number of the row; a row may have been corrected and rejected again.
type RowTexts = HashMap<RowNumber, Vec<RejectedTexts>>;

/// The texts of a rejected row.
#[derive(Debug, Default)]
struct RejectedTexts {
    all: Vec<String>,
    /// Those of the id and of the street, which no other row of a customer has.
    own: Vec<String>,
}

/// The cells of the rows of rejects, and of those that were corrected in them, by field.
fn known_cells(
    connection: &Connection,
    rejects: &KnownRejects,
) -> rusqlite::Result<Vec<CellsByField>> {
    let mut known: Vec<(RowNumber, String)> = rejects_rows(connection, &rejects.path)?;
    let sql = "SELECT source_row, cells FROM corrections WHERE source = ?1";
    let corrected: Vec<(RowNumber, String)> =
        query_rows(connection, sql, [rejects.source.0], |row| {
            Ok((RowNumber(row.get(0)?), row.get(1)?))
        })?;
    known.extend(corrected);
    let fields = |cells: String| serde_json::from_str(&cells).unwrap_or_default();
    let known = known.into_iter();
    Ok(known.map(|(row, cells)| (row, fields(cells))).collect())
}

/// The cells of the rows of rejects, and of those that were corrected in them, whose ids a spreadsheet changes because
/// they begin with zeros.
pub(super) fn rows_with_zeros(
    connection: &Connection,
    rejects: &KnownRejects,
) -> rusqlite::Result<Vec<CellsByField>> {
    let mut known = known_cells(connection, rejects)?;
    known.retain(|(_, fields)| {
        let id = fields.get(Field::Id.name()).map_or("", String::as_str);
        id.starts_with('0') && has_only_digits(id)
    });
    Ok(known)
}

/// The texts of the rows of rejects, and of those that were corrected in them.
fn known_texts(connection: &Connection, rejects: &KnownRejects) -> rusqlite::Result<RowTexts> {
    let mut by_row = RowTexts::new();
    for (row, fields) in known_cells(connection, rejects)? {
        let lines = |is_counted: &dyn Fn(&str) -> bool| {
            let fields = fields.iter().filter(|(field, _)| is_counted(field));
            let texts = fields.flat_map(|(_, text)| text.lines());
            texts.map(str::to_owned).collect()
        };
        let own = [Field::Id, Field::Line1, Field::Address].map(Field::name);
        by_row.entry(row).or_default().push(RejectedTexts {
            all: lines(&|field| !is_of_place(field)),
            own: lines(&|field| own.contains(&field)),
        });
    }
    Ok(by_row)
}

/// The indices of the rows that are those of rejects, and the number of their texts that are equal.
fn known_rows(known: &RowTexts, sample: &SampledRows) -> (BTreeSet<usize>, usize) {
    let (mut rows, mut texts) = (BTreeSet::new(), 0);
    for index in 0..sample.len() {
        let (equal, is_row) = nearest(known, sample, index);
        if is_row {
            rows.insert(index);
            texts += equal;
        }
    }
    (rows, texts)
}

/// How many texts a row has that the nearest of the rows with its number had, or of those that were added to rejects, or
/// without numbers of all rows, and whether it is that row: it has at least half of them, and without a common number its
/// id or its street and another one.
fn nearest(known: &RowTexts, sample: &SampledRows, index: usize) -> (usize, bool) {
    let (row, cells) = &sample[index];
    let has_numbers = sample.iter().any(|(row, _)| row.is_some());
    let equal = known.iter().flat_map(|(number, texts)| {
        let has_number = row.as_ref() == Some(number);
        let may_be = has_number || !has_numbers || number.is_added();
        let texts = texts.iter().filter(move |_| may_be);
        texts.map(move |before| (has_number, before))
    });
    let equal = equal.map(|(has_number, before)| {
        let is_left = |text: &&String| cells.iter().any(|cell| cell.trim() == text.as_str());
        let left = before.all.iter().filter(is_left).count();
        let is_own = has_number || left >= 2 && before.own.iter().any(|text| is_left(&text));
        (left, is_own && left >= 1 && left * 2 >= before.all.len())
    });
    equal
        .max_by_key(|(left, is_row)| (*is_row, *left))
        .unwrap_or_default()
}

/// Whether the program wrote rejects to a path.
pub(super) fn is_rejects_path(connection: &Connection, path: &Path) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM written_files WHERE kind = 'rejects' AND path = ?1";
    connection.prepare(sql)?.exists([path.to_string_lossy()])
}

/// Whether the rows of a file at the path of rejects are those of another journal: none has a text of theirs. Numbers
/// may be the ids of many files, and a list that was sorted has other rows at these numbers.
fn are_of_others(known: &RowTexts, sample: &SampledRows) -> bool {
    let mut numbered = sample.iter().filter(|(row, _)| row.is_some()).peekable();
    let is_name = |text: &&str| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let rows = known.values().flatten();
    let texts = rows.flat_map(|row| &row.all).map(String::as_str);
    let names: HashSet<&str> = texts.filter(is_name).collect();
    let is_of_known = |cells: &[String]| cells.iter().any(|cell| names.contains(cell.trim()));
    // The rows that the rejects had may all be accepted.
    !names.is_empty() && numbered.peek().is_some() && !numbered.any(|(_, cells)| is_of_known(cells))
}

/// Whether a field says where many customers live.
fn is_of_place(field: &str) -> bool {
    let of_place = [
        Field::City,
        Field::Region,
        Field::PostalCode,
        Field::Country,
    ];
    of_place.iter().any(|one| one.name() == field)
}

/// How well the name of a file matches that of rejects: it is in the same folder and begins with their name or ends
/// with it behind a space, with any extension. The next name for rejects, `leads.rejects-2.csv`, is not that of a copy:
/// another journal may have written the file there.
fn name_similarity(rejects: &Path, file: &Path) -> Option<usize> {
    let (rejects_stem, file_stem) = (stem(rejects)?, stem(file)?);
    // `Copy of leads.rejects.xlsx` is what Google Drive makes.
    let in_front = || {
        let added = file_stem.strip_suffix(&rejects_stem)?;
        added.ends_with(' ').then_some(added)
    };
    let added = file_stem.strip_prefix(&rejects_stem).or_else(in_front)?;
    (rejects.parent() == file.parent() && !is_number(added)).then_some(rejects_stem.len())
}

/// Whether a file has the name of rejects in any folder, or the name that programs give to a copy:
/// `leads.rejects (1).csv`, `leads.rejects - Copy.csv`, `Copy of leads.rejects.csv`.
fn is_copy_name(rejects: &Path, file: &Path) -> bool {
    let Some((rejects, file)) = stem(rejects).zip(stem(file)) else {
        return false;
    };
    let Some((front, behind)) = file.split_once(&rejects) else {
        return false;
    };
    let is_mark = |text: &str| {
        let words: String = text.chars().filter(|c| c.is_alphabetic()).collect();
        ["", "copy", "copyof", "copie", "copiede"].contains(&words.to_lowercase().as_str())
    };
    is_mark(front) && is_mark(behind) && !is_number(behind)
}

/// Whether a file beside the original has a name that the program gives to its rejects.
fn is_default_name(original: &Path, file: &Path) -> bool {
    let added = stem(original).zip(stem(file)).and_then(|(original, file)| {
        let added = file.strip_prefix(&original)?.strip_prefix(".rejects")?;
        Some(added.to_owned())
    });
    original.parent() == file.parent()
        && added.is_some_and(|added| added.is_empty() || is_number(&added))
}

/// Whether this is the number of the second and later rejects, for instance `-2`.
fn is_number(added: &str) -> bool {
    let number = added.strip_prefix('-').map(str::parse::<u32>);
    matches!(number, Some(Ok(_)))
}

fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
