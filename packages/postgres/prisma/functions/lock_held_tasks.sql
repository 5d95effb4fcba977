-- Locks the tasks whose holds a batch of usage events reports. Raises foreign_key_violation if an event names no task or
-- another amount: such an event is parked for a person to inspect.
-- Also locks the accounts of tasks that have ended, before their balances. Their holds go from escrow to the customer.
-- grant_escrow locks the same balances in the other order, and the lock of the account row separates the two.
-- Called by record_settlements.
CREATE OR REPLACE FUNCTION lock_held_tasks(p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_odd text;
BEGIN
  PERFORM 1 FROM video_task
    WHERE request_id IN (SELECT event."requestId"
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text) WHERE event.outcome = 'held')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM account
    WHERE id IN (SELECT account_id FROM video_task WHERE is_final_task(state) AND request_id IN (SELECT event."requestId"
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text) WHERE event.outcome = 'held'))
    ORDER BY id FOR NO KEY UPDATE;
  SELECT event."requestId" INTO v_odd
    FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "costNanoUsd" bigint)
    LEFT JOIN video_task ON request_id = event."requestId"
    WHERE event.outcome = 'held' AND hold_nano_usd IS DISTINCT FROM event."costNanoUsd" LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'no task holds what the event of request % says', v_odd USING ERRCODE = 'foreign_key_violation';
  END IF;
END $$;
