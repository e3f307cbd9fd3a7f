-- Adds what the declarations say of each measurement.

-- Whether it was billed from another journal; null until the user declares that. `asked` is 1 while the user is asked.
ALTER TABLE foreign_measurements ADD COLUMN billed_elsewhere INTEGER;
ALTER TABLE foreign_measurements ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
UPDATE foreign_measurements SET billed_elsewhere = (
    SELECT coalesce(coalesce(m.completed_at, m.updated_at) < min(b.until, b.declared_at), 0)
    FROM measurements m, billed_elsewhere b
    WHERE m.id = measurement_id AND m.status = 'complete' AND b.declared_at >= learned_at
        AND (b.since IS NULL OR b.since < learned_at)
    ORDER BY b.declared_at DESC LIMIT 1
);
ALTER TABLE billed_elsewhere DROP COLUMN since;
UPDATE foreign_measurements SET asked = 1
WHERE billed_elsewhere IS NULL AND EXISTS (SELECT 1 FROM facts WHERE name = 'billing_question');
DELETE FROM facts WHERE name = 'billing_question';
