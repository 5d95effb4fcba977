-- Locks the tasks of a batch's holds. An event without its task, or of another amount, is refused: a person looks at it.
-- ~~~
-- As before, and locks the accounts of tasks that have ended already, in front of their balances. Their holds go from escrow to
-- the customer, which locks both; a grant locks the customer's first, because it has to know what there is, and the escrow's
-- after that. Each would wait for the other, but a grant locks the account before all else.
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
