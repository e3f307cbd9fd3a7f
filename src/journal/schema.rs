//! The schema, as numbered migrations. A released migration is never edited; changes are appended as new migrations.

use rusqlite::{Connection, TransactionBehavior};

/// The application id in the file's header, "GUTB".
pub(super) const APPLICATION_ID: i32 = 0x4755_5442;

/// The newest schema that this program knows.
pub(super) const NEWEST: u32 = 19;

const MIGRATIONS: [&str; NEWEST as usize] = [
    FIRST,
    BILLED_ELSEWHERE,
    SAME_HOUSE,
    READINGS_AND_WRITTEN_FILES,
    HELD_HOUSES,
    REPLACED_FILES,
    FIELD_NAMES,
    COUNTS_BY_STATUS,
    FIELD_ERRORS,
    REPORTED_PROBLEMS,
    HOUSES_BY_NUMBER,
    DECLARED_SINCE,
    FEWER_INDEXES,
    DECLARED_MEASUREMENTS,
    READINGS_BY_SHEET,
    LOCATIONS,
    STATUS_TIMES,
    RESULTS_ONCE,
    OTHER_SHEETS,
];

/// Times are Unix milliseconds, UTC.
const FIRST: &str = "
-- The one service, app and team that this journal belongs to; at most one row.
CREATE TABLE binding (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    base_url TEXT NOT NULL,
    client_id TEXT NOT NULL,
    app_name TEXT NOT NULL,
    team_id TEXT NOT NULL,
    team_name TEXT NOT NULL,
    connected_at TEXT NOT NULL,
    salt BLOB NOT NULL,
    token_fingerprint BLOB NOT NULL
) STRICT;

-- Small facts by name, for instance what the budget learned.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The tables that runs have read.
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    sheet TEXT NOT NULL,
    UNIQUE (path, sheet)
) STRICT;

-- One line an external id that was ever about to be sent. `request` is the version last submitted, as JSON of
-- model::Request, `content` its digest.
-- state: sent (on the wire or unknown), created, existing, refused, conflict. A longer `IN` would build its list anew for
-- every row that is written.
CREATE TABLE requests (
    external_id TEXT PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    content BLOB NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state = 'created' OR state = 'existing' OR state = 'sent' OR state = 'refused' OR state = 'conflict'
    ),
    measurement_id TEXT,
    intended_at INTEGER NOT NULL,
    answered_at INTEGER,
    message TEXT
) STRICT;
-- With what a plan asks of every row, so that it need not read the rows themselves.
CREATE INDEX requests_by_source ON requests (source, source_row, content, state);

-- One line a measurement of ours. `body` is the newest answer, verbatim, which `attempt` brought; `result` the newest
-- result that was not null, verbatim, kept whatever comes later. `gone_at` is set while the service answers 404. `roof`
-- is the point where the house was placed.
CREATE TABLE measurements (
    id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL UNIQUE REFERENCES requests (external_id),
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    fetched_at INTEGER NOT NULL,
    gone_at INTEGER,
    body TEXT NOT NULL,
    result TEXT,
    attempt INTEGER NOT NULL,
    roof TEXT
) STRICT;
CREATE INDEX measurements_by_completion ON measurements (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX measurements_by_roof ON measurements (roof) WHERE roof IS NOT NULL;

-- What a person should look at, for each row that was answered. kind: placed_elsewhere, same_roof, customer_differs.
CREATE TABLE warnings (
    external_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    PRIMARY KEY (external_id, kind)
) STRICT, WITHOUT ROWID;

-- Every request that left, or was about to: the slot_log that the budget counts, and each row's story.
-- kind: me, create, read. A slot counts until one window after settled_at, or after times_out_at without one, which is
-- never before settled_at: so the index need not be touched when an answer comes. `counted` is 0 for a request that
-- never left, or that a 429 refused: it holds no slot. `body` is the answer, verbatim; it is null while the same text
-- stands in `measurements`.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    external_id TEXT,
    measurement_id TEXT,
    taken_at INTEGER NOT NULL,
    times_out_at INTEGER NOT NULL,
    settled_at INTEGER,
    counted INTEGER NOT NULL DEFAULT 1,
    status INTEGER,
    body TEXT,
    error TEXT
) STRICT;
CREATE INDEX attempts_by_row ON attempts (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX attempts_by_end ON attempts (times_out_at);

-- One line a finished or interrupted run of a command.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    source INTEGER REFERENCES sources (id),
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    row_count INTEGER,
    outcomes TEXT
) STRICT;

-- The rows of each source's newest run that became no measurement of theirs.
CREATE TABLE rejected (
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    external_id TEXT,
    customer TEXT,
    address TEXT,
    outcome TEXT NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (source, source_row)
) STRICT, WITHOUT ROWID;

-- Sealed exports.
CREATE TABLE sealed (
    number INTEGER PRIMARY KEY,
    sealed_at INTEGER NOT NULL,
    period TEXT,
    file_name TEXT NOT NULL,
    format TEXT NOT NULL,
    measurements INTEGER NOT NULL,
    adjustments INTEGER NOT NULL,
    totals TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    delivered_at INTEGER
) STRICT;

-- What was written, byte for byte; none where the journal was restored. It stands apart, since to change a row is to
-- write it again.
CREATE TABLE sealed_files (
    number INTEGER PRIMARY KEY REFERENCES sealed (number),
    file BLOB NOT NULL
) STRICT;

-- What each sealed export billed or adjusted: `figures` is what accounting bills by, as JSON.
-- kind: billed, adjusted. A measurement is billed once, ever.
CREATE TABLE sealed_items (
    number INTEGER NOT NULL REFERENCES sealed (number),
    measurement_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('billed', 'adjusted')),
    figures TEXT NOT NULL,
    PRIMARY KEY (number, measurement_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX billed_once ON sealed_items (measurement_id) WHERE kind = 'billed';

-- Read for every measurement of an export: is its row in conflict?
CREATE INDEX conflicts_by_id ON rejected (external_id) WHERE outcome = 'conflict';

-- When the newest answer came, and which measurements were asked for longest ago.
CREATE INDEX measurements_by_asking ON measurements (fetched_at);

-- What the newest sealed export says of a measurement.
CREATE INDEX sealed_by_measurement ON sealed_items (measurement_id, number);
";

/// Adds measurements that this journal did not create, and declarations of what was billed elsewhere.
const BILLED_ELSEWHERE: &str = "
-- Measurements that this journal did not create: the service knew them already, or they were restored.
CREATE TABLE foreign_measurements (measurement_id TEXT PRIMARY KEY, learned_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO foreign_measurements
    SELECT measurement_id, coalesce(answered_at, intended_at) FROM requests
    WHERE state = 'existing' AND measurement_id IS NOT NULL;

-- What the user said was billed elsewhere: of the measurements known then, those completed before `until`; none where it
-- is null. `text` is what the user reads.
CREATE TABLE billed_elsewhere (declared_at INTEGER PRIMARY KEY, until INTEGER, text TEXT NOT NULL) STRICT;
";

/// Adds the house of each request, so that requests for it under other ids are found.
const SAME_HOUSE: &str = "
-- model::HouseLookup of the request's address; null until the journal is opened for writing, 0 where the request
-- cannot be read.
ALTER TABLE requests ADD COLUMN house INTEGER;
CREATE INDEX requests_by_house ON requests (house);

-- What people decided about rows that were held as the same house. `content` is the digest of the row, `address` its
-- address as JSON of model::Address.
CREATE TABLE house_decisions (
    external_id TEXT PRIMARY KEY,
    content BLOB NOT NULL,
    address TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision = 'send' OR decision = 'skip'),
    decided_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Where the house was placed first, which the contractor refines later.
ALTER TABLE measurements ADD COLUMN first_roof TEXT;
UPDATE measurements SET first_roof = roof;
CREATE INDEX measurements_by_first_roof ON measurements (first_roof) WHERE first_roof IS NOT NULL;
";

/// Adds the reading flags of files, the files that the program wrote, and corrected rows.
const READINGS_AND_WRITTEN_FILES: &str = "
-- How each file was last imported: the reading flags by name, as JSON.
CREATE TABLE file_readings (
    path TEXT PRIMARY KEY,
    flags TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The same for each set of headers, with the file that had them last.
CREATE TABLE layout_readings (
    headers BLOB PRIMARY KEY,
    path TEXT NOT NULL,
    flags TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the program wrote last at a path. For rejects, `source` is the original table, and `input` the file whose import
-- wrote them: the original or rejects of it.
CREATE TABLE written_files (
    path TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('rejects', 'export')),
    sha256 TEXT NOT NULL,
    input TEXT,
    source INTEGER REFERENCES sources (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX written_files_by_content ON written_files (sha256);

-- The rows of each rejects file: the row of the original, and its cells there by field, as JSON.
CREATE TABLE rejects_rows (
    path TEXT NOT NULL,
    source_row INTEGER NOT NULL,
    cells TEXT NOT NULL,
    PRIMARY KEY (path, source_row)
) STRICT, WITHOUT ROWID;

-- Rows of an original that were corrected in its rejects and accepted: the id under which the corrected row was sent.
CREATE TABLE corrections (
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    cells TEXT NOT NULL,
    external_id TEXT NOT NULL,
    PRIMARY KEY (source, source_row, cells)
) STRICT, WITHOUT ROWID;

-- The same cells, by which a row that was corrected is found and removed.
ALTER TABLE rejected ADD COLUMN cells TEXT;
";

/// Adds houses that are requested although no row shows it.
const HELD_HOUSES: &str = "
-- Measurements of ids whose rows are in conflict. `request` is what the service holds, as JSON of model::Request.
CREATE TABLE held_houses (
    measurement_id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL,
    request TEXT NOT NULL,
    house INTEGER NOT NULL,
    status TEXT NOT NULL,
    learned_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX held_houses_by_house ON held_houses (house);

-- Versions that were sent and never answered, and were replaced by others since; none once an answer shows what the
-- service holds.
CREATE TABLE unanswered_versions (
    id INTEGER PRIMARY KEY,
    external_id TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    content BLOB NOT NULL,
    request TEXT NOT NULL,
    house INTEGER,
    intended_at INTEGER NOT NULL,
    UNIQUE (external_id, content)
) STRICT;
CREATE INDEX unanswered_versions_by_house ON unanswered_versions (house);

-- Since then it is the hash of the house number's leading digits; filled in anew when the journal is opened.
UPDATE requests SET house = NULL;
";

/// Adds the digest of the file that rejects replace.
const REPLACED_FILES: &str = "
-- Rejects are recorded before they are renamed into their place: what stood there then, which a run that was killed may
-- have left. Null where nothing did.
ALTER TABLE written_files ADD COLUMN replaced_sha256 TEXT;
";

/// Adds the user's names of fields.
const FIELD_NAMES: &str = "
-- The headers that feed the fields, as JSON of model::FieldNames; null until the table is imported again.
ALTER TABLE sources ADD COLUMN field_names TEXT;
";

/// Adds an index for counting measurements without reading their responses.
const COUNTS_BY_STATUS: &str = "
CREATE INDEX measurements_by_status ON measurements (status, gone_at);
";

/// Messages of the service as structured data.
const FIELD_ERRORS: &str = "
-- Why a request was refused or is in conflict, as JSON of model::FieldError; null for any other. Until then a line for
-- each message, with the field in front.
ALTER TABLE requests ADD COLUMN messages TEXT;
UPDATE requests SET messages = (
    WITH RECURSIVE lines (number, line, rest) AS (
        SELECT 0, '', requests.message || char(10)
        UNION ALL
        SELECT number + 1, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
        FROM lines WHERE rest <> ''
    )
    SELECT json_group_array(json_object(
        'field', CASE instr(line, ': ') WHEN 0 THEN '' ELSE substr(line, 1, instr(line, ': ') - 1) END,
        'message', CASE instr(line, ': ') WHEN 0 THEN line ELSE substr(line, instr(line, ': ') + 2) END
    )) FROM (SELECT line FROM lines WHERE line <> '' ORDER BY number)
) WHERE message IS NOT NULL;
ALTER TABLE requests DROP COLUMN message;
";

/// Adds the problems that the newest run of a table reported.
const REPORTED_PROBLEMS: &str = "
-- Sorted digests of 16 bytes each.
ALTER TABLE sources ADD COLUMN problems BLOB;
";

/// Makes the requests of a house number adjacent in the index of houses, with their customers.
const HOUSES_BY_NUMBER: &str = "
-- Since then `house` has the hash of the house number in its upper half and that of the postal code in the lower.
-- `customer` is model::CustomerSketch of the request, plus 2^48 if its id was derived. Both are null until the journal
-- is opened for writing, and 0 where the request cannot be read.
ALTER TABLE requests ADD COLUMN customer INTEGER;
DROP INDEX requests_by_house;
UPDATE requests SET house = NULL;
CREATE INDEX requests_by_house ON requests (house, customer);

ALTER TABLE unanswered_versions ADD COLUMN customer INTEGER;
UPDATE unanswered_versions SET house = NULL;

ALTER TABLE held_houses RENAME TO older_held_houses;
DROP INDEX held_houses_by_house;
CREATE TABLE held_houses (
    measurement_id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL,
    request TEXT NOT NULL,
    house INTEGER,
    customer INTEGER,
    status TEXT NOT NULL,
    learned_at INTEGER NOT NULL
) STRICT;
INSERT INTO held_houses
    SELECT measurement_id, external_id, request, NULL, NULL, status, learned_at FROM older_held_houses;
DROP TABLE older_held_houses;
CREATE INDEX held_houses_by_house ON held_houses (house);
";

/// Adds what a declaration concerns.
const DECLARED_SINCE: &str = "
-- Only measurements that the journal learned of later; null for all.
ALTER TABLE billed_elsewhere ADD COLUMN since INTEGER;
";

/// Removes indexes that every response updated and hardly any query used.
const FEWER_INDEXES: &str = "
DROP INDEX measurements_by_asking;
DROP INDEX measurements_by_completion;
";

/// Adds what the declarations say of each measurement.
const DECLARED_MEASUREMENTS: &str = "
-- Whether it was billed from another journal; null until the user declares that. `asked` is 1 while the user is asked.
ALTER TABLE foreign_measurements ADD COLUMN billed_elsewhere INTEGER;
ALTER TABLE foreign_measurements ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
UPDATE foreign_measurements SET billed_elsewhere = (
    SELECT coalesce(coalesce(m.completed_at, m.updated_at) < min(b.until, b.declared_at), 0)
    FROM measurements m, billed_elsewhere b
    WHERE m.id = measurement_id AND m.status = 'complete' AND b.declared_at >= learned_at
        AND (b.since IS NULL OR b.since < learned_at)
    ORDER BY b.declared_at DESC LIMIT 1
);
ALTER TABLE billed_elsewhere DROP COLUMN since;
UPDATE foreign_measurements SET asked = 1
WHERE billed_elsewhere IS NULL AND EXISTS (SELECT 1 FROM facts WHERE name = 'billing_question');
DELETE FROM facts WHERE name = 'billing_question';
";

/// Makes the sheet part of the key of readings.
const READINGS_BY_SHEET: &str = "
-- How each sheet of a file was last imported; `sheet` is empty for a text file and for rejects.
CREATE TABLE sheet_readings (
    path TEXT NOT NULL,
    sheet TEXT NOT NULL,
    flags TEXT NOT NULL,
    imported_at INTEGER NOT NULL,
    PRIMARY KEY (path, sheet)
) STRICT, WITHOUT ROWID;
INSERT INTO sheet_readings (path, sheet, flags, imported_at)
SELECT path, coalesce((
    SELECT sheet FROM runs JOIN sources ON sources.id = runs.source
    WHERE sources.path = file_readings.path ORDER BY runs.id DESC LIMIT 1
), ''), flags, imported_at FROM file_readings;
DROP TABLE file_readings;
";

/// Keeps the points of houses in one table instead of two indexes, which every response updated.
const LOCATIONS: &str = "
-- Where the service placed each house, at first and since: the latitude in millionths of a degree in the upper half, the
-- longitude in the lower.
CREATE TABLE locations (
    point INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    PRIMARY KEY (point, external_id)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO locations
SELECT latitude * 4294967296 + (longitude & 4294967295), external_id FROM (
    SELECT CAST(round(substr(place, 1, instr(place, ',') - 1) * 1000000.0) AS INTEGER) AS latitude,
        CAST(round(substr(place, instr(place, ',') + 1) * 1000000.0) AS INTEGER) AS longitude, external_id
    FROM (SELECT roof AS place, external_id FROM measurements UNION SELECT first_roof, external_id FROM measurements)
    WHERE place IS NOT NULL
) WHERE latitude BETWEEN -90000000 AND 90000000 AND longitude BETWEEN -180000000 AND 180000000;
DROP INDEX measurements_by_roof;
DROP INDEX measurements_by_first_roof;
ALTER TABLE measurements DROP COLUMN roof;
ALTER TABLE measurements DROP COLUMN first_roof;
";

/// Adds the times of the newest responses to the index by status, so that `status` need not read the responses.
const STATUS_TIMES: &str = "
DROP INDEX measurements_by_status;
CREATE INDEX measurements_by_status ON measurements (status, fetched_at, gone_at);
";

/// Keeps a result that stands in the newest response there alone, which makes the journal a third smaller.
const RESULTS_ONCE: &str = "
-- Since then `result` is null while `body` is a response about the house of the request and has the newest result.
-- Otherwise it is that result, or the JSON null if there never was one.
UPDATE measurements SET result = 'null'
WHERE result IS NULL AND CASE WHEN json_valid(body) THEN body ->> '$.result' IS NOT NULL END;
UPDATE measurements SET result = NULL
WHERE result <> 'null' AND instr(body, result) > 0 AND CASE WHEN json_valid(body) THEN body ->> '$.result' IS NOT NULL END
    AND NOT EXISTS (
        SELECT 1 FROM warnings w WHERE w.external_id = measurements.external_id AND w.kind = 'address_differs'
    );
";

/// Adds the other sheets of a workbook, so that a new one is noticed.
const OTHER_SHEETS: &str = "
-- Those that were shown beside the sheet, as a JSON array of names; null if that is not known.
ALTER TABLE sheet_readings ADD COLUMN other_sheets TEXT;
";

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
    connection.execute_batch(FIRST)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", 1)
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
