-- Messages of the service as structured data.

-- Why a request was refused or is in conflict, as JSON of model::FieldError; null for any other. Until then a line for
-- each message, with the field in front.
ALTER TABLE requests ADD COLUMN messages TEXT;
UPDATE requests SET messages = (
    WITH RECURSIVE lines (number, line, rest) AS (
        SELECT 0, '', requests.message || char(10)
        UNION ALL
        SELECT number + 1, substr(rest, 1, instr(rest, char(10)) - 1), substr(rest, instr(rest, char(10)) + 1)
        FROM lines WHERE rest <> ''
    )
    SELECT json_group_array(json_object(
        'field', CASE instr(line, ': ') WHEN 0 THEN '' ELSE substr(line, 1, instr(line, ': ') - 1) END,
        'message', CASE instr(line, ': ') WHEN 0 THEN line ELSE substr(line, instr(line, ': ') + 2) END
    )) FROM (SELECT line FROM lines WHERE line <> '' ORDER BY number)
) WHERE message IS NOT NULL;
ALTER TABLE requests DROP COLUMN message;
