//! The column `house` of requests, by which houses are looked up.

use rusqlite::Connection;

use crate::model::{HouseLookup, Request, StreetAddress};

/// Computes the houses of requests that were stored without them.
pub(super) fn fill_missing(connection: &Connection) -> rusqlite::Result<()> {
    let mut missing =
        connection.prepare("SELECT rowid, request FROM requests WHERE house IS NULL")?;
    let mut update = connection.prepare("UPDATE requests SET house = ?2 WHERE rowid = ?1")?;
    let missing = missing
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
    for (row, request) in missing {
        let request: Option<Request> = serde_json::from_str(&request).ok();
        update.execute([row, request.map_or(0, |request| from_request(&request))])?;
    }
    Ok(())
}

/// Returns the house of a request as a column value.
pub(super) fn from_request(request: &Request) -> i64 {
    from_lookup(StreetAddress::new(&request.address).lookup())
}

/// Returns the hash of a house as a column value.
pub(super) fn from_lookup(house: HouseLookup) -> i64 {
    house.0.cast_signed()
}
