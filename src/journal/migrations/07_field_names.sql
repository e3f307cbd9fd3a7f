-- Adds the user's names of fields.

-- The headers that feed the fields, as JSON of model::FieldNames; null until the table is imported again.
ALTER TABLE sources ADD COLUMN field_names TEXT;
