-- Makes the sheet part of the key of readings.

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
