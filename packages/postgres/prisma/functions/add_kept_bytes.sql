-- Adds to what an account keeps in requests or in responses; a negative number takes away.
-- Called by count_kept_bytes() and change_kept_bytes().
CREATE OR REPLACE FUNCTION add_kept_bytes(p_kind text, p_account_id text, p_bytes bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO store_use AS used (account_id, bytes, objects, request_bytes, response_bytes)
    SELECT p_account_id, 0, 0, CASE p_kind WHEN 'requests' THEN added ELSE 0 END, CASE p_kind WHEN 'responses' THEN added ELSE 0 END
    FROM greatest(p_bytes, 0) AS added WHERE p_bytes <> 0
  ON CONFLICT (account_id) DO UPDATE SET
    request_bytes = used.request_bytes + CASE p_kind WHEN 'requests' THEN p_bytes ELSE 0 END,
    response_bytes = used.response_bytes + CASE p_kind WHEN 'responses' THEN p_bytes ELSE 0 END
$$;
