-- Adds the house of each request, so that requests for it under other ids are found.

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
