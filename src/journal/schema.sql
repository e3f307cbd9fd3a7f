-- The tables of a journal. Times are Unix milliseconds, UTC. A change gets the next number in `schema.rs`.

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

-- Values by name, for instance the adaptive limit of the budget.
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The tables that runs have read. `field_names` are the headers that feed the fields, as JSON of model::FieldNames;
-- `problems` are those that the newest run of the table reported, as sorted digests of 16 bytes each; `pending` the rows
-- that it left pending, as digests of id, house and customer with 8 bytes each, and `missing` those that left the table
-- before.
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    sheet TEXT NOT NULL,
    field_names TEXT,
    problems BLOB,
    pending BLOB,
    missing BLOB,
    UNIQUE (path, sheet)
) STRICT;

-- One row for each external id that was ever about to be sent. `request` is the version last submitted, as JSON: the
-- values of model::Request as arrays without keys, here and in other tables. `content` is its digest. `messages` says why a request was refused or is in conflict, as JSON of
-- model::FieldError.
-- state: sent (on the wire or unknown), created, existing, refused, conflict. A longer `IN` would build its list anew for
-- every row that is written.
-- `house` has the hash of the house number in its upper half and that of the postal code in the lower, so that the requests
-- of a house number are adjacent in the index. `customer` is model::CustomerSketch, plus 2^48 if the id was derived.
-- `normalized` is the request with the address that the service gave when it accepted it, if that is no other spelling of the
-- requested one. Of an existing measurement, it may be what was sent now, where the service has another street.
CREATE TABLE requests (
    external_id TEXT PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    content BLOB NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state = 'created' OR state = 'existing' OR state = 'sent' OR state = 'refused' OR state = 'conflict'
    ),
    intended_at INTEGER NOT NULL,
    answered_at INTEGER,
    house INTEGER,
    messages TEXT,
    customer INTEGER,
    normalized TEXT,
    normalized_house INTEGER
) STRICT;
-- With the digest, which a plan reads of every row, so that it need not read the rows themselves.
CREATE INDEX requests_by_source ON requests (source, source_row, content);
CREATE INDEX requests_by_house ON requests (house, customer);
CREATE INDEX requests_by_normalized_house ON requests (normalized_house, customer) WHERE normalized_house IS NOT NULL;
-- The few that `status` counts, and whose states a plan reads.
CREATE INDEX requests_not_created ON requests (state) WHERE state <> 'created';

-- Versions that were sent and never answered, and were replaced by others since; none once a response shows which one
-- the service has.
CREATE TABLE unanswered_versions (
    id INTEGER PRIMARY KEY,
    external_id TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    content BLOB NOT NULL,
    request TEXT NOT NULL,
    house INTEGER,
    intended_at INTEGER NOT NULL,
    customer INTEGER,
    UNIQUE (external_id, content)
) STRICT;
CREATE INDEX unanswered_versions_by_house ON unanswered_versions (house);

-- One row for each measurement of this journal. `body` is the newest response, verbatim, to the request `attempt`. `result` is null while
-- `body` is about the house of the request and has the newest result; otherwise it is that result, verbatim, or the JSON
-- null if there never was one. `changed_at` is when this journal learned of its `updated_at`, 0 for one that was restored;
-- `unchanged_at` is when it last had the version that it billed or adjusted, or that the user declared as billed elsewhere;
-- null while it has that, or the first one.
-- `not_found_since` is set while the service responds with 404.
CREATE TABLE measurements (
    id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL UNIQUE REFERENCES requests (external_id),
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    fetched_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    unchanged_at INTEGER,
    not_found_since INTEGER,
    body TEXT NOT NULL,
    result TEXT,
    attempt INTEGER NOT NULL
) STRICT;
-- For counting without reading the responses. Nearly all measurements of a large journal are complete.
CREATE INDEX measurements_open ON measurements (status, fetched_at) WHERE status <> 'complete';
CREATE INDEX measurements_not_found ON measurements (not_found_since) WHERE not_found_since IS NOT NULL;

-- Where the service placed each house, at first and since: the latitude in millionths of a degree in the upper half, the
-- longitude in the lower.
CREATE TABLE locations (
    point INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    PRIMARY KEY (point, external_id)
) STRICT, WITHOUT ROWID;

-- Warnings that a person should review, for each row that has a response. kind: the name of a model::ResponseWarning.
CREATE TABLE warnings (
    external_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (external_id, kind)
) STRICT, WITHOUT ROWID;

-- Measurements of ids whose rows are in conflict. `request` is what the service has.
CREATE TABLE houses_without_row (
    measurement_id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL,
    request TEXT NOT NULL,
    house INTEGER,
    customer INTEGER,
    status TEXT NOT NULL,
    learned_at INTEGER NOT NULL
) STRICT;
CREATE INDEX houses_without_row_by_house ON houses_without_row (house);

-- Further hashes under which houses are looked up that are ranges of numbers: `other_house` as if another number of the range were
-- the house's. Entries of requests that were replaced stay.
CREATE TABLE house_ranges (
    other_house INTEGER NOT NULL,
    house INTEGER NOT NULL,
    PRIMARY KEY (other_house, house)
) STRICT, WITHOUT ROWID;

-- The decisions of people about rows that were held as the same house. `content` is the digest of the row, `address` its
-- address as JSON of model::Address.
CREATE TABLE house_decisions (
    external_id TEXT PRIMARY KEY,
    content BLOB NOT NULL,
    address TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision = 'send' OR decision = 'skip')
) STRICT, WITHOUT ROWID;

-- Which rows were held because an earlier request is for the same house, and where a person was asked: in rejects, which have no
-- sheet here, and in tables in which the cell for the answer was empty. Elsewhere `send` may have been typed before.
CREATE TABLE house_questions (
    external_id TEXT NOT NULL,
    earlier_id TEXT NOT NULL,
    path TEXT NOT NULL,
    sheet TEXT NOT NULL,
    PRIMARY KEY (external_id, earlier_id, path, sheet)
) STRICT, WITHOUT ROWID;

-- Every request that was sent, or was about to be: the slot log that the budget counts, and the history of each row.
-- kind: me, create, read. A slot counts until one window after settled_at, or after times_out_at without one, which is
-- never before settled_at: so the index need not be changed when a response comes. `counted` is 0 for a request
-- that was not sent, or that a 429 with a pause refused: it takes no slot. `body` is the response, verbatim; it is null
-- while `measurements` has the same text.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    external_id TEXT,
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

-- One row for each finished or interrupted import. `flags` are its reading flags as JSON, if they are not remembered.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    row_count INTEGER NOT NULL,
    outcomes TEXT,
    flags TEXT
) STRICT;

-- The rows of each source's newest run that became no measurement of theirs. `cells` are those of the row by field, as
-- JSON, by which a row that was corrected is found and removed.
CREATE TABLE rejected (
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    external_id TEXT,
    customer TEXT,
    address TEXT,
    outcome TEXT NOT NULL,
    error TEXT NOT NULL,
    cells TEXT,
    PRIMARY KEY (source, source_row)
) STRICT, WITHOUT ROWID;
-- Read for every measurement of an export: is its row in conflict?
CREATE INDEX conflicts_by_id ON rejected (external_id) WHERE outcome = 'conflict';

-- The rows of each rejects file: the row of the original, and its cells there by field, as JSON. A row that a person added to
-- rejects has a number from 2^31 on, and its cells in the rejects. The path of rejects that were printed is `-` and the source,
-- here and in the next tables.
CREATE TABLE rejects_rows (
    path TEXT NOT NULL,
    source_row INTEGER NOT NULL,
    cells TEXT NOT NULL,
    PRIMARY KEY (path, source_row)
) STRICT, WITHOUT ROWID;

-- Rows of an original that were corrected in its rejects and accepted: the id under which the corrected row was sent. For a
-- row that was skipped it is the id under which its house was requested before, `skipped_id` its own, and `has_other_unit`
-- whether the earlier request has another unit.
CREATE TABLE corrections (
    source INTEGER NOT NULL REFERENCES sources (id),
    source_row INTEGER NOT NULL,
    cells TEXT NOT NULL,
    external_id TEXT NOT NULL,
    skipped_id TEXT,
    has_other_unit INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, source_row, cells)
) STRICT, WITHOUT ROWID;

-- What the program wrote last at a path. For rejects, `source` is the original table, and `input` the file whose import
-- wrote them: the original or rejects of it. Rejects are recorded before they are renamed into their place:
-- `replaced_sha256` is the digest of the file that was there then, which a run that was killed may have left; null where there
-- was none, and once all rows are recorded. `imported_sha256` is the digest of the rejects when they were last imported, which
-- a person may have edited before. `is_settled` is 1 if the last import of the original found each row of the rejects there.
CREATE TABLE written_files (
    path TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('rejects', 'export')),
    sha256 TEXT NOT NULL,
    input TEXT,
    source INTEGER REFERENCES sources (id),
    replaced_sha256 TEXT,
    imported_sha256 TEXT,
    is_settled INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX written_files_by_content ON written_files (sha256);

-- How each sheet of a file was last imported: the reading flags by name, as JSON, and the digest of the headers. `sheet` is
-- empty for a text file and for rejects. `headers` is null for rejects of a table without headers. `rejects_of` is the original
-- of rejects, and of their copies; `flags_of_rejects` are the flags of the rejects as a copy was imported.
CREATE TABLE sheet_flags (
    path TEXT NOT NULL,
    sheet TEXT NOT NULL,
    flags TEXT NOT NULL,
    imported_at INTEGER NOT NULL,
    headers BLOB,
    rejects_of INTEGER REFERENCES sources (id),
    flags_of_rejects TEXT,
    PRIMARY KEY (path, sheet)
) STRICT, WITHOUT ROWID;

-- The same for each set of headers, with the file that had them last.
CREATE TABLE header_flags (
    headers BLOB PRIMARY KEY,
    path TEXT NOT NULL,
    flags TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Measurements that this journal did not create: the service knew them already, or they were restored. `billed_elsewhere`
-- is whether another journal billed it; null until the user declares that. `asked` is 1 while the question is open.
CREATE TABLE foreign_measurements (
    measurement_id TEXT PRIMARY KEY,
    learned_at INTEGER NOT NULL,
    billed_elsewhere INTEGER,
    asked INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The user's declarations of what was billed elsewhere: of the measurements known then, those completed before `until`;
-- none where it is null. `text` is the declaration as it is shown.
CREATE TABLE billed_elsewhere (declared_at INTEGER PRIMARY KEY, until INTEGER, text TEXT NOT NULL) STRICT;

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

-- What was written, byte for byte; none where the journal was restored. It is in a table of its own, because
-- changing a row writes all of it again.
CREATE TABLE sealed_files (
    number INTEGER PRIMARY KEY REFERENCES sealed (number),
    file BLOB NOT NULL
) STRICT;

-- What each sealed export billed or adjusted: `figures` are the billed figures, as JSON.
-- kind: billed, adjusted. A measurement is billed once, ever.
CREATE TABLE sealed_items (
    number INTEGER NOT NULL REFERENCES sealed (number),
    measurement_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('billed', 'adjusted')),
    figures TEXT NOT NULL,
    PRIMARY KEY (number, measurement_id)
) STRICT, WITHOUT ROWID;
-- With the columns that counting them reads.
CREATE UNIQUE INDEX billed_once ON sealed_items (measurement_id, kind) WHERE kind = 'billed';
-- For the newest sealed export that has a measurement.
CREATE INDEX sealed_by_measurement ON sealed_items (measurement_id, number);
