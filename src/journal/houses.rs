//! Houses that were requested before under any id.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rusqlite::OptionalExtension;

use crate::journal::column_values::{
    NAMED_SHEET, column_json, column_optional_name, column_source, query_rows,
};
use crate::journal::{
    Correction, Error, SourceId, StoredHouseKey, SubmissionIndex, TableCorrections, house_column,
};
use crate::model::{HouseHash, Request, RowNumber, Status, TableSource};

/// An earlier request whose house may be that of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRequest {
    /// The version that was submitted.
    pub request: Request,
    /// Its row; `None` if only the service has it, under an id whose row is in conflict.
    pub row: Option<SourceRow>,
    /// The measurement's newest status; `None` if no response was received.
    pub status: Option<Status>,
}

/// The row of an earlier request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// The number of its table.
    pub source: SourceId,
    /// Its table.
    pub table: TableSource,
    /// Whether several sheets of its workbook were imported.
    pub is_one_of_sheets: bool,
    /// The number of the row.
    pub row: RowNumber,
}

/// The requests that count as those of a file.
#[derive(Debug)]
pub struct FileRequests {
    sources: HashSet<SourceId>,
    /// The ids of rows that were corrected in rejects of these tables.
    corrected: HashSet<String>,
}

impl FileRequests {
    /// Whether a request is one of them.
    pub fn has(&self, request: &StoredRequest) -> bool {
        let row = request.row.as_ref();
        row.is_some_and(|row| self.sources.contains(&row.source))
            || self.corrected.contains(&request.request.external_id)
    }
}

impl SubmissionIndex {
    /// Returns the requests of a table and of those from which the rows with the external ids `known` were submitted:
    /// each month's list may have a name of its own, and the rows of the months before. A table has the rows that were
    /// corrected in its rejects, too; these are recognized by their name where a journal was restored.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn requests_of_file(
        &self,
        file: &TableSource,
        known: &HashSet<&str>,
    ) -> Result<FileRequests, Error> {
        let connection = self.connection();
        let all: Vec<(SourceId, TableSource)> = query_rows(
            connection,
            "SELECT id, path, sheet FROM sources",
            [],
            |row| Ok((SourceId(row.get(0)?), column_source(row, 1)?)),
        )?;
        let own = all.iter().filter(|(_, source)| source == file);
        let mut sources: HashSet<SourceId> = own.map(|(id, _)| *id).collect();
        let sql = "SELECT source FROM requests WHERE external_id = ?1";
        let mut source = connection.prepare_cached(sql)?;
        for id in known {
            let found = source.query_row([id], |row| row.get(0).map(SourceId));
            sources.extend(found.optional()?);
        }
        let TableCorrections { own, of_others } = self.corrections(file)?;
        let corrections: Vec<_> = own.into_iter().chain(of_others).collect();
        let is_known = |one: &&Correction| known.contains(one.external_id.as_str());
        sources.extend(corrections.iter().filter(is_known).map(|one| one.source));
        let (counted, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(id, _)| sources.contains(id));
        let counted: HashSet<PathBuf> = counted
            .into_iter()
            .map(|(_, source)| source.path.with_extension(""))
            .collect();
        let rejects = others.into_iter().filter(|(_, source)| {
            original_of(&source.path).is_some_and(|path| counted.contains(&path))
        });
        sources.extend(rejects.map(|(id, _)| id));
        let of_rejects = corrections
            .into_iter()
            .filter(|one| sources.contains(&one.source));
        Ok(FileRequests {
            corrected: of_rejects.map(|one| one.external_id).collect(),
            sources,
        })
    }

    /// Returns the houses of all requests with the house number of `house`, in no particular order. One with that
    /// number in its range has no customer.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn houses_of_number(&self, house: HouseHash) -> Result<Vec<StoredHouseKey>, Error> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let connection = self.connection();
        let sql = "SELECT house, customer FROM requests WHERE house BETWEEN ?1 AND ?2
            UNION ALL SELECT normalized_house, customer FROM requests WHERE normalized_house BETWEEN ?1 AND ?2
            UNION ALL SELECT house, customer FROM unanswered_versions WHERE house BETWEEN ?1 AND ?2
            UNION ALL SELECT house, customer FROM houses_without_row WHERE house BETWEEN ?1 AND ?2
            UNION ALL SELECT other_house, 0 FROM house_ranges WHERE other_house BETWEEN ?1 AND ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let (first, last) = house.all_of_number().into_inner();
        let range = [first, last].map(house_column::from_hash);
        let houses = statement.query_map(range, |row| StoredHouseKey::from_row(row, 0))?;
        Ok(houses.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the houses of all requests without a house number.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn houses_without_number(&self) -> Result<Vec<StoredHouseKey>, Error> {
        // The highest bit of their hashes is set.
        let sql = "SELECT house, customer FROM requests WHERE house < 0";
        let houses = query_rows(self.connection(), sql, [], |row| {
            StoredHouseKey::from_row(row, 0)
        })?;
        Ok(houses)
    }

    /// Returns the requests for a house that the service has or may have, the oldest first, and last those of ranges with
    /// its number. A request that created a measurement with another address is one of them.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn earlier_requests(&self, house: HouseHash) -> Result<Vec<StoredRequest>, Error> {
        let connection = self.connection();
        let mut houses = connection.prepare_cached(
            "SELECT ?1 UNION ALL SELECT house FROM house_ranges WHERE other_house = ?1",
        )?;
        let mut houses = houses.query([house_column::from_hash(house)])?;
        let mut requests = Vec::new();
        while let Some(house) = houses.next()? {
            self.add_requests(house.get(0)?, &mut requests)?;
        }
        Ok(requests)
    }

    fn add_requests(&self, house: i64, requests: &mut Vec<StoredRequest>) -> rusqlite::Result<()> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT request, iif(state = 'sent', NULL, status), source, path, sheet, {NAMED_SHEET} IS NOT NULL, source_row, intended_at, requests.rowid
             FROM requests JOIN sources ON sources.id = source LEFT JOIN measurements USING (external_id)
             WHERE house = ?1 AND (state IN ('created', 'existing', 'sent') OR state = 'conflict' AND status IS NOT NULL)
             UNION ALL
             SELECT normalized, status, source, path, sheet, {NAMED_SHEET} IS NOT NULL, source_row, intended_at, requests.rowid
             FROM requests JOIN sources ON sources.id = source LEFT JOIN measurements USING (external_id)
             WHERE normalized_house = ?1
             UNION ALL
             SELECT request, NULL, source, path, sheet, {NAMED_SHEET} IS NOT NULL, source_row, intended_at, unanswered_versions.id
             FROM unanswered_versions JOIN sources ON sources.id = source WHERE house = ?1
             UNION ALL
             SELECT request, status, NULL, NULL, NULL, NULL, NULL, learned_at, 0 FROM houses_without_row WHERE house = ?1
             ORDER BY 8, 9"
        ))?;
        let found = statement.query_map([house], |row| {
            let request_row = match row.get::<_, Option<i64>>(2)? {
                Some(source) => Some(SourceRow {
                    source: SourceId(source),
                    table: column_source(row, 3)?,
                    is_one_of_sheets: row.get(5)?,
                    row: RowNumber(row.get(6)?),
                }),
                None => None,
            };
            Ok(StoredRequest {
                request: column_json(row, 0)?,
                row: request_row,
                status: column_optional_name(row, 1, Status::from_name)?,
            })
        })?;
        requests.extend(found.collect::<rusqlite::Result<Vec<_>>>()?);
        Ok(())
    }
}

/// The path of the original of rejects by their name, without its extension.
fn original_of(rejects: &Path) -> Option<PathBuf> {
    let (original, _) = rejects.file_stem()?.to_str()?.rsplit_once(".rejects")?;
    Some(rejects.with_file_name(original))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::journal::column_values::request_json;
    use crate::journal::house_column::StoredHouse;
    use crate::journal::schema;
    use crate::model::{ContentHash, CustomerSketch, StreetAddress, derived_id};

    #[test]
    fn the_houses_of_a_number_are_found_under_any_postal_code() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let mut connection = Connection::open(&path).unwrap();
        schema::create(&mut connection).unwrap();
        let source = "INSERT INTO sources (id, path, sheet) VALUES (1, '/leads.csv', '')";
        connection.execute(source, []).unwrap();
        let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at,
            house, customer) VALUES (?1, 1, 2, ?2, ?3, 'created', 0, ?4, ?5)";
        let derived = derived_id(ContentHash::from_fields([Some("12 Elm St")]));
        let ids = ["A", &derived, "C"];
        let lines = ["12 Elm St", "12 Oak St", "14 Elm St"];
        for ((code, external_id), line1) in (0_u8..).zip(ids).zip(lines) {
            let mut request = Request::example();
            request.external_id = external_id.to_owned();
            request.address.line1 = line1.to_owned();
            request.address.postal_code = format!("M5V 1A{code}");
            let [house, customer] = StoredHouse::from(&request).store(&connection).unwrap();
            let values = (
                external_id,
                [code; 16],
                request_json(&request),
                house,
                customer,
            );
            connection.execute(insert, values).unwrap();
        }
        drop(connection);
        let index = crate::journal::read_index(&path).unwrap();
        let address = StreetAddress::parse("12 Any St", None, "14604", None);
        let mut found = index.houses_of_number(address.house_hash()).unwrap();
        found.sort_by_key(|house| house.house_hash);
        let customer = CustomerSketch::from(&Request::example().customer);
        let house = |line1, code, has_derived_id| StoredHouseKey {
            house_hash: StreetAddress::parse(line1, None, code, None).house_hash(),
            customer,
            has_derived_id,
        };
        let mut expected = [
            house("12 Elm St", "M5V 1A0", false),
            house("12 Oak St", "M5V 1A1", true),
        ];
        expected.sort_by_key(|house| house.house_hash);
        assert_eq!(found, expected);

        let earlier = index.earlier_requests(house("12 Elm St", "M5V 1A0", false).house_hash);
        let [earlier] = &earlier.unwrap()[..] else {
            panic!("one request");
        };
        let row = SourceRow {
            source: SourceId(1),
            table: TableSource {
                path: "/leads.csv".into(),
                sheet: None,
            },
            is_one_of_sheets: false,
            row: RowNumber(2),
        };
        assert_eq!(earlier.row, Some(row));
        assert_eq!(earlier.status, None);
    }
}
