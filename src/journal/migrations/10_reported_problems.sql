-- Adds the problems that the newest run of a table reported.

-- Sorted digests of 16 bytes each.
ALTER TABLE sources ADD COLUMN problems BLOB;
