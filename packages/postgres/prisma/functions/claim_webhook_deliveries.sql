-- Leases up to p_limit due deliveries. A lease ends with its report, or after p_lease_ms milliseconds.
-- Limits the concurrent deliveries of an account: p_host_limit to one host, p_account_limit to all hosts. So a slow
-- receiver does not delay others.
-- An account with fewer concurrent deliveries comes first.
-- Reads the oldest due deliveries. If too few of those may be sent, it also reads the oldest of each host.
-- Cancels deliveries whose endpoint has ended; logs an attempt as interrupted if its lease ran out.
-- Not a single statement: claims must wait for the lock before they take their snapshot, or they exceed the limits.
-- Called by claimDeliveries().
CREATE OR REPLACE FUNCTION claim_webhook_deliveries(p_limit int, p_lease_ms int, p_host_limit int, p_account_limit int)
RETURNS TABLE (
  id text, lease text, attempt int, step int, account_id text, url text,
  event_id text, type text, data jsonb, event_created_at timestamptz, is_first boolean, age_ms float8
) LANGUAGE plpgsql AS $$
DECLARE
  v_due_until timestamptz := now() + interval '1 millisecond';
  v_oldest_limit int := greatest(200, 4 * p_limit);
BEGIN
  PERFORM pg_advisory_xact_lock(7236103);
  RETURN QUERY
  WITH sending AS MATERIALIZED (
    SELECT delivery.account_id, delivery.host, count(*) AS sending_to_host
      FROM webhook_delivery AS delivery
      WHERE delivery.lease IS NOT NULL AND delivery.next_attempt_at > now()
      GROUP BY delivery.account_id, delivery.host
  ), accounts AS MATERIALIZED (
    SELECT sending.account_id, sum(sending_to_host) AS sending_by_account FROM sending GROUP BY sending.account_id
  ), oldest AS MATERIALIZED (
    SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
      FROM webhook_delivery AS delivery
      WHERE delivery.state = 'pending' AND delivery.next_attempt_at <= v_due_until
      ORDER BY delivery.next_attempt_at LIMIT v_oldest_limit
  ), places AS (
    SELECT least(count(*), p_host_limit - coalesce(max(sending.sending_to_host), 0)) AS free
      FROM oldest
      LEFT JOIN sending ON sending.account_id = oldest.account_id AND sending.host = oldest.host
      LEFT JOIN accounts ON accounts.account_id = oldest.account_id
      WHERE coalesce(sending.sending_to_host, 0) < p_host_limit AND coalesce(accounts.sending_by_account, 0) < p_account_limit
      GROUP BY oldest.account_id, oldest.host
  ), crowd AS MATERIALIZED (
    SELECT (SELECT count(*) FROM oldest) = v_oldest_limit
      AND (SELECT coalesce(sum(free), 0) FROM places) < p_limit AS hides_others
  ), hosts AS MATERIALIZED (
    SELECT pending.account_id, pending.host
      FROM crowd CROSS JOIN LATERAL pending_webhook_hosts(100) AS pending
      LEFT JOIN sending ON sending.account_id = pending.account_id AND sending.host = pending.host
      LEFT JOIN accounts ON accounts.account_id = pending.account_id
      WHERE crowd.hides_others AND pending.next_attempt_at <= v_due_until
        AND coalesce(sending.sending_to_host, 0) < p_host_limit AND coalesce(accounts.sending_by_account, 0) < p_account_limit
      ORDER BY pending.next_attempt_at LIMIT p_limit
  ), candidates AS (
    SELECT * FROM oldest
    UNION
    SELECT first.* FROM hosts CROSS JOIN LATERAL (
      SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
        FROM webhook_delivery AS delivery
        WHERE delivery.state = 'pending' AND delivery.account_id = hosts.account_id AND delivery.host = hosts.host
          AND delivery.next_attempt_at <= v_due_until
        ORDER BY delivery.next_attempt_at LIMIT p_host_limit) AS first
  ), due AS MATERIALIZED (
    SELECT candidates.*, coalesce(sending.sending_to_host, 0) AS sending_to_host,
        coalesce(accounts.sending_by_account, 0) AS sending_by_account
      FROM candidates
      LEFT JOIN sending ON sending.account_id = candidates.account_id AND sending.host = candidates.host
      LEFT JOIN accounts ON accounts.account_id = candidates.account_id
  ), within_host AS (
    SELECT due.*, row_number() OVER (PARTITION BY due.account_id, due.host ORDER BY due.next_attempt_at) AS place FROM due
  ), within_account AS (
    SELECT within_host.*,
        row_number() OVER (PARTITION BY within_host.account_id ORDER BY within_host.next_attempt_at) AS accounts_place
      FROM within_host WHERE place + sending_to_host <= p_host_limit
  ), chosen AS MATERIALIZED (
    SELECT within_account.id FROM within_account WHERE accounts_place + sending_by_account <= p_account_limit
      ORDER BY accounts_place + sending_by_account, within_account.next_attempt_at LIMIT p_limit
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
    SELECT locked.id, endpoint.deleted_at IS NULL AND endpoint.disabled_at IS NULL AS is_enabled,
        CASE WHEN endpoint.deleted_at IS NULL THEN 'endpoint_disabled' ELSE 'endpoint_deleted' END AS cancel_reason
      FROM locked LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = locked.endpoint_id
  ), cancelled AS (
    UPDATE webhook_delivery AS delivery
      SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(), last_error = open.cancel_reason
      FROM open WHERE delivery.id = open.id AND NOT open.is_enabled
  ), leased AS (
    UPDATE webhook_delivery AS delivery SET lease = gen_random_uuid()::text,
        next_attempt_at = clock_timestamp() + p_lease_ms * interval '1 millisecond',
        attempts = delivery.attempts + 1, step = delivery.step + 1,
        first_attempt_at = coalesce(delivery.first_attempt_at, clock_timestamp()), last_attempt_at = clock_timestamp()
      FROM open WHERE delivery.id = open.id AND open.is_enabled
      RETURNING delivery.*
  )
  SELECT leased.id, leased.lease, leased.attempts, leased.step, leased.account_id, leased.url,
      event.public_id, event.type, event.data, event.created_at, leased.attempts = 1,
      (extract(epoch FROM leased.last_attempt_at - event.created_at) * 1000)::float8
    FROM leased JOIN account_event AS event ON event.id = leased.event_id;
END $$;
