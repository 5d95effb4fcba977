-- The tables of the first release. The bodies of the functions are in prisma/functions; the migrate command applies them next.
-- Amounts are nano-USD. Some indexes hold an expression such as (sequence + 0): schema.prisma cannot declare WHERE, so the
-- expression hides the index from Prisma's comparison.

-- The three indexes of open tasks below need it. prisma/functions/is_final_task.sql repeats it.
CREATE FUNCTION is_final_task(p_state text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_state IN ('succeeded', 'failed', 'cancelled', 'expired')
$$;

CREATE TABLE account (
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  password_hash TEXT,
  requests_per_minute INTEGER,
  concurrency INTEGER,
  escrow_sequence BIGINT NOT NULL DEFAULT 0,
  suspended_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  low_balance_nano_usd BIGINT DEFAULT 1000000000,
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  caps JSONB NOT NULL DEFAULT '[]',
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_limits_are_not_negative CHECK (coalesce(requests_per_minute, 0) >= 0 AND coalesce(concurrency, 0) >= 0),
  CONSTRAINT account_low_balance_is_not_negative CHECK (low_balance_nano_usd >= 0)
);
CREATE UNIQUE INDEX account_email_key ON account (email);

CREATE TABLE api_key (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  is_test BOOLEAN NOT NULL DEFAULT false,
  models TEXT[],
  endpoints TEXT[],
  allowed_ips TEXT[],
  scopes TEXT[],
  requests_per_minute INTEGER,
  concurrency INTEGER,
  spend_cap_nano_usd BIGINT,
  spent_nano_usd BIGINT NOT NULL DEFAULT 0,
  expires_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  last_used_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  spending_key_id TEXT,
  spending_version BIGINT NOT NULL DEFAULT 0,
  grace_ends_at TIMESTAMPTZ(3),
  caps JSONB NOT NULL DEFAULT '[]',
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT api_key_spending_key_id_fkey FOREIGN KEY (spending_key_id) REFERENCES api_key(id) ON DELETE RESTRICT
);
-- Leaves room for HOT updates of spent_nano_usd and last_used_at.
ALTER TABLE api_key SET (fillfactor = 80);
CREATE UNIQUE INDEX api_key_sha256_key ON api_key (sha256);
CREATE INDEX api_key_account_id_created_at_idx ON api_key (account_id, created_at);
CREATE INDEX api_key_spending_key_id_idx ON api_key (spending_key_id);

CREATE TABLE session (
  token_sha256 TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT session_pkey PRIMARY KEY (token_sha256),
  CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX session_account_id_idx ON session (account_id);
CREATE INDEX session_expires_at_idx ON session (expires_at);

CREATE TABLE attempt_window (
  subject TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  ends_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT attempt_window_pkey PRIMARY KEY (subject)
);
CREATE INDEX attempt_window_ends_at_idx ON attempt_window (ends_at);

CREATE TABLE ledger_account (
  id BIGSERIAL NOT NULL,
  kind TEXT NOT NULL,
  account_id TEXT,
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_account_kind_is_known
    CHECK ((account_id IS NOT NULL) = (kind IN ('customer', 'escrow', 'task_holds'))
      AND kind IN ('customer', 'escrow', 'task_holds', 'revenue', 'top_ups', 'adjustments')),
  CONSTRAINT ledger_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX ledger_account_account_id_idx ON ledger_account (account_id);
CREATE UNIQUE INDEX ledger_account_once ON ledger_account (kind, coalesce(account_id, ''));

CREATE TABLE ledger_transaction (
  id BIGSERIAL NOT NULL,
  reference TEXT NOT NULL,
  kind TEXT NOT NULL,
  account_id TEXT,
  reason TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ledger_transaction_reference_key ON ledger_transaction (reference);
-- The lines that a customer sees.
CREATE INDEX ledger_transaction_shown ON ledger_transaction (account_id, id DESC)
  WHERE kind IN ('top_up', 'adjustment', 'settlement');

CREATE TABLE ledger_entry (
  id BIGSERIAL NOT NULL,
  transaction_id BIGINT NOT NULL,
  ledger_account_id BIGINT NOT NULL,
  amount_nano_usd BIGINT NOT NULL,
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_entry_moves_something CHECK (amount_nano_usd <> 0),
  CONSTRAINT ledger_entry_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id) ON DELETE RESTRICT,
  CONSTRAINT ledger_entry_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT
);
CREATE INDEX ledger_entry_transaction_id_idx ON ledger_entry (transaction_id);
CREATE INDEX ledger_entry_ledger_account_id_id_idx ON ledger_entry (ledger_account_id, id DESC);

-- Only the triggers of ledger_entry write a balance.
CREATE TABLE ledger_balance (
  ledger_account_id BIGINT NOT NULL,
  balance_nano_usd BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT ledger_balance_pkey PRIMARY KEY (ledger_account_id),
  CONSTRAINT ledger_balance_ledger_account_id_fkey
    FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT
);
-- Leaves room for HOT updates: every ledger entry moves a balance.
ALTER TABLE ledger_balance SET (fillfactor = 50);

CREATE TABLE credit (
  reference TEXT NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount_nano_usd BIGINT NOT NULL,
  reason TEXT NOT NULL,
  transaction_id BIGINT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT credit_pkey PRIMARY KEY (reference),
  CONSTRAINT credit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT credit_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX credit_transaction_id_key ON credit (transaction_id);
CREATE INDEX credit_account_id_idx ON credit (account_id);

-- One row for each dataset of Redis that the ledger has followed.
CREATE TABLE redis_epoch (
  epoch BIGSERIAL NOT NULL,
  activations INTEGER NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  activated_at TIMESTAMPTZ(3),
  retired_at TIMESTAMPTZ(3),
  CONSTRAINT redis_epoch_pkey PRIMARY KEY (epoch)
);

-- Money on its way from the ledger to Redis.
CREATE TABLE escrow_grant (
  account_id TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  amount_nano_usd BIGINT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  delivered_at TIMESTAMPTZ(3),
  voided_at TIMESTAMPTZ(3),
  CONSTRAINT escrow_grant_pkey PRIMARY KEY (account_id, sequence),
  CONSTRAINT escrow_grant_is_positive CHECK (amount_nano_usd > 0),
  CONSTRAINT escrow_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX escrow_grant_undelivered ON escrow_grant (account_id, (sequence + 0))
  WHERE delivered_at IS NULL AND voided_at IS NULL;

-- Money on its way back; at most one open return for each account.
CREATE TABLE escrow_return (
  account_id TEXT NOT NULL,
  sequence BIGINT NOT NULL DEFAULT 1,
  epoch BIGINT NOT NULL,
  opened_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at TIMESTAMPTZ(3),
  CONSTRAINT escrow_return_pkey PRIMARY KEY (account_id),
  CONSTRAINT escrow_return_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX escrow_return_open ON escrow_return ((sequence + 0)) WHERE closed_at IS NULL;

-- One receipt for each request.
CREATE TABLE settlement (
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  model TEXT NOT NULL,
  outcome TEXT NOT NULL,
  hold_nano_usd BIGINT NOT NULL,
  cost_nano_usd BIGINT NOT NULL,
  price_version TEXT NOT NULL,
  unit_prices JSONB NOT NULL,
  units JSONB NOT NULL,
  is_estimated BOOLEAN NOT NULL,
  abort_contract TEXT,
  -- Of the account's idempotency key and the requested work.
  idempotency_hash TEXT,
  error_code TEXT,
  attempts JSONB NOT NULL,
  schema_version INTEGER NOT NULL,
  admitted_at TIMESTAMPTZ(3) NOT NULL,
  started_at TIMESTAMPTZ(3),
  first_byte_at TIMESTAMPTZ(3),
  settled_at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stream_entry_id TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  CONSTRAINT settlement_pkey PRIMARY KEY (request_id),
  CONSTRAINT settlement_is_not_negative CHECK (hold_nano_usd >= 0 AND cost_nano_usd >= 0)
);
CREATE INDEX settlement_account_id_settled_at_idx ON settlement (account_id, settled_at DESC);
CREATE INDEX settlement_idempotency_hash_idx ON settlement (account_id, idempotency_hash)
  WHERE idempotency_hash IS NOT NULL;
CREATE INDEX settlement_keyed_recorded_at_idx ON settlement (recorded_at) WHERE idempotency_hash IS NOT NULL;

-- Settlements that the ledger refused, for a person to inspect.
CREATE TABLE parked_event (
  stream_entry_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  reason TEXT NOT NULL,
  parked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT parked_event_pkey PRIMARY KEY (stream_entry_id)
);

CREATE TABLE price_override (
  id BIGSERIAL NOT NULL,
  account_id TEXT NOT NULL,
  model TEXT NOT NULL,
  "from" TIMESTAMPTZ(3) NOT NULL,
  per_million JSONB,
  long_prompt_per_million JSONB,
  reason TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT price_override_pkey PRIMARY KEY (id),
  CONSTRAINT price_override_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX price_override_account_id_model_from_idx ON price_override (account_id, model, "from");

CREATE TABLE audit_entry (
  id BIGSERIAL NOT NULL,
  actor TEXT NOT NULL,
  account_id TEXT,
  action TEXT NOT NULL,
  subject TEXT,
  details JSONB NOT NULL,
  ip TEXT NOT NULL,
  request_id TEXT NOT NULL,
  asked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entry_actor_is_known CHECK (actor IN ('person', 'administrator', 'nobody'))
);
CREATE INDEX audit_entry_account_id_id_idx ON audit_entry (account_id, id DESC);

CREATE TABLE audit_outcome (
  entry_id BIGINT NOT NULL,
  status INT NOT NULL,
  error_code TEXT,
  account_id TEXT,
  subject TEXT,
  ended_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_outcome_pkey PRIMARY KEY (entry_id),
  CONSTRAINT audit_outcome_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entry(id) ON DELETE RESTRICT
);
CREATE INDEX audit_outcome_account_id_entry_id_idx ON audit_outcome (account_id, entry_id DESC);

CREATE TABLE video_task (
  id TEXT NOT NULL,
  public_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  model TEXT NOT NULL,
  vendor TEXT NOT NULL,
  state TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  channel_id TEXT,
  upstream_task_id TEXT,
  duration_seconds INTEGER NOT NULL,
  resolution TEXT NOT NULL,
  aspect_ratio TEXT NOT NULL,
  unit TEXT NOT NULL,
  price_version TEXT NOT NULL,
  unit_prices JSONB NOT NULL,
  hold_nano_usd BIGINT NOT NULL,
  hold_entry_id TEXT,
  cost_nano_usd BIGINT,
  prompt TEXT,
  webhook_url TEXT,
  idempotency_key TEXT,
  idempotency_fingerprint TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL,
  asked_at TIMESTAMPTZ(3),
  submitted_at TIMESTAMPTZ(3),
  started_at TIMESTAMPTZ(3),
  finished_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3) NOT NULL,
  progress INTEGER,
  content JSONB,
  usage JSONB,
  seed BIGINT,
  error JSONB,
  upstream JSONB,
  attempts JSONB NOT NULL DEFAULT '[]',
  cancel_requested_at TIMESTAMPTZ(3),
  cancel_outcome TEXT,
  poll_number INTEGER NOT NULL DEFAULT 0,
  poll_failures INTEGER NOT NULL DEFAULT 0,
  doubts INTEGER NOT NULL DEFAULT 0,
  doubted_at TIMESTAMPTZ(3),
  next_poll_at TIMESTAMPTZ(3),
  lease_until TIMESTAMPTZ(3),
  lease_owner TEXT,
  traceparent TEXT,
  CONSTRAINT video_task_pkey PRIMARY KEY (id),
  CONSTRAINT video_task_state_is_known
    CHECK (state IN ('submitting', 'submit_unknown', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
  CONSTRAINT video_task_ends_once
    CHECK ((state IN ('succeeded', 'failed', 'cancelled', 'expired')) = (finished_at IS NOT NULL)
      AND (finished_at IS NOT NULL) = (cost_nano_usd IS NOT NULL)),
  CONSTRAINT video_task_cost_is_promised
    CHECK (hold_nano_usd >= 0 AND cost_nano_usd BETWEEN 0 AND hold_nano_usd AND (cost_nano_usd = 0 OR state IN ('succeeded', 'failed'))
      AND NOT (is_test AND cost_nano_usd > 0)),
  CONSTRAINT video_task_runs_somewhere
    CHECK (state NOT IN ('queued', 'running', 'succeeded') OR (channel_id IS NOT NULL AND upstream_task_id IS NOT NULL)),
  CONSTRAINT video_task_cancellation_is_known
    CHECK ((cancel_requested_at IS NULL) = (cancel_outcome IS NULL) AND cancel_outcome IN ('pending', 'cancelled', 'refused')),
  CONSTRAINT video_task_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
-- Each poll updates a row and leaves a dead version. Most rows are final and never change, so 20 % (the default) is too late.
ALTER TABLE video_task SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX video_task_request_id_key ON video_task (request_id);
CREATE UNIQUE INDEX video_task_account_id_is_test_idempotency_key_key ON video_task (account_id, is_test, idempotency_key);
CREATE INDEX video_task_account_id_public_id_idx ON video_task (account_id, public_id);
CREATE INDEX video_task_account_id_created_at_id_idx ON video_task (account_id, created_at DESC, id DESC);
CREATE INDEX video_task_channel_id_upstream_task_id_idx ON video_task (channel_id, upstream_task_id);
CREATE INDEX video_task_model_finished_at_idx ON video_task (model, finished_at DESC);
CREATE INDEX video_task_open_by_account ON video_task (account_id, (version + 0)) WHERE NOT is_final_task(state);
CREATE INDEX video_task_unbooked ON video_task (account_id, (hold_nano_usd + 0))
  WHERE hold_entry_id IS NULL AND NOT is_final_task(state);
-- Reconciliation reads the tasks that ended in the last day.
CREATE INDEX video_task_ended ON video_task (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX video_task_account_id_state_created_at_id_idx ON video_task (account_id, state, created_at DESC, id DESC);
CREATE INDEX video_task_account_id_model_created_at_id_idx ON video_task (account_id, model, created_at DESC, id DESC);
CREATE INDEX video_task_of_tests ON video_task (account_id, created_at DESC, id DESC) WHERE is_test;
CREATE INDEX video_task_open_by_next_poll ON video_task (next_poll_at) WHERE NOT is_final_task(state);
CREATE INDEX video_task_being_submitted ON video_task (created_at) WHERE state = 'submitting';

CREATE TABLE account_event (
  id BIGSERIAL NOT NULL,
  public_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  data JSONB NOT NULL,
  is_test BOOLEAN NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT account_event_pkey PRIMARY KEY (id),
  CONSTRAINT account_event_type_is_dotted CHECK (type ~ '^[a-z_]+(\.[a-z_]+)+$'),
  CONSTRAINT account_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX account_event_public_id_key ON account_event (public_id);
CREATE INDEX account_event_account_id_id_idx ON account_event (account_id, id);
CREATE INDEX account_event_account_id_subject_id_idx ON account_event (account_id, subject, id);
CREATE INDEX account_event_created_at_idx ON account_event (created_at);
CREATE INDEX account_event_account_id_type_id_idx ON account_event (account_id, type, id);
CREATE INDEX account_event_of_tests ON account_event (account_id, id) WHERE is_test;
CREATE INDEX account_event_account_id_created_at_id_idx ON account_event (account_id, created_at, id);

CREATE TABLE webhook_endpoint (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  url TEXT NOT NULL,
  event_types TEXT[],
  description TEXT NOT NULL DEFAULT '',
  is_test BOOLEAN NOT NULL DEFAULT false,
  disabled_at TIMESTAMPTZ(3),
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0,
  failing_since TIMESTAMPTZ(3),
  last_success_at TIMESTAMPTZ(3),
  deleted_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  has_leftovers BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoint_says_why_it_is_disabled
    CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL) AND disabled_reason IN ('by_you', 'gone', 'only_failures')),
  CONSTRAINT webhook_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX webhook_endpoint_account_id_idx ON webhook_endpoint (account_id);
CREATE UNIQUE INDEX webhook_endpoint_once ON webhook_endpoint (account_id, is_test, (url || '')) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoint_with_orphans ON webhook_endpoint ((id || '')) WHERE has_leftovers;

CREATE TABLE webhook_delivery (
  id TEXT NOT NULL,
  sequence BIGSERIAL NOT NULL,
  event_id BIGINT NOT NULL,
  account_id TEXT NOT NULL,
  endpoint_id TEXT,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  step INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TIMESTAMPTZ(3),
  lease TEXT,
  first_attempt_at TIMESTAMPTZ(3),
  last_attempt_at TIMESTAMPTZ(3),
  last_status INTEGER,
  last_error TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at TIMESTAMPTZ(3),
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_delivery_state_is_known
    CHECK (state IN ('pending', 'delivered', 'failed', 'cancelled') AND (state = 'pending') = (next_attempt_at IS NOT NULL)
      AND (state = 'pending') = (finished_at IS NULL) AND (state = 'pending' OR lease IS NULL)),
  CONSTRAINT webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES account_event(id) ON DELETE CASCADE,
  CONSTRAINT webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE RESTRICT
);
-- Each attempt updates the row.
ALTER TABLE webhook_delivery SET (fillfactor = 70);
CREATE UNIQUE INDEX webhook_delivery_sequence_key ON webhook_delivery (sequence);
CREATE INDEX webhook_delivery_event_id_idx ON webhook_delivery (event_id);
CREATE INDEX webhook_delivery_endpoint_id_sequence_idx ON webhook_delivery (endpoint_id, sequence DESC);
CREATE INDEX webhook_delivery_account_id_sequence_idx ON webhook_delivery (account_id, sequence DESC);
CREATE INDEX webhook_delivery_on_its_way ON webhook_delivery (account_id, host, (lease || '')) WHERE lease IS NOT NULL;
CREATE INDEX webhook_delivery_by_host ON webhook_delivery (account_id, host, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_delivery_account_id_state_sequence_idx ON webhook_delivery (account_id, state, sequence DESC);
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_attempt_at) WHERE state = 'pending';

CREATE TABLE webhook_attempt (
  delivery_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at TIMESTAMPTZ(3) NOT NULL,
  duration_ms INTEGER,
  status INTEGER,
  error TEXT,
  response_body TEXT,
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY (delivery_id, number),
  CONSTRAINT webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON DELETE CASCADE
);

CREATE TABLE webhook_secret (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3),
  CONSTRAINT webhook_secret_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_secret_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX webhook_secret_account_id_idx ON webhook_secret (account_id);
CREATE UNIQUE INDEX webhook_secret_current_once ON webhook_secret ((account_id || '')) WHERE expires_at IS NULL;

CREATE TABLE cap_count (
  owner_id TEXT NOT NULL,
  period TEXT NOT NULL,
  starts_at TIMESTAMPTZ(3) NOT NULL,
  ends_at TIMESTAMPTZ(3),
  requests BIGINT NOT NULL DEFAULT 0,
  tokens BIGINT NOT NULL DEFAULT 0,
  cost_nano_usd BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 1,
  CONSTRAINT cap_count_pkey PRIMARY KEY (owner_id, period, starts_at)
);
-- Leaves room for HOT updates: each batch of a capped key changes its rows.
ALTER TABLE cap_count SET (fillfactor = 50);

CREATE TABLE budget_alert (
  subject TEXT NOT NULL,
  type TEXT NOT NULL,
  account_id TEXT NOT NULL,
  data JSONB NOT NULL,
  raised_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT budget_alert_pkey PRIMARY KEY (subject, type),
  CONSTRAINT budget_alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);

-- Chunks of responses that are too large for Redis.
CREATE TABLE kept_answer_piece (
  request_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  kept_until TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT kept_answer_piece_pkey PRIMARY KEY (request_id, number)
);
-- The chunks are compressed already.
ALTER TABLE kept_answer_piece ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX kept_answer_piece_kept_until_idx ON kept_answer_piece (kept_until);

-- Responses that later requests may continue. `input` is the JSON of the request's own new items, or of its one text.
CREATE TABLE stored_response (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  model TEXT NOT NULL,
  status TEXT NOT NULL,
  previous_id TEXT,
  conversation_id TEXT,
  conversation_position BIGINT,
  input TEXT NOT NULL,
  response TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT stored_response_pkey PRIMARY KEY (id),
  CONSTRAINT stored_response_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX stored_response_expires_at_idx ON stored_response (expires_at);

-- Which response has an output item: clients refer to items by their ids.
CREATE TABLE stored_response_item (
  account_id TEXT NOT NULL,
  id TEXT NOT NULL,
  response_id TEXT NOT NULL,
  CONSTRAINT stored_response_item_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT stored_response_item_response_id_fkey FOREIGN KEY (response_id) REFERENCES stored_response(id) ON DELETE CASCADE
);
CREATE INDEX stored_response_item_response_id_idx ON stored_response_item (response_id);

CREATE TABLE conversation (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  metadata JSONB NOT NULL,
  next_position BIGINT NOT NULL DEFAULT 0,
  bytes BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT conversation_pkey PRIMARY KEY (id),
  CONSTRAINT conversation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT
);
CREATE INDEX conversation_account_id_idx ON conversation (account_id);
CREATE INDEX conversation_expires_at_idx ON conversation (expires_at);

CREATE TABLE conversation_item (
  conversation_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  item TEXT NOT NULL,
  CONSTRAINT conversation_item_pkey PRIMARY KEY (conversation_id, position),
  CONSTRAINT conversation_item_id_key UNIQUE (id, conversation_id),
  CONSTRAINT conversation_item_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON DELETE CASCADE
);
-- A request whose body and response are in the store.
CREATE TABLE durable_request (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  endpoint TEXT NOT NULL,
  model TEXT NOT NULL,
  vendor TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued',
  version INTEGER NOT NULL DEFAULT 1,
  ticket JSONB NOT NULL,
  webhook_url TEXT,
  owner TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ(3) NOT NULL,
  cancel_requested_at TIMESTAMPTZ(3),
  settlement JSONB,
  response JSONB,
  error JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL,
  started_at TIMESTAMPTZ(3),
  finished_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT durable_request_pkey PRIMARY KEY (id),
  CONSTRAINT durable_request_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
    ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT durable_request_status_check
    CHECK (status IN ('queued', 'in_progress', 'completed', 'failed', 'cancelled'))
);
CREATE INDEX durable_request_due_at_idx ON durable_request (due_at) WHERE finished_at IS NULL;
CREATE INDEX durable_request_expires_at_idx ON durable_request (expires_at) WHERE finished_at IS NOT NULL;

-- The accounts of the house. Triggers open the balances of all later ledger accounts.
WITH opened AS (
  INSERT INTO ledger_account (kind) VALUES ('revenue'), ('top_ups'), ('adjustments') RETURNING id
)
INSERT INTO ledger_balance (ledger_account_id) SELECT id FROM opened;

-- Declarations for the triggers below. Until the migrate command has applied their bodies, they refuse every write.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refuse_change has no body yet'; END $$;
CREATE FUNCTION refuse_direct_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refuse_direct_balance has no body yet'; END $$;
CREATE FUNCTION open_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'open_ledger_balance has no body yet'; END $$;
CREATE FUNCTION open_ledger_accounts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'open_ledger_accounts has no body yet'; END $$;
CREATE FUNCTION post_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'post_ledger_entries has no body yet'; END $$;
CREATE FUNCTION refuse_task_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refuse_task_change has no body yet'; END $$;
CREATE FUNCTION emit_budget_alert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'emit_budget_alert has no body yet'; END $$;
CREATE FUNCTION watch_balances() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'watch_balances has no body yet'; END $$;
CREATE FUNCTION watch_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'watch_low_balance has no body yet'; END $$;
CREATE FUNCTION seed_key_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'seed_key_caps has no body yet'; END $$;
CREATE FUNCTION seed_account_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'seed_account_caps has no body yet'; END $$;
CREATE FUNCTION watch_spend_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'watch_spend_caps has no body yet'; END $$;

CREATE TRIGGER open_ledger_accounts AFTER INSERT ON account
  FOR EACH ROW EXECUTE FUNCTION open_ledger_accounts();
CREATE TRIGGER watch_low_balance AFTER UPDATE OF low_balance_nano_usd ON account
  FOR EACH ROW WHEN (NEW.low_balance_nano_usd IS DISTINCT FROM OLD.low_balance_nano_usd)
  EXECUTE FUNCTION watch_low_balance();
CREATE TRIGGER seed_caps AFTER UPDATE OF caps, time_zone ON account
  FOR EACH ROW WHEN ((NEW.caps, NEW.time_zone) IS DISTINCT FROM (OLD.caps, OLD.time_zone))
  EXECUTE FUNCTION seed_account_caps();
CREATE TRIGGER seed_caps AFTER UPDATE OF caps ON api_key
  FOR EACH ROW WHEN (NEW.caps IS DISTINCT FROM OLD.caps) EXECUTE FUNCTION seed_key_caps();
CREATE TRIGGER watch_spend_caps AFTER UPDATE ON api_key REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT EXECUTE FUNCTION watch_spend_caps();
CREATE TRIGGER open_balance AFTER INSERT ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION open_ledger_balance();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transaction
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER post AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION post_ledger_entries();
CREATE TRIGGER watch AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION watch_balances();
CREATE TRIGGER follows_entries BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ledger_balance
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_direct_balance();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON price_override
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_outcome
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_is_final BEFORE UPDATE OR DELETE ON video_task
  FOR EACH ROW EXECUTE FUNCTION refuse_task_change();
CREATE CONSTRAINT TRIGGER emit AFTER INSERT ON budget_alert DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION emit_budget_alert();
