-- What an account hears of, and how it gets there. `emit_event` is called in the transaction that changes something,
-- so that an event exists exactly if what it tells of does. Sending is at least once: a claim lends a delivery for a
-- while, and what its borrower does not report is lent again.
--
-- Locks: an endpoint before its deliveries. The lock of an account's events comes after every other lock of a
-- transaction: call `emit_event` last, and for several accounts in the order of their ids.

ALTER TABLE "account_event" ADD CONSTRAINT "account_event_type_is_dotted" CHECK ("type" ~ '^[a-z_]+(\.[a-z_]+)+$');
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_says_why_it_is_disabled"
  CHECK (("disabled_at" IS NULL) = ("disabled_reason" IS NULL)
    AND "disabled_reason" IN ('by_you', 'gone', 'only_failures'));
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_state_is_known"
  CHECK ("state" IN ('pending', 'delivered', 'failed', 'cancelled')
    AND ("state" = 'pending') = ("next_attempt_at" IS NOT NULL)
    AND ("state" = 'pending') = ("finished_at" IS NULL)
    AND ("state" = 'pending' OR "lease" IS NULL));

-- Expressions keep these indexes out of reach of schema.prisma, which cannot say WHERE.
CREATE UNIQUE INDEX "webhook_endpoint_once" ON "webhook_endpoint" ("account_id", "is_test", ("url" || ''))
  WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "webhook_secret_current_once" ON "webhook_secret" (("account_id" || '')) WHERE "expires_at" IS NULL;
CREATE INDEX "webhook_delivery_on_its_way" ON "webhook_delivery" ("account_id", "host", ("lease" || ''))
  WHERE "lease" IS NOT NULL;
-- A delivery is written a few times in its life.
ALTER TABLE "webhook_delivery" SET (fillfactor = 70);

CREATE FUNCTION new_public_id(p_prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || replace(gen_random_uuid()::text, '-', '')
$$;

-- What an endpoint without a filter of its own gets, and a task's own address: everything but the steps on the way.
CREATE FUNCTION is_sent_by_default(p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_type NOT IN ('video.task.queued', 'video.task.running')
$$;

-- Host and port of a normalised URL.
CREATE FUNCTION webhook_host(p_url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(substring(lower(p_url) FROM '^[a-z]+://([^/?#]*)'), '')
$$;

-- The events of one account are committed in the order of their ids: each waits here for the one before it.
CREATE FUNCTION append_event(p_account_id text, p_type text, p_subject text, p_data jsonb, p_is_test boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_event_id bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7236102, hashtext(p_account_id));
  INSERT INTO account_event (public_id, account_id, type, subject, data, is_test, created_at)
    VALUES (new_public_id('evt'), p_account_id, p_type, p_subject, p_data, p_is_test, clock_timestamp())
    RETURNING id INTO v_event_id;
  RETURN v_event_id;
END $$;

-- Notes that something happened and sends it to whom it concerns: the standing endpoints that want it and, of what is
-- sent by default, `p_webhook_url` (null: none). An address that is both gets it once. Gives the event's id.
CREATE FUNCTION emit_event(
  p_account_id text, p_type text, p_subject text, p_data jsonb, p_webhook_url text, p_is_test boolean
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_event_id bigint := append_event(p_account_id, p_type, p_subject, p_data, p_is_test);
BEGIN
  INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
    SELECT new_public_id('whd'), v_event_id, p_account_id, address.endpoint_id, address.url, webhook_host(address.url),
      clock_timestamp(), clock_timestamp()
    FROM (
      SELECT DISTINCT ON (url) endpoint_id, url FROM (
        SELECT id AS endpoint_id, url FROM webhook_endpoint
          WHERE account_id = p_account_id AND is_test = p_is_test AND disabled_at IS NULL AND deleted_at IS NULL
            AND (p_type = ANY (event_types) OR '*' = ANY (event_types)
              OR cardinality(event_types) = 0 AND is_sent_by_default(p_type))
        UNION ALL
        SELECT NULL, p_webhook_url WHERE p_webhook_url IS NOT NULL AND is_sent_by_default(p_type)
      ) AS wanted
      ORDER BY url, endpoint_id NULLS LAST
    ) AS address;
  RETURN v_event_id;
END $$;

-- An event for one endpoint alone, whatever its filter. Null: there is no such endpoint.
CREATE FUNCTION emit_event_to_endpoint(p_account_id text, p_endpoint_id text, p_type text, p_data jsonb)
RETURNS TABLE (event_id text, delivery_id text) LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_event_id bigint;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL AND disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  v_event_id := append_event(p_account_id, p_type, p_endpoint_id, p_data, v_endpoint.is_test);
  RETURN QUERY
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      VALUES (new_public_id('whd'), v_event_id, p_account_id, p_endpoint_id, v_endpoint.url,
        webhook_host(v_endpoint.url), clock_timestamp(), clock_timestamp())
      RETURNING (SELECT public_id FROM account_event WHERE id = v_event_id), webhook_delivery.id;
END $$;

CREATE FUNCTION create_webhook_endpoint(
  p_account_id text, p_url text, p_event_types text[], p_description text, p_is_test boolean, p_limit int
) RETURNS TABLE (outcome text, id text) LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account_id AND deleted_at IS NULL) >= p_limit THEN
    RETURN QUERY SELECT 'too_many', NULL::text;
    RETURN;
  END IF;
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, description, is_test)
    VALUES (new_public_id('we'), p_account_id, p_url, p_event_types, p_description, p_is_test)
    ON CONFLICT DO NOTHING RETURNING webhook_endpoint.id INTO v_id;
  RETURN QUERY SELECT CASE WHEN v_id IS NULL THEN 'exists' ELSE 'created' END, v_id;
END $$;

-- What waits for an endpoint that is gone or disabled is not sent any more; it can be replayed later.
CREATE FUNCTION cancel_webhook_deliveries(p_endpoint_id text, p_why text) RETURNS void LANGUAGE sql AS $$
  UPDATE webhook_delivery SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(),
      last_error = p_why
    WHERE endpoint_id = p_endpoint_id AND state = 'pending'
$$;

-- Deletes or disables an endpoint and cancels what waits for it. False: there is none.
CREATE FUNCTION end_webhook_endpoint(p_account_id text, p_endpoint_id text, p_is_deleted boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_endpoint SET
      deleted_at = CASE WHEN p_is_deleted THEN now() END,
      disabled_at = CASE WHEN p_is_deleted THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = CASE WHEN p_is_deleted THEN disabled_reason ELSE coalesce(disabled_reason, 'by_you') END
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM cancel_webhook_deliveries(p_endpoint_id,
    CASE WHEN p_is_deleted THEN 'endpoint_deleted' ELSE 'endpoint_disabled' END);
  RETURN true;
END $$;

-- Lends up to `p_limit` due deliveries, each until its attempt has been reported or `p_lease_ms` are over. At most
-- `p_host_limit` of one account's go to one host at a time and `p_account_limit` of one account's anywhere, so that
-- slow addresses hold up nobody else. Claims wait for each other, so that these limits hold over all workers.
-- A moment is kept in milliseconds and may be rounded up: what is due now is due in the next one at the latest.
CREATE FUNCTION claim_webhook_deliveries(p_limit int, p_lease_ms int, p_host_limit int, p_account_limit int)
RETURNS TABLE (
  id text, lease text, attempt int, step int, account_id text, url text,
  event_id text, type text, data jsonb, event_created_at timestamptz, is_first boolean, age_ms float8
) LANGUAGE plpgsql AS $$
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
  ), due AS MATERIALIZED (
    SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at,
        coalesce(sending.hosts_own, 0) AS hosts_own, coalesce(accounts.accounts_own, 0) AS accounts_own
      FROM webhook_delivery AS delivery
      LEFT JOIN sending ON sending.account_id = delivery.account_id AND sending.host = delivery.host
      LEFT JOIN accounts ON accounts.account_id = delivery.account_id
      WHERE delivery.state = 'pending' AND delivery.next_attempt_at <= now() + interval '1 millisecond'
        AND coalesce(sending.hosts_own, 0) < p_host_limit AND coalesce(accounts.accounts_own, 0) < p_account_limit
      ORDER BY delivery.next_attempt_at LIMIT greatest(200, 4 * p_limit)
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
        AND delivery.state = 'pending' AND delivery.next_attempt_at <= now() + interval '1 millisecond'
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

-- Reports the attempt that a claim lent. `p_outcome`: `delivered`, `retry` (again after `p_retry_in_ms`), `failed` (never again) or
-- `gone` (the address wants nothing any more). An endpoint that had nothing but failures for `p_disable_after_ms`, and
-- at least `p_disable_after_failures` of them, is disabled, and the others hear of it.
-- Gives the reason for which the endpoint was disabled now, else null. A report that comes after its lease was lost
-- changes nothing but the log, unless it says that the event has arrived.
CREATE FUNCTION report_webhook_attempt(
  p_delivery_id text, p_lease text, p_number int, p_outcome text, p_duration_ms int, p_status int, p_error text,
  p_response_body text, p_retry_in_ms bigint, p_disable_after_ms bigint, p_disable_after_failures int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_is_ours boolean;
  v_reason text;
BEGIN
  SELECT endpoint.* INTO v_endpoint FROM webhook_endpoint AS endpoint
    WHERE endpoint.id = (SELECT endpoint_id FROM webhook_delivery WHERE id = p_delivery_id) FOR NO KEY UPDATE;
  INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, status, error, response_body)
    VALUES (p_delivery_id, p_number, clock_timestamp() - p_duration_ms * interval '1 millisecond', p_duration_ms, p_status,
      p_error, p_response_body)
    ON CONFLICT (delivery_id, number) DO UPDATE SET duration_ms = excluded.duration_ms, status = excluded.status,
      error = excluded.error, response_body = excluded.response_body;
  UPDATE webhook_delivery SET
      state = CASE p_outcome WHEN 'delivered' THEN 'delivered' WHEN 'retry' THEN 'pending' ELSE 'failed' END,
      next_attempt_at = CASE p_outcome WHEN 'retry' THEN now() + p_retry_in_ms * interval '1 millisecond' END,
      finished_at = CASE p_outcome WHEN 'retry' THEN NULL ELSE now() END,
      lease = NULL, last_status = p_status, last_error = p_error
    WHERE id = p_delivery_id AND (lease = p_lease OR p_outcome = 'delivered' AND state = 'pending');
  v_is_ours := FOUND;
  IF v_endpoint.id IS NULL OR v_endpoint.deleted_at IS NOT NULL OR NOT v_is_ours THEN
    RETURN NULL;
  END IF;
  IF p_outcome = 'delivered' THEN
    UPDATE webhook_endpoint SET consecutive_failures = 0, failing_since = NULL, last_success_at = now()
      WHERE id = v_endpoint.id;
    RETURN NULL;
  END IF;
  v_reason := CASE
    WHEN p_outcome = 'gone' THEN 'gone'
    WHEN v_endpoint.consecutive_failures + 1 >= p_disable_after_failures
      AND v_endpoint.failing_since <= now() - p_disable_after_ms * interval '1 millisecond' THEN 'only_failures'
  END;
  UPDATE webhook_endpoint SET consecutive_failures = consecutive_failures + 1,
      failing_since = coalesce(failing_since, now()),
      disabled_at = CASE WHEN v_reason IS NULL THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = coalesce(disabled_reason, v_reason)
    WHERE id = v_endpoint.id;
  IF v_reason IS NULL OR v_endpoint.disabled_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  PERFORM cancel_webhook_deliveries(v_endpoint.id, 'endpoint_disabled');
  PERFORM emit_event(v_endpoint.account_id, 'webhook.endpoint.disabled', v_endpoint.id,
    jsonb_build_object('id', v_endpoint.id, 'url', v_endpoint.url, 'reason', v_reason), NULL, v_endpoint.is_test);
  RETURN v_reason;
END $$;

-- Sends a delivery that has ended once more, from the beginning of the schedule, with the same event id.
CREATE FUNCTION replay_webhook_delivery(p_account_id text, p_delivery_id text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_delivery webhook_delivery%ROWTYPE;
BEGIN
  SELECT * INTO v_delivery FROM webhook_delivery WHERE id = p_delivery_id AND account_id = p_account_id;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  IF v_delivery.endpoint_id IS NOT NULL THEN
    SELECT * INTO v_endpoint FROM webhook_endpoint WHERE id = v_delivery.endpoint_id FOR NO KEY UPDATE;
    IF v_endpoint.deleted_at IS NOT NULL THEN
      RETURN 'endpoint_deleted';
    ELSIF v_endpoint.disabled_at IS NOT NULL THEN
      RETURN 'endpoint_disabled';
    END IF;
  END IF;
  UPDATE webhook_delivery SET state = 'pending', step = 0, next_attempt_at = now(), finished_at = NULL,
      last_status = NULL, last_error = NULL
    WHERE id = p_delivery_id AND state <> 'pending';
  RETURN CASE WHEN FOUND THEN 'replayed' ELSE 'pending' END;
END $$;

-- Makes a new current secret. The one that was current stays valid for `p_grace_ms`; an older one ends now.
CREATE FUNCTION rotate_webhook_secret(p_account_id text, p_sealed text, p_grace_ms bigint)
RETURNS TABLE (id text, created_at timestamptz, previous_expires_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  v_previous_expires_at timestamptz;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  UPDATE webhook_secret SET expires_at = now() WHERE account_id = p_account_id AND expires_at > now();
  UPDATE webhook_secret SET expires_at = now() + p_grace_ms * interval '1 millisecond'
    WHERE account_id = p_account_id AND expires_at IS NULL RETURNING expires_at INTO v_previous_expires_at;
  RETURN QUERY
    INSERT INTO webhook_secret (id, account_id, sealed) VALUES (new_public_id('whsec'), p_account_id, p_sealed)
      RETURNING webhook_secret.id, webhook_secret.created_at, v_previous_expires_at;
END $$;

-- Removes what is older than `p_keep_ms`, at most `p_limit` events with their deliveries and attempts at once. An event
-- that is still on its way stays.
CREATE FUNCTION remove_old_events(p_keep_ms bigint, p_limit int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_removed bigint;
BEGIN
  DELETE FROM account_event WHERE id IN (
    SELECT event.id FROM account_event AS event
      WHERE event.created_at < now() - p_keep_ms * interval '1 millisecond'
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = event.id AND state = 'pending')
      ORDER BY event.created_at LIMIT p_limit);
  GET DIAGNOSTICS v_removed = ROW_COUNT;
  DELETE FROM webhook_secret WHERE expires_at < now();
  DELETE FROM webhook_endpoint WHERE deleted_at < now() - p_keep_ms * interval '1 millisecond'
    AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id);
  RETURN v_removed;
END $$;
