-- Vendors' bills: what a usage export of a vendor says, to be compared with our receipts. `sha256` is null while it is read.
CREATE TABLE vendor_bill (
  id TEXT NOT NULL PRIMARY KEY,
  vendor TEXT NOT NULL,
  form TEXT NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT,
  rows BIGINT NOT NULL DEFAULT 0,
  skipped_rows BIGINT NOT NULL DEFAULT 0,
  first_day DATE,
  last_day DATE,
  billed_nano_usd BIGINT NOT NULL DEFAULT 0,
  created_by TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX vendor_bill_file ON vendor_bill (vendor, sha256);

-- The bill's sums by UTC day and model.
CREATE TABLE vendor_bill_line (
  bill_id TEXT NOT NULL REFERENCES vendor_bill (id) ON DELETE CASCADE,
  day DATE NOT NULL,
  model TEXT NOT NULL,
  requests BIGINT,
  cost_nano_usd BIGINT NOT NULL,
  CONSTRAINT vendor_bill_line_pkey PRIMARY KEY (bill_id, day, model)
);

-- The bill's requests, if it names them by the vendor's ids.
CREATE TABLE vendor_bill_item (
  bill_id TEXT NOT NULL REFERENCES vendor_bill (id) ON DELETE CASCADE,
  upstream_id TEXT NOT NULL,
  day DATE NOT NULL,
  model TEXT NOT NULL,
  cost_nano_usd BIGINT NOT NULL,
  CONSTRAINT vendor_bill_item_pkey PRIMARY KEY (bill_id, upstream_id)
);

-- A vendor bills the last attempt of a request.
CREATE INDEX settlement_upstream_id_idx ON settlement ((attempts -> -1 ->> 'upstreamId'))
  WHERE attempts -> -1 ->> 'upstreamId' IS NOT NULL;
