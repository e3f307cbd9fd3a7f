-- Adds measurements that this journal did not create, and declarations of what was billed elsewhere.

-- Measurements that this journal did not create: the service knew them already, or they were restored.
CREATE TABLE foreign_measurements (measurement_id TEXT PRIMARY KEY, learned_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO foreign_measurements
    SELECT measurement_id, coalesce(answered_at, intended_at) FROM requests
    WHERE state = 'existing' AND measurement_id IS NOT NULL;

-- What the user said was billed elsewhere: of the measurements known then, those completed before `until`; none where it
-- is null. `text` is what the user reads.
CREATE TABLE billed_elsewhere (declared_at INTEGER PRIMARY KEY, until INTEGER, text TEXT NOT NULL) STRICT;
