-- Adds the times of the newest responses to the index by status, so that `status` need not read the responses.

DROP INDEX measurements_by_status;
CREATE INDEX measurements_by_status ON measurements (status, fetched_at, gone_at);
