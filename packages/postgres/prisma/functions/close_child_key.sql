-- Returns to its parent what an ended child has not spent, once, and announces the end. From then on the child counts on
-- its parent's line: a charge or a refund that comes late reaches the parent.
-- The caller has seen that nothing of the child is held or unsettled in Redis; open tasks and open children keep it open.
-- Returns the parent's line and its totals, for Redis; no row if the child is not closed by this call.
-- Called by closeChildKey().
CREATE OR REPLACE FUNCTION close_child_key(p_id text)
RETURNS TABLE (spending_key_id text, spent_nano_usd bigint, spending_version bigint) LANGUAGE plpgsql AS $$
DECLARE
  v_child api_key%ROWTYPE;
  v_line api_key%ROWTYPE;
BEGIN
  PERFORM 1 FROM api_key AS key WHERE key.id IN (p_id, (SELECT child.parent_id FROM api_key AS child WHERE child.id = p_id))
    ORDER BY key.id FOR NO KEY UPDATE;
  SELECT * INTO v_child FROM api_key AS child WHERE child.id = p_id;
  SELECT * INTO v_line FROM api_key AS line WHERE line.id = v_child.parent_id;
  IF v_child.closed_at IS NOT NULL OR v_child.parent_id IS NULL
    OR (v_child.revoked_at IS NULL AND v_child.expires_at > clock_timestamp())
    OR EXISTS (SELECT 1 FROM api_key AS open WHERE open.parent_id = p_id AND open.closed_at IS NULL)
    OR EXISTS (SELECT 1 FROM video_task WHERE key_id = p_id AND account_id = v_child.account_id AND NOT is_final_task(state)) THEN
    RETURN;
  END IF;
  UPDATE api_key AS child SET closed_at = coalesce(child.closed_at, clock_timestamp()), spending_key_id = v_line.id
    WHERE child.id = p_id OR child.spending_key_id = p_id;
  RETURN QUERY UPDATE api_key AS line
    SET spent_nano_usd = line.spent_nano_usd - v_child.spend_cap_nano_usd + v_child.spent_nano_usd,
      reserved_nano_usd = line.reserved_nano_usd - v_child.spend_cap_nano_usd,
      spending_version = line.spending_version + 1
    WHERE line.id = v_line.id
    RETURNING line.id, line.spent_nano_usd, line.spending_version;
  PERFORM emit_event(v_child.account_id, 'key.child.ended', p_id, jsonb_build_object('key_id', p_id,
    'parent_id', v_line.id, 'name', v_child.name, 'reason', CASE WHEN v_child.revoked_at IS NULL THEN 'expired' ELSE 'revoked' END,
    'budget_usd', usd_of(v_child.spend_cap_nano_usd), 'spent_usd', usd_of(v_child.spent_nano_usd),
    'returned_usd', usd_of(v_child.spend_cap_nano_usd - v_child.spent_nano_usd)), NULL, v_child.is_test);
END $$;
