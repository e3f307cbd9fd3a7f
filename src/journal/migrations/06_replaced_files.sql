-- Adds the digest of the file that rejects replace.

-- Rejects are recorded before they are renamed into their place: what stood there then, which a run that was killed may
-- have left. Null where nothing did.
ALTER TABLE written_files ADD COLUMN replaced_sha256 TEXT;
