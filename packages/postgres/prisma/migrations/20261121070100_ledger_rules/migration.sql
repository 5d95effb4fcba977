-- What the tables alone cannot say: nothing in the books is changed, every transaction sums to zero in the statement
-- that writes it, a balance is moved by its entries only. The functions below are the only writers of the books.

ALTER TABLE "account" ADD CONSTRAINT "account_limits_are_not_negative"
  CHECK (coalesce("requests_per_minute", 0) >= 0 AND coalesce("concurrency", 0) >= 0);
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_kind_is_known"
  CHECK (("account_id" IS NOT NULL) = ("kind" IN ('customer', 'escrow'))
    AND "kind" IN ('customer', 'escrow', 'revenue', 'top_ups', 'adjustments'));
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_moves_something" CHECK ("amount_nano_usd" <> 0);
ALTER TABLE "escrow_grant" ADD CONSTRAINT "escrow_grant_is_positive" CHECK ("amount_nano_usd" > 0);
ALTER TABLE "settlement" ADD CONSTRAINT "settlement_is_not_negative"
  CHECK ("hold_nano_usd" >= 0 AND "cost_nano_usd" >= 0);

CREATE UNIQUE INDEX "ledger_account_once" ON "ledger_account" ("kind", coalesce("account_id", ''));
-- The expression keeps the index out of reach of schema.prisma, which cannot say WHERE.
CREATE INDEX "escrow_grant_undelivered" ON "escrow_grant" ("account_id", ("sequence" + 0))
  WHERE "delivered_at" IS NULL AND "voided_at" IS NULL;
-- Updates of spent_nano_usd and last_used_at stay in the page.
ALTER TABLE "api_key" SET (fillfactor = 80);
ALTER TABLE "ledger_balance" SET (fillfactor = 50);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transaction"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "settlement"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_direct_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() < 2 OR TG_OP IN ('DELETE', 'TRUNCATE') THEN
    RAISE EXCEPTION 'ledger_balance follows ledger_entry: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "follows_entries" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "ledger_balance"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_direct_balance();

CREATE FUNCTION open_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_balance (ledger_account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER "open_balance" AFTER INSERT ON "ledger_account"
  FOR EACH ROW EXECUTE FUNCTION open_ledger_balance();

CREATE FUNCTION open_ledger_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_account (kind, account_id) VALUES ('customer', NEW.id), ('escrow', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER "open_ledger_accounts" AFTER INSERT ON "account"
  FOR EACH ROW EXECUTE FUNCTION open_ledger_accounts();

INSERT INTO "ledger_account" ("kind") VALUES ('revenue'), ('top_ups'), ('adjustments');

CREATE FUNCTION post_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_unbalanced bigint;
BEGIN
  SELECT transaction_id INTO v_unbalanced
    FROM posted GROUP BY transaction_id HAVING sum(amount_nano_usd) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', v_unbalanced USING ERRCODE = 'check_violation';
  END IF;
  -- One order for everybody, so that two writers cannot deadlock; the busy house accounts, which are the oldest, last.
  PERFORM 1 FROM ledger_balance
    WHERE ledger_account_id IN (SELECT ledger_account_id FROM posted)
    ORDER BY ledger_account_id DESC FOR NO KEY UPDATE;
  UPDATE ledger_balance AS balance
    SET balance_nano_usd = balance.balance_nano_usd + moved.amount, version = balance.version + 1
    FROM (SELECT ledger_account_id, sum(amount_nano_usd)::bigint AS amount FROM posted GROUP BY ledger_account_id) AS moved
    WHERE balance.ledger_account_id = moved.ledger_account_id;
  RETURN NULL;
END $$;

CREATE TRIGGER "post" AFTER INSERT ON "ledger_entry" REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION post_ledger_entries();

-- Grants and settlements hold this lock shared, a change of epoch holds it alone: neither sees half of the other.
CREATE FUNCTION epoch_lock_key() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 7236101 $$;

CREATE FUNCTION active_epoch() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT max(epoch) FROM redis_epoch WHERE activated_at IS NOT NULL AND retired_at IS NULL
$$;

CREATE FUNCTION ledger_account_of(p_kind text, p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM ledger_account WHERE kind = p_kind AND coalesce(account_id, '') = coalesce(p_account_id, '')
$$;

CREATE FUNCTION balance_of(p_kind text, p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT balance_nano_usd FROM ledger_balance WHERE ledger_account_id = ledger_account_of(p_kind, p_account_id)
$$;

-- Moves an amount between two ledger accounts under one reference; null if that reference has been used.
CREATE FUNCTION post_transfer(
  p_reference text, p_kind text, p_account_id text, p_reason text, p_from bigint, p_to bigint, p_amount bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint;
BEGIN
  INSERT INTO ledger_transaction (reference, kind, account_id, reason)
    VALUES (p_reference, p_kind, p_account_id, p_reason)
    ON CONFLICT (reference) DO NOTHING RETURNING id INTO v_transaction_id;
  IF v_transaction_id IS NOT NULL THEN
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      VALUES (v_transaction_id, p_from, -p_amount), (v_transaction_id, p_to, p_amount);
  END IF;
  RETURN v_transaction_id;
END $$;

CREATE FUNCTION post_credit(p_reference text, p_account_id text, p_kind text, p_amount bigint, p_reason text)
RETURNS TABLE (outcome text, transaction_id bigint, created_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint;
  v_credit credit%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM account WHERE id = p_account_id) THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint, NULL::timestamptz;
    RETURN;
  END IF;
  v_transaction_id := post_transfer('credit:' || p_reference, p_kind, p_account_id, p_reason,
    ledger_account_of(CASE p_kind WHEN 'adjustment' THEN 'adjustments' ELSE 'top_ups' END, NULL),
    ledger_account_of('customer', p_account_id), p_amount);
  IF v_transaction_id IS NOT NULL THEN
    INSERT INTO credit (reference, account_id, kind, amount_nano_usd, reason, transaction_id)
      VALUES (p_reference, p_account_id, p_kind, p_amount, p_reason, v_transaction_id);
  END IF;
  SELECT * INTO STRICT v_credit FROM credit WHERE credit.reference = p_reference;
  RETURN QUERY SELECT
    CASE
      WHEN v_transaction_id IS NOT NULL THEN 'posted'
      WHEN v_credit.account_id = p_account_id AND v_credit.kind = p_kind AND v_credit.amount_nano_usd = p_amount
        THEN 'repeated'
      ELSE 'conflict'
    END,
    v_credit.transaction_id, v_credit.created_at;
END $$;

-- The next block of a customer's money for Redis: what is missing, or the usual block if that is more, within the
-- balance. The amount is the block's if it was granted, else what the customer has.
CREATE FUNCTION grant_escrow(p_account_id text, p_missing bigint, p_block_limit bigint, p_block_divisor bigint)
RETURNS TABLE (outcome text, amount_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
  v_sequence bigint;
  v_customer bigint;
  v_amount bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  v_epoch := active_epoch();
  IF v_epoch IS NULL THEN
    RETURN QUERY SELECT 'no_epoch', NULL::bigint;
    RETURN;
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint;
    RETURN;
  END IF;
  SELECT balance_nano_usd INTO v_customer FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('customer', p_account_id) FOR NO KEY UPDATE;
  IF v_customer <= 0 OR v_customer < p_missing THEN
    RETURN QUERY SELECT 'refused', v_customer;
    RETURN;
  END IF;
  v_amount := least(v_customer, greatest(p_missing,
    least(p_block_limit, (v_customer + balance_of('escrow', p_account_id)) / p_block_divisor)));
  UPDATE account SET escrow_sequence = escrow_sequence + 1 WHERE id = p_account_id
    RETURNING escrow_sequence INTO v_sequence;
  INSERT INTO escrow_grant (account_id, sequence, epoch, amount_nano_usd)
    VALUES (p_account_id, v_sequence, v_epoch, v_amount);
  PERFORM post_transfer('escrow-grant:' || p_account_id || ':' || v_sequence, 'escrow_grant', p_account_id, NULL,
    ledger_account_of('customer', p_account_id), ledger_account_of('escrow', p_account_id), v_amount);
  RETURN QUERY SELECT 'granted', v_amount;
END $$;

-- The number for a new life of Redis. A number that was never activated is given again.
CREATE FUNCTION next_epoch() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  SELECT max(redis_epoch.epoch) INTO v_epoch FROM redis_epoch WHERE activations = 0;
  IF v_epoch IS NULL THEN
    INSERT INTO redis_epoch DEFAULT VALUES RETURNING epoch INTO v_epoch;
  END IF;
  RETURN v_epoch;
END $$;

-- Redis says which epoch it lives in, and the ledger follows: what was in the escrow of an earlier life goes back to
-- the customers, grants on their way are void. False if that epoch is the active one already.
CREATE FUNCTION activate_epoch(p_epoch bigint) RETURNS TABLE (is_changed boolean, accounts bigint, returned_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_activation int;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  IF active_epoch() = p_epoch THEN
    RETURN QUERY SELECT false, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  UPDATE redis_epoch SET retired_at = now() WHERE activated_at IS NOT NULL AND retired_at IS NULL;
  INSERT INTO redis_epoch AS life (epoch, activations, activated_at) VALUES (p_epoch, 1, now())
    ON CONFLICT (epoch) DO UPDATE SET activations = life.activations + 1, activated_at = now(), retired_at = NULL
    RETURNING activations INTO v_activation;
  PERFORM setval('redis_epoch_epoch_seq', greatest(p_epoch, (SELECT last_value FROM redis_epoch_epoch_seq)));
  UPDATE escrow_grant SET voided_at = now() WHERE delivered_at IS NULL AND voided_at IS NULL;
  RETURN QUERY
    WITH returned AS (
      SELECT ledger_account.account_id, ledger_account.id AS escrow_id, balance_nano_usd AS amount,
        'escrow-return:' || p_epoch || '.' || v_activation || ':' || ledger_account.account_id AS reference
      FROM ledger_balance JOIN ledger_account ON ledger_account.id = ledger_account_id
      WHERE kind = 'escrow' AND balance_nano_usd <> 0
    ), transactions AS (
      INSERT INTO ledger_transaction (reference, kind, account_id)
        SELECT reference, 'escrow_return', account_id FROM returned RETURNING id, reference
    ), entries AS (
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
        SELECT transactions.id, side.ledger_account_id, side.amount
        FROM returned JOIN transactions USING (reference)
        CROSS JOIN LATERAL (VALUES
          (returned.escrow_id, -returned.amount),
          (ledger_account_of('customer', returned.account_id), returned.amount)
        ) AS side (ledger_account_id, amount)
    )
    SELECT true, count(*), coalesce(sum(amount), 0)::bigint FROM returned;
END $$;

-- Copies a batch of settled usage into the books, each request id once, in one statement. `p_epoch` is the life of
-- Redis the batch was read in. If that life is over its escrow has gone back to the customers, so they pay directly.
-- `wait`: the ledger has not followed Redis into that life yet, nothing was written.
CREATE FUNCTION record_settlements(p_events jsonb, p_epoch bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_source text;
  v_new_requests bigint;
  v_exhausted jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  SELECT CASE WHEN retired_at IS NULL THEN 'escrow' ELSE 'customer' END INTO v_source
    FROM redis_epoch WHERE redis_epoch.epoch = p_epoch AND activated_at IS NOT NULL;
  IF v_source IS NULL THEN
    RETURN jsonb_build_object('outcome', 'wait');
  END IF;

  WITH inserted AS (
    INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      price_version, unit_prices, units, is_estimated, error_code, attempts, schema_version, admitted_at, started_at,
      first_byte_at, settled_at, stream_entry_id, epoch)
    SELECT "requestId", "accountId", "keyId", endpoint, model, outcome, "holdNanoUsd", "costNanoUsd", "priceVersion",
      "unitPrices", units, "isEstimated", "errorCode", attempts, "schemaVersion",
      to_timestamp("admittedAtMs" / 1000.0), to_timestamp("startedAtMs" / 1000.0),
      to_timestamp("firstByteAtMs" / 1000.0), to_timestamp("settledAtMs" / 1000.0), "streamEntryId", p_epoch
    FROM jsonb_to_recordset(p_events) AS event (
      "requestId" text, "accountId" text, "keyId" text, endpoint text, model text, outcome text, "holdNanoUsd" bigint,
      "costNanoUsd" bigint, "priceVersion" text, "unitPrices" jsonb, units jsonb, "isEstimated" boolean,
      "errorCode" text, attempts jsonb, "schemaVersion" int, "admittedAtMs" numeric, "startedAtMs" numeric,
      "firstByteAtMs" numeric, "settledAtMs" numeric, "streamEntryId" text)
    ORDER BY "requestId", "streamEntryId"
    ON CONFLICT (request_id) DO NOTHING
    RETURNING request_id, account_id, key_id, cost_nano_usd, settled_at
  ), charged AS (
    SELECT 'settlement:' || request_id AS reference, account_id, cost_nano_usd FROM inserted WHERE cost_nano_usd > 0
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT reference, 'settlement', account_id FROM charged RETURNING id, reference
  ), entries AS (
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT transactions.id, source.id, -charged.cost_nano_usd
        FROM charged JOIN transactions USING (reference)
        LEFT JOIN ledger_account AS source ON source.account_id = charged.account_id AND source.kind = v_source
      UNION ALL
      SELECT transactions.id, revenue.id, charged.cost_nano_usd
        FROM charged JOIN transactions USING (reference)
        CROSS JOIN (SELECT ledger_account_of('revenue', NULL) AS id) AS revenue
  ), spent AS (
    SELECT key_id, sum(cost_nano_usd)::bigint AS amount, max(settled_at) AS last_used_at FROM inserted GROUP BY key_id
  ), locked AS (
    SELECT api_key.id FROM api_key WHERE api_key.id IN (SELECT key_id FROM spent) ORDER BY api_key.id FOR NO KEY UPDATE
  ), used AS (
    UPDATE api_key SET spent_nano_usd = spent_nano_usd + spent.amount,
        last_used_at = greatest(api_key.last_used_at, spent.last_used_at)
      FROM locked JOIN spent ON spent.key_id = locked.id
      WHERE api_key.id = locked.id
      RETURNING api_key.sha256, spent_nano_usd, spent.amount, spend_cap_nano_usd
  )
  SELECT (SELECT count(*) FROM inserted),
    (SELECT coalesce(jsonb_agg(sha256), '[]') FROM used
      WHERE spent_nano_usd >= spend_cap_nano_usd AND spent_nano_usd - amount < spend_cap_nano_usd)
    INTO v_new_requests, v_exhausted;

  RETURN jsonb_build_object(
    'outcome', 'recorded',
    'newRequests', v_new_requests,
    'exhaustedKeys', v_exhausted,
    -- Another entry of the stream than the recorded one: Redis charged the same request twice.
    'doubleCharges', (
      SELECT coalesce(jsonb_agg(event."streamEntryId"), '[]')
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, "streamEntryId" text)
      JOIN settlement ON settlement.request_id = event."requestId"
      WHERE settlement.stream_entry_id <> event."streamEntryId"));
END $$;

-- Makes a customer's escrow what Redis really holds for them. What they own stays the same: the rest of it moves.
-- Does nothing if the escrow is no longer what the caller saw.
CREATE FUNCTION mirror_escrow(p_account_id text, p_seen_escrow bigint, p_held_by_redis bigint, p_epoch bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_escrow bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  IF active_epoch() IS DISTINCT FROM p_epoch OR p_seen_escrow = p_held_by_redis THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  SELECT balance_nano_usd INTO v_escrow FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('escrow', p_account_id) FOR NO KEY UPDATE;
  IF v_escrow IS DISTINCT FROM p_seen_escrow THEN
    RETURN false;
  END IF;
  PERFORM post_transfer(
    'escrow-repair:' || p_account_id || ':' || nextval('ledger_transaction_id_seq'), 'escrow_repair', p_account_id,
    'Redis holds another amount than the ledger had in escrow',
    ledger_account_of('escrow', p_account_id), ledger_account_of('customer', p_account_id),
    v_escrow - p_held_by_redis);
  RETURN true;
END $$;
