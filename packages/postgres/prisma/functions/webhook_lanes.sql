-- A lane is what waits of one account for one host: all of them, with the moment of the oldest in each, found by stepping from
-- lane to lane however many wait in one. Of one account at most `p_most_hosts`: whoever names a host for each task has many.
CREATE OR REPLACE FUNCTION webhook_lanes(p_most_hosts int) RETURNS TABLE (account_id text, host text, next_attempt_at timestamptz)
LANGUAGE sql STABLE AS $$
  WITH RECURSIVE lane AS (
    (SELECT account_id, host, next_attempt_at, 1 AS place FROM webhook_delivery
      WHERE state = 'pending' ORDER BY account_id, host, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.account_id, next.host, next.next_attempt_at,
        CASE WHEN next.account_id = lane.account_id THEN lane.place + 1 ELSE 1 END
      FROM lane CROSS JOIN LATERAL (
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE lane.place < p_most_hosts AND state = 'pending' AND (account_id, host) > (lane.account_id, lane.host)
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
        UNION ALL
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE lane.place >= p_most_hosts AND state = 'pending' AND account_id > lane.account_id
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
      ) AS next
  )
  SELECT account_id, host, next_attempt_at FROM lane
$$;
