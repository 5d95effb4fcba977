-- What a key spends is counted on the first key of its line: a key that was made by rotation shares the cap of the one
-- that it replaces. The version orders the counts on their way to Redis.
ALTER TABLE "api_key" ADD COLUMN "spending_key_id" TEXT,
  ADD COLUMN "spending_version" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "grace_ends_at" TIMESTAMPTZ(3);

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_spending_key_id_fkey" FOREIGN KEY ("spending_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Takes something off what a key has spent, for a charge that turned out smaller: in the transaction that gives the
-- money back, so that it happens once. Whoever calls it tells Redis the answer.
CREATE FUNCTION return_key_spending(p_key_id text, p_amount bigint)
RETURNS TABLE (spending_key_id text, spent_nano_usd bigint, spending_version bigint)
LANGUAGE sql AS $$
  UPDATE api_key AS counted
    SET spent_nano_usd = counted.spent_nano_usd - p_amount, spending_version = counted.spending_version + 1
    WHERE counted.id = (SELECT coalesce(api_key.spending_key_id, api_key.id) FROM api_key WHERE api_key.id = p_key_id)
    RETURNING counted.id, counted.spent_nano_usd, counted.spending_version
$$;

-- Copies a batch of settled usage into the books, each request id once, in one statement. `p_epoch` is the life of
-- Redis the batch was read in. If that life is over its escrow has gone back to the customers, so they pay directly.
-- `wait`: the ledger has not followed Redis into that life yet, nothing was written.
CREATE OR REPLACE FUNCTION record_settlements(p_events jsonb, p_epoch bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_source text;
  v_new_requests bigint;
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
    SELECT coalesce(spending_key_id, api_key.id) AS id, sum(cost_nano_usd)::bigint AS amount
      FROM inserted JOIN api_key ON api_key.id = key_id GROUP BY 1
  ), used AS (
    SELECT key_id AS id, max(settled_at) AS last_used_at FROM inserted GROUP BY key_id
  ), locked AS (
    SELECT id FROM api_key WHERE id IN (SELECT id FROM spent UNION ALL SELECT id FROM used) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE api_key SET
        spent_nano_usd = spent_nano_usd + coalesce(spent.amount, 0),
        spending_version = spending_version + (spent.id IS NOT NULL)::int,
        last_used_at = greatest(api_key.last_used_at, used.last_used_at)
      FROM locked LEFT JOIN spent ON spent.id = locked.id LEFT JOIN used ON used.id = locked.id
      WHERE api_key.id = locked.id
  )
  SELECT count(*) INTO v_new_requests FROM inserted;

  RETURN jsonb_build_object(
    'outcome', 'recorded',
    'newRequests', v_new_requests,
    -- Of the release before, whose caps were kept by telling edges: caps are kept by admission.
    'exhaustedKeys', '[]'::jsonb,
    -- Also of requests that were in the books before: whoever recorded them may not have told Redis.
    'spendings', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('spendingKeyId', id, 'spentNanoUsd', spent_nano_usd::text,
        'version', spending_version::text)), '[]')
      FROM api_key WHERE id IN (
        SELECT coalesce(spending_key_id, id) FROM api_key
          WHERE id IN (SELECT "keyId" FROM jsonb_to_recordset(p_events) AS event ("keyId" text)))),
    -- Another entry of the stream than the recorded one: Redis charged the same request twice.
    'doubleCharges', (
      SELECT coalesce(jsonb_agg(event."streamEntryId"), '[]')
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, "streamEntryId" text)
      JOIN settlement ON settlement.request_id = event."requestId"
      WHERE settlement.stream_entry_id <> event."streamEntryId"));
END $$;
