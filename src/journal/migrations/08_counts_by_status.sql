-- Adds an index for counting measurements without reading their responses.

CREATE INDEX measurements_by_status ON measurements (status, gone_at);
