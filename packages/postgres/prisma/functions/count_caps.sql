-- Counts newly recorded requests against the caps of their keys, members and accounts, each in the period of its admission.
-- A task counts its hold; its end returns the rest. Requests of test keys count nothing.
-- p_new: the ids of the requests that were not recorded before.
-- Called by record_settlements().
CREATE OR REPLACE FUNCTION count_caps(p_events jsonb, p_new text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_owner record;
  v_count cap_count;
BEGIN
  FOR v_owner IN
    WITH capped AS MATERIALIZED (
      SELECT named.*, coalesce(api_key.spending_key_id, api_key.id) AS line_id, api_key.caps AS key_caps,
          account.caps AS account_caps, member_id, member.caps AS member_caps, account.time_zone
        FROM (SELECT DISTINCT "accountId" AS account_id, "keyId" AS key_id
          FROM jsonb_to_recordset(p_events) AS event ("accountId" text, "keyId" text)) AS named
        JOIN account ON account.id = named.account_id
        JOIN api_key ON api_key.id = named.key_id AND NOT api_key.is_test
        LEFT JOIN member ON member.id = member_id
        WHERE api_key.caps <> '[]' OR account.caps <> '[]' OR member.caps <> '[]'
    ), used AS (
      SELECT DISTINCT ON (event."requestId") capped.*, to_timestamp(event."admittedAtMs" / 1000.0) AS admitted_at,
          token_count(event.units) AS tokens,
          CASE WHEN event.outcome = 'held'
              AND is_final_task((SELECT state FROM video_task WHERE video_task.request_id = event."requestId"))
            THEN 0 ELSE event."costNanoUsd" END AS cost
        FROM capped
        JOIN jsonb_to_recordset(p_events) AS event ("requestId" text, "accountId" text, "keyId" text, outcome text,
          "costNanoUsd" bigint, units jsonb, "admittedAtMs" numeric, "streamEntryId" text)
          ON event."accountId" = capped.account_id AND event."keyId" = capped.key_id
        WHERE event."requestId" IN (SELECT unnest(p_new))
        ORDER BY event."requestId", event."streamEntryId"
    ), owned AS (
      SELECT account_id, line_id AS owner_id, key_caps AS caps, time_zone, admitted_at, tokens, cost FROM used
      UNION ALL
      SELECT account_id, account_id, account_caps, time_zone, admitted_at, tokens, cost FROM used
      UNION ALL
      SELECT account_id, member_id, member_caps, time_zone, admitted_at, tokens, cost FROM used WHERE member_id IS NOT NULL
    )
    SELECT account_id, owner_id, caps, time_zone, period, period_start(period, time_zone, admitted_at) AS starts_at,
        count(*) AS requests, sum(tokens)::bigint AS tokens, sum(cost)::bigint AS cost
      FROM owned CROSS JOIN LATERAL (SELECT DISTINCT cap->>'period' AS period FROM jsonb_array_elements(caps) AS cap) AS named
      GROUP BY account_id, owner_id, caps, time_zone, period, period_start(period, time_zone, admitted_at)
      ORDER BY owner_id, period, starts_at
  LOOP
    INSERT INTO cap_count AS known (owner_id, period, starts_at, ends_at, requests, tokens, cost_nano_usd)
      VALUES (v_owner.owner_id, v_owner.period, v_owner.starts_at,
        period_end(v_owner.period, v_owner.time_zone, v_owner.starts_at), v_owner.requests, v_owner.tokens, v_owner.cost)
      ON CONFLICT (owner_id, period, starts_at) DO UPDATE SET requests = known.requests + excluded.requests,
        tokens = known.tokens + excluded.tokens, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
        version = known.version + 1
      RETURNING * INTO v_count;
    PERFORM raise_cap_alerts(v_owner.account_id, v_owner.owner_id, v_owner.caps, v_count);
  END LOOP;
END $$;
