-- Adds the reading flags of files, the files that the program wrote, and corrected rows.

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
