-- Counts what is booked in the current periods of the caps of an account, a member or a chain of keys, after the caps or the
-- time zone have changed: a cap set in the middle of a month counts the whole month. A reversed charge counts its
-- request and its tokens, and no cost. The rows are locked first, so a request that is booked meanwhile counts once, by
-- record_settlements or here.
-- p_owner_id: the account, the member, or the first key of the chain.
-- Called by seed_key_caps, seed_member_caps and seed_account_caps.
CREATE OR REPLACE FUNCTION seed_cap_counts(p_account_id text, p_owner_id text, p_caps jsonb, p_time_zone text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_period text;
  v_start timestamptz;
BEGIN
  FOR v_period IN SELECT DISTINCT cap->>'period' FROM jsonb_array_elements(p_caps) AS cap ORDER BY 1 LOOP
    v_start := period_start(v_period, p_time_zone, now());
    INSERT INTO cap_count AS known (owner_id, period, starts_at, ends_at)
      VALUES (p_owner_id, v_period, v_start, period_end(v_period, p_time_zone, v_start))
      ON CONFLICT (owner_id, period, starts_at) DO UPDATE SET version = known.version + 1;
    UPDATE cap_count SET (requests, tokens, cost_nano_usd) = (
        SELECT count(*), coalesce(sum(token_count(units)), 0)::bigint, coalesce(sum(cost), 0)::bigint FROM (
          SELECT key_id, units, CASE WHEN request_id IN (
              SELECT substr(reference, 1 + length('reversal:settlement:')) FROM ledger_transaction
                WHERE account_id = p_account_id AND kind = 'adjustment' AND starts_with(reference, 'reversal:settlement:')
                  AND id >= ledger_month_floor(v_start)
            ) THEN 0 ELSE cost_nano_usd END AS cost FROM settlement
            WHERE account_id = p_account_id AND settled_at >= v_start AND admitted_at >= v_start
          UNION ALL
          SELECT key_id, '{}', hold_nano_usd FROM video_task
            WHERE account_id = p_account_id AND NOT is_final_task(state) AND hold_entry_id IS NOT NULL AND video_task.created_at >= v_start
        ) AS used JOIN api_key ON api_key.id = used.key_id AND NOT is_test
        WHERE p_owner_id IN (p_account_id, member_id, coalesce(spending_key_id, api_key.id)))
      WHERE owner_id = p_owner_id AND period = v_period AND starts_at = v_start;
  END LOOP;
END $$;
