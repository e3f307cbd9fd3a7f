-- Keeps the points of houses in one table instead of two indexes, which every response updated.

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
