//! The rows that the newest run of each table left pending, and those that left the table before they were requested.

use std::collections::HashSet;

use rusqlite::Connection;

use crate::journal::column_values::column_json;
use crate::journal::{Error, SubmissionIndex};
use crate::model::{AddressText, CustomerSketch, Request, StreetAddress, TableSource, text_digest};

/// A row, by digests of its external id, its house and its customer; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PendingRow {
    id: u64,
    house: u64,
    customer: u64,
}

/// The rows of a table that were not sent.
#[derive(Clone, Debug, Default)]
pub struct UnsentRows {
    /// Those that the newest run left pending.
    pub pending: Vec<PendingRow>,
    /// Those that left the table before they were requested.
    pub missing: Vec<PendingRow>,
}

impl PendingRow {
    /// The row with that id, house and customer; an invalid row has neither.
    pub fn new(external_id: &str, house: Option<(u64, CustomerSketch)>) -> Self {
        let (house, customer) = house.unzip();
        Self {
            id: text_digest(external_id),
            house: house.unwrap_or_default(),
            customer: customer.map_or(0, CustomerSketch::to_bits),
        }
    }

    /// The row of a request.
    pub fn from_request(request: &Request) -> Self {
        let address = AddressText::from(&request.address);
        let house = StreetAddress::from_building(address).house_digest(address.line2);
        let customer = CustomerSketch::from(&request.customer);
        Self::new(&request.external_id, Some((house, customer)))
    }
}

/// The rows as the journal stores them; `None` if there are none.
pub(super) fn to_bytes(rows: &[PendingRow]) -> Option<Vec<u8>> {
    let numbers = rows
        .iter()
        .flat_map(|row| [row.id, row.house, row.customer]);
    (!rows.is_empty()).then(|| numbers.flat_map(u64::to_be_bytes).collect())
}

fn from_bytes(bytes: &[u8]) -> Vec<PendingRow> {
    let (numbers, _) = bytes.as_chunks();
    let row = |row: &[[u8; 8]; 3]| {
        let [id, house, customer] = row.map(u64::from_be_bytes);
        PendingRow {
            id,
            house,
            customer,
        }
    };
    let (rows, _) = numbers.as_chunks();
    rows.iter().map(row).collect()
}

impl SubmissionIndex {
    /// Returns the rows that earlier runs of a table left pending, that the service did not answer and that are not among
    /// `all` rows of the table now. Given the `other_sheets` of the workbook, rows of sheets that it no longer has count
    /// too.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn missing_rows(
        &self,
        source: &TableSource,
        other_sheets: Option<&[&str]>,
        all: &dyn Fn() -> Vec<PendingRow>,
    ) -> Result<Vec<PendingRow>, Error> {
        let connection = self.connection();
        let sql = "SELECT sheet, pending, missing FROM sources
            WHERE path = ?1 AND (pending IS NOT NULL OR missing IS NOT NULL)";
        let mut sources = connection.prepare(sql)?;
        let mut sources = sources.query([&source.path.to_string_lossy()])?;
        let mut missing = Vec::new();
        let mut rows_now = None;
        while let Some(row) = sources.next()? {
            let rows = |column| {
                row.get(column)
                    .map(|bytes: Option<Vec<u8>>| from_bytes(&bytes.unwrap_or_default()))
            };
            let unsent = UnsentRows {
                pending: rows(1)?,
                missing: rows(2)?,
            };
            let sheet: String = row.get(0)?;
            let is_gone = || other_sheets.is_some_and(|others| !others.contains(&sheet.as_str()));
            if source.sheet.as_deref().unwrap_or_default() != sheet && !is_gone() {
                continue;
            }
            let now = rows_now.get_or_insert_with(|| Digests::from_rows(&all()));
            missing.extend(missing_of_source(connection, unsent, now)?);
        }
        let mut counted = HashSet::new();
        missing.retain(|row| counted.insert(*row));
        Ok(missing)
    }
}

/// The unsent rows that are not in the table any more and were not answered.
fn missing_of_source(
    connection: &Connection,
    UnsentRows {
        pending,
        mut missing,
    }: UnsentRows,
    now: &Digests,
) -> Result<Vec<PendingRow>, Error> {
    // Ids may begin again in another sheet, which may have some rows of this one.
    let same_ids = pending.iter().filter(|row| now.has_id(**row));
    let same_rows = same_ids.clone().filter(|row| now.has_house(**row));
    let is_this_sheet = same_rows.count() * 2 > same_ids.count();
    let has = |rows: &Digests, row: &PendingRow| {
        rows.has_house(*row) || is_this_sheet && rows.has_id(*row)
    };
    missing.extend(&pending);
    missing.retain(|row| !has(now, row));
    if !missing.is_empty() {
        let answered = answered(connection, |_| true)?;
        missing.retain(|row| !has(&answered, row));
    }
    Ok(missing)
}

/// How many of the rows that the newest run of a table left pending, as they are stored, were not answered under their
/// ids.
pub(super) fn unsent_rows(connection: &Connection, pending: &[u8]) -> rusqlite::Result<u64> {
    let rows = from_bytes(pending);
    let ids: HashSet<u64> = rows.iter().map(|row| row.id).collect();
    let answered = answered(connection, |id| ids.contains(&id))?;
    let unsent = rows.iter().filter(|row| !answered.has_house(**row));
    Ok(unsent.count() as u64)
}

/// The requests with these ids that the service answered.
fn answered(connection: &Connection, is_wanted: impl Fn(u64) -> bool) -> rusqlite::Result<Digests> {
    let mut digests = Digests::default();
    let mut requests =
        connection.prepare("SELECT external_id, request FROM requests WHERE state <> 'sent'")?;
    let mut requests = requests.query([])?;
    while let Some(row) = requests.next()? {
        let id = row.get_ref(0)?.as_str()?;
        if !is_wanted(text_digest(id)) {
            continue;
        }
        digests.add(PendingRow::from_request(&column_json(row, 1)?));
    }
    Ok(digests)
}

/// The digests of some rows.
#[derive(Debug, Default)]
struct Digests {
    houses: HashSet<u64>,
    /// Ids with their customers.
    ids: HashSet<(u64, u64)>,
    /// Ids of rows of which nothing else is known.
    bare_ids: HashSet<u64>,
}

impl Digests {
    fn from_rows(rows: &[PendingRow]) -> Self {
        let mut digests = Self::default();
        for row in rows {
            digests.add(*row);
        }
        digests
    }

    fn add(&mut self, row: PendingRow) {
        if row.house == 0 {
            self.bare_ids.insert(row.id);
        } else {
            self.houses.insert(row.house);
            self.ids.insert((row.id, row.customer));
        }
    }

    fn has_house(&self, row: PendingRow) -> bool {
        row.house != 0 && self.houses.contains(&row.house)
    }

    /// Whether a row with the same id and customer is among them, or one with the id of which nothing else is known.
    fn has_id(&self, row: PendingRow) -> bool {
        self.ids.contains(&(row.id, row.customer)) || self.bare_ids.contains(&row.id)
    }
}
