-- What administrators have set for channels. Workers read it from Redis, where accounts publishes it again and again.
CREATE TABLE channel_control (
  channel_id TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL,
  weight DOUBLE PRECISION,
  reason TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT channel_control_is_valid CHECK (state IN ('active', 'draining', 'paused') AND (weight IS NULL OR weight >= 0))
);
