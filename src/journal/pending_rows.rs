//! The rows that the newest run of each table left pending, so that an import can tell those that left the table unsent.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension};

use crate::journal::{Error, SubmissionIndex};
use crate::model::{ContentHash, HouseHash, TableSource};

/// Size of a stored row.
const ROW_BYTES: usize = 16;

/// A row, by digests of its external id and its house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingRow {
    id: [u8; 8],
    house: [u8; 8],
}

impl PendingRow {
    /// The row with that id and house; an invalid row may have none.
    pub fn new(external_id: &str, house: Option<HouseHash>) -> Self {
        let digest = ContentHash::from_fields([Some(external_id)]).to_bytes();
        let (halves, _) = digest.as_chunks::<8>();
        Self {
            id: halves[0],
            house: house.map_or([0; 8], |house| house.0.to_be_bytes()),
        }
    }
}

/// The rows that a run left pending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingRows(Vec<PendingRow>);

impl FromIterator<PendingRow> for PendingRows {
    fn from_iter<I: IntoIterator<Item = PendingRow>>(rows: I) -> Self {
        Self(rows.into_iter().collect())
    }
}

impl PendingRows {
    /// Their number.
    pub(super) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// The rows as the journal stores them; none where there are none.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let rows = self.0.iter().flat_map(|row| [row.id, row.house].concat());
        (!self.0.is_empty()).then(|| rows.collect())
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let (rows, _) = bytes.as_chunks::<ROW_BYTES>();
        let row = |row: &[u8; ROW_BYTES]| {
            let (halves, _) = row.as_chunks::<8>();
            PendingRow {
                id: halves[0],
                house: halves[1],
            }
        };
        rows.iter().map(row).collect()
    }
}

impl SubmissionIndex {
    /// Returns how many of the rows that the newest run of a table left pending were never requested and are not among
    /// `all` rows of the table now; 0 if its `new` rows were pending too, so that the user only removed others.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn unsent_rows(
        &self,
        source: &TableSource,
        new: &dyn Fn() -> PendingRows,
        all: &dyn Fn() -> PendingRows,
    ) -> Result<u64, Error> {
        let Some(connection) = self.connection() else {
            return Ok(0);
        };
        let sheet = source.sheet.as_deref().unwrap_or_default();
        let before = stored(connection, &source.path.to_string_lossy(), sheet)?;
        let known = Digests::of(&before);
        if before.0.is_empty() || new().0.iter().all(|row| known.have(*row)) {
            return Ok(0);
        }
        Ok(unsent(connection, before, Digests::of(&all()))?)
    }
}

/// How many of the rows that the newest run of a table left pending were never requested.
pub(super) fn unsent_of_table(
    connection: &Connection,
    path: &str,
    sheet: &str,
) -> rusqlite::Result<u64> {
    unsent(
        connection,
        stored(connection, path, sheet)?,
        Digests::default(),
    )
}

fn stored(connection: &Connection, path: &str, sheet: &str) -> rusqlite::Result<PendingRows> {
    let sql = "SELECT pending FROM sources WHERE path = ?1 AND sheet = ?2";
    let bytes: Option<Option<Vec<u8>>> = connection
        .query_row(sql, [path, sheet], |row| row.get(0))
        .optional()?;
    Ok(PendingRows::from_bytes(
        &bytes.flatten().unwrap_or_default(),
    ))
}

/// How many rows are neither among the settled ones nor requested.
fn unsent(
    connection: &Connection,
    mut rows: PendingRows,
    mut settled: Digests,
) -> rusqlite::Result<u64> {
    rows.0.retain(|row| !settled.have(*row));
    if rows.0.is_empty() {
        return Ok(0);
    }
    let mut requests = connection.prepare("SELECT external_id, house FROM requests")?;
    let mut requests = requests.query([])?;
    while let Some(request) = requests.next()? {
        let house: Option<i64> = request.get(1)?;
        let house = house.map(|house| HouseHash(house.cast_unsigned()));
        let id: String = request.get(0)?;
        settled.add(PendingRow::new(&id, house));
    }
    rows.0.retain(|row| !settled.have(*row));
    Ok(rows.len())
}

/// The digests of some rows.
#[derive(Debug, Default)]
struct Digests {
    ids: HashSet<[u8; 8]>,
    houses: HashSet<[u8; 8]>,
}

impl Digests {
    fn of(rows: &PendingRows) -> Self {
        let mut digests = Self::default();
        rows.0.iter().for_each(|row| digests.add(*row));
        digests
    }

    fn add(&mut self, row: PendingRow) {
        self.ids.insert(row.id);
        if row.house != [0; 8] {
            self.houses.insert(row.house);
        }
    }

    fn have(&self, row: PendingRow) -> bool {
        self.ids.contains(&row.id) || self.houses.contains(&row.house)
    }
}
