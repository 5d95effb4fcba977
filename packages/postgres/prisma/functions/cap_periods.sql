-- The periods of an owner's caps now, with what counts against them, as admission and the account interface need them:
-- [{ownerId, period, startsAtMs, endsAtMs, nextEndsAtMs, requests, tokens, cost, version, caps}]; counts are digits.
-- `endsAtMs` and `nextEndsAtMs` are null for `life`; `caps`: [{measure, limit, hard}].
-- Called by findKeyBySha256() and readCapPeriods().
CREATE OR REPLACE FUNCTION cap_periods(p_owner_id text, p_caps jsonb, p_time_zone text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('ownerId', p_owner_id, 'period', grouped.period,
      'startsAtMs', (extract(epoch FROM started.at) * 1000)::bigint,
      'endsAtMs', (extract(epoch FROM ended.at) * 1000)::bigint,
      'nextEndsAtMs', (extract(epoch FROM period_end(grouped.period, p_time_zone, ended.at)) * 1000)::bigint,
      'requests', coalesce(requests, 0)::text, 'tokens', coalesce(tokens, 0)::text,
      'cost', coalesce(cost_nano_usd, 0)::text, 'version', coalesce(version, 0)::text, 'caps', caps) ORDER BY grouped.period), '[]')
    FROM (
      SELECT cap->>'period' AS period, jsonb_agg(cap - 'period' ORDER BY cap->>'measure', cap->>'hard') AS caps
        FROM jsonb_array_elements(p_caps) AS cap GROUP BY 1
    ) AS grouped
    CROSS JOIN LATERAL (SELECT period_start(grouped.period, p_time_zone, now()) AS at) AS started
    CROSS JOIN LATERAL (SELECT period_end(grouped.period, p_time_zone, started.at) AS at) AS ended
    LEFT JOIN cap_count ON cap_count.owner_id = p_owner_id AND cap_count.period = grouped.period
      AND cap_count.starts_at = started.at
$$;
