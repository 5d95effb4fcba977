-- What the vendor bills for a request, and sums of the receipts for reports. The sums change in the transaction of their
-- receipts, and the backfill keeps new receipts out until the trigger is there: no receipt is missed or counted twice.
LOCK TABLE settlement IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE settlement ADD COLUMN vendor_cost_nano_usd BIGINT;

CREATE TABLE usage_rollup (
  account_id TEXT NOT NULL,
  starts_at TIMESTAMPTZ(3) NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  outcome TEXT NOT NULL,
  requests BIGINT NOT NULL,
  cost_nano_usd BIGINT NOT NULL,
  vendor_cost_nano_usd BIGINT NOT NULL,
  uncosted_requests BIGINT NOT NULL,
  uncosted_nano_usd BIGINT NOT NULL,
  units JSONB NOT NULL,
  CONSTRAINT usage_rollup_pkey PRIMARY KEY (account_id, starts_at, key_id, model, endpoint, outcome)
) WITH (fillfactor = 80);

CREATE INDEX usage_rollup_starts_at_idx ON usage_rollup (starts_at);

INSERT INTO usage_rollup AS kept (account_id, starts_at, key_id, model, endpoint, outcome, requests, cost_nano_usd,
    vendor_cost_nano_usd, uncosted_requests, uncosted_nano_usd, units)
  SELECT account_id, starts_at, key_id, model, endpoint, outcome, sum(requests), sum(cost), sum(vendor_cost),
    sum(uncosted_requests), sum(uncosted), coalesce(jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL), '{}')
  FROM (
    SELECT account_id, date_bin('15 minutes', settled_at, 'epoch') AS starts_at, key_id, model, endpoint, outcome, unit,
      sum(amount::numeric) AS amount,
      count(*) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
      coalesce(sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1), 0) AS cost,
      coalesce(sum(vendor_cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1), 0) AS vendor_cost,
      count(*) FILTER (WHERE coalesce(place, 1) = 1 AND vendor_cost_nano_usd IS NULL) AS uncosted_requests,
      coalesce(sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1 AND vendor_cost_nano_usd IS NULL), 0) AS uncosted
    FROM settlement LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
    GROUP BY account_id, 2, key_id, model, endpoint, outcome, unit) AS parts
  GROUP BY account_id, starts_at, key_id, model, endpoint, outcome
  ORDER BY account_id, starts_at, key_id, model, endpoint, outcome;

CREATE OR REPLACE FUNCTION add_units(p_left jsonb, p_right jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(unit, amount), '{}') FROM (
    SELECT unit, sum(count::numeric) AS amount
    FROM (SELECT * FROM jsonb_each_text(p_left) UNION ALL SELECT * FROM jsonb_each_text(p_right)) AS each (unit, count)
    GROUP BY unit) AS summed
$$;

CREATE OR REPLACE FUNCTION roll_up_usage() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO usage_rollup AS kept (account_id, starts_at, key_id, model, endpoint, outcome, requests, cost_nano_usd,
      vendor_cost_nano_usd, uncosted_requests, uncosted_nano_usd, units)
    SELECT account_id, starts_at, key_id, model, endpoint, outcome, sum(requests), sum(cost), sum(vendor_cost),
      sum(uncosted_requests), sum(uncosted), coalesce(jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL), '{}')
    FROM (
      SELECT account_id, date_bin('15 minutes', settled_at, 'epoch') AS starts_at, key_id, model, endpoint, outcome, unit,
        sum(amount::numeric) AS amount,
        count(*) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
        coalesce(sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1), 0) AS cost,
        coalesce(sum(vendor_cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1), 0) AS vendor_cost,
        count(*) FILTER (WHERE coalesce(place, 1) = 1 AND vendor_cost_nano_usd IS NULL) AS uncosted_requests,
        coalesce(sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1 AND vendor_cost_nano_usd IS NULL), 0) AS uncosted
      FROM recorded LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
      GROUP BY account_id, 2, key_id, model, endpoint, outcome, unit) AS parts
    GROUP BY account_id, starts_at, key_id, model, endpoint, outcome
    ORDER BY account_id, starts_at, key_id, model, endpoint, outcome
  ON CONFLICT (account_id, starts_at, key_id, model, endpoint, outcome) DO UPDATE SET
    requests = kept.requests + excluded.requests,
    cost_nano_usd = kept.cost_nano_usd + excluded.cost_nano_usd,
    vendor_cost_nano_usd = kept.vendor_cost_nano_usd + excluded.vendor_cost_nano_usd,
    uncosted_requests = kept.uncosted_requests + excluded.uncosted_requests,
    uncosted_nano_usd = kept.uncosted_nano_usd + excluded.uncosted_nano_usd,
    units = add_units(kept.units, excluded.units);
  RETURN NULL;
END $$;

CREATE TRIGGER roll_up AFTER INSERT ON settlement REFERENCING NEW TABLE AS recorded
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_usage();

-- Lists of receipts read these from the newest on, with the request id as the tie-break.
CREATE INDEX settlement_account_id_settled_at_request_id_idx ON settlement (account_id, settled_at DESC, request_id DESC);
CREATE INDEX settlement_account_id_key_id_settled_at_idx ON settlement (account_id, key_id, settled_at DESC, request_id DESC);
DROP INDEX settlement_account_id_settled_at_idx;
