-- Closes an organisation for good, in one transaction: no person enters it, none of its keys works, what runs is asked to stop, and
-- what it keeps becomes due for removal. Its books stay. Returns false if there is no open one.
-- The locks of its rows make a second call wait, and find it closed.
-- Called by closeAccount().
CREATE OR REPLACE FUNCTION close_account(p_account_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account SET closed_at = clock_timestamp() WHERE id = p_account_id AND closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The trigger of a key removes its prompts and answers.
  UPDATE api_key SET revoked_at = clock_timestamp() WHERE account_id = p_account_id AND revoked_at IS NULL;
  DELETE FROM content_key WHERE account_id = p_account_id;
  UPDATE session SET account_id = NULL WHERE account_id = p_account_id;
  UPDATE invitation SET revoked_at = clock_timestamp()
    WHERE account_id = p_account_id AND accepted_at IS NULL AND revoked_at IS NULL;
  UPDATE video_task SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_outcome = 'pending', version = version + 1
    WHERE account_id = p_account_id AND NOT is_final_task(state) AND cancel_outcome IS DISTINCT FROM 'pending';
  UPDATE batch SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE WHEN owner IS NULL THEN clock_timestamp() ELSE due_at END
    WHERE account_id = p_account_id AND finished_at IS NULL;
  UPDATE batch SET deleted_at = clock_timestamp()
    WHERE account_id = p_account_id AND finished_at IS NOT NULL AND deleted_at IS NULL;
  UPDATE durable_request SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE status WHEN 'queued' THEN clock_timestamp() ELSE due_at END
    WHERE id IN (SELECT id FROM open_request) AND account_id = p_account_id AND finished_at IS NULL;
  -- Most accounts keep no more than that. The others are emptied by emptyClosedAccount().
  PERFORM empty_closed_account(p_account_id, 5000);
  PERFORM end_webhook_endpoint(p_account_id, id, true)
    FROM webhook_endpoint WHERE account_id = p_account_id AND deleted_at IS NULL;
  DELETE FROM webhook_secret WHERE account_id = p_account_id;
  RETURN true;
END $$;
