-- Each pair of account and host with pending deliveries, and when its oldest is due; up to p_max_hosts hosts of an account.
-- An index skip scan: it reads one delivery of each pair, however many are pending.
-- Called by claim_webhook_deliveries.
CREATE OR REPLACE FUNCTION pending_webhook_hosts(p_max_hosts int)
RETURNS TABLE (account_id text, host text, next_attempt_at timestamptz)
LANGUAGE sql STABLE AS $$
  WITH RECURSIVE pending AS (
    (SELECT account_id, host, next_attempt_at, 1 AS place FROM webhook_delivery
      WHERE state = 'pending' ORDER BY account_id, host, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.account_id, next.host, next.next_attempt_at,
        CASE WHEN next.account_id = pending.account_id THEN pending.place + 1 ELSE 1 END
      FROM pending CROSS JOIN LATERAL (
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE pending.place < p_max_hosts AND state = 'pending' AND (account_id, host) > (pending.account_id, pending.host)
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
        UNION ALL
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE pending.place >= p_max_hosts AND state = 'pending' AND account_id > pending.account_id
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
      ) AS next
  )
  SELECT account_id, host, next_attempt_at FROM pending
$$;
