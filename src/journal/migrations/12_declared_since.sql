-- Adds what a declaration concerns.

-- Only measurements that the journal learned of later; null for all.
ALTER TABLE billed_elsewhere ADD COLUMN since INTEGER;
