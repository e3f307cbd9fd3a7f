-- Makes the requests of a house number adjacent in the index of houses, with their customers.

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
