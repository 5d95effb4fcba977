-- Makes due for removal what a closed account keeps, at most so many rows of each kind: one statement for millions would take
-- longer than a statement may. Returns true once nothing is left.
-- Called by close_account() and emptyClosedAccount().
CREATE OR REPLACE FUNCTION empty_closed_account(p_account_id text, p_rows int) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  -- The columns have milliseconds: a time that is rounded up would show a row for another moment.
  v_past CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp()) - interval '1 millisecond';
  v_most bigint;
BEGIN
  WITH shown AS MATERIALIZED (
    SELECT id FROM durable_request
    WHERE account_id = p_account_id AND is_test IN (false, true) AND (ticket ->> 'isOfBatch') IS NULL
      AND finished_at IS NOT NULL AND expires_at > v_past LIMIT p_rows
  ), lines AS MATERIALIZED (
    SELECT id FROM durable_request
    WHERE account_id = p_account_id AND (ticket ->> 'isOfBatch') IS NOT NULL
      AND finished_at IS NOT NULL AND expires_at > v_past LIMIT p_rows
  ), requests AS (
    UPDATE durable_request SET expires_at = v_past
      WHERE id IN (SELECT id FROM shown UNION ALL SELECT id FROM lines) RETURNING 1
  ), some_responses AS MATERIALIZED (
    SELECT id FROM stored_response WHERE account_id = p_account_id AND expires_at > v_past LIMIT p_rows
  ), responses AS (
    UPDATE stored_response SET expires_at = v_past WHERE id IN (SELECT id FROM some_responses) RETURNING 1
  ), some_conversations AS MATERIALIZED (
    SELECT id FROM conversation WHERE account_id = p_account_id AND expires_at > v_past LIMIT p_rows
  ), conversations AS (
    UPDATE conversation SET expires_at = v_past WHERE id IN (SELECT id FROM some_conversations) RETURNING 1
  ), some_results AS MATERIALIZED (
    SELECT file_id FROM fetched_result WHERE account_id = p_account_id AND status <> 'deleted' LIMIT p_rows
  ), results AS (
    UPDATE fetched_result SET status = 'deleted', reason = NULL
      WHERE file_id IN (SELECT file_id FROM some_results) RETURNING 1
  ), some_objects AS MATERIALIZED (
    (SELECT id FROM stored_object WHERE account_id = p_account_id AND status = 'ready' LIMIT p_rows)
    -- Few objects of all accounts are being written.
    UNION ALL (SELECT id FROM stored_object WHERE status <> 'ready' AND status = 'uploading' AND account_id = p_account_id)
  ), objects AS (
    UPDATE stored_object SET status = 'deleted', due_at = clock_timestamp()
      WHERE id IN (SELECT id FROM some_objects) RETURNING bytes
  ), freed AS (
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes, count(*) AS objects FROM objects
  ), counted AS (
    UPDATE store_use SET bytes = store_use.bytes - freed.bytes, objects = store_use.objects - freed.objects
      FROM freed WHERE account_id = p_account_id AND freed.objects > 0
  )
  SELECT greatest((SELECT count(*) FROM requests), (SELECT count(*) FROM responses), (SELECT count(*) FROM conversations),
    (SELECT count(*) FROM results), (SELECT objects FROM freed)) INTO v_most;
  IF v_most >= p_rows THEN
    RETURN false;
  END IF;
  UPDATE account SET emptied_at = clock_timestamp() WHERE id = p_account_id;
  RETURN true;
END $$;
