//! The schema, as numbered migrations in `migrations/`. A released migration is never edited; changes are appended as new migrations.

use rusqlite::{Connection, TransactionBehavior};

/// The application id in the file's header, "GUTB".
pub(super) const APPLICATION_ID: i32 = 0x4755_5442;

/// The newest schema that this program knows.
pub(super) const NEWEST: u32 = 20;

const MIGRATIONS: [&str; NEWEST as usize] = [
    include_str!("migrations/01_first.sql"),
    include_str!("migrations/02_billed_elsewhere.sql"),
    include_str!("migrations/03_same_house.sql"),
    include_str!("migrations/04_readings_and_written_files.sql"),
    include_str!("migrations/05_held_houses.sql"),
    include_str!("migrations/06_replaced_files.sql"),
    include_str!("migrations/07_field_names.sql"),
    include_str!("migrations/08_counts_by_status.sql"),
    include_str!("migrations/09_field_errors.sql"),
    include_str!("migrations/10_reported_problems.sql"),
    include_str!("migrations/11_houses_by_number.sql"),
    include_str!("migrations/12_declared_since.sql"),
    include_str!("migrations/13_fewer_indexes.sql"),
    include_str!("migrations/14_declared_measurements.sql"),
    include_str!("migrations/15_readings_by_sheet.sql"),
    include_str!("migrations/16_locations.sql"),
    include_str!("migrations/17_status_times.sql"),
    include_str!("migrations/18_results_once.sql"),
    include_str!("migrations/19_other_sheets.sql"),
    include_str!("migrations/20_counts_without_scans.sql"),
];

/// Returns the file's schema number; 0 for an empty file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Applies the missing migrations in one transaction: each commit waits for the disk.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? == NEWEST {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have applied some meanwhile.
    for migration in MIGRATIONS.iter().skip(version(&transaction)? as usize) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", NEWEST)?;
    transaction.commit()
}

/// Creates the tables of the first schema.
#[cfg(test)]
pub(super) fn write_first(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(MIGRATIONS[0])?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", 1)
}

/// The steps in which SQLite runs a statement over all rows of an empty journal.
#[cfg(test)]
pub(super) fn query_plan(sql: &str) -> Vec<String> {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection).unwrap();
    let sql = format!("EXPLAIN QUERY PLAN {sql}");
    let mut statement = connection.prepare(&sql).unwrap();
    let parameters = vec![None::<&str>; statement.parameter_count()];
    let steps = statement.query_map(rusqlite::params_from_iter(parameters), |row| {
        row.get("detail")
    });
    steps.unwrap().map(Result::unwrap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FieldError;

    #[test]
    fn messages_of_an_older_journal_become_structured_data() {
        let mut connection = Connection::open_in_memory().unwrap();
        write_first(&connection).unwrap();
        let source = "INSERT INTO sources (id, path, sheet) VALUES (1, '/leads.csv', '')";
        connection.execute(source, []).unwrap();
        let insert = "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at, message)
            VALUES (?1, 1, 2, x'00', '{}', 'refused', 0, ?2)";
        let message = "customer.email: is odd: very\nno field";
        connection.execute(insert, ("A-1", Some(message))).unwrap();
        connection.execute(insert, ("A-2", None::<&str>)).unwrap();
        migrate(&mut connection).unwrap();
        let messages = |id: &str| -> Option<String> {
            let sql = "SELECT messages FROM requests WHERE external_id = ?1";
            connection.query_row(sql, [id], |row| row.get(0)).unwrap()
        };
        let errors: Vec<FieldError> = serde_json::from_str(&messages("A-1").unwrap()).unwrap();
        let email = FieldError {
            field: "customer.email".to_owned(),
            message: "is odd: very".to_owned(),
        };
        assert_eq!(errors, [email, FieldError::of_row("no field")]);
        assert_eq!(messages("A-2"), None);
    }

    #[test]
    fn points_of_an_older_journal_are_kept() {
        let mut connection = Connection::open_in_memory().unwrap();
        for migration in &MIGRATIONS[..15] {
            connection.execute_batch(migration).unwrap();
        }
        connection.pragma_update(None, "user_version", 15).unwrap();
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO measurements (id, external_id, status, created_at, updated_at, fetched_at, body, attempt,
                     roof, first_roof)
                 VALUES ('1', 'refined', '', 0, 0, 0, '', 1, '43.650001,-79.380000', '43.650000,-79.380000'),
                     ('2', 'unplaced', '', 0, 0, 0, '', 1, NULL, NULL),
                     ('3', 'nowhere', '', 0, 0, 0, '', 1, '43650000.0,0', '-1e300,0');",
            )
            .unwrap();
        migrate(&mut connection).unwrap();
        let mut statement = connection
            .prepare("SELECT point >> 32, point & 4294967295, external_id FROM locations")
            .unwrap();
        let places = statement.query_map([], |row| {
            let longitude: u32 = row.get(1)?;
            let place: (i32, i32) = (row.get(0)?, longitude.cast_signed());
            Ok((place, row.get::<_, String>(2)?))
        });
        let places: Vec<_> = places.unwrap().map(Result::unwrap).collect();
        let refined = |latitude| ((latitude, -79_380_000), "refined".to_owned());
        assert_eq!(places, [refined(43_650_000), refined(43_650_001)]);
    }

    #[test]
    fn results_of_an_older_journal_are_kept_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        for migration in &MIGRATIONS[..17] {
            connection.execute_batch(migration).unwrap();
        }
        connection.pragma_update(None, "user_version", 17).unwrap();
        let own = r#"{"result": {"gutter": 10.50}}"#;
        let earlier = r#"{"gutter": 10.50}"#;
        connection
            .execute_batch("PRAGMA foreign_keys = OFF")
            .unwrap();
        for (id, body, result) in [
            ("own", own, Some(earlier)),
            ("gone", r#"{"result": null}"#, Some(earlier)),
            ("other house", own, None),
            ("other house of equal size", own, Some(earlier)),
            (
                "quoted",
                r#"{"result": null, "extra": {"gutter": 10.50}}"#,
                Some(earlier),
            ),
            ("unreadable", "{", Some(earlier)),
            ("open", "{}", None),
        ] {
            let insert = "INSERT INTO measurements
                (id, external_id, status, created_at, updated_at, fetched_at, body, result, attempt)
                VALUES (?1, ?1, 'complete', 0, 0, 0, ?2, ?3, 1)";
            connection.execute(insert, (id, body, result)).unwrap();
        }
        let warned =
            "INSERT INTO warnings VALUES ('other house of equal size', 'address_differs', '', 0)";
        connection.execute(warned, []).unwrap();
        migrate(&mut connection).unwrap();
        let stored = |id: &str| -> Option<String> {
            let sql = "SELECT result FROM measurements WHERE id = ?1";
            connection.query_row(sql, [id], |row| row.get(0)).unwrap()
        };
        assert_eq!(stored("own"), None);
        for id in ["gone", "quoted", "unreadable"] {
            assert_eq!(stored(id).as_deref(), Some(earlier), "{id}");
        }
        assert_eq!(stored("other house").as_deref(), Some("null"));
        assert_eq!(
            stored("other house of equal size").as_deref(),
            Some(earlier)
        );
        assert_eq!(stored("open"), None);
    }

    #[test]
    fn declarations_of_an_older_journal_are_kept_for_each_measurement() {
        let mut connection = Connection::open_in_memory().unwrap();
        for migration in &MIGRATIONS[..12] {
            connection.execute_batch(migration).unwrap();
        }
        connection.pragma_update(None, "user_version", 12).unwrap();
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF;
                 INSERT INTO foreign_measurements VALUES ('early', 10), ('late', 10), ('open', 10), ('unknown', 90);
                 INSERT INTO billed_elsewhere VALUES (50, 30, 'a day', NULL);
                 INSERT INTO facts VALUES ('billing_question', 'asked');",
            )
            .unwrap();
        let states = [
            ("early", "complete", Some(20)),
            ("late", "complete", Some(40)),
            ("open", "pending", None),
            ("unknown", "complete", Some(20)),
        ];
        for (id, status, completed_at) in states {
            let insert = "INSERT INTO measurements
                (id, external_id, status, created_at, updated_at, completed_at, fetched_at, body, attempt)
                VALUES (?1, ?1, ?2, 0, 0, ?3, 0, '{}', 1)";
            connection
                .execute(insert, (id, status, completed_at))
                .unwrap();
        }
        migrate(&mut connection).unwrap();
        let declared = |id: &str| -> Option<bool> {
            let sql = "SELECT billed_elsewhere FROM foreign_measurements WHERE measurement_id = ?1";
            connection.query_row(sql, [id], |row| row.get(0)).unwrap()
        };
        let declared = ["early", "late", "open", "unknown"].map(declared);
        assert_eq!(declared, [Some(true), Some(false), None, None]);
        let sql = "SELECT group_concat(measurement_id) FROM foreign_measurements WHERE asked";
        let asked: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(asked, "open,unknown");
    }
}
