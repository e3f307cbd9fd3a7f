-- Times are Unix milliseconds, UTC.

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
