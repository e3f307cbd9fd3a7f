-- Adds the other sheets of a workbook, so that a new one is noticed.

-- Those that were shown beside the sheet, as a JSON array of names; null if that is not known.
ALTER TABLE sheet_readings ADD COLUMN other_sheets TEXT;
