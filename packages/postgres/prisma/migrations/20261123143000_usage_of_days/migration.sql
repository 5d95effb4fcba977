-- The sums of usage_rollup for whole days of large accounts, kept so that a report of a quarter does not add up every
-- quarter of an hour again. A report uses a row only while `requests` are still those of the day's quarters of an hour.
CREATE TABLE usage_day (
  account_id TEXT NOT NULL,
  starts_at TIMESTAMPTZ(3) NOT NULL,
  ends_at TIMESTAMPTZ(3) NOT NULL,
  requests BIGINT NOT NULL,
  lines JSONB NOT NULL,
  CONSTRAINT usage_day_pkey PRIMARY KEY (account_id, starts_at, ends_at)
);
