-- Adds houses that are requested although no row shows it.

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
