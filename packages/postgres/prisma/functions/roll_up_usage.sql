-- Adds new receipts to usage_rollup, the sums that reports read. It is the only writer of that table.
-- The inner query expands a receipt to one row per unit; only the first of these rows counts the request and its cost.
-- Rows are locked in the order of the key, after those of api_key and before the balances.
-- Trigger "roll_up" of settlement, once for each statement.
CREATE OR REPLACE FUNCTION roll_up_usage() RETURNS trigger LANGUAGE plpgsql AS $$
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
