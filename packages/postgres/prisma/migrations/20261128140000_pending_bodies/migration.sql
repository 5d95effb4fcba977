-- A kept body above 16 KiB is written before the row of its request. This row says so first, so that a sweep finds the body of an edge
-- that died in between. add_durable_requests() removes it. Edges of an older release add none.
CREATE TABLE pending_body (
  id TEXT NOT NULL,
  due_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT pending_body_pkey PRIMARY KEY (id)
);
