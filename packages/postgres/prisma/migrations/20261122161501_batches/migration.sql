-- Requests that an account has handed over together. Their lines are in the store; each line is a request of its own.
CREATE TABLE batch (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  key_id TEXT NOT NULL,
  format TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  status TEXT NOT NULL,
  input_object TEXT NOT NULL,
  input_file_id TEXT,
  metadata JSONB NOT NULL DEFAULT '{}',
  budget_nano_usd BIGINT,
  cost_nano_usd BIGINT NOT NULL DEFAULT 0,
  output_seconds INTEGER NOT NULL,
  total INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  expired INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  errors JSONB,
  waits_for TEXT,
  output_file_id TEXT,
  error_file_id TEXT,
  owner TEXT,
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  window_ends_at TIMESTAMPTZ(3) NOT NULL,
  started_at TIMESTAMPTZ(3),
  cancel_requested_at TIMESTAMPTZ(3),
  finalizing_at TIMESTAMPTZ(3),
  finished_at TIMESTAMPTZ(3),
  deleted_at TIMESTAMPTZ(3),
  results_removed_at TIMESTAMPTZ(3),
  CONSTRAINT batch_pkey PRIMARY KEY (id),
  CONSTRAINT batch_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
    ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT batch_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key (id) ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT batch_format_check CHECK (format IN ('openai', 'anthropic')),
  CONSTRAINT batch_status_check
    CHECK (status IN ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelled'))
);
CREATE INDEX batch_account_id_created_at_id_idx ON batch (account_id, created_at, id);
CREATE INDEX batch_key_id_idx ON batch (key_id);
CREATE INDEX batch_due_at_idx ON batch (due_at) WHERE finished_at IS NULL;
CREATE INDEX batch_finished_at_idx ON batch (finished_at) WHERE results_removed_at IS NULL;

-- Ended lines of a batch: an object of the store with their results, and their numbers in the input.
CREATE TABLE batch_segment (
  batch_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  is_error BOOLEAN NOT NULL,
  object TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  lines INTEGER[] NOT NULL,
  CONSTRAINT batch_segment_pkey PRIMARY KEY (batch_id, number),
  CONSTRAINT batch_segment_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batch (id)
    ON DELETE CASCADE ON UPDATE NO ACTION
);
