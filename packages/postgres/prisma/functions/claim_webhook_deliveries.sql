-- Lends up to `p_limit` due deliveries, each until its attempt has been reported or `p_lease_ms` are over. At most
-- `p_host_limit` of one account's go to one host at a time and `p_account_limit` of one account's anywhere, so that
-- slow addresses hold up nobody else. Claims wait for each other, so that these limits hold over all workers.
-- A moment is kept in milliseconds and may be rounded up: what is due now is due in the next one at the latest.
-- ~~~
-- As before, and looks at no more than the oldest that are due; where these fill the places that are free only in part, since most
-- of them may not be sent now, it looks at the lanes.
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(p_limit int, p_lease_ms int, p_host_limit int, p_account_limit int)
RETURNS TABLE (
  id text, lease text, attempt int, step int, account_id text, url text,
  event_id text, type text, data jsonb, event_created_at timestamptz, is_first boolean, age_ms float8
) LANGUAGE plpgsql AS $$
DECLARE
  v_due_until timestamptz := now() + interval '1 millisecond';
  v_looked_at int := greatest(200, 4 * p_limit);
BEGIN
  PERFORM pg_advisory_xact_lock(7236103);
  RETURN QUERY
  WITH sending AS MATERIALIZED (
    SELECT delivery.account_id, delivery.host, count(*) AS hosts_own
      FROM webhook_delivery AS delivery
      WHERE delivery.lease IS NOT NULL AND delivery.next_attempt_at > now()
      GROUP BY delivery.account_id, delivery.host
  ), accounts AS MATERIALIZED (
    SELECT sending.account_id, sum(hosts_own) AS accounts_own FROM sending GROUP BY sending.account_id
  ), oldest AS MATERIALIZED (
    SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
      FROM webhook_delivery AS delivery
      WHERE delivery.state = 'pending' AND delivery.next_attempt_at <= v_due_until
      ORDER BY delivery.next_attempt_at LIMIT v_looked_at
  ), places AS (
    SELECT least(count(*), p_host_limit - coalesce(max(sending.hosts_own), 0)) AS free
      FROM oldest
      LEFT JOIN sending ON sending.account_id = oldest.account_id AND sending.host = oldest.host
      LEFT JOIN accounts ON accounts.account_id = oldest.account_id
      WHERE coalesce(sending.hosts_own, 0) < p_host_limit AND coalesce(accounts.accounts_own, 0) < p_account_limit
      GROUP BY oldest.account_id, oldest.host
  ), crowd AS MATERIALIZED (
    SELECT (SELECT count(*) FROM oldest) = v_looked_at
      AND (SELECT coalesce(sum(free), 0) FROM places) < p_limit AS hides_others
  ), lanes AS MATERIALIZED (
    SELECT lane.account_id, lane.host
      FROM crowd CROSS JOIN LATERAL webhook_lanes(100) AS lane
      LEFT JOIN sending ON sending.account_id = lane.account_id AND sending.host = lane.host
      LEFT JOIN accounts ON accounts.account_id = lane.account_id
      WHERE crowd.hides_others AND lane.next_attempt_at <= v_due_until
        AND coalesce(sending.hosts_own, 0) < p_host_limit AND coalesce(accounts.accounts_own, 0) < p_account_limit
      ORDER BY lane.next_attempt_at LIMIT p_limit
  ), candidates AS (
    SELECT * FROM oldest
    UNION
    SELECT first.* FROM lanes CROSS JOIN LATERAL (
      SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
        FROM webhook_delivery AS delivery
        WHERE delivery.state = 'pending' AND delivery.account_id = lanes.account_id AND delivery.host = lanes.host
          AND delivery.next_attempt_at <= v_due_until
        ORDER BY delivery.next_attempt_at LIMIT p_host_limit) AS first
  ), due AS MATERIALIZED (
    SELECT candidates.*, coalesce(sending.hosts_own, 0) AS hosts_own, coalesce(accounts.accounts_own, 0) AS accounts_own
      FROM candidates
      LEFT JOIN sending ON sending.account_id = candidates.account_id AND sending.host = candidates.host
      LEFT JOIN accounts ON accounts.account_id = candidates.account_id
  ), within_host AS (
    SELECT due.*, row_number() OVER (PARTITION BY due.account_id, due.host ORDER BY due.next_attempt_at) AS place FROM due
  ), within_account AS (
    SELECT within_host.*,
        row_number() OVER (PARTITION BY within_host.account_id ORDER BY within_host.next_attempt_at) AS accounts_place
      FROM within_host WHERE place + hosts_own <= p_host_limit
  ), chosen AS MATERIALIZED (
    SELECT within_account.id FROM within_account WHERE accounts_place + accounts_own <= p_account_limit
      ORDER BY within_account.next_attempt_at LIMIT p_limit
  ), locked AS MATERIALIZED (
    SELECT delivery.id, delivery.lease, delivery.attempts, delivery.last_attempt_at, delivery.endpoint_id
      FROM webhook_delivery AS delivery
      WHERE delivery.id IN (SELECT chosen.id FROM chosen)
        AND delivery.state = 'pending' AND delivery.next_attempt_at <= v_due_until
      FOR NO KEY UPDATE SKIP LOCKED
  ), interrupted AS (
    INSERT INTO webhook_attempt (delivery_id, number, started_at, error)
      SELECT locked.id, locked.attempts, locked.last_attempt_at, 'interrupted' FROM locked WHERE locked.lease IS NOT NULL
      ON CONFLICT DO NOTHING
  ), open AS (
    SELECT locked.id, endpoint.deleted_at IS NULL AND endpoint.disabled_at IS NULL AS is_wanted,
        CASE WHEN endpoint.deleted_at IS NULL THEN 'endpoint_disabled' ELSE 'endpoint_deleted' END AS why_not
      FROM locked LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = locked.endpoint_id
  ), cancelled AS (
    UPDATE webhook_delivery AS delivery
      SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(), last_error = open.why_not
      FROM open WHERE delivery.id = open.id AND NOT open.is_wanted
  ), lent AS (
    UPDATE webhook_delivery AS delivery SET lease = gen_random_uuid()::text,
        next_attempt_at = clock_timestamp() + p_lease_ms * interval '1 millisecond',
        attempts = delivery.attempts + 1, step = delivery.step + 1,
        first_attempt_at = coalesce(delivery.first_attempt_at, clock_timestamp()), last_attempt_at = clock_timestamp()
      FROM open WHERE delivery.id = open.id AND open.is_wanted
      RETURNING delivery.*
  )
  SELECT lent.id, lent.lease, lent.attempts, lent.step, lent.account_id, lent.url,
      event.public_id, event.type, event.data, event.created_at, lent.attempts = 1,
      (extract(epoch FROM lent.last_attempt_at - event.created_at) * 1000)::float8
    FROM lent JOIN account_event AS event ON event.id = lent.event_id;
END $$;
