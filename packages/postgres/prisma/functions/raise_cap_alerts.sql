-- Raises cap.reached for each cap of an owner whose period's count has reached its limit: once for each cap and period.
-- Called by count_caps().
CREATE OR REPLACE FUNCTION raise_cap_alerts(p_account_id text, p_owner_id text, p_caps jsonb, p_count cap_count)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT concat_ws(':', p_owner_id, p_count.period, (extract(epoch FROM p_count.starts_at) * 1000)::bigint,
        cap->>'measure', cap->>'hard'), 'cap.reached', p_account_id,
      jsonb_strip_nulls(jsonb_build_object('account_id', p_account_id,
        'key_id', CASE WHEN p_owner_id LIKE 'key\_%' THEN p_owner_id END,
        'member_id', CASE WHEN p_owner_id LIKE 'mem\_%' THEN p_owner_id END,
        'period', p_count.period, 'measure', cap->>'measure', 'hard', (cap->>'hard')::boolean,
        'limit', CASE cap->>'measure' WHEN 'usd' THEN usd_of((cap->>'limit')::bigint) ELSE cap->>'limit' END,
        'used', CASE cap->>'measure' WHEN 'usd' THEN usd_of(used.amount) ELSE used.amount::text END,
        'resets_at', p_count.ends_at))
      FROM jsonb_array_elements(p_caps) AS cap
      CROSS JOIN LATERAL (SELECT CASE cap->>'measure' WHEN 'usd' THEN p_count.cost_nano_usd
        WHEN 'tokens' THEN p_count.tokens ELSE p_count.requests END AS amount) AS used
      WHERE cap->>'period' = p_count.period AND used.amount >= (cap->>'limit')::bigint
      ORDER BY 1
    ON CONFLICT DO NOTHING
$$;
