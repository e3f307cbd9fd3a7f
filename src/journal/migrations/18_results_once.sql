-- Keeps a result that stands in the newest response there alone, which makes the journal a third smaller.

-- Since then `result` is null while `body` is a response about the house of the request and has the newest result.
-- Otherwise it is that result, or the JSON null if there never was one.
UPDATE measurements SET result = 'null'
WHERE result IS NULL AND CASE WHEN json_valid(body) THEN body ->> '$.result' IS NOT NULL END;
UPDATE measurements SET result = NULL
WHERE result <> 'null' AND instr(body, result) > 0 AND CASE WHEN json_valid(body) THEN body ->> '$.result' IS NOT NULL END
    AND NOT EXISTS (
        SELECT 1 FROM warnings w WHERE w.external_id = measurements.external_id AND w.kind = 'address_differs'
    );
