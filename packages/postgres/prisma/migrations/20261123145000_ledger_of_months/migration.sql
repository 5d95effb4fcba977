-- What the ledger moved in ended months of large accounts, by the quarter of an hour of booking: the lists of statements add
-- these up instead of millions of entries. A statement uses a row only while `last_id` is still the
-- highest id of the month: the ledger is append-only, and its ids rise.
CREATE TABLE ledger_month (
  account_id TEXT NOT NULL,
  month BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  starts TIMESTAMPTZ(3)[] NOT NULL,
  lines BIGINT[] NOT NULL,
  charges BIGINT[] NOT NULL,
  amounts BIGINT[] NOT NULL,
  CONSTRAINT ledger_month_pkey PRIMARY KEY (account_id, month)
);
