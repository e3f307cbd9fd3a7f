-- Removes indexes that every response updated and hardly any query used.

DROP INDEX measurements_by_asking;
DROP INDEX measurements_by_completion;
