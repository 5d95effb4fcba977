CREATE SEQUENCE account_event_id_seq AS bigint OWNED BY account_event.1;

CREATE SEQUENCE audit_entry_id_seq AS bigint OWNED BY audit_entry.1;

CREATE SEQUENCE ledger_account_id_seq AS bigint OWNED BY ledger_account.1;

CREATE SEQUENCE ledger_entry_id_seq AS bigint OWNED BY ledger_entry.1;

CREATE SEQUENCE ledger_transaction_id_seq AS bigint OWNED BY ledger_transaction.1;

CREATE SEQUENCE price_override_id_seq AS bigint OWNED BY price_override.1;

CREATE SEQUENCE redis_epoch_epoch_seq AS bigint OWNED BY redis_epoch.1;

CREATE SEQUENCE webhook_delivery_sequence_seq AS bigint OWNED BY webhook_delivery.2;

CREATE TABLE account (
  id text NOT NULL,
  email text NOT NULL,
  password_hash text,
  requests_per_minute integer,
  concurrency integer,
  escrow_sequence bigint NOT NULL DEFAULT 0,
  suspended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  low_balance_nano_usd bigint DEFAULT 1000000000,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  caps jsonb NOT NULL DEFAULT '[]'::jsonb,
  name text NOT NULL DEFAULT ''::text,
  closed_at timestamp(3) with time zone,
  media_retention_days integer,
  result_retention_hours integer,
  emptied_at timestamp(3) with time zone,
  CONSTRAINT account_limits_are_not_negative CHECK (((COALESCE(requests_per_minute, 0) >= 0) AND (COALESCE(concurrency, 0) >= 0))),
  CONSTRAINT account_low_balance_is_not_negative CHECK ((low_balance_nano_usd >= 0)),
  CONSTRAINT account_pkey PRIMARY KEY (id),
  CONSTRAINT account_retention_check CHECK (((media_retention_days > 0) AND (result_retention_hours > 0)))
);

CREATE TABLE account_event (
  id bigint NOT NULL DEFAULT nextval('account_event_id_seq'::regclass),
  public_id text NOT NULL,
  account_id text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  is_test boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT account_event_pkey PRIMARY KEY (id),
  CONSTRAINT account_event_type_is_dotted CHECK ((type ~ '^[a-z_]+(\.[a-z_]+)+$'::text))
);

CREATE TABLE account_view (
  id text NOT NULL,
  account_id text NOT NULL,
  administrator text NOT NULL,
  reason text NOT NULL,
  token_sha256 text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT account_view_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT account_view_pkey PRIMARY KEY (id)
);

CREATE TABLE administrator (
  id text NOT NULL,
  name text NOT NULL,
  person_id text,
  token_sha256 text,
  created_by text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT administrator_can_sign_in CHECK (((person_id IS NOT NULL) OR (token_sha256 IS NOT NULL))),
  CONSTRAINT administrator_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE RESTRICT,
  CONSTRAINT administrator_pkey PRIMARY KEY (id)
);

CREATE TABLE api_key (
  id text NOT NULL,
  account_id text NOT NULL,
  sha256 text NOT NULL,
  prefix text NOT NULL,
  name text NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  models text[],
  endpoints text[],
  allowed_ips text[],
  scopes text[],
  requests_per_minute integer,
  concurrency integer,
  spend_cap_nano_usd bigint,
  spent_nano_usd bigint NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  spending_key_id text,
  spending_version bigint NOT NULL DEFAULT 0,
  grace_ends_at timestamp(3) with time zone,
  caps jsonb NOT NULL DEFAULT '[]'::jsonb,
  member_id text,
  parent_id text,
  depth integer NOT NULL DEFAULT 0,
  reserved_nano_usd bigint NOT NULL DEFAULT 0,
  closed_at timestamp(3) with time zone,
  keep_contents boolean NOT NULL DEFAULT false,
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT api_key_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id) ON DELETE RESTRICT,
  CONSTRAINT api_key_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES api_key(id) ON DELETE RESTRICT,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_spending_key_id_fkey FOREIGN KEY (spending_key_id) REFERENCES api_key(id) ON DELETE RESTRICT
) WITH (fillfactor=80);

CREATE TABLE archived_partition (
  name text NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  archived_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT archived_partition_pkey PRIMARY KEY (name)
);

CREATE TABLE attempt_window (
  subject text NOT NULL,
  attempts integer NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT attempt_window_pkey PRIMARY KEY (subject)
);

CREATE TABLE audit_entry (
  id bigint NOT NULL DEFAULT nextval('audit_entry_id_seq'::regclass),
  actor text NOT NULL,
  account_id text,
  action text NOT NULL,
  subject text,
  details jsonb NOT NULL,
  ip text NOT NULL,
  request_id text NOT NULL,
  asked_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  person_id text,
  role text,
  session_id text,
  administrator text,
  CONSTRAINT audit_entry_actor_is_known CHECK ((actor = ANY (ARRAY['person'::text, 'administrator'::text, 'key'::text, 'nobody'::text]))),
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_outcome (
  entry_id bigint NOT NULL,
  status integer NOT NULL,
  error_code text,
  account_id text,
  subject text,
  ended_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_outcome_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entry(id) ON DELETE RESTRICT,
  CONSTRAINT audit_outcome_pkey PRIMARY KEY (entry_id)
);

CREATE TABLE batch (
  id text NOT NULL,
  account_id text NOT NULL,
  is_test boolean NOT NULL,
  key_id text NOT NULL,
  format text NOT NULL,
  endpoint text NOT NULL,
  status text NOT NULL,
  input_object text NOT NULL,
  input_file_id text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  budget_nano_usd bigint,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  output_seconds integer NOT NULL,
  total integer NOT NULL DEFAULT 0,
  completed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  expired integer NOT NULL DEFAULT 0,
  cancelled integer NOT NULL DEFAULT 0,
  errors jsonb,
  waits_for text,
  output_file_id text,
  error_file_id text,
  owner text,
  due_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  created_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  window_ends_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  cancel_requested_at timestamp(3) with time zone,
  finalizing_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  results_removed_at timestamp(3) with time zone,
  begun_through integer NOT NULL DEFAULT 0,
  CONSTRAINT batch_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT batch_format_check CHECK ((format = ANY (ARRAY['openai'::text, 'anthropic'::text]))),
  CONSTRAINT batch_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE RESTRICT,
  CONSTRAINT batch_pkey PRIMARY KEY (id),
  CONSTRAINT batch_status_check CHECK ((status = ANY (ARRAY['validating'::text, 'in_progress'::text, 'finalizing'::text, 'completed'::text, 'failed'::text, 'expired'::text, 'cancelled'::text])))
);

CREATE TABLE batch_segment (
  batch_id text NOT NULL,
  number integer NOT NULL,
  is_error boolean NOT NULL,
  object text NOT NULL,
  bytes bigint NOT NULL,
  lines integer[] NOT NULL,
  CONSTRAINT batch_segment_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batch(id) ON DELETE CASCADE,
  CONSTRAINT batch_segment_pkey PRIMARY KEY (batch_id, number)
);

CREATE TABLE billing_copy (
  name text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT billing_copy_pkey PRIMARY KEY (name)
);

CREATE TABLE billing_shard (
  shard smallint NOT NULL,
  holder text,
  taken_at timestamp(3) with time zone,
  CONSTRAINT billing_shard_pkey PRIMARY KEY (shard)
);

CREATE TABLE budget_alert (
  subject text NOT NULL,
  type text NOT NULL,
  account_id text NOT NULL,
  data jsonb NOT NULL,
  raised_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT budget_alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT budget_alert_pkey PRIMARY KEY (subject, type)
);

CREATE TABLE cap_count (
  owner_id text NOT NULL,
  period text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone,
  requests bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  CONSTRAINT cap_count_pkey PRIMARY KEY (owner_id, period, starts_at)
) WITH (fillfactor=50);

CREATE TABLE channel_control (
  channel_id text NOT NULL,
  state text NOT NULL,
  weight double precision,
  reason text NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT channel_control_is_valid CHECK (((state = ANY (ARRAY['active'::text, 'draining'::text, 'paused'::text])) AND ((weight IS NULL) OR (weight >= (0)::double precision)))),
  CONSTRAINT channel_control_pkey PRIMARY KEY (channel_id)
);

CREATE TABLE content_key (
  account_id text NOT NULL,
  sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT content_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT content_key_pkey PRIMARY KEY (account_id)
);

CREATE TABLE conversation (
  id text NOT NULL,
  account_id text NOT NULL,
  is_test boolean NOT NULL,
  metadata jsonb NOT NULL,
  next_position bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  models text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT conversation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT conversation_pkey PRIMARY KEY (id)
);

CREATE TABLE conversation_item (
  conversation_id text NOT NULL,
  "position" bigint NOT NULL,
  id text NOT NULL,
  item text NOT NULL,
  CONSTRAINT conversation_item_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON DELETE CASCADE,
  CONSTRAINT conversation_item_id_key UNIQUE (id, conversation_id),
  CONSTRAINT conversation_item_pkey PRIMARY KEY (conversation_id, "position")
);

CREATE TABLE credit (
  reference text NOT NULL,
  account_id text NOT NULL,
  kind text NOT NULL,
  amount_nano_usd bigint NOT NULL,
  reason text NOT NULL,
  transaction_id bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT credit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT credit_pkey PRIMARY KEY (reference)
);

CREATE TABLE durable_request (
  id text STORAGE p NOT NULL,
  account_id text STORAGE p NOT NULL,
  is_test boolean NOT NULL,
  endpoint text STORAGE p NOT NULL,
  model text STORAGE p NOT NULL,
  vendor text STORAGE p NOT NULL,
  status text STORAGE p NOT NULL DEFAULT 'queued'::text,
  version integer NOT NULL DEFAULT 1,
  ticket jsonb STORAGE m NOT NULL,
  webhook_url text,
  owner text STORAGE p,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone NOT NULL,
  cancel_requested_at timestamp(3) with time zone,
  settlement jsonb STORAGE m,
  response jsonb STORAGE m,
  error jsonb,
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  body bytea STORAGE e,
  response_body bytea STORAGE e,
  settled_at timestamp(3) with time zone,
  CONSTRAINT durable_request_pkey PRIMARY KEY (id),
  CONSTRAINT durable_request_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
) WITH (toast_tuple_target=3000, fillfactor=40);

CREATE TABLE escrow_grant (
  account_id text NOT NULL,
  sequence bigint NOT NULL,
  epoch bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  delivered_at timestamp(3) with time zone,
  voided_at timestamp(3) with time zone,
  CONSTRAINT escrow_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT escrow_grant_is_positive CHECK ((amount_nano_usd > 0)),
  CONSTRAINT escrow_grant_pkey PRIMARY KEY (account_id, sequence)
);

CREATE TABLE escrow_return (
  account_id text NOT NULL,
  sequence bigint NOT NULL DEFAULT 1,
  epoch bigint NOT NULL,
  opened_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at timestamp(3) with time zone,
  CONSTRAINT escrow_return_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT escrow_return_pkey PRIMARY KEY (account_id)
);

CREATE TABLE fetched_result (
  file_id text NOT NULL,
  task_id text NOT NULL,
  part text NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  is_test boolean NOT NULL,
  source_url text NOT NULL,
  source_expires_at timestamp(3) with time zone NOT NULL,
  billed_seconds integer,
  status text NOT NULL DEFAULT 'pending'::text,
  reason text,
  attempts integer NOT NULL DEFAULT 0,
  media jsonb,
  due_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  created_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT fetched_result_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT fetched_result_part_check CHECK (((part = ANY (ARRAY['video'::text, 'last_frame'::text])) OR (part ~ '^image_[0-9]{1,4}$'::text))),
  CONSTRAINT fetched_result_pkey PRIMARY KEY (file_id),
  CONSTRAINT fetched_result_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'stored'::text, 'passed_on'::text, 'lost'::text, 'deleted'::text]))),
  CONSTRAINT fetched_result_task_id_part_key UNIQUE (task_id, part)
);

CREATE TABLE invitation (
  id text NOT NULL,
  account_id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  invited_by text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  accepted_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id) ON DELETE RESTRICT,
  CONSTRAINT invitation_pkey PRIMARY KEY (id),
  CONSTRAINT invitation_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);

CREATE TABLE kept_answer_piece (
  request_id text NOT NULL,
  number integer NOT NULL,
  bytes bytea STORAGE e NOT NULL,
  kept_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT kept_answer_piece_pkey PRIMARY KEY (request_id, number)
);

CREATE TABLE ledger_account (
  id bigint NOT NULL DEFAULT nextval('ledger_account_id_seq'::regclass),
  kind text NOT NULL,
  account_id text,
  shard smallint DEFAULT shard_of(account_id),
  CONSTRAINT ledger_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT ledger_account_kind_is_known CHECK ((((account_id IS NOT NULL) = (kind = ANY (ARRAY['customer'::text, 'escrow'::text, 'task_holds'::text]))) AND (kind = ANY (ARRAY['customer'::text, 'escrow'::text, 'task_holds'::text, 'revenue'::text, 'top_ups'::text, 'adjustments'::text])))),
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_account_revenue_of_shard CHECK (((id > 0) OR ((kind = 'revenue'::text) AND (id >= '-64'::integer) AND (id < 0))))
);

CREATE TABLE ledger_archive (
  partition text NOT NULL,
  ledger_account_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  entries bigint NOT NULL,
  CONSTRAINT ledger_archive_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT,
  CONSTRAINT ledger_archive_pkey PRIMARY KEY (ledger_account_id, partition)
);

CREATE TABLE ledger_balance (
  ledger_account_id bigint NOT NULL,
  balance_nano_usd bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  CONSTRAINT ledger_balance_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT,
  CONSTRAINT ledger_balance_pkey PRIMARY KEY (ledger_account_id)
) WITH (fillfactor=50);

CREATE TABLE ledger_entry (
  id bigint NOT NULL DEFAULT nextval('ledger_entry_id_seq'::regclass),
  transaction_id bigint NOT NULL,
  ledger_account_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT ledger_entry_moves_something CHECK ((amount_nano_usd <> 0)),
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (transaction_id, id)
) PARTITION BY RANGE (transaction_id);

CREATE TABLE ledger_entry_other (
  id bigint NOT NULL DEFAULT nextval('ledger_entry_id_seq'::regclass),
  transaction_id bigint NOT NULL,
  ledger_account_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT ledger_entry_moves_something CHECK ((amount_nano_usd <> 0))
) PARTITION OF ledger_entry DEFAULT;

CREATE TABLE ledger_entry_undated (
  id bigint NOT NULL DEFAULT nextval('ledger_entry_id_seq'::regclass),
  transaction_id bigint NOT NULL,
  ledger_account_id bigint NOT NULL,
  amount_nano_usd bigint NOT NULL,
  CONSTRAINT ledger_entry_moves_something CHECK ((amount_nano_usd <> 0))
) PARTITION OF ledger_entry FOR VALUES FROM (MINVALUE) TO ('659706976665600');

CREATE TABLE ledger_month (
  account_id text NOT NULL,
  month bigint NOT NULL,
  last_id bigint NOT NULL,
  starts timestamp(3) with time zone[] NOT NULL,
  lines bigint[] NOT NULL,
  charges bigint[] NOT NULL,
  amounts bigint[] NOT NULL,
  CONSTRAINT ledger_month_pkey PRIMARY KEY (account_id, month)
);

CREATE TABLE ledger_reference (
  reference text COLLATE "C" NOT NULL,
  transaction_id bigint NOT NULL,
  CONSTRAINT ledger_reference_pkey PRIMARY KEY (reference)
);

CREATE TABLE ledger_transaction (
  id bigint NOT NULL DEFAULT (ledger_month_floor(now()) + nextval('ledger_transaction_id_seq'::regclass)),
  reference text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  account_id text,
  reason text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE TABLE ledger_transaction_other (
  id bigint NOT NULL DEFAULT (ledger_month_floor(now()) + nextval('ledger_transaction_id_seq'::regclass)),
  reference text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  account_id text,
  reason text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
) PARTITION OF ledger_transaction DEFAULT;

CREATE TABLE ledger_transaction_undated (
  id bigint NOT NULL,
  reference text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  account_id text,
  reason text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
) PARTITION OF ledger_transaction FOR VALUES FROM (MINVALUE) TO ('659706976665600');

CREATE TABLE mail (
  id text NOT NULL,
  kind text NOT NULL,
  recipient text NOT NULL,
  locale text NOT NULL,
  person_id text,
  invitation_id text,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  secret_sha256s text[] NOT NULL DEFAULT '{}'::text[],
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP,
  last_error text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT mail_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitation(id) ON DELETE CASCADE,
  CONSTRAINT mail_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT mail_pkey PRIMARY KEY (id)
);

CREATE TABLE member (
  id text NOT NULL,
  account_id text NOT NULL,
  person_id text NOT NULL,
  role text NOT NULL,
  caps jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  removed_at timestamp(3) with time zone,
  CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT member_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE RESTRICT,
  CONSTRAINT member_pkey PRIMARY KEY (id),
  CONSTRAINT member_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);

CREATE TABLE open_request (
  id text NOT NULL,
  CONSTRAINT open_request_pkey PRIMARY KEY (id)
);

CREATE TABLE parked_event (
  stream_entry_id text NOT NULL,
  payload text NOT NULL,
  reason text NOT NULL,
  parked_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT parked_event_pkey PRIMARY KEY (stream_entry_id)
);

CREATE TABLE pending_body (
  id text NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT pending_body_pkey PRIMARY KEY (id)
);

CREATE TABLE pending_object (
  key text NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  is_taken boolean NOT NULL DEFAULT false,
  CONSTRAINT pending_object_pkey PRIMARY KEY (key)
);

CREATE TABLE person (
  id text NOT NULL,
  email text NOT NULL,
  password_hash text,
  name text NOT NULL DEFAULT ''::text,
  locale text NOT NULL DEFAULT 'en'::text,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  confirmed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT person_pkey PRIMARY KEY (id)
);

CREATE TABLE price_override (
  id bigint NOT NULL DEFAULT nextval('price_override_id_seq'::regclass),
  account_id text NOT NULL,
  model text NOT NULL,
  "from" timestamp(3) with time zone NOT NULL,
  per_million jsonb,
  long_prompt_per_million jsonb,
  reason text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT price_override_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT price_override_pkey PRIMARY KEY (id)
);

CREATE TABLE redis_epoch (
  epoch bigint NOT NULL DEFAULT nextval('redis_epoch_epoch_seq'::regclass),
  activations integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  activated_at timestamp(3) with time zone,
  retired_at timestamp(3) with time zone,
  shard smallint NOT NULL DEFAULT '-1'::integer,
  CONSTRAINT redis_epoch_pkey PRIMARY KEY (shard, epoch)
);

CREATE TABLE request_content (
  request_id text NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  sealed bytea STORAGE e NOT NULL,
  bytes integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT request_content_pkey PRIMARY KEY (request_id)
);

CREATE TABLE session (
  token_sha256 text NOT NULL,
  account_id text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  id text NOT NULL DEFAULT ('ses_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  person_id text,
  user_agent text NOT NULL DEFAULT ''::text,
  ip text NOT NULL DEFAULT ''::text,
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  CONSTRAINT session_pkey PRIMARY KEY (token_sha256)
);

CREATE TABLE settlement (
  request_id text COLLATE "C" NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  outcome text NOT NULL,
  hold_nano_usd bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  price_version text NOT NULL,
  unit_prices jsonb NOT NULL,
  units jsonb NOT NULL,
  is_estimated boolean NOT NULL,
  abort_contract text,
  idempotency_hash text,
  error_code text,
  attempts jsonb NOT NULL,
  schema_version integer NOT NULL,
  admitted_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  first_byte_at timestamp(3) with time zone,
  settled_at timestamp(3) with time zone NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stream_entry_id text NOT NULL,
  epoch bigint NOT NULL,
  queued_at timestamp(3) with time zone,
  status integer,
  idempotency_key text,
  changes jsonb,
  vendor_cost_nano_usd bigint,
  CONSTRAINT settlement_is_not_negative CHECK (((hold_nano_usd >= 0) AND (cost_nano_usd >= 0))),
  CONSTRAINT settlement_pkey PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);

CREATE TABLE settlement_other (
  request_id text COLLATE "C" NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  outcome text NOT NULL,
  hold_nano_usd bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  price_version text NOT NULL,
  unit_prices jsonb NOT NULL,
  units jsonb NOT NULL,
  is_estimated boolean NOT NULL,
  abort_contract text,
  idempotency_hash text,
  error_code text,
  attempts jsonb NOT NULL,
  schema_version integer NOT NULL,
  admitted_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  first_byte_at timestamp(3) with time zone,
  settled_at timestamp(3) with time zone NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stream_entry_id text NOT NULL,
  epoch bigint NOT NULL,
  queued_at timestamp(3) with time zone,
  status integer,
  idempotency_key text,
  changes jsonb,
  vendor_cost_nano_usd bigint,
  CONSTRAINT settlement_is_not_negative CHECK (((hold_nano_usd >= 0) AND (cost_nano_usd >= 0)))
) PARTITION OF settlement DEFAULT;

CREATE TABLE settlement_undated (
  request_id text COLLATE "C" NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  outcome text NOT NULL,
  hold_nano_usd bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  price_version text NOT NULL,
  unit_prices jsonb NOT NULL,
  units jsonb NOT NULL,
  is_estimated boolean NOT NULL,
  abort_contract text,
  idempotency_hash text,
  error_code text,
  attempts jsonb NOT NULL,
  schema_version integer NOT NULL,
  admitted_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  first_byte_at timestamp(3) with time zone,
  settled_at timestamp(3) with time zone NOT NULL,
  recorded_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stream_entry_id text NOT NULL,
  epoch bigint NOT NULL,
  queued_at timestamp(3) with time zone,
  status integer,
  idempotency_key text,
  changes jsonb,
  vendor_cost_nano_usd bigint,
  CONSTRAINT settlement_is_not_negative CHECK (((hold_nano_usd >= 0) AND (cost_nano_usd >= 0)))
) PARTITION OF settlement FOR VALUES FROM ('req_21') TO (MAXVALUE);

CREATE TABLE store_use (
  account_id text NOT NULL,
  bytes bigint NOT NULL,
  objects bigint NOT NULL,
  request_bytes bigint NOT NULL DEFAULT 0,
  response_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT store_use_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT store_use_check CHECK (((bytes >= 0) AND (objects >= 0))),
  CONSTRAINT store_use_kept_check CHECK (((request_bytes >= 0) AND (response_bytes >= 0))),
  CONSTRAINT store_use_pkey PRIMARY KEY (account_id)
);

CREATE TABLE stored_object (
  id text NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  is_test boolean NOT NULL,
  purpose text NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  status text NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp(3) with time zone,
  CONSTRAINT stored_object_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT stored_object_pkey PRIMARY KEY (id),
  CONSTRAINT stored_object_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'ready'::text, 'deleted'::text])))
);

CREATE TABLE stored_response (
  id text NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  is_test boolean NOT NULL,
  model text NOT NULL,
  status text NOT NULL,
  previous_id text,
  conversation_id text,
  conversation_position bigint,
  input text NOT NULL,
  response text NOT NULL,
  bytes integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT stored_response_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT stored_response_pkey PRIMARY KEY (id)
);

CREATE TABLE stored_response_item (
  account_id text NOT NULL,
  id text NOT NULL,
  response_id text NOT NULL,
  CONSTRAINT stored_response_item_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT stored_response_item_response_id_fkey FOREIGN KEY (response_id) REFERENCES stored_response(id) ON DELETE CASCADE
);

CREATE TABLE usage_day (
  account_id text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  requests bigint NOT NULL,
  lines jsonb NOT NULL,
  CONSTRAINT usage_day_pkey PRIMARY KEY (account_id, starts_at, ends_at)
);

CREATE TABLE usage_rollup (
  account_id text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  key_id text NOT NULL,
  model text NOT NULL,
  endpoint text NOT NULL,
  outcome text NOT NULL,
  requests bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  vendor_cost_nano_usd bigint NOT NULL,
  uncosted_requests bigint NOT NULL,
  uncosted_nano_usd bigint NOT NULL,
  units jsonb NOT NULL,
  CONSTRAINT usage_rollup_pkey PRIMARY KEY (account_id, starts_at, key_id, model, endpoint, outcome)
) WITH (fillfactor=80);

CREATE TABLE vendor_bill (
  id text NOT NULL,
  vendor text NOT NULL,
  form text NOT NULL,
  name text NOT NULL,
  sha256 text,
  rows bigint NOT NULL DEFAULT 0,
  skipped_rows bigint NOT NULL DEFAULT 0,
  first_day date,
  last_day date,
  billed_nano_usd bigint NOT NULL DEFAULT 0,
  created_by text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT vendor_bill_pkey PRIMARY KEY (id)
);

CREATE TABLE vendor_bill_item (
  bill_id text NOT NULL,
  upstream_id text NOT NULL,
  day date NOT NULL,
  model text NOT NULL,
  cost_nano_usd bigint NOT NULL,
  CONSTRAINT vendor_bill_item_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES vendor_bill(id) ON DELETE CASCADE,
  CONSTRAINT vendor_bill_item_pkey PRIMARY KEY (bill_id, upstream_id)
);

CREATE TABLE vendor_bill_line (
  bill_id text NOT NULL,
  day date NOT NULL,
  model text NOT NULL,
  requests bigint,
  cost_nano_usd bigint NOT NULL,
  CONSTRAINT vendor_bill_line_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES vendor_bill(id) ON DELETE CASCADE,
  CONSTRAINT vendor_bill_line_pkey PRIMARY KEY (bill_id, day, model)
);

CREATE TABLE video_task (
  id text NOT NULL,
  public_id text NOT NULL,
  request_id text NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  is_test boolean NOT NULL,
  model text NOT NULL,
  vendor text NOT NULL,
  state text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  channel_id text,
  upstream_task_id text,
  duration_seconds integer NOT NULL,
  resolution text NOT NULL,
  aspect_ratio text NOT NULL,
  unit text NOT NULL,
  price_version text NOT NULL,
  unit_prices jsonb NOT NULL,
  hold_nano_usd bigint NOT NULL,
  hold_entry_id text,
  cost_nano_usd bigint,
  prompt text,
  webhook_url text,
  idempotency_key text,
  idempotency_fingerprint text,
  created_at timestamp(3) with time zone NOT NULL,
  asked_at timestamp(3) with time zone,
  submitted_at timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  progress integer,
  content jsonb,
  usage jsonb,
  seed bigint,
  error jsonb,
  upstream jsonb,
  attempts jsonb NOT NULL DEFAULT '[]'::jsonb,
  cancel_requested_at timestamp(3) with time zone,
  cancel_outcome text,
  poll_number integer NOT NULL DEFAULT 0,
  poll_failures integer NOT NULL DEFAULT 0,
  doubts integer NOT NULL DEFAULT 0,
  doubted_at timestamp(3) with time zone,
  next_poll_at timestamp(3) with time zone,
  lease_until timestamp(3) with time zone,
  lease_owner text,
  traceparent text,
  retain_seconds integer,
  CONSTRAINT video_task_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT video_task_cancellation_is_known CHECK ((((cancel_requested_at IS NULL) = (cancel_outcome IS NULL)) AND (cancel_outcome = ANY (ARRAY['pending'::text, 'cancelled'::text, 'refused'::text])))),
  CONSTRAINT video_task_cost_is_promised CHECK (((hold_nano_usd >= 0) AND ((cost_nano_usd >= 0) AND (cost_nano_usd <= hold_nano_usd)) AND ((cost_nano_usd = 0) OR (state = ANY (ARRAY['succeeded'::text, 'failed'::text]))) AND (NOT (is_test AND (cost_nano_usd > 0))))),
  CONSTRAINT video_task_ends_once CHECK ((((state = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])) = (finished_at IS NOT NULL)) AND ((finished_at IS NOT NULL) = (cost_nano_usd IS NOT NULL)))),
  CONSTRAINT video_task_pkey PRIMARY KEY (id),
  CONSTRAINT video_task_retain_seconds_check CHECK ((retain_seconds > 0)),
  CONSTRAINT video_task_runs_somewhere CHECK (((state <> ALL (ARRAY['queued'::text, 'running'::text, 'succeeded'::text])) OR ((channel_id IS NOT NULL) AND (upstream_task_id IS NOT NULL)))),
  CONSTRAINT video_task_state_is_known CHECK ((state = ANY (ARRAY['submitting'::text, 'submit_unknown'::text, 'queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);

CREATE TABLE webhook_attempt (
  delivery_id text NOT NULL,
  number integer NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  duration_ms integer,
  status integer,
  error text,
  response_body text,
  CONSTRAINT webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON DELETE CASCADE,
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY (delivery_id, number)
);

CREATE TABLE webhook_delivery (
  id text NOT NULL,
  sequence bigint NOT NULL DEFAULT nextval('webhook_delivery_sequence_seq'::regclass),
  event_id bigint NOT NULL,
  account_id text NOT NULL,
  endpoint_id text,
  url text NOT NULL,
  host text NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  step integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone,
  lease text,
  first_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  last_status integer,
  last_error text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at timestamp(3) with time zone,
  CONSTRAINT webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE RESTRICT,
  CONSTRAINT webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES account_event(id) ON DELETE CASCADE,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_delivery_state_is_known CHECK (((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])) AND ((state = 'pending'::text) = (next_attempt_at IS NOT NULL)) AND ((state = 'pending'::text) = (finished_at IS NULL)) AND ((state = 'pending'::text) OR (lease IS NULL))))
) WITH (fillfactor=70);

CREATE TABLE webhook_endpoint (
  id text NOT NULL,
  account_id text NOT NULL,
  url text NOT NULL,
  event_types text[],
  description text NOT NULL DEFAULT ''::text,
  is_test boolean NOT NULL DEFAULT false,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  consecutive_failures integer NOT NULL DEFAULT 0,
  failing_since timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  has_leftovers boolean NOT NULL DEFAULT false,
  CONSTRAINT webhook_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoint_says_why_it_is_disabled CHECK ((((disabled_at IS NULL) = (disabled_reason IS NULL)) AND (disabled_reason = ANY (ARRAY['by_you'::text, 'gone'::text, 'only_failures'::text]))))
);

CREATE TABLE webhook_secret (
  id text NOT NULL,
  account_id text NOT NULL,
  sealed text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone,
  CONSTRAINT webhook_secret_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE RESTRICT,
  CONSTRAINT webhook_secret_pkey PRIMARY KEY (id)
);

CREATE INDEX account_email_idx ON public.account USING btree (email);

CREATE INDEX account_to_be_emptied ON public.account USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (emptied_at IS NULL));

CREATE INDEX account_event_account_id_id_idx ON public.account_event USING btree (account_id, id);

CREATE INDEX account_event_account_id_subject_id_idx ON public.account_event USING btree (account_id, subject, id);

CREATE INDEX account_event_account_id_type_id_idx ON public.account_event USING btree (account_id, type, id);

CREATE INDEX account_event_of_tests ON public.account_event USING btree (account_id, id) WHERE is_test;

CREATE UNIQUE INDEX account_event_public_id_key ON public.account_event USING btree (public_id);

CREATE INDEX account_event_refunded ON public.account_event USING btree (created_at, id) WHERE (type = 'charge.refunded'::text);

CREATE UNIQUE INDEX account_view_token_sha256_key ON public.account_view USING btree (token_sha256);

CREATE UNIQUE INDEX administrator_name_in_use ON public.administrator USING btree (lower(name)) WHERE (revoked_at IS NULL);

CREATE UNIQUE INDEX administrator_person_in_use ON public.administrator USING btree (person_id) WHERE (revoked_at IS NULL);

CREATE UNIQUE INDEX administrator_token_sha256_key ON public.administrator USING btree (token_sha256);

CREATE INDEX api_key_account_id_created_at_idx ON public.api_key USING btree (account_id, created_at);

CREATE INDEX api_key_chain_idx ON public.api_key USING btree (spending_key_id, ((depth + 0))) WHERE (parent_id IS NULL);

CREATE INDEX api_key_member_id_idx ON public.api_key USING btree (member_id);

CREATE INDEX api_key_open_child ON public.api_key USING btree (((id || ''::text))) WHERE ((parent_id IS NOT NULL) AND (closed_at IS NULL));

CREATE INDEX api_key_open_child_of ON public.api_key USING btree (parent_id, ((depth + 0))) WHERE ((parent_id IS NOT NULL) AND (closed_at IS NULL));

CREATE INDEX api_key_parent_id_idx ON public.api_key USING btree (parent_id, ((depth + 0))) WHERE (parent_id IS NOT NULL);

CREATE UNIQUE INDEX api_key_sha256_key ON public.api_key USING btree (sha256);

CREATE INDEX api_key_spending_key_id_idx ON public.api_key USING btree (spending_key_id);

CREATE INDEX attempt_window_ends_at_idx ON public.attempt_window USING btree (ends_at);

CREATE INDEX audit_entry_account_id_id_idx ON public.audit_entry USING btree (account_id, id DESC);

CREATE INDEX audit_outcome_account_id_entry_id_idx ON public.audit_outcome USING btree (account_id, entry_id DESC);

CREATE INDEX batch_account_id_created_at_id_idx ON public.batch USING btree (account_id, created_at, id);

CREATE INDEX batch_due_at_idx ON public.batch USING btree (due_at) WHERE (finished_at IS NULL);

CREATE INDEX batch_finished_at_idx ON public.batch USING btree (finished_at) WHERE (results_removed_at IS NULL);

CREATE INDEX batch_key_id_idx ON public.batch USING btree (key_id);

CREATE INDEX conversation_account_id_idx ON public.conversation USING btree (account_id);

CREATE INDEX conversation_expires_at_idx ON public.conversation USING btree (expires_at);

CREATE INDEX credit_account_id_idx ON public.credit USING btree (account_id);

CREATE UNIQUE INDEX credit_transaction_id_key ON public.credit USING btree (transaction_id);

CREATE INDEX durable_request_expires_at_idx ON public.durable_request USING btree (expires_at);

CREATE INDEX durable_request_lines ON public.durable_request USING btree (account_id, expires_at) WHERE ((ticket ->> 'isOfBatch'::text) IS NOT NULL);

CREATE INDEX durable_request_shown ON public.durable_request USING btree (account_id, is_test, created_at DESC, id DESC) WHERE ((ticket ->> 'isOfBatch'::text) IS NULL);

CREATE INDEX escrow_grant_undelivered ON public.escrow_grant USING btree (account_id, ((sequence + 0))) WHERE ((delivered_at IS NULL) AND (voided_at IS NULL));

CREATE INDEX escrow_return_open ON public.escrow_return USING btree (((sequence + 0))) WHERE (closed_at IS NULL);

CREATE INDEX fetched_result_due_at_idx ON public.fetched_result USING btree (due_at) WHERE (status = 'pending'::text);

CREATE INDEX fetched_result_of_account ON public.fetched_result USING btree (account_id) WHERE (status <> 'deleted'::text);

CREATE INDEX fetched_result_source_expires_at_idx ON public.fetched_result USING btree (source_expires_at) WHERE (status <> 'pending'::text);

CREATE INDEX invitation_account_id_created_at_idx ON public.invitation USING btree (account_id, created_at DESC);

CREATE INDEX kept_answer_piece_kept_until_idx ON public.kept_answer_piece USING btree (kept_until);

CREATE INDEX ledger_account_account_id_idx ON public.ledger_account USING btree (account_id);

CREATE UNIQUE INDEX ledger_account_once ON public.ledger_account USING btree (kind, COALESCE(account_id, ''::text)) WHERE (id > 0);

CREATE INDEX ledger_entry_ledger_account_id_transaction_id_idx ON ONLY public.ledger_entry USING btree (ledger_account_id, transaction_id DESC);

CREATE INDEX ledger_transaction_credits ON ONLY public.ledger_transaction USING btree (account_id, id DESC) WHERE (kind = ANY (ARRAY['top_up'::text, 'adjustment'::text]));

CREATE INDEX ledger_transaction_shown ON ONLY public.ledger_transaction USING btree (account_id, id DESC) WHERE (kind = ANY (ARRAY['top_up'::text, 'adjustment'::text, 'settlement'::text]));

CREATE UNIQUE INDEX ledger_transaction_other_reference_key ON public.ledger_transaction_other USING btree (reference);

CREATE UNIQUE INDEX ledger_transaction_undated_reference_key ON public.ledger_transaction_undated USING btree (reference);

CREATE INDEX mail_due_at_idx ON public.mail USING btree (due_at);

CREATE INDEX mail_expires_at_idx ON public.mail USING btree (expires_at);

CREATE INDEX mail_invitation_id_idx ON public.mail USING btree (invitation_id);

CREATE INDEX mail_person_id_kind_idx ON public.mail USING btree (person_id, kind);

CREATE UNIQUE INDEX member_account_id_person_id_key ON public.member USING btree (account_id, person_id);

CREATE INDEX member_person_id_idx ON public.member USING btree (person_id);

CREATE UNIQUE INDEX person_email_key ON public.person USING btree (email);

CREATE INDEX price_override_account_id_model_from_idx ON public.price_override USING btree (account_id, model, "from");

CREATE INDEX request_content_expires_at_idx ON public.request_content USING btree (expires_at);

CREATE INDEX request_content_key_id_idx ON public.request_content USING btree (key_id);

CREATE INDEX session_account_id_idx ON public.session USING btree (account_id);

CREATE INDEX session_expires_at_idx ON public.session USING btree (expires_at);

CREATE UNIQUE INDEX session_id_key ON public.session USING btree (id);

CREATE INDEX session_person_id_idx ON public.session USING btree (person_id);

CREATE INDEX settlement_account_id_idempotency_key_idx ON ONLY public.settlement USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX settlement_account_id_key_id_settled_at_idx ON ONLY public.settlement USING btree (account_id, key_id, settled_at DESC, request_id DESC);

CREATE INDEX settlement_account_id_settled_at_request_id_idx ON ONLY public.settlement USING btree (account_id, settled_at DESC, request_id DESC);

CREATE INDEX settlement_idempotency_hash_idx ON ONLY public.settlement USING btree (account_id, idempotency_hash) WHERE (idempotency_hash IS NOT NULL);

CREATE INDEX settlement_keyed_recorded_at_idx ON ONLY public.settlement USING btree (recorded_at) WHERE (idempotency_hash IS NOT NULL);

CREATE INDEX settlement_upstream_id_idx ON ONLY public.settlement USING btree ((((attempts -> '-1'::integer) ->> 'upstreamId'::text))) WHERE (((attempts -> '-1'::integer) ->> 'upstreamId'::text) IS NOT NULL);

CREATE INDEX stored_object_account_id_created_at_idx ON public.stored_object USING btree (account_id, is_test, created_at DESC, id DESC) WHERE (status = 'ready'::text);

CREATE INDEX stored_object_due_at_idx ON public.stored_object USING btree (due_at) WHERE (status <> 'ready'::text);

CREATE INDEX stored_object_expires_at_idx ON public.stored_object USING btree (expires_at) WHERE ((status = 'ready'::text) AND (expires_at IS NOT NULL));

CREATE INDEX stored_object_purpose_created_at_idx ON public.stored_object USING btree (account_id, is_test, purpose, created_at DESC, id DESC) WHERE (status = 'ready'::text);

CREATE INDEX stored_response_account_id_expires_at_idx ON public.stored_response USING btree (account_id, expires_at);

CREATE INDEX stored_response_expires_at_idx ON public.stored_response USING btree (expires_at);

CREATE INDEX stored_response_item_response_id_idx ON public.stored_response_item USING btree (response_id);

CREATE INDEX usage_rollup_starts_at_idx ON public.usage_rollup USING btree (starts_at);

CREATE UNIQUE INDEX vendor_bill_file ON public.vendor_bill USING btree (vendor, sha256);

CREATE INDEX video_task_account_id_created_at_id_idx ON public.video_task USING btree (account_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX video_task_account_id_is_test_idempotency_key_key ON public.video_task USING btree (account_id, is_test, idempotency_key);

CREATE INDEX video_task_account_id_model_created_at_id_idx ON public.video_task USING btree (account_id, model, created_at DESC, id DESC);

CREATE INDEX video_task_account_id_public_id_idx ON public.video_task USING btree (account_id, public_id);

CREATE INDEX video_task_account_id_state_created_at_id_idx ON public.video_task USING btree (account_id, state, created_at DESC, id DESC);

CREATE INDEX video_task_being_submitted ON public.video_task USING btree (created_at) WHERE (state = 'submitting'::text);

CREATE INDEX video_task_channel_id_upstream_task_id_idx ON public.video_task USING btree (channel_id, upstream_task_id);

CREATE INDEX video_task_ended ON public.video_task USING btree (finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX video_task_model_finished_at_idx ON public.video_task USING btree (model, finished_at DESC);

CREATE INDEX video_task_of_tests ON public.video_task USING btree (account_id, created_at DESC, id DESC) WHERE is_test;

CREATE INDEX video_task_open_by_account ON public.video_task USING btree (account_id, ((version + 0))) WHERE (NOT is_final_task(state));

CREATE INDEX video_task_open_by_next_poll ON public.video_task USING btree (next_poll_at) WHERE (NOT is_final_task(state));

CREATE UNIQUE INDEX video_task_request_id_key ON public.video_task USING btree (request_id);

CREATE INDEX video_task_unbooked ON public.video_task USING btree (account_id, ((hold_nano_usd + 0))) WHERE ((hold_entry_id IS NULL) AND (NOT is_final_task(state)));

CREATE INDEX webhook_delivery_account_id_sequence_idx ON public.webhook_delivery USING btree (account_id, sequence DESC);

CREATE INDEX webhook_delivery_account_id_state_sequence_idx ON public.webhook_delivery USING btree (account_id, state, sequence DESC);

CREATE INDEX webhook_delivery_by_host ON public.webhook_delivery USING btree (account_id, host, next_attempt_at) WHERE (state = 'pending'::text);

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (next_attempt_at) WHERE (state = 'pending'::text);

CREATE INDEX webhook_delivery_endpoint_id_sequence_idx ON public.webhook_delivery USING btree (endpoint_id, sequence DESC);

CREATE INDEX webhook_delivery_event_id_idx ON public.webhook_delivery USING btree (event_id);

CREATE INDEX webhook_delivery_on_its_way ON public.webhook_delivery USING btree (account_id, host, ((lease || ''::text))) WHERE (lease IS NOT NULL);

CREATE UNIQUE INDEX webhook_delivery_sequence_key ON public.webhook_delivery USING btree (sequence);

CREATE INDEX webhook_endpoint_account_id_idx ON public.webhook_endpoint USING btree (account_id);

CREATE UNIQUE INDEX webhook_endpoint_once ON public.webhook_endpoint USING btree (account_id, is_test, ((url || ''::text))) WHERE (deleted_at IS NULL);

CREATE INDEX webhook_endpoint_with_orphans ON public.webhook_endpoint USING btree (((id || ''::text))) WHERE has_leftovers;

CREATE INDEX webhook_secret_account_id_idx ON public.webhook_secret USING btree (account_id);

CREATE UNIQUE INDEX webhook_secret_current_once ON public.webhook_secret USING btree (((account_id || ''::text))) WHERE (expires_at IS NULL);

CREATE OR REPLACE FUNCTION public.account_epoch(p_account_id text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(shard_epoch(shard_of(p_account_id)), active_epoch())
$function$
;

CREATE OR REPLACE FUNCTION public.active_epoch()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT max(epoch) FROM redis_epoch WHERE shard = -1 AND activated_at IS NOT NULL AND retired_at IS NULL
$function$
;

CREATE OR REPLACE FUNCTION public.add_durable_requests(p_requests jsonb[], p_bodies text[])
 RETURNS TABLE(id text, expires_at timestamp with time zone)
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  WITH stored AS (
    INSERT INTO durable_request AS request
      (id, account_id, is_test, endpoint, model, vendor, ticket, body, webhook_url, due_at, created_at, bytes, expires_at)
    SELECT ticket ->> 'requestId', account.id, coalesce((ticket ->> 'isTest')::boolean, false), ticket ->> 'endpoint',
      ticket ->> 'model', vendor, ticket, decode(added.body, 'hex'), "webhookUrl",
      clock_timestamp() + "dueInMs" * interval '1 millisecond', created.moment, given.bytes,
      created.moment + (deadline - "createdAt") + coalesce("retentionMs" * interval '1 millisecond', make_interval(hours => result_retention_hours),
        "defaultRetentionMs" * interval '1 millisecond')
    FROM unnest(p_requests, p_bodies) AS added (json, body), jsonb_to_record(added.json) AS given (
      ticket jsonb, vendor text, "webhookUrl" text, "dueInMs" float8, "createdAt" timestamptz, deadline timestamptz,
      "retentionMs" float8, "defaultRetentionMs" float8, bytes bigint, "limitBytes" bigint)
    CROSS JOIN LATERAL (SELECT CASE WHEN abs(extract(epoch FROM "createdAt" - clock_timestamp())) < 60
      THEN "createdAt" ELSE clock_timestamp() END AS moment) AS created
    JOIN account ON account.id = ticket ->> 'accountId'
    LEFT JOIN store_use ON store_use.account_id = account.id
    WHERE coalesce(store_use.bytes + request_bytes + response_bytes, 0) + given.bytes <= "limitBytes"
    RETURNING request.id, request.expires_at
  ), named AS (
    DELETE FROM pending_object USING stored WHERE key = 'requests/' || stored.id || '/body'
  ), named_by_former_release AS (
    DELETE FROM pending_body USING stored WHERE pending_body.id = stored.id
  )
  SELECT stored.id, stored.expires_at FROM stored
$function$
;

CREATE OR REPLACE FUNCTION public.add_kept_bytes(p_kind text, p_account_id text, p_bytes bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO store_use AS used (account_id, bytes, objects, request_bytes, response_bytes)
    SELECT p_account_id, 0, 0, CASE p_kind WHEN 'requests' THEN added ELSE 0 END, CASE p_kind WHEN 'responses' THEN added ELSE 0 END
    FROM greatest(p_bytes, 0) AS added WHERE p_bytes <> 0
  ON CONFLICT (account_id) DO UPDATE SET
    request_bytes = used.request_bytes + CASE p_kind WHEN 'requests' THEN p_bytes ELSE 0 END,
    response_bytes = used.response_bytes + CASE p_kind WHEN 'responses' THEN p_bytes ELSE 0 END
$function$
;

CREATE OR REPLACE FUNCTION public.add_units(p_left jsonb, p_right jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(jsonb_object_agg(unit, amount), '{}') FROM (
    SELECT unit, sum(count::numeric) AS amount
    FROM (SELECT * FROM jsonb_each_text(p_left) UNION ALL SELECT * FROM jsonb_each_text(p_right)) AS each (unit, count)
    GROUP BY unit) AS summed
$function$
;

CREATE OR REPLACE FUNCTION public.adopt_orphan_task_holds(p_older_than_ms integer)
 RETURNS TABLE(adopted bigint, capped_keys text[])
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_orphans text[];
BEGIN
  SELECT array_agg(id) INTO v_orphans FROM (
    SELECT id FROM video_task
      WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
        AND asked_at < now() - p_older_than_ms * interval '1 millisecond'
      ORDER BY id LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED) AS orphans;
  IF v_orphans IS NULL THEN
    RETURN QUERY SELECT 0::bigint, '{}'::text[];
    RETURN;
  END IF;
  WITH orphans AS (
    UPDATE video_task SET hold_entry_id = 'lost' WHERE id = ANY(v_orphans)
      RETURNING request_id, account_id, key_id, hold_nano_usd
  ), spent AS (
    SELECT coalesce(spending_key_id, api_key.id) AS id, sum(hold_nano_usd)::bigint AS amount
      FROM orphans JOIN api_key ON api_key.id = key_id GROUP BY 1
  ), locked AS (
    SELECT id FROM api_key WHERE id IN (SELECT id FROM spent) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE api_key SET spent_nano_usd = spent_nano_usd + spent.amount, spending_version = spending_version + 1
      FROM locked JOIN spent USING (id) WHERE api_key.id = locked.id
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id, reason)
      SELECT 'task-hold:' || request_id, 'task_hold', account_id, 'The event of the hold was lost with a Redis'
      FROM orphans RETURNING id, reference
  )
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    SELECT transactions.id, side.ledger_account_id, side.amount
    FROM orphans JOIN transactions ON transactions.reference = 'task-hold:' || orphans.request_id
    CROSS JOIN LATERAL (VALUES
      (ledger_account_of('customer', orphans.account_id), -orphans.hold_nano_usd),
      (ledger_account_of('task_holds', orphans.account_id), orphans.hold_nano_usd)
    ) AS side (ledger_account_id, amount);
  PERFORM return_cap_costs(key_id, created_at, -hold_nano_usd) FROM video_task WHERE id = ANY(v_orphans) ORDER BY id;
  RETURN QUERY
    SELECT array_length(v_orphans, 1)::bigint, coalesce(array_agg(sha256), '{}') FROM api_key
      WHERE spend_cap_nano_usd IS NOT NULL AND revoked_at IS NULL AND coalesce(spending_key_id, id) IN (
        SELECT coalesce(first.spending_key_id, first.id)
          FROM video_task JOIN api_key AS first ON first.id = key_id WHERE video_task.id = ANY(v_orphans));
END $function$
;

CREATE OR REPLACE FUNCTION public.analyze_months()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236112) OR EXISTS (
      SELECT 1 FROM pg_stat_user_tables WHERE relname = 'ledger_entry' AND last_analyze > now() - interval '1 day') THEN
    RETURN false;
  END IF;
  ANALYZE settlement, ledger_transaction, ledger_entry;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.append_event(p_account_id text, p_type text, p_subject text, p_data jsonb, p_is_test boolean)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_event_id bigint;
BEGIN
  PERFORM 1 FROM account WHERE id = p_account_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an event has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_advisory_xact_lock(7236102, hashtext(p_account_id));
  INSERT INTO account_event (public_id, account_id, type, subject, data, is_test, created_at)
    VALUES (new_public_id('evt'), p_account_id, p_type, p_subject, p_data, p_is_test, clock_timestamp())
    RETURNING id INTO v_event_id;
  RETURN v_event_id;
END $function$
;

CREATE OR REPLACE FUNCTION public.archive_months(p_before date)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_before timestamptz := p_before::timestamp AT TIME ZONE 'UTC';
  v_part record;
BEGIN
  IF v_before <> date_trunc('month', v_before, 'UTC') OR v_before > date_trunc('month', now(), 'UTC') - interval '1 month' THEN
    RAISE EXCEPTION 'p_before must be the first day of a month, a month ago or more: % given', p_before
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7236111);
  PERFORM set_config('lock_timeout', '10s', true);
  -- In the order of those who settle.
  LOCK TABLE settlement, ledger_transaction, ledger_entry IN ACCESS EXCLUSIVE MODE;
  FOR v_part IN
    SELECT relname AS name, substr(relname, length('ledger_entry') + 1) AS suffix FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'ledger_entry'::regclass AND relname <> 'ledger_entry_other' AND partition_end(relname) <= v_before
      ORDER BY partition_end(relname)
  LOOP
    EXECUTE format('INSERT INTO ledger_archive (partition, ledger_account_id, amount_nano_usd, entries)
      SELECT %L, ledger_account_id, sum(amount_nano_usd), count(*) FROM %I GROUP BY ledger_account_id', v_part.name, v_part.name);
    INSERT INTO archived_partition (name, ends_at) VALUES
      (v_part.name, partition_end(v_part.name)), ('ledger_transaction' || v_part.suffix, partition_end(v_part.name));
    EXECUTE format('ALTER TABLE ledger_entry DETACH PARTITION %I', v_part.name);
    EXECUTE format('ALTER TABLE ledger_transaction DETACH PARTITION %I', 'ledger_transaction' || v_part.suffix);
    -- The defaults call sequences and functions of this database: another one could not restore the dump.
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP DEFAULT', v_part.name);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP DEFAULT', 'ledger_transaction' || v_part.suffix);
    RETURN NEXT v_part.name;
    RETURN NEXT 'ledger_transaction' || v_part.suffix;
  END LOOP;
  FOR v_part IN
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'settlement'::regclass AND relname <> 'settlement_other'
        AND partition_end(relname) + interval '1 month' <= v_before
      ORDER BY partition_end(relname)
  LOOP
    INSERT INTO archived_partition (name, ends_at) VALUES (v_part.name, partition_end(v_part.name));
    EXECUTE format('ALTER TABLE settlement DETACH PARTITION %I', v_part.name);
    -- A late event would go to the default partition, and be charged again.
    EXECUTE format('ALTER TABLE settlement_other ADD CONSTRAINT %I CHECK (%s)', 'month_is_not_archived_' || substr(v_part.name, 12),
      CASE v_part.name WHEN 'settlement_undated' THEN $text$request_id < 'req_21'$text$
        ELSE format('request_id NOT LIKE %L', 'req\_' || to_char(partition_end(v_part.name) AT TIME ZONE 'UTC' - interval '1 month', 'YYYYMM') || '%') END);
    RETURN NEXT v_part.name;
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.balance_of(p_kind text, p_account_id text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT balance_nano_usd FROM ledger_balance WHERE ledger_account_id = ledger_account_of(p_kind, p_account_id)
$function$
;

CREATE OR REPLACE FUNCTION public.cancel_orphaned_deliveries()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE has_leftovers AND (deleted_at IS NOT NULL OR disabled_at IS NOT NULL) LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM cancel_webhook_deliveries(v_endpoint.id,
    CASE WHEN v_endpoint.deleted_at IS NULL THEN 'endpoint_disabled' ELSE 'endpoint_deleted' END);
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.cancel_webhook_deliveries(p_endpoint_id text, p_why text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_batch_size CONSTANT int := 1000;
  v_cancelled int;
BEGIN
  UPDATE webhook_delivery SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(),
      last_error = p_why
    WHERE id IN (SELECT delivery.id FROM webhook_delivery AS delivery
      WHERE delivery.account_id = (SELECT account_id FROM webhook_endpoint WHERE webhook_endpoint.id = p_endpoint_id)
        AND delivery.state = 'pending' AND delivery.endpoint_id = p_endpoint_id LIMIT v_batch_size)
      AND state = 'pending';
  GET DIAGNOSTICS v_cancelled = ROW_COUNT;
  UPDATE webhook_endpoint SET has_leftovers = v_cancelled = v_batch_size
    WHERE id = p_endpoint_id AND has_leftovers <> (v_cancelled = v_batch_size);
END $function$
;

CREATE OR REPLACE FUNCTION public.cap_periods(p_owner_id text, p_caps jsonb, p_time_zone text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(jsonb_agg(jsonb_build_object('ownerId', p_owner_id, 'period', grouped.period,
      'startsAtMs', (extract(epoch FROM started.at) * 1000)::bigint,
      'endsAtMs', (extract(epoch FROM ended.at) * 1000)::bigint,
      'nextEndsAtMs', (extract(epoch FROM period_end(grouped.period, p_time_zone, ended.at)) * 1000)::bigint,
      'requests', coalesce(requests, 0)::text, 'tokens', coalesce(tokens, 0)::text,
      'cost', coalesce(cost_nano_usd, 0)::text, 'version', coalesce(version, 0)::text, 'caps', caps) ORDER BY grouped.period), '[]')
    FROM (
      SELECT cap->>'period' AS period, jsonb_agg(cap - 'period' ORDER BY cap->>'measure', cap->>'hard') AS caps
        FROM jsonb_array_elements(p_caps) AS cap GROUP BY 1
    ) AS grouped
    CROSS JOIN LATERAL (SELECT period_start(grouped.period, p_time_zone, now()) AS at) AS started
    CROSS JOIN LATERAL (SELECT period_end(grouped.period, p_time_zone, started.at) AS at) AS ended
    LEFT JOIN cap_count ON cap_count.owner_id = p_owner_id AND cap_count.period = grouped.period
      AND cap_count.starts_at = started.at
$function$
;

CREATE OR REPLACE FUNCTION public.change_kept_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM add_kept_bytes(TG_ARGV[0], NEW.account_id, (NEW.bytes - OLD.bytes)::bigint);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.change_member(p_account_id text, p_member_id text, p_role text, p_is_removed boolean, p_hands_over boolean, p_ends_keys boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_member member%ROWTYPE;
BEGIN
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  SELECT * INTO v_member FROM member WHERE id = p_member_id AND account_id = p_account_id AND removed_at IS NULL;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  IF v_member.role = 'owner' AND (p_is_removed OR coalesce(p_role, 'owner') <> 'owner') AND NOT EXISTS (
    SELECT 1 FROM member WHERE account_id = p_account_id AND role = 'owner' AND removed_at IS NULL AND id <> p_member_id
  ) THEN
    RETURN 'last_owner';
  END IF;
  UPDATE member SET role = coalesce(p_role, role), removed_at = CASE WHEN p_is_removed THEN now() END WHERE id = p_member_id;
  -- The links that a former owner sent could let him or her in again.
  IF v_member.role = 'owner' AND (p_is_removed OR coalesce(p_role, 'owner') <> 'owner') THEN
    UPDATE invitation SET revoked_at = now()
      WHERE account_id = p_account_id AND invited_by = v_member.person_id AND accepted_at IS NULL AND revoked_at IS NULL;
  END IF;
  IF p_is_removed OR p_ends_keys THEN
    UPDATE api_key SET member_id = CASE WHEN p_hands_over THEN NULL ELSE member_id END,
        revoked_at = CASE WHEN p_hands_over THEN revoked_at ELSE now() END
      WHERE member_id = p_member_id AND revoked_at IS NULL;
  END IF;
  IF p_is_removed THEN
    UPDATE session SET account_id = NULL WHERE account_id = p_account_id AND person_id = v_member.person_id;
  END IF;
  RETURN 'changed';
END $function$
;

CREATE OR REPLACE FUNCTION public.claim_durable_requests(p_ids text[], p_owners text[], p_lease_seconds double precision)
 RETURNS SETOF durable_request
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  WITH claim AS (
    SELECT request.id, given.owner FROM unnest(p_ids, p_owners) AS given (id, owner)
    JOIN durable_request AS request ON request.id = given.id
    WHERE request.status = 'queued' AND request.cancel_requested_at IS NULL
      OR request.status = 'in_progress' AND request.owner = given.owner
    ORDER BY request.account_id, request.id FOR UPDATE OF request
  )
  UPDATE durable_request AS request SET status = 'in_progress', version = version + (status = 'queued')::int, owner = claim.owner,
    attempts = attempts + (status = 'queued')::int, started_at = coalesce(started_at, clock_timestamp()),
    due_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  FROM claim WHERE request.id = claim.id
  RETURNING request.*
$function$
;

CREATE OR REPLACE FUNCTION public.claim_webhook_deliveries(p_limit integer, p_lease_ms integer, p_host_limit integer, p_account_limit integer)
 RETURNS TABLE(id text, lease text, attempt integer, step integer, account_id text, url text, event_id text, type text, data jsonb, event_created_at timestamp with time zone, is_first boolean, age_ms double precision)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_due_until timestamptz := now() + interval '1 millisecond';
  v_oldest_limit int := greatest(200, 4 * p_limit);
BEGIN
  PERFORM pg_advisory_xact_lock(7236103);
  RETURN QUERY
  WITH sending AS MATERIALIZED (
    SELECT delivery.account_id, delivery.host, count(*) AS sending_to_host
      FROM webhook_delivery AS delivery
      WHERE delivery.lease IS NOT NULL AND delivery.next_attempt_at > now()
      GROUP BY delivery.account_id, delivery.host
  ), accounts AS MATERIALIZED (
    SELECT sending.account_id, sum(sending_to_host) AS sending_by_account FROM sending GROUP BY sending.account_id
  ), oldest AS MATERIALIZED (
    SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
      FROM webhook_delivery AS delivery
      WHERE delivery.state = 'pending' AND delivery.next_attempt_at <= v_due_until
      ORDER BY delivery.next_attempt_at LIMIT v_oldest_limit
  ), places AS (
    SELECT least(count(*), p_host_limit - coalesce(max(sending.sending_to_host), 0)) AS free
      FROM oldest
      LEFT JOIN sending ON sending.account_id = oldest.account_id AND sending.host = oldest.host
      LEFT JOIN accounts ON accounts.account_id = oldest.account_id
      WHERE coalesce(sending.sending_to_host, 0) < p_host_limit AND coalesce(accounts.sending_by_account, 0) < p_account_limit
      GROUP BY oldest.account_id, oldest.host
  ), crowd AS MATERIALIZED (
    SELECT (SELECT count(*) FROM oldest) = v_oldest_limit
      AND (SELECT coalesce(sum(free), 0) FROM places) < p_limit AS hides_others
  ), hosts AS MATERIALIZED (
    SELECT pending.account_id, pending.host
      FROM crowd CROSS JOIN LATERAL pending_webhook_hosts(100) AS pending
      LEFT JOIN sending ON sending.account_id = pending.account_id AND sending.host = pending.host
      LEFT JOIN accounts ON accounts.account_id = pending.account_id
      WHERE crowd.hides_others AND pending.next_attempt_at <= v_due_until
        AND coalesce(sending.sending_to_host, 0) < p_host_limit AND coalesce(accounts.sending_by_account, 0) < p_account_limit
      ORDER BY pending.next_attempt_at LIMIT p_limit
  ), candidates AS (
    SELECT * FROM oldest
    UNION
    SELECT first.* FROM hosts CROSS JOIN LATERAL (
      SELECT delivery.id, delivery.account_id, delivery.host, delivery.next_attempt_at
        FROM webhook_delivery AS delivery
        WHERE delivery.state = 'pending' AND delivery.account_id = hosts.account_id AND delivery.host = hosts.host
          AND delivery.next_attempt_at <= v_due_until
        ORDER BY delivery.next_attempt_at LIMIT p_host_limit) AS first
  ), due AS MATERIALIZED (
    SELECT candidates.*, coalesce(sending.sending_to_host, 0) AS sending_to_host,
        coalesce(accounts.sending_by_account, 0) AS sending_by_account
      FROM candidates
      LEFT JOIN sending ON sending.account_id = candidates.account_id AND sending.host = candidates.host
      LEFT JOIN accounts ON accounts.account_id = candidates.account_id
  ), within_host AS (
    SELECT due.*, row_number() OVER (PARTITION BY due.account_id, due.host ORDER BY due.next_attempt_at) AS place FROM due
  ), within_account AS (
    SELECT within_host.*,
        row_number() OVER (PARTITION BY within_host.account_id ORDER BY within_host.next_attempt_at) AS accounts_place
      FROM within_host WHERE place + sending_to_host <= p_host_limit
  ), chosen AS MATERIALIZED (
    SELECT within_account.id FROM within_account WHERE accounts_place + sending_by_account <= p_account_limit
      ORDER BY accounts_place + sending_by_account, within_account.next_attempt_at LIMIT p_limit
  ), locked AS MATERIALIZED (
    SELECT delivery.id, delivery.lease, delivery.attempts, delivery.last_attempt_at, delivery.endpoint_id
      FROM webhook_delivery AS delivery
      WHERE delivery.id IN (SELECT chosen.id FROM chosen)
        AND delivery.state = 'pending' AND delivery.next_attempt_at <= v_due_until
      FOR NO KEY UPDATE SKIP LOCKED
  ), interrupted AS (
    INSERT INTO webhook_attempt (delivery_id, number, started_at, error)
      SELECT locked.id, locked.attempts, locked.last_attempt_at, 'interrupted' FROM locked WHERE locked.lease IS NOT NULL
      ON CONFLICT DO NOTHING
  ), open AS (
    SELECT locked.id, endpoint.deleted_at IS NULL AND endpoint.disabled_at IS NULL AS is_enabled,
        CASE WHEN endpoint.deleted_at IS NULL THEN 'endpoint_disabled' ELSE 'endpoint_deleted' END AS cancel_reason
      FROM locked LEFT JOIN webhook_endpoint AS endpoint ON endpoint.id = locked.endpoint_id
  ), cancelled AS (
    UPDATE webhook_delivery AS delivery
      SET state = 'cancelled', next_attempt_at = NULL, lease = NULL, finished_at = now(), last_error = open.cancel_reason
      FROM open WHERE delivery.id = open.id AND NOT open.is_enabled
  ), leased AS (
    UPDATE webhook_delivery AS delivery SET lease = gen_random_uuid()::text,
        next_attempt_at = clock_timestamp() + p_lease_ms * interval '1 millisecond',
        attempts = delivery.attempts + 1, step = delivery.step + 1,
        first_attempt_at = coalesce(delivery.first_attempt_at, clock_timestamp()), last_attempt_at = clock_timestamp()
      FROM open WHERE delivery.id = open.id AND open.is_enabled
      RETURNING delivery.*
  )
  SELECT leased.id, leased.lease, leased.attempts, leased.step, leased.account_id, leased.url,
      event.public_id, event.type, event.data, event.created_at, leased.attempts = 1,
      (extract(epoch FROM leased.last_attempt_at - event.created_at) * 1000)::float8
    FROM leased JOIN account_event AS event ON event.id = leased.event_id;
END $function$
;

CREATE OR REPLACE FUNCTION public.close_account(p_account_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE account SET closed_at = clock_timestamp() WHERE id = p_account_id AND closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The trigger of a key removes its prompts and answers.
  UPDATE api_key SET revoked_at = clock_timestamp() WHERE account_id = p_account_id AND revoked_at IS NULL;
  DELETE FROM content_key WHERE account_id = p_account_id;
  UPDATE session SET account_id = NULL WHERE account_id = p_account_id;
  UPDATE invitation SET revoked_at = clock_timestamp()
    WHERE account_id = p_account_id AND accepted_at IS NULL AND revoked_at IS NULL;
  UPDATE video_task SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_outcome = 'pending', version = version + 1
    WHERE account_id = p_account_id AND NOT is_final_task(state) AND cancel_outcome IS DISTINCT FROM 'pending';
  UPDATE batch SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE WHEN owner IS NULL THEN clock_timestamp() ELSE due_at END
    WHERE account_id = p_account_id AND finished_at IS NULL;
  UPDATE batch SET deleted_at = clock_timestamp()
    WHERE account_id = p_account_id AND finished_at IS NOT NULL AND deleted_at IS NULL;
  UPDATE durable_request SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE status WHEN 'queued' THEN clock_timestamp() ELSE due_at END
    WHERE id IN (SELECT id FROM open_request) AND account_id = p_account_id AND finished_at IS NULL;
  -- Most accounts keep no more than that. The others are emptied by emptyClosedAccount().
  PERFORM empty_closed_account(p_account_id, 5000);
  PERFORM end_webhook_endpoint(p_account_id, id, true)
    FROM webhook_endpoint WHERE account_id = p_account_id AND deleted_at IS NULL;
  DELETE FROM webhook_secret WHERE account_id = p_account_id;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.close_child_key(p_id text)
 RETURNS TABLE(spending_key_id text, spent_nano_usd bigint, spending_version bigint)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_child api_key%ROWTYPE;
  v_line api_key%ROWTYPE;
BEGIN
  PERFORM 1 FROM api_key AS key WHERE key.id IN (p_id, (SELECT child.parent_id FROM api_key AS child WHERE child.id = p_id))
    ORDER BY key.id FOR NO KEY UPDATE;
  SELECT * INTO v_child FROM api_key AS child WHERE child.id = p_id;
  SELECT * INTO v_line FROM api_key AS line WHERE line.id = v_child.parent_id;
  IF v_child.closed_at IS NOT NULL OR v_child.parent_id IS NULL
    OR (v_child.revoked_at IS NULL AND v_child.expires_at > clock_timestamp())
    OR EXISTS (SELECT 1 FROM api_key AS open WHERE open.parent_id = p_id AND open.closed_at IS NULL)
    OR EXISTS (SELECT 1 FROM video_task WHERE key_id = p_id AND account_id = v_child.account_id AND NOT is_final_task(state)) THEN
    RETURN;
  END IF;
  UPDATE api_key AS child SET closed_at = coalesce(child.closed_at, clock_timestamp()), spending_key_id = v_line.id
    WHERE child.id = p_id OR child.spending_key_id = p_id;
  RETURN QUERY UPDATE api_key AS line
    SET spent_nano_usd = line.spent_nano_usd - v_child.spend_cap_nano_usd + v_child.spent_nano_usd,
      reserved_nano_usd = line.reserved_nano_usd - v_child.spend_cap_nano_usd,
      spending_version = line.spending_version + 1
    WHERE line.id = v_line.id
    RETURNING line.id, line.spent_nano_usd, line.spending_version;
  PERFORM emit_event(v_child.account_id, 'key.child.ended', p_id, jsonb_build_object('key_id', p_id,
    'parent_id', v_line.id, 'name', v_child.name, 'reason', CASE WHEN v_child.revoked_at IS NULL THEN 'expired' ELSE 'revoked' END,
    'budget_usd', usd_of(v_child.spend_cap_nano_usd), 'spent_usd', usd_of(v_child.spent_nano_usd),
    'returned_usd', usd_of(v_child.spend_cap_nano_usd - v_child.spent_nano_usd)), NULL, v_child.is_test);
END $function$
;

CREATE OR REPLACE FUNCTION public.close_escrow_return(p_account_id text, p_sequence bigint, p_amount bigint)
 RETURNS TABLE(customer_nano_usd bigint, customer_version bigint)
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM lock_shard_of(p_account_id);
  -- Before the balances: a concurrent grant sees the open return or its money.
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  UPDATE escrow_return SET closed_at = now()
    WHERE account_id = p_account_id AND sequence = p_sequence AND closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_amount > 0 THEN
    PERFORM post_transfer('escrow-return:' || p_account_id || ':' || p_sequence, 'escrow_return', p_account_id, NULL,
      ledger_account_of('escrow', p_account_id), ledger_account_of('customer', p_account_id), p_amount);
  END IF;
  RETURN QUERY SELECT balance_nano_usd, version FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('customer', p_account_id);
END $function$
;

CREATE OR REPLACE FUNCTION public.count_caps(p_events jsonb, p_new text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_owner record;
  v_count cap_count;
BEGIN
  FOR v_owner IN
    WITH capped AS MATERIALIZED (
      SELECT named.*, coalesce(api_key.spending_key_id, api_key.id) AS line_id, api_key.caps AS key_caps,
          account.caps AS account_caps, member_id, member.caps AS member_caps, account.time_zone
        FROM (SELECT DISTINCT "accountId" AS account_id, "keyId" AS key_id
          FROM jsonb_to_recordset(p_events) AS event ("accountId" text, "keyId" text)) AS named
        JOIN account ON account.id = named.account_id
        JOIN api_key ON api_key.id = named.key_id AND NOT api_key.is_test
        LEFT JOIN member ON member.id = member_id
        WHERE api_key.caps <> '[]' OR account.caps <> '[]' OR member.caps <> '[]'
    ), used AS (
      SELECT DISTINCT ON (event."requestId") capped.*, to_timestamp(event."admittedAtMs" / 1000.0) AS admitted_at,
          token_count(event.units) AS tokens,
          CASE WHEN event.outcome = 'held'
              AND is_final_task((SELECT state FROM video_task WHERE video_task.request_id = event."requestId"))
            THEN 0 ELSE event."costNanoUsd" END AS cost
        FROM capped
        JOIN jsonb_to_recordset(p_events) AS event ("requestId" text, "accountId" text, "keyId" text, outcome text,
          "costNanoUsd" bigint, units jsonb, "admittedAtMs" numeric, "streamEntryId" text)
          ON event."accountId" = capped.account_id AND event."keyId" = capped.key_id
        WHERE event."requestId" IN (SELECT unnest(p_new))
        ORDER BY event."requestId", event."streamEntryId"
    ), owned AS (
      SELECT account_id, line_id AS owner_id, key_caps AS caps, time_zone, admitted_at, tokens, cost FROM used
      UNION ALL
      SELECT account_id, account_id, account_caps, time_zone, admitted_at, tokens, cost FROM used
      UNION ALL
      SELECT account_id, member_id, member_caps, time_zone, admitted_at, tokens, cost FROM used WHERE member_id IS NOT NULL
    )
    SELECT account_id, owner_id, caps, time_zone, period, period_start(period, time_zone, admitted_at) AS starts_at,
        count(*) AS requests, sum(tokens)::bigint AS tokens, sum(cost)::bigint AS cost
      FROM owned CROSS JOIN LATERAL (SELECT DISTINCT cap->>'period' AS period FROM jsonb_array_elements(caps) AS cap) AS named
      GROUP BY account_id, owner_id, caps, time_zone, period, period_start(period, time_zone, admitted_at)
      ORDER BY owner_id, period, starts_at
  LOOP
    INSERT INTO cap_count AS known (owner_id, period, starts_at, ends_at, requests, tokens, cost_nano_usd)
      VALUES (v_owner.owner_id, v_owner.period, v_owner.starts_at,
        period_end(v_owner.period, v_owner.time_zone, v_owner.starts_at), v_owner.requests, v_owner.tokens, v_owner.cost)
      ON CONFLICT (owner_id, period, starts_at) DO UPDATE SET requests = known.requests + excluded.requests,
        tokens = known.tokens + excluded.tokens, cost_nano_usd = known.cost_nano_usd + excluded.cost_nano_usd,
        version = known.version + 1
      RETURNING * INTO v_count;
    PERFORM raise_cap_alerts(v_owner.account_id, v_owner.owner_id, v_owner.caps, v_count);
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.count_kept_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM added GROUP BY account_id ORDER BY account_id) AS sums;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, -bytes)
      FROM (SELECT account_id, sum(bytes)::bigint AS bytes FROM removed GROUP BY account_id ORDER BY account_id) AS sums;
  ELSE
    PERFORM add_kept_bytes(TG_ARGV[0], account_id, bytes)
      FROM (
        SELECT account_id, sum(bytes)::bigint AS bytes FROM (
          SELECT account_id, bytes FROM added UNION ALL SELECT account_id, -bytes FROM removed) AS changes
        GROUP BY account_id HAVING sum(bytes) <> 0 ORDER BY account_id) AS sums;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.create_child_key(p_account_id text, p_parent_id text, p_child jsonb, p_max_depth integer, p_max_children integer)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_parent api_key%ROWTYPE;
  v_line api_key%ROWTYPE;
  v_budget bigint := (p_child->>'budget')::bigint;
BEGIN
  SELECT * INTO v_parent FROM api_key WHERE id = p_parent_id AND account_id = p_account_id;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  PERFORM 1 FROM api_key WHERE id IN (p_parent_id, coalesce(v_parent.spending_key_id, p_parent_id)) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO v_parent FROM api_key WHERE id = p_parent_id;
  SELECT * INTO v_line FROM api_key WHERE id = coalesce(v_parent.spending_key_id, p_parent_id);
  IF v_parent.revoked_at IS NOT NULL OR v_parent.closed_at IS NOT NULL
    OR least(v_parent.expires_at, v_parent.grace_ends_at) <= clock_timestamp()
    -- The key may have lost the scope since the caller read it.
    OR (coalesce((p_child->>'made_by_key')::boolean, false) AND NOT coalesce('keys:children' = ANY (v_parent.scopes), false)) THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  IF v_parent.caps <> '[]' THEN
    RETURN jsonb_build_object('outcome', 'capped');
  END IF;
  IF v_parent.depth >= p_max_depth THEN
    RETURN jsonb_build_object('outcome', 'depth');
  END IF;
  IF (SELECT count(*) FROM api_key WHERE parent_id = v_line.id AND closed_at IS NULL) >= p_max_children THEN
    RETURN jsonb_build_object('outcome', 'count');
  END IF;
  IF v_line.spent_nano_usd + v_budget > v_parent.spend_cap_nano_usd THEN
    RETURN jsonb_build_object('outcome', 'budget', 'left', (v_parent.spend_cap_nano_usd - v_line.spent_nano_usd)::text);
  END IF;
  INSERT INTO api_key (id, account_id, member_id, sha256, prefix, is_test, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, spend_cap_nano_usd, expires_at, parent_id, depth)
    SELECT id, p_account_id, v_parent.member_id, sha256, prefix, v_parent.is_test, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, v_budget,
      least(expires_at, v_parent.expires_at, v_parent.grace_ends_at), v_line.id, v_parent.depth + 1
    FROM jsonb_to_record(p_child) AS child (id text, sha256 text, prefix text, name text, models text[], endpoints text[],
      allowed_ips text[], scopes text[], requests_per_minute int, concurrency int, expires_at timestamptz);
  UPDATE api_key SET spent_nano_usd = spent_nano_usd + v_budget, reserved_nano_usd = reserved_nano_usd + v_budget,
      spending_version = spending_version + 1
    WHERE id = v_line.id RETURNING * INTO v_line;
  -- The parent may have lost a right since the caller read it.
  PERFORM limit_child_keys(p_account_id, p_parent_id);
  RETURN jsonb_build_object('outcome', 'created', 'lineId', v_line.id, 'spent', v_line.spent_nano_usd::text,
    'version', v_line.spending_version::text, 'cap', v_parent.spend_cap_nano_usd::text);
END $function$
;

CREATE OR REPLACE FUNCTION public.create_webhook_endpoint(p_account_id text, p_url text, p_event_types text[], p_description text, p_is_test boolean, p_limit integer)
 RETURNS TABLE(outcome text, id text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_id text;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM webhook_endpoint WHERE account_id = p_account_id AND deleted_at IS NULL) >= p_limit THEN
    RETURN QUERY SELECT 'too_many', NULL::text;
    RETURN;
  END IF;
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, description, is_test)
    VALUES (new_public_id('we'), p_account_id, p_url, p_event_types, p_description, p_is_test)
    ON CONFLICT DO NOTHING RETURNING webhook_endpoint.id INTO v_id;
  RETURN QUERY SELECT CASE WHEN v_id IS NULL THEN 'exists' ELSE 'created' END, v_id;
END $function$
;

CREATE OR REPLACE FUNCTION public.emit_budget_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM emit_event(NEW.account_id, NEW.type, 
    coalesce(NEW.data->>'key_id', NEW.data->>'member_id', NEW.data->>'account_id', NEW.subject), NEW.data, NULL, false);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.emit_event(p_account_id text, p_type text, p_subject text, p_data jsonb, p_webhook_url text, p_is_test boolean)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids bigint[] := emit_events(p_account_id,
    ARRAY[jsonb_build_object('type', p_type, 'subject', p_subject, 'data', p_data)], ARRAY[p_webhook_url],
    ARRAY[p_is_test]);
BEGIN
  RETURN v_ids[1];
END $function$
;

CREATE OR REPLACE FUNCTION public.emit_event_to_endpoint(p_account_id text, p_endpoint_id text, p_type text, p_data jsonb)
 RETURNS TABLE(event_id text, delivery_id text)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_event_id bigint;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL AND disabled_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  v_event_id := append_event(p_account_id, p_type, p_endpoint_id, p_data, v_endpoint.is_test);
  RETURN QUERY
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      VALUES (new_public_id('whd'), v_event_id, p_account_id, p_endpoint_id, v_endpoint.url,
        webhook_host(v_endpoint.url), clock_timestamp(), clock_timestamp())
      RETURNING (SELECT public_id FROM account_event WHERE id = v_event_id), webhook_delivery.id;
END $function$
;

CREATE OR REPLACE FUNCTION public.emit_events(p_account_id text, p_events jsonb[], p_webhook_urls text[], p_are_tests boolean[])
 RETURNS bigint[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids bigint[];
BEGIN
  IF coalesce(cardinality(p_events), 0) = 0 THEN
    RETURN '{}';
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'an event has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  PERFORM pg_advisory_xact_lock(7236102, hashtext(p_account_id));
  WITH given AS (
    SELECT event ->> 'type' AS type, event ->> 'subject' AS subject, event -> 'data' AS data, webhook_url, is_test, place
    FROM unnest(p_events, p_webhook_urls, p_are_tests) WITH ORDINALITY AS one (event, webhook_url, is_test, place)
  ), appended AS (
    INSERT INTO account_event (public_id, account_id, type, subject, data, is_test, created_at)
      SELECT new_public_id('evt'), p_account_id, type, subject, data, is_test, clock_timestamp() FROM given ORDER BY place
    RETURNING id, type, subject, is_test
  ), address AS (
    SELECT appended.id AS event_id, endpoint.id AS endpoint_id, endpoint.url
      FROM appended JOIN webhook_endpoint AS endpoint ON endpoint.account_id = p_account_id
        AND endpoint.is_test = appended.is_test AND endpoint.disabled_at IS NULL AND endpoint.deleted_at IS NULL
        AND (appended.type = ANY (event_types) OR '*' = ANY (event_types)
          OR cardinality(event_types) = 0 AND is_sent_by_default(appended.type))
    UNION ALL
    SELECT appended.id, NULL, given.webhook_url FROM appended JOIN given USING (subject)
      WHERE given.webhook_url IS NOT NULL AND is_sent_by_default(appended.type)
  ), delivery AS (
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      SELECT new_public_id('whd'), event_id, p_account_id, endpoint_id, url, webhook_host(url), clock_timestamp(),
        clock_timestamp()
      FROM (
        -- A URL gets an event once.
        SELECT DISTINCT ON (event_id, url) event_id, endpoint_id, url FROM address
        ORDER BY event_id, url, endpoint_id NULLS LAST
      ) AS once
  )
  SELECT array_agg(id ORDER BY id) INTO v_ids FROM appended;
  RETURN v_ids;
END $function$
;

CREATE OR REPLACE FUNCTION public.empty_closed_account(p_account_id text, p_rows integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  -- The columns have milliseconds: a time that is rounded up would show a row for another moment.
  v_past CONSTANT timestamptz := date_trunc('milliseconds', clock_timestamp()) - interval '1 millisecond';
  v_most bigint;
BEGIN
  WITH shown AS MATERIALIZED (
    SELECT id FROM durable_request
    WHERE account_id = p_account_id AND is_test IN (false, true) AND (ticket ->> 'isOfBatch') IS NULL
      AND finished_at IS NOT NULL AND expires_at > v_past LIMIT p_rows
  ), lines AS MATERIALIZED (
    SELECT id FROM durable_request
    WHERE account_id = p_account_id AND (ticket ->> 'isOfBatch') IS NOT NULL
      AND finished_at IS NOT NULL AND expires_at > v_past LIMIT p_rows
  ), requests AS (
    UPDATE durable_request SET expires_at = v_past
      WHERE id IN (SELECT id FROM shown UNION ALL SELECT id FROM lines) RETURNING 1
  ), some_responses AS MATERIALIZED (
    SELECT id FROM stored_response WHERE account_id = p_account_id AND expires_at > v_past LIMIT p_rows
  ), responses AS (
    UPDATE stored_response SET expires_at = v_past WHERE id IN (SELECT id FROM some_responses) RETURNING 1
  ), some_conversations AS MATERIALIZED (
    SELECT id FROM conversation WHERE account_id = p_account_id AND expires_at > v_past LIMIT p_rows
  ), conversations AS (
    UPDATE conversation SET expires_at = v_past WHERE id IN (SELECT id FROM some_conversations) RETURNING 1
  ), some_results AS MATERIALIZED (
    SELECT file_id FROM fetched_result WHERE account_id = p_account_id AND status <> 'deleted' LIMIT p_rows
  ), results AS (
    UPDATE fetched_result SET status = 'deleted', reason = NULL
      WHERE file_id IN (SELECT file_id FROM some_results) RETURNING 1
  ), some_objects AS MATERIALIZED (
    (SELECT id FROM stored_object WHERE account_id = p_account_id AND status = 'ready' LIMIT p_rows)
    -- Few objects of all accounts are being written.
    UNION ALL (SELECT id FROM stored_object WHERE status <> 'ready' AND status = 'uploading' AND account_id = p_account_id)
  ), objects AS (
    UPDATE stored_object SET status = 'deleted', due_at = clock_timestamp()
      WHERE id IN (SELECT id FROM some_objects) RETURNING bytes
  ), freed AS (
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes, count(*) AS objects FROM objects
  ), counted AS (
    UPDATE store_use SET bytes = store_use.bytes - freed.bytes, objects = store_use.objects - freed.objects
      FROM freed WHERE account_id = p_account_id AND freed.objects > 0
  )
  SELECT greatest((SELECT count(*) FROM requests), (SELECT count(*) FROM responses), (SELECT count(*) FROM conversations),
    (SELECT count(*) FROM results), (SELECT objects FROM freed)) INTO v_most;
  IF v_most >= p_rows THEN
    RETURN false;
  END IF;
  UPDATE account SET emptied_at = clock_timestamp() WHERE id = p_account_id;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.enable_webhook_endpoint(p_account_id text, p_endpoint_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
BEGIN
  SELECT * INTO v_endpoint FROM webhook_endpoint
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL AND disabled_at IS NOT NULL
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  IF v_endpoint.has_leftovers THEN
    PERFORM cancel_webhook_deliveries(p_endpoint_id, 'endpoint_disabled');
    RETURN false;
  END IF;
  UPDATE webhook_endpoint SET disabled_at = NULL, disabled_reason = NULL, consecutive_failures = 0, failing_since = NULL
    WHERE id = p_endpoint_id;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.end_durable_requests(p_ends jsonb[], p_bodies text[], p_settle_within_seconds double precision)
 RETURNS integer[]
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  WITH ending AS (
    SELECT given.*, decode(ended.body, 'hex') AS body
    FROM unnest(p_ends, p_bodies) AS ended (json, body), jsonb_to_record(ended.json) AS given (
      place integer, id text, owner text, status text, "finishedAt" timestamptz, settlement jsonb, response jsonb,
      error jsonb, event jsonb)
    JOIN durable_request AS request ON request.id = given.id AND request.owner = given.owner
    WHERE request.status = 'in_progress' AND request.settlement IS NULL OR request.settlement = given.settlement
    ORDER BY request.account_id, request.id FOR UPDATE OF request
  ), finished AS (
    UPDATE durable_request AS request SET status = ending.status, version = version + 1,
      settlement = ending.settlement, response = ending.response, response_body = ending.body, error = ending.error,
      finished_at = ending."finishedAt", bytes = request.bytes + coalesce((ending.response ->> 'bytes')::bigint, 0),
      due_at = clock_timestamp() + make_interval(secs => p_settle_within_seconds),
      expires_at = kept_until(request.account_id, request.expires_at)
    FROM ending WHERE request.id = ending.id AND request.status = 'in_progress'
    RETURNING request.account_id, request.is_test, request.webhook_url, ending.event, ending.place
  ), emitted AS (
    SELECT emit_events(min(account_id), array_agg(event ORDER BY place), array_agg(webhook_url ORDER BY place),
      array_agg(is_test ORDER BY place)) AS ids
    FROM finished WHERE event IS NOT NULL
  )
  SELECT (SELECT array_agg(place) FROM ending) FROM emitted
  -- All of it must run.
  WHERE ids IS NOT NULL
$function$
;

CREATE OR REPLACE FUNCTION public.end_webhook_endpoint(p_account_id text, p_endpoint_id text, p_is_deleted boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE webhook_endpoint SET
      deleted_at = CASE WHEN p_is_deleted THEN now() END,
      disabled_at = CASE WHEN p_is_deleted THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = CASE WHEN p_is_deleted THEN disabled_reason ELSE coalesce(disabled_reason, 'by_you') END
    WHERE id = p_endpoint_id AND account_id = p_account_id AND deleted_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM cancel_webhook_deliveries(p_endpoint_id,
    CASE WHEN p_is_deleted THEN 'endpoint_deleted' ELSE 'endpoint_disabled' END);
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.epoch_lock_key()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT 7236101 $function$
;

CREATE OR REPLACE FUNCTION public.find_durable_requests(p_ids text[], p_accounts text[], p_modes boolean[])
 RETURNS SETOF durable_request
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  SELECT request.*
  FROM unnest(p_ids, p_accounts, p_modes) AS given (id, account_id, is_test)
  JOIN durable_request AS request
    ON request.id = given.id AND request.account_id = given.account_id AND request.is_test = given.is_test
  WHERE finished_at IS NULL OR expires_at > clock_timestamp()
$function$
;

CREATE OR REPLACE FUNCTION public.finish_video_task(p_id text, p_version integer, p_end jsonb, p_record jsonb)
 RETURNS SETOF video_task
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_task video_task%ROWTYPE;
  v_transaction_id bigint;
  v_cost bigint := (p_end->>'costNanoUsd')::bigint;
  v_released bigint;
BEGIN
  SELECT * INTO v_task FROM video_task
    WHERE id = p_id AND version = p_version AND NOT is_final_task(state) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  -- Before the receipt: its trigger locks the sums of reports, which come after keys.
  PERFORM 1 FROM api_key
    WHERE id = (SELECT coalesce(spending_key_id, id) FROM api_key WHERE id = v_task.key_id) FOR NO KEY UPDATE;
  INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      vendor_cost_nano_usd, price_version, unit_prices, units, is_estimated, abort_contract, idempotency_key, error_code, status, attempts,
      schema_version, admitted_at, started_at, first_byte_at, settled_at, stream_entry_id, epoch)
    VALUES (v_task.request_id, v_task.account_id, v_task.key_id, 'videos.generations', v_task.model, p_end->>'outcome',
      v_task.hold_nano_usd, v_cost, (p_end->>'vendorCostNanoUsd')::bigint, v_task.price_version, v_task.unit_prices, p_end->'units',
      false, 'completes',
      v_task.idempotency_key, p_end->'error'->>'code', CASE WHEN v_task.submitted_at IS NOT NULL THEN 202 END,
      p_end->'attempts', 1, v_task.created_at, v_task.asked_at, v_task.submitted_at,
      to_timestamp((p_end->>'finishedAtMs')::numeric / 1000.0), v_task.id, coalesce(account_epoch(v_task.account_id), 0))
    ON CONFLICT (request_id) DO NOTHING;
  -- An existing receipt says that the request cost nothing, and receipts are never changed.
  IF NOT FOUND THEN
    v_cost := 0;
    p_record := jsonb_set(p_record, '{cost}', '"0.00"');
  END IF;

  UPDATE video_task SET state = p_end->>'state', version = version + 1, cost_nano_usd = v_cost,
      finished_at = to_timestamp((p_end->>'finishedAtMs')::numeric / 1000.0),
      started_at = coalesce(started_at, to_timestamp((p_end->>'startedAtMs')::numeric / 1000.0)),
      content = nullif(p_end->'content', 'null'), usage = nullif(p_end->'usage', 'null'),
      seed = (p_end->>'seed')::bigint, error = nullif(p_end->'error', 'null'),
      upstream = coalesce(nullif(p_end->'upstream', 'null'), upstream), attempts = p_end->'attempts',
      cancel_outcome = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE p_end->>'cancelOutcome' END,
      -- The upstream never accepted it, so the client may use the key again.
      idempotency_key = CASE WHEN (p_end->>'freesIdempotencyKey')::boolean THEN NULL ELSE idempotency_key END,
      prompt = NULL, next_poll_at = NULL, lease_until = NULL, lease_owner = NULL
    WHERE id = p_id RETURNING * INTO v_task;

  v_released := CASE WHEN v_task.hold_entry_id IS NULL THEN 0 ELSE v_task.hold_nano_usd END;
  IF v_released <> v_cost THEN
    -- The hold has counted as spent since it was booked.
    PERFORM return_key_spending(v_task.key_id, v_released - v_cost);
  END IF;
  IF v_cost > 0 OR v_released > 0 THEN
    INSERT INTO ledger_transaction (reference, kind, account_id)
      VALUES (CASE WHEN v_cost > 0 THEN 'settlement:' ELSE 'task-release:' END || v_task.request_id,
        CASE WHEN v_cost > 0 THEN 'settlement' ELSE 'task_release' END, v_task.account_id)
      RETURNING id INTO v_transaction_id;
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT v_transaction_id, side.ledger_account_id, side.amount
      FROM (VALUES
        (ledger_account_of('task_holds', v_task.account_id), -v_released),
        (ledger_account_of('customer', v_task.account_id), v_released - v_cost),
        (revenue_of_shard(shard_of(v_task.account_id)), v_cost)
      ) AS side (ledger_account_id, amount)
      WHERE side.amount <> 0;
  END IF;
  IF v_released <> v_cost THEN
    -- After the balances, by the order of locks.
    PERFORM return_cap_costs(v_task.key_id, v_task.created_at, v_released - v_cost);
  END IF;
  PERFORM emit_event(v_task.account_id, 'video.task.' || v_task.state, v_task.id, p_record, v_task.webhook_url,
    v_task.is_test);
  RETURN NEXT v_task;
END $function$
;

CREATE OR REPLACE FUNCTION public.first_event_since(p_account_id text, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_id bigint;
  v_at timestamptz;
BEGIN
  IF p_account_id IS NULL THEN
    SELECT min(id), max(id) + 1 INTO v_low, v_high FROM account_event;
  ELSE
    SELECT min(id), max(id) + 1 INTO v_low, v_high FROM account_event WHERE account_id = p_account_id;
  END IF;
  WHILE v_low < v_high LOOP
    v_middle := v_low + (v_high - v_low) / 2;
    IF p_account_id IS NULL THEN
      SELECT id, created_at INTO v_id, v_at FROM account_event WHERE id >= v_middle ORDER BY id LIMIT 1;
    ELSE
      SELECT id, created_at INTO v_id, v_at FROM account_event WHERE account_id = p_account_id AND id >= v_middle
        ORDER BY id LIMIT 1;
    END IF;
    IF v_at < p_at THEN
      v_low := v_id + 1;
    ELSE
      v_high := v_middle;
    END IF;
  END LOOP;
  RETURN v_low;
END $function$
;

CREATE OR REPLACE FUNCTION public.follow_epoch(p_epoch bigint, p_shards integer[], p_after bigint, p_limit integer)
 RETURNS TABLE(outcome text, last_id bigint, accounts bigint, returned_nano_usd bigint)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_batch bigint;
  v_shards int[];
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, number) FROM (SELECT unnest(p_shards) AS number ORDER BY 1) AS ordered;
  v_shards := ARRAY(SELECT number FROM unnest(p_shards) AS number WHERE shard_epoch(number) IS DISTINCT FROM p_epoch);
  IF v_shards = '{}' THEN
    RETURN QUERY SELECT 'active', p_after, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  UPDATE redis_epoch SET retired_at = now()
    WHERE shard = ANY (v_shards) AND activated_at IS NOT NULL AND retired_at IS NULL;
  UPDATE escrow_grant SET voided_at = now()
    WHERE delivered_at IS NULL AND voided_at IS NULL AND shard_of(account_id) = ANY (v_shards);
  UPDATE escrow_return SET closed_at = now() WHERE closed_at IS NULL AND shard_of(account_id) = ANY (v_shards);

  -- Makes references unique: after another change of epoch, an account may be in a second batch.
  v_batch := nextval('ledger_transaction_id_seq');
  RETURN QUERY
    WITH returned AS MATERIALIZED (
      SELECT ledger_account.account_id, ledger_account.id AS escrow_id, balance_nano_usd AS amount,
        'escrow-return:' || p_epoch || '/' || v_batch || ':' || ledger_account.account_id AS reference
      FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
      WHERE ledger_account.id > p_after AND ledger_account_id > p_after AND kind = 'escrow' AND balance_nano_usd <> 0
        AND shard = ANY (v_shards)
      ORDER BY ledger_account.id LIMIT p_limit
    ), transactions AS (
      INSERT INTO ledger_transaction (reference, kind, account_id)
        SELECT reference, 'escrow_return', account_id FROM returned RETURNING id, reference
    ), entries AS (
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
        SELECT transactions.id, side.ledger_account_id, side.amount
        FROM returned JOIN transactions USING (reference)
        CROSS JOIN LATERAL (VALUES
          (returned.escrow_id, -returned.amount),
          (ledger_account_of('customer', returned.account_id), returned.amount)
        ) AS side (ledger_account_id, amount)
    )
    SELECT 'returning', max(escrow_id), count(*), sum(amount)::bigint FROM returned HAVING count(*) > 0;
  IF FOUND THEN
    RETURN;
  END IF;

  -- From the first account on: another epoch may have been active since this caller read it.
  IF EXISTS (SELECT 1 FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
      WHERE kind = 'escrow' AND balance_nano_usd <> 0 AND shard = ANY (v_shards)) THEN
    RETURN QUERY SELECT 'returning', 0::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  INSERT INTO redis_epoch AS known (shard, epoch, activations, activated_at)
    SELECT number, p_epoch, 1, now() FROM unnest(v_shards) AS number
    ON CONFLICT (shard, epoch) DO UPDATE SET activations = known.activations + 1, activated_at = now(), retired_at = NULL;
  PERFORM setval('redis_epoch_epoch_seq', greatest(p_epoch, (SELECT last_value FROM redis_epoch_epoch_seq)));
  RETURN QUERY SELECT 'changed', p_after, 0::bigint, 0::bigint;
END $function$
;

CREATE OR REPLACE FUNCTION public.follow_open_requests()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM open_request USING removed WHERE open_request.id = removed.id;
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM added WHERE NOT EXISTS (SELECT FROM account WHERE account.id = added.account_id)) THEN
    RAISE EXCEPTION 'a kept request has an unknown account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO open_request SELECT id FROM added WHERE settled_at IS NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.grant_escrow(p_account_id text, p_missing bigint, p_block_limit bigint, p_block_divisor bigint)
 RETURNS TABLE(outcome text, amount_nano_usd bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_epoch bigint;
  v_sequence bigint;
  v_customer bigint;
  v_amount bigint;
BEGIN
  PERFORM lock_shard_of(p_account_id);
  v_epoch := account_epoch(p_account_id);
  IF v_epoch IS NULL THEN
    RETURN QUERY SELECT 'no_epoch', NULL::bigint;
    RETURN;
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint;
    RETURN;
  END IF;
  SELECT balance_nano_usd INTO v_customer FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('customer', p_account_id) FOR NO KEY UPDATE;
  IF v_customer <= 0 OR v_customer < p_missing THEN
    IF is_return_under_way(p_account_id) THEN
      RETURN QUERY SELECT 'no_epoch', v_customer;
      RETURN;
    END IF;
    PERFORM raise_exhausted_alert(p_account_id);
    RETURN QUERY SELECT 'refused', v_customer;
    RETURN;
  END IF;
  v_amount := least(v_customer, greatest(p_missing,
    least(p_block_limit, (v_customer + balance_of('escrow', p_account_id)) / p_block_divisor)));
  UPDATE account SET escrow_sequence = escrow_sequence + 1 WHERE id = p_account_id
    RETURNING escrow_sequence INTO v_sequence;
  INSERT INTO escrow_grant (account_id, sequence, epoch, amount_nano_usd)
    VALUES (p_account_id, v_sequence, v_epoch, v_amount);
  PERFORM post_transfer('escrow-grant:' || p_account_id || ':' || v_sequence, 'escrow_grant', p_account_id, NULL,
    ledger_account_of('customer', p_account_id), ledger_account_of('escrow', p_account_id), v_amount);
  RETURN QUERY SELECT 'granted', v_amount;
END $function$
;

CREATE OR REPLACE FUNCTION public.hard_caps(p_caps jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_path_query_array(p_caps, '$[*] ? (@.hard == true)')
$function$
;

CREATE OR REPLACE FUNCTION public.hold_shards(p_copy text, p_lease_ms integer)
 RETURNS TABLE(held integer[], unheld integer)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_share int;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, -2);
  INSERT INTO billing_copy AS copy (name, expires_at)
    VALUES (p_copy, clock_timestamp() + p_lease_ms * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at;
  DELETE FROM billing_copy WHERE expires_at <= clock_timestamp();
  UPDATE billing_shard SET holder = NULL
    WHERE holder IS NOT NULL AND NOT EXISTS (SELECT 1 FROM billing_copy WHERE name = holder);
  SELECT ceil(64.0 / count(*)) INTO v_share FROM billing_copy;
  UPDATE billing_shard SET holder = NULL
    WHERE shard IN (SELECT shard FROM billing_shard WHERE holder = p_copy ORDER BY shard OFFSET v_share);
  UPDATE billing_shard SET holder = p_copy, taken_at = clock_timestamp()
    WHERE shard IN (SELECT shard FROM billing_shard WHERE holder IS NULL ORDER BY shard
      LIMIT greatest(0, v_share - (SELECT count(*) FROM billing_shard WHERE holder = p_copy)));
  RETURN QUERY SELECT coalesce(array_agg(shard::int ORDER BY shard) FILTER (WHERE holder = p_copy), '{}'),
    (count(*) FILTER (WHERE holder IS NULL))::int FROM billing_shard;
END $function$
;

CREATE OR REPLACE FUNCTION public.is_final_task(p_state text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT p_state IN ('succeeded', 'failed', 'cancelled', 'expired')
$function$
;

CREATE OR REPLACE FUNCTION public.is_return_under_way(p_account_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT 1 FROM escrow_return
    WHERE account_id = p_account_id AND closed_at IS NULL AND opened_at > now() - interval '1 minute')
$function$
;

CREATE OR REPLACE FUNCTION public.is_sent_by_default(p_type text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT p_type NOT IN ('video.task.queued', 'video.task.running')
$function$
;

CREATE OR REPLACE FUNCTION public.keep_ledger_months(p_months integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_last bigint := (ledger_month_floor(now() - interval '1 hour') >> 40) - 1;
  v_kept integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236115) THEN
    RETURN 0;
  END IF;
  WITH large AS MATERIALIZED (
    SELECT DISTINCT account_id AS id FROM usage_day
  ), due AS MATERIALIZED (
    SELECT large.id, number AS month, number << 40 AS first_id, (number + 1) << 40 AS end_id
      FROM large
        CROSS JOIN LATERAL (SELECT min(id) >> 40 AS month FROM ledger_transaction
          WHERE account_id = large.id AND kind IN ('top_up', 'adjustment', 'settlement') AND id >= 1::bigint << 40) AS oldest
        CROSS JOIN LATERAL generate_series(oldest.month, v_last) AS number
        LEFT JOIN ledger_month ON account_id = large.id AND ledger_month.month = number
      WHERE account_id IS NULL OR number = v_last AND last_id < (
        SELECT max(id) FROM ledger_transaction WHERE account_id = large.id AND kind IN ('top_up', 'adjustment', 'settlement')
          AND id >= number << 40 AND id < (number + 1) << 40)
      ORDER BY number DESC LIMIT p_months
  ), counted AS MATERIALIZED (
    SELECT due.id, month, date_bin('15 minutes', created_at, 'epoch') AS starts_at, max(ledger_transaction.id) AS last_id,
        count(*) AS lines, count(*) FILTER (WHERE kind = 'settlement') AS charges, 0 AS amount
      FROM due JOIN ledger_transaction ON account_id = due.id AND kind IN ('top_up', 'adjustment', 'settlement')
        AND ledger_transaction.id >= first_id AND ledger_transaction.id < end_id
      GROUP BY 1, 2, 3
  ), moved AS MATERIALIZED (
    SELECT due.id, month, date_bin('15 minutes', created_at, 'epoch') AS starts_at, NULL::bigint AS last_id, 0 AS lines,
        0 AS charges, sum(amount_nano_usd) AS amount
      FROM due JOIN ledger_account ON account_id = due.id
        JOIN ledger_entry ON ledger_account_id = ledger_account.id AND transaction_id >= first_id AND transaction_id < end_id
        JOIN ledger_transaction ON ledger_transaction.id = transaction_id
          AND ledger_transaction.id >= first_id AND ledger_transaction.id < end_id
      GROUP BY 1, 2, 3
  ), quarter AS (
    SELECT id, month, starts_at, max(last_id) AS last_id, sum(lines) AS lines, sum(charges) AS charges, sum(amount) AS amount
      FROM (SELECT * FROM counted UNION ALL SELECT * FROM moved) AS both_sides GROUP BY 1, 2, 3
  )
  INSERT INTO ledger_month (account_id, month, last_id, starts, lines, charges, amounts)
    SELECT due.id, due.month, coalesce(max(last_id), 0),
        coalesce(array_agg(starts_at ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(lines ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(charges ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}'),
        coalesce(array_agg(amount ORDER BY starts_at) FILTER (WHERE starts_at IS NOT NULL), '{}')
      FROM due LEFT JOIN quarter ON quarter.id = due.id AND quarter.month = due.month
      GROUP BY due.id, due.month
    ON CONFLICT (account_id, month) DO UPDATE SET last_id = excluded.last_id, starts = excluded.starts,
      lines = excluded.lines, charges = excluded.charges, amounts = excluded.amounts;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  RETURN v_kept;
END $function$
;

CREATE OR REPLACE FUNCTION public.keep_usage_days(p_least integer, p_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_kept integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236114) THEN
    RETURN 0;
  END IF;
  WITH large AS MATERIALIZED (
    SELECT account_id AS id FROM usage_rollup WHERE starts_at >= now() - interval '7 days'
      GROUP BY account_id HAVING count(*) >= p_least
  ), day AS MATERIALIZED (
    SELECT large.id, day AT TIME ZONE time_zone AS starts_at, (day + interval '1 day') AT TIME ZONE time_zone AS ends_at
      FROM large JOIN account USING (id)
        CROSS JOIN LATERAL (SELECT min(starts_at) AS at FROM usage_rollup WHERE account_id = large.id) AS oldest
        CROSS JOIN LATERAL generate_series(date_trunc('day', greatest(oldest.at, now() - interval '367 days') AT TIME ZONE time_zone),
          date_trunc('day', (now() - interval '1 hour') AT TIME ZONE time_zone) - interval '1 day', interval '1 day') AS day
  ), due AS MATERIALIZED (
    SELECT day.id, day.starts_at, day.ends_at FROM day
      LEFT JOIN usage_day ON account_id = day.id AND usage_day.starts_at = day.starts_at AND usage_day.ends_at = day.ends_at
      WHERE account_id IS NULL OR day.ends_at > now() - interval '10 days' AND requests <> (
        SELECT coalesce(sum(usage_rollup.requests), 0) FROM usage_rollup
          WHERE account_id = day.id AND usage_rollup.starts_at >= day.starts_at AND usage_rollup.starts_at < day.ends_at)
      ORDER BY day.starts_at DESC LIMIT p_days
  )
  INSERT INTO usage_day (account_id, starts_at, ends_at, requests, lines)
    SELECT due.id, due.starts_at, due.ends_at, coalesce(sum(line.requests), 0),
        coalesce(jsonb_agg(to_jsonb(line)) FILTER (WHERE line.key_id IS NOT NULL), '[]')
      FROM due LEFT JOIN LATERAL (
        SELECT key_id, model, endpoint, outcome, sum(requests) AS requests, sum(cost) AS cost_nano_usd,
            coalesce(jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL), '{}') AS units
          FROM (
            SELECT key_id, model, endpoint, outcome, unit, sum(amount::numeric) AS amount,
                sum(requests) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
                sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1) AS cost
              FROM usage_rollup LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
              WHERE account_id = due.id AND starts_at >= due.starts_at AND starts_at < due.ends_at
              GROUP BY key_id, model, endpoint, outcome, unit) AS parts
          GROUP BY key_id, model, endpoint, outcome) AS line ON true
      GROUP BY due.id, due.starts_at, due.ends_at
    ON CONFLICT (account_id, starts_at, ends_at) DO UPDATE SET requests = excluded.requests, lines = excluded.lines;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  RETURN v_kept;
END $function$
;

CREATE OR REPLACE FUNCTION public.kept_until(p_account_id text, p_usual timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((SELECT closed_at FROM account WHERE id = p_account_id), p_usual)
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_account_of(p_kind text, p_account_id text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT id FROM ledger_account WHERE kind = p_kind AND coalesce(account_id, '') = coalesce(p_account_id, '') AND id > 0
$function$
;

CREATE OR REPLACE FUNCTION public.ledger_month_floor(p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT (extract(year FROM p_at AT TIME ZONE 'UTC')::bigint * 12 + extract(month FROM p_at AT TIME ZONE 'UTC')::bigint - 23641)
    * 1099511627776
$function$
;

CREATE OR REPLACE FUNCTION public.limit_child_keys(p_account_id text, p_id text, p_takes_children boolean DEFAULT false)
 RETURNS TABLE(sha256 text)
 LANGUAGE sql
AS $function$
  WITH RECURSIVE parent AS (
    SELECT * FROM api_key WHERE id = p_id AND account_id = p_account_id
  ), below AS (
    SELECT child.id FROM parent JOIN api_key AS child
      ON child.parent_id = CASE WHEN parent.parent_id IS NULL THEN coalesce(parent.spending_key_id, parent.id) ELSE parent.id END AND child.closed_at IS NULL
    UNION ALL
    SELECT child.id FROM below JOIN api_key AS child ON child.parent_id = below.id AND child.closed_at IS NULL
  ), within AS (
    SELECT child.id, parent.member_id,
      CASE WHEN parent.models = '{}' THEN child.models WHEN child.models = '{}' THEN parent.models
        ELSE ARRAY(SELECT model FROM unnest(child.models) AS model WHERE model = ANY (parent.models)) END AS models,
      CASE WHEN parent.endpoints = '{}' THEN child.endpoints WHEN child.endpoints = '{}' THEN parent.endpoints
        ELSE ARRAY(SELECT endpoint FROM unnest(child.endpoints) AS endpoint WHERE endpoint = ANY (parent.endpoints)) END AS endpoints,
      CASE WHEN parent.allowed_ips = '{}' THEN child.allowed_ips ELSE parent.allowed_ips END AS allowed_ips,
      least(child.requests_per_minute, parent.requests_per_minute) AS requests_per_minute,
      least(child.concurrency, parent.concurrency) AS concurrency,
      least(child.expires_at, parent.expires_at) AS expires_at,
      CASE WHEN p_takes_children THEN array_remove(child.scopes, 'keys:children') ELSE child.scopes END AS scopes
    FROM below JOIN api_key AS child USING (id) CROSS JOIN parent
    WHERE child.revoked_at IS NULL
  )
  UPDATE api_key AS child SET
      models = CASE WHEN is_empty THEN child.models ELSE within.models END,
      endpoints = CASE WHEN is_empty THEN child.endpoints ELSE within.endpoints END,
      allowed_ips = within.allowed_ips, requests_per_minute = within.requests_per_minute, concurrency = within.concurrency,
      expires_at = within.expires_at, scopes = within.scopes, member_id = within.member_id, revoked_at = CASE WHEN is_empty THEN clock_timestamp() END
    FROM within JOIN api_key AS before USING (id) CROSS JOIN LATERAL (
      SELECT (within.models = '{}' AND before.models <> '{}') OR (within.endpoints = '{}' AND before.endpoints <> '{}') AS is_empty
    ) AS checked
    WHERE child.id = within.id
      AND (within.models, within.endpoints, within.allowed_ips, within.requests_per_minute, within.concurrency, within.expires_at, within.scopes, within.member_id)
        IS DISTINCT FROM (child.models, child.endpoints, child.allowed_ips, child.requests_per_minute, child.concurrency, child.expires_at, child.scopes, child.member_id)
    RETURNING child.sha256
$function$
;

CREATE OR REPLACE FUNCTION public.lock_held_tasks(p_events jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_odd text;
BEGIN
  PERFORM 1 FROM video_task
    WHERE request_id IN (SELECT event."requestId"
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text) WHERE event.outcome = 'held')
    ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM account
    WHERE id IN (SELECT account_id FROM video_task WHERE is_final_task(state) AND request_id IN (SELECT event."requestId"
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text) WHERE event.outcome = 'held'))
    ORDER BY id FOR NO KEY UPDATE;
  SELECT event."requestId" INTO v_odd
    FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "costNanoUsd" bigint)
    LEFT JOIN video_task ON request_id = event."requestId"
    WHERE event.outcome = 'held' AND hold_nano_usd IS DISTINCT FROM event."costNanoUsd" LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'no task holds what the event of request % says', v_odd USING ERRCODE = 'foreign_key_violation';
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.lock_shard_of(p_account_id text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_shard int := shard_of(p_account_id);
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key()::int, v_shard);
  RETURN v_shard;
END $function$
;

CREATE OR REPLACE FUNCTION public.make_month_partitions(p_first date, p_last date)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_table text;
  v_name text;
  v_key text;
  v_bounds record;
  v_month date;
  v_new text[];
BEGIN
  PERFORM pg_advisory_xact_lock(7236111);
  PERFORM set_config('lock_timeout', '2s', true);
  FOR v_month IN SELECT generate_series(date_trunc('month', p_first::timestamp), p_last, interval '1 month')::date LOOP
    v_new := '{}';
    -- Entries leave the default partition before their transactions, which they refer to.
    FOREACH v_table IN ARRAY ARRAY['ledger_entry', 'ledger_transaction', 'settlement'] LOOP
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      CONTINUE WHEN to_regclass(v_name) IS NOT NULL
        OR EXISTS (SELECT 1 FROM archived_partition WHERE name = v_name);
      v_key := CASE v_table WHEN 'ledger_entry' THEN 'transaction_id' WHEN 'settlement' THEN 'request_id' ELSE 'id' END;
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      -- In the order of those who settle: no settlement is under way when a default partition is locked.
      LOCK TABLE settlement, ledger_transaction, ledger_entry IN SHARE ROW EXCLUSIVE MODE;
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', v_table || '_other');
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', v_name, v_table);
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %I >= %s AND %I < %s', v_name, v_table || '_other',
        v_key, v_bounds.lower, v_key, v_bounds.upper);
      EXECUTE format('DELETE FROM %I WHERE %I >= %s AND %I < %s', v_table || '_other', v_key, v_bounds.lower, v_key, v_bounds.upper);
      v_new := v_new || v_table;
      RETURN NEXT v_name;
    END LOOP;
    FOREACH v_table IN ARRAY ARRAY['settlement', 'ledger_transaction', 'ledger_entry'] LOOP
      CONTINUE WHEN NOT v_table = ANY (v_new);
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      IF v_table = 'ledger_transaction' THEN
        EXECUTE format('CREATE UNIQUE INDEX ON %I (reference)', v_name);
      END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', v_table, v_name, v_bounds.lower, v_bounds.upper);
    END LOOP;
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.mirror_escrow(p_account_id text, p_seen_escrow bigint, p_held_by_redis bigint, p_epoch bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_shard int;
  v_escrow bigint;
BEGIN
  v_shard := lock_shard_of(p_account_id);
  IF shard_epoch(v_shard) IS DISTINCT FROM p_epoch OR p_seen_escrow = p_held_by_redis THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  SELECT balance_nano_usd INTO v_escrow FROM ledger_balance
    WHERE ledger_account_id = ledger_account_of('escrow', p_account_id) FOR NO KEY UPDATE;
  IF v_escrow IS DISTINCT FROM p_seen_escrow OR is_return_under_way(p_account_id) THEN
    RETURN false;
  END IF;
  UPDATE escrow_return SET closed_at = now() WHERE account_id = p_account_id AND closed_at IS NULL;
  PERFORM post_transfer(
    'escrow-repair:' || p_account_id || ':' || nextval('ledger_transaction_id_seq'), 'escrow_repair', p_account_id,
    'Redis holds another amount than the ledger had in escrow',
    ledger_account_of('escrow', p_account_id), ledger_account_of('customer', p_account_id),
    v_escrow - p_held_by_redis);
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.month_bounds(p_table text, p_month date)
 RETURNS TABLE(lower text, upper text)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at, 'YYYYMM'))
      ELSE ledger_month_floor(at AT TIME ZONE 'UTC')::text END,
    CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at + interval '1 month', 'YYYYMM'))
      ELSE ledger_month_floor((at + interval '1 month') AT TIME ZONE 'UTC')::text END
  FROM (SELECT p_month::timestamp AS at) AS month
$function$
;

CREATE OR REPLACE FUNCTION public.new_public_id(p_prefix text)
 RETURNS text
 LANGUAGE sql
AS $function$
  SELECT p_prefix || '_' || replace(gen_random_uuid()::text, '-', '')
$function$
;

CREATE OR REPLACE FUNCTION public.open_escrow_returns(p_idle_ms bigint, p_limit integer)
 RETURNS TABLE(account_id text, sequence bigint, epoch bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  v_shards int[];
  v_idle_since timestamptz := now() - p_idle_ms * interval '1 millisecond';
BEGIN
  -- A shard whose epoch is changing now has its turn in a later call.
  v_shards := ARRAY(SELECT number FROM generate_series(0, 63) AS number
    WHERE pg_try_advisory_xact_lock_shared(epoch_lock_key()::int, number));
  RETURN QUERY
    WITH held AS MATERIALIZED (
      SELECT ledger_account.account_id, ledger_account.id, active.epoch, free.balance_nano_usd < 0 AS is_overdrawn
        FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
        JOIN (SELECT number AS shard, shard_epoch(number) AS epoch FROM unnest(v_shards) AS number) AS active
          ON active.shard = ledger_account.shard AND active.epoch IS NOT NULL
        JOIN ledger_account AS customer ON customer.account_id = ledger_account.account_id AND customer.kind = 'customer'
        JOIN ledger_balance AS free ON free.ledger_account_id = customer.id
        LEFT JOIN escrow_return ON escrow_return.account_id = ledger_account.account_id
        WHERE ledger_account.kind = 'escrow' AND ledger_balance.balance_nano_usd > 0
          AND (escrow_return.account_id IS NULL
            OR escrow_return.closed_at IS NOT NULL AND escrow_return.opened_at <= CASE
              WHEN free.balance_nano_usd < 0 THEN greatest(v_idle_since, now() - interval '10 seconds') ELSE v_idle_since END)
    )
    INSERT INTO escrow_return AS last (account_id, epoch)
      SELECT held.account_id, held.epoch FROM held
        WHERE held.is_overdrawn OR coalesce((SELECT ledger_transaction.created_at
            FROM ledger_entry JOIN ledger_transaction ON ledger_transaction.id = transaction_id
            WHERE ledger_account_id = held.id AND transaction_id >= ledger_month_floor(v_idle_since)
            ORDER BY transaction_id DESC LIMIT 1) <= v_idle_since, true)
        ORDER BY held.account_id LIMIT p_limit
      -- Another process has opened the return: this row is not returned.
      ON CONFLICT (account_id) DO UPDATE
        SET sequence = last.sequence + 1, epoch = excluded.epoch, opened_at = now(), closed_at = NULL
        WHERE last.closed_at IS NOT NULL
      RETURNING last.account_id, last.sequence, last.epoch;
END $function$
;

CREATE OR REPLACE FUNCTION public.open_ledger_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_account (kind, account_id)
    VALUES ('customer', NEW.id), ('escrow', NEW.id), ('task_holds', NEW.id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.open_ledger_balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO ledger_balance (ledger_account_id) VALUES (NEW.id);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.owned_by(p_account_id text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT sum(balance_nano_usd)::bigint FROM ledger_account JOIN ledger_balance ON ledger_account_id = id
    WHERE account_id = p_account_id
$function$
;

CREATE OR REPLACE FUNCTION public.partition_end(p_name text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  v_month text[] := regexp_match(p_name, '_y(\d{4})m(\d\d)$');
BEGIN
  IF v_month IS NOT NULL THEN
    RETURN (make_date(v_month[1]::int, v_month[2]::int, 1)::timestamp + interval '1 month') AT TIME ZONE 'UTC';
  END IF;
  RETURN (SELECT coalesce(max(newest), '1970-01-01Z') FROM (
    SELECT CASE p_name WHEN 'settlement_undated' THEN (SELECT max(recorded_at) FROM settlement WHERE request_id >= 'req_21')
      ELSE (SELECT max(created_at) FROM ledger_transaction WHERE id < ledger_month_floor('2020-01-01Z')) END AS newest) AS one);
END $function$
;

CREATE OR REPLACE FUNCTION public.pending_webhook_hosts(p_max_hosts integer)
 RETURNS TABLE(account_id text, host text, next_attempt_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  WITH RECURSIVE pending AS (
    (SELECT account_id, host, next_attempt_at, 1 AS place FROM webhook_delivery
      WHERE state = 'pending' ORDER BY account_id, host, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.account_id, next.host, next.next_attempt_at,
        CASE WHEN next.account_id = pending.account_id THEN pending.place + 1 ELSE 1 END
      FROM pending CROSS JOIN LATERAL (
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE pending.place < p_max_hosts AND state = 'pending' AND (account_id, host) > (pending.account_id, pending.host)
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
        UNION ALL
        (SELECT account_id, host, next_attempt_at FROM webhook_delivery
          WHERE pending.place >= p_max_hosts AND state = 'pending' AND account_id > pending.account_id
          ORDER BY account_id, host, next_attempt_at LIMIT 1)
      ) AS next
  )
  SELECT account_id, host, next_attempt_at FROM pending
$function$
;

CREATE OR REPLACE FUNCTION public.period_end(p_period text, p_time_zone text, p_start timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN p_period <> 'life' THEN
    (date_trunc(p_period, p_start AT TIME ZONE p_time_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_time_zone END
$function$
;

CREATE OR REPLACE FUNCTION public.period_start(p_period text, p_time_zone text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE
    WHEN p_period = 'life' THEN to_timestamp(0)
    WHEN date_trunc(p_period, p_at, p_time_zone) > p_at THEN date_trunc(p_period, p_at - interval '1 hour', p_time_zone)
    ELSE date_trunc(p_period, p_at, p_time_zone)
  END
$function$
;

CREATE OR REPLACE FUNCTION public.post_credit(p_reference text, p_account_id text, p_kind text, p_amount bigint, p_reason text)
 RETURNS TABLE(outcome text, transaction_id bigint, created_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_transaction_id bigint;
  v_credit credit%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM account WHERE id = p_account_id) THEN
    RETURN QUERY SELECT 'unknown_account', NULL::bigint, NULL::timestamptz;
    RETURN;
  END IF;
  v_transaction_id := post_transfer('credit:' || p_reference, p_kind, p_account_id, p_reason,
    ledger_account_of(CASE p_kind WHEN 'adjustment' THEN 'adjustments' ELSE 'top_ups' END, NULL),
    ledger_account_of('customer', p_account_id), p_amount);
  IF v_transaction_id IS NOT NULL THEN
    INSERT INTO credit (reference, account_id, kind, amount_nano_usd, reason, transaction_id)
      VALUES (p_reference, p_account_id, p_kind, p_amount, p_reason, v_transaction_id);
  END IF;
  SELECT * INTO STRICT v_credit FROM credit WHERE credit.reference = p_reference;
  RETURN QUERY SELECT
    CASE
      WHEN v_transaction_id IS NOT NULL THEN 'posted'
      WHEN v_credit.account_id = p_account_id AND v_credit.kind = p_kind AND v_credit.amount_nano_usd = p_amount
        THEN 'repeated'
      ELSE 'conflict'
    END,
    v_credit.transaction_id, v_credit.created_at;
END $function$
;

CREATE OR REPLACE FUNCTION public.post_ledger_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET enable_seqscan TO 'off'
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_wrong bigint;
  v_moved bigint;
BEGIN
  SELECT transaction_id INTO v_wrong
    FROM posted GROUP BY transaction_id HAVING sum(amount_nano_usd) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', v_wrong USING ERRCODE = 'check_violation';
  END IF;
  -- A subquery for each transaction, by the index: a join may read a whole month.
  SELECT transaction_id INTO v_wrong FROM (SELECT DISTINCT transaction_id FROM posted) AS named
    WHERE (SELECT id FROM ledger_transaction WHERE id = named.transaction_id) IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not exist', v_wrong USING ERRCODE = 'foreign_key_violation';
  END IF;
  -- One order for all writers, so that two cannot deadlock. The busy accounts of the house have the lowest ids and come last:
  -- the revenue of a shard has a negative one.
  PERFORM 1 FROM ledger_balance
    WHERE ledger_account_id IN (SELECT ledger_account_id FROM posted)
    ORDER BY ledger_account_id DESC FOR NO KEY UPDATE;
  UPDATE ledger_balance AS balance
    SET balance_nano_usd = balance.balance_nano_usd + moved.amount, version = balance.version + 1
    FROM (SELECT ledger_account_id, sum(amount_nano_usd)::bigint AS amount FROM posted GROUP BY ledger_account_id) AS moved
    WHERE balance.ledger_account_id = moved.ledger_account_id;
  -- Each ledger account has a balance from its first day.
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved <> (SELECT count(DISTINCT ledger_account_id) FROM posted) THEN
    RAISE EXCEPTION 'a ledger account does not exist' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.post_transfer(p_reference text, p_kind text, p_account_id text, p_reason text, p_from bigint, p_to bigint, p_amount bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_transaction_id bigint := ledger_month_floor(now()) + nextval('ledger_transaction_id_seq');
BEGIN
  IF p_kind IN ('top_up', 'adjustment') THEN
    INSERT INTO ledger_reference (reference, transaction_id) VALUES (p_reference, v_transaction_id) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO ledger_transaction (id, reference, kind, account_id, reason)
    VALUES (v_transaction_id, p_reference, p_kind, p_account_id, p_reason);
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    VALUES (v_transaction_id, p_from, -p_amount), (v_transaction_id, p_to, p_amount);
  RETURN v_transaction_id;
END $function$
;

CREATE OR REPLACE FUNCTION public.raise_cap_alerts(p_account_id text, p_owner_id text, p_caps jsonb, p_count cap_count)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT concat_ws(':', p_owner_id, p_count.period, (extract(epoch FROM p_count.starts_at) * 1000)::bigint,
        cap->>'measure', cap->>'hard'), 'cap.reached', p_account_id,
      jsonb_strip_nulls(jsonb_build_object('account_id', p_account_id,
        'key_id', CASE WHEN p_owner_id LIKE 'key\_%' THEN p_owner_id END,
        'member_id', CASE WHEN p_owner_id LIKE 'mem\_%' THEN p_owner_id END,
        'period', p_count.period, 'measure', cap->>'measure', 'hard', (cap->>'hard')::boolean,
        'limit', CASE cap->>'measure' WHEN 'usd' THEN usd_of((cap->>'limit')::bigint) ELSE cap->>'limit' END,
        'used', CASE cap->>'measure' WHEN 'usd' THEN usd_of(used.amount) ELSE used.amount::text END,
        'resets_at', p_count.ends_at))
      FROM jsonb_array_elements(p_caps) AS cap
      CROSS JOIN LATERAL (SELECT CASE cap->>'measure' WHEN 'usd' THEN p_count.cost_nano_usd
        WHEN 'tokens' THEN p_count.tokens ELSE p_count.requests END AS amount) AS used
      WHERE cap->>'period' = p_count.period AND used.amount >= (cap->>'limit')::bigint
      ORDER BY 1
    ON CONFLICT DO NOTHING
$function$
;

CREATE OR REPLACE FUNCTION public.raise_exhausted_alert(p_account_id text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT p_account_id, 'balance.exhausted', p_account_id, jsonb_build_object('balance_usd', usd_of(owned_by(p_account_id)))
      WHERE NOT EXISTS (SELECT 1 FROM escrow_grant
        WHERE account_id = p_account_id AND delivered_at IS NULL AND voided_at IS NULL)
    ON CONFLICT DO NOTHING
$function$
;

CREATE OR REPLACE FUNCTION public.record_settlements(p_events jsonb, p_epoch bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  -- The requests that the customer pays directly.
  v_late text[] := '{}';
  v_is_known boolean;
  v_is_late boolean;
  v_revenue bigint;
  v_new text[];
  -- The entries of this batch that the ledger has now.
  v_added text[];
  v_has_holds boolean := p_events @? '$[*] ? (@.outcome == "held")';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key()::int, read.shard)
    FROM (SELECT DISTINCT coalesce(event.shard, -1) AS shard FROM jsonb_to_recordset(p_events) AS event (shard int)
      ORDER BY 1) AS read;
  SELECT bool_and(known.epoch IS NOT NULL), bool_or(known.retired_at IS NOT NULL), revenue_of_shard(min(read.shard))
    INTO v_is_known, v_is_late, v_revenue
    FROM (SELECT DISTINCT coalesce(event.shard, -1) AS shard, coalesce(event.epoch, p_epoch) AS epoch
      FROM jsonb_to_recordset(p_events) AS event (shard int, epoch bigint)) AS read
    LEFT JOIN redis_epoch AS known ON known.shard = read.shard AND known.epoch = read.epoch AND known.activated_at IS NOT NULL;
  IF NOT v_is_known THEN
    RETURN jsonb_build_object('outcome', 'wait');
  END IF;
  IF v_is_late THEN
    SELECT coalesce(array_agg("requestId"), '{}') INTO v_late
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, shard int, epoch bigint)
      JOIN redis_epoch AS known ON known.shard = coalesce(event.shard, -1) AND known.epoch = coalesce(event.epoch, p_epoch)
      WHERE retired_at IS NOT NULL;
  END IF;
  IF v_has_holds THEN
    PERFORM lock_held_tasks(p_events);
  END IF;

  WITH inserted AS (
    INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      vendor_cost_nano_usd, price_version, unit_prices, units, is_estimated, abort_contract, idempotency_hash, idempotency_key, error_code, status,
      changes, attempts, schema_version, admitted_at, queued_at, started_at, first_byte_at, settled_at, stream_entry_id, epoch)
    SELECT "requestId", "accountId", "keyId", endpoint, model, outcome, "holdNanoUsd", "costNanoUsd", "vendorCostNanoUsd",
      "priceVersion",
      "unitPrices", units, "isEstimated", "abortContract", "idempotencyHash", "idempotencyKey", "errorCode", status, changes,
      attempts, "schemaVersion", to_timestamp("admittedAtMs" / 1000.0), to_timestamp("queuedAtMs" / 1000.0),
      to_timestamp("startedAtMs" / 1000.0), to_timestamp("firstByteAtMs" / 1000.0),
      to_timestamp("settledAtMs" / 1000.0), "streamEntryId", coalesce(epoch, p_epoch)
    FROM jsonb_to_recordset(p_events) AS event (
      epoch bigint,
      "requestId" text, "accountId" text, "keyId" text, endpoint text, model text, outcome text, "holdNanoUsd" bigint,
      "costNanoUsd" bigint, "vendorCostNanoUsd" bigint, "priceVersion" text, "unitPrices" jsonb, units jsonb, "isEstimated" boolean,
      "abortContract" text, "idempotencyHash" text, "idempotencyKey" text, "errorCode" text, status int,
      changes jsonb, attempts jsonb, "schemaVersion" int, "admittedAtMs" numeric, "queuedAtMs" numeric, "startedAtMs" numeric, "firstByteAtMs" numeric, "settledAtMs" numeric, "streamEntryId" text)
    WHERE event.outcome <> 'held' AND (event.endpoint <> 'videos.generations'
      OR (SELECT id FROM video_task WHERE video_task.request_id = event."requestId") IS NULL)
    ORDER BY "requestId", "streamEntryId"
    ON CONFLICT (request_id) DO NOTHING
    RETURNING request_id, account_id, key_id, cost_nano_usd, settled_at, stream_entry_id
  ), held AS (
    SELECT DISTINCT ON (video_task.id) video_task.id, request_id, account_id, key_id, hold_nano_usd AS amount, asked_at,
      event."streamEntryId" AS entry_id, CASE WHEN is_final_task(state) THEN 'customer' ELSE 'task_holds' END AS target
    FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "streamEntryId" text)
    JOIN video_task ON request_id = event."requestId"
    WHERE v_has_holds AND event.outcome = 'held' AND hold_entry_id IS NULL
    ORDER BY video_task.id, event."streamEntryId"
  ), noted AS (
    UPDATE video_task SET hold_entry_id = held.entry_id FROM held WHERE video_task.id = held.id
  ), moved AS (
    SELECT 'settlement:' || request_id AS reference, 'settlement' AS kind, account_id, cost_nano_usd AS amount,
      CASE WHEN request_id = ANY (v_late) THEN 'customer' ELSE 'escrow' END AS source, 'revenue' AS target
      FROM inserted WHERE cost_nano_usd > 0
    UNION ALL
    SELECT 'task-hold:' || request_id, 'task_hold', account_id, amount, source, target
      FROM (SELECT *, CASE WHEN request_id = ANY (v_late) THEN 'customer' ELSE 'escrow' END AS source FROM held) AS paid
      WHERE amount > 0 AND target <> source
  ), sources AS MATERIALIZED (
    SELECT account_id, source,
        (SELECT id FROM ledger_account WHERE ledger_account.account_id = paying.account_id AND kind = paying.source) AS id
      FROM (SELECT DISTINCT account_id, source FROM moved) AS paying
  ), transactions AS (
    INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT reference, kind, account_id FROM moved RETURNING id, reference
  ), entries AS (
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT transactions.id, source.id, -moved.amount
        FROM moved JOIN transactions USING (reference) LEFT JOIN sources AS source USING (account_id, source)
      UNION ALL
      SELECT transactions.id, v_revenue, moved.amount
        FROM moved JOIN transactions USING (reference) WHERE moved.target = 'revenue'
      UNION ALL
      SELECT transactions.id, ledger_account_of(moved.target, moved.account_id), moved.amount
        FROM moved JOIN transactions USING (reference) WHERE moved.target <> 'revenue'
  ), charges AS (
    SELECT key_id, cost_nano_usd AS amount, settled_at AS used_at FROM inserted
    UNION ALL
    SELECT key_id, CASE WHEN target = 'task_holds' THEN amount ELSE 0 END, asked_at FROM held
  ), used AS MATERIALIZED (
    SELECT key_id AS id, amount, last_used_at,
        (SELECT coalesce(spending_key_id, api_key.id) FROM api_key WHERE api_key.id = key_id) AS spending_id
      FROM (SELECT key_id, sum(amount) AS amount, max(used_at) AS last_used_at FROM charges GROUP BY key_id) AS charged
  ), spent AS (
    SELECT spending_id AS id, sum(amount)::bigint AS amount FROM used GROUP BY spending_id
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
  SELECT array_agg(request_id), array_agg(entry_id) INTO v_new, v_added
    FROM (SELECT request_id, stream_entry_id AS entry_id FROM inserted UNION ALL SELECT request_id, entry_id FROM held) AS new;
  IF v_new IS NOT NULL THEN
    PERFORM count_caps(p_events, v_new);
  END IF;

  RETURN jsonb_build_object(
    'outcome', 'recorded',
    'newRequests', coalesce(array_length(v_new, 1), 0),
    -- Not used any more: admission enforces spend caps.
    'exhaustedKeys', '[]'::jsonb,
    -- Also of requests that were recorded before: the process that recorded them may not have updated Redis.
    'spendings', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('accountId', account_id, 'spendingKeyId', id, 'spentNanoUsd', spent_nano_usd::text,
        'version', spending_version::text)), '[]')
      FROM api_key WHERE id IN (
        SELECT coalesce(spending_key_id, id) FROM api_key
          WHERE id IN (SELECT "keyId" FROM jsonb_to_recordset(p_events) AS event ("keyId" text)))),
    -- By the names that admission gave the counters in Redis, also of requests that were recorded before.
    'capCounts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('accountId', account_id, 'counter', counter, 'requests', requests::text, 'tokens', tokens::text,
        'cost', cost_nano_usd::text, 'version', version::text)), '[]')
      FROM (SELECT DISTINCT event."accountId" AS account_id, jsonb_array_elements_text(event.counters) AS counter
        FROM jsonb_to_recordset(p_events) AS event ("accountId" text, counters jsonb)
        WHERE event.counters IS NOT NULL) AS named
      JOIN cap_count ON owner_id = split_part(counter, ':', 1) AND period = split_part(counter, ':', 2)
        AND starts_at = to_timestamp(split_part(counter, ':', 3)::numeric / 1000.0)),
    -- A stream entry other than the recorded one: Redis charged the request twice.
    'doubleCharges', (
      SELECT coalesce(jsonb_agg(event."streamEntryId"), '[]')
      FROM jsonb_to_recordset(p_events) AS event ("requestId" text, outcome text, "streamEntryId" text)
      LEFT JOIN unnest(v_added) AS added (entry_id) ON added.entry_id = event."streamEntryId"
      WHERE added.entry_id IS NULL AND event."streamEntryId" <> CASE event.outcome
        WHEN 'held' THEN (SELECT hold_entry_id FROM video_task WHERE video_task.request_id = event."requestId")
        ELSE (SELECT stream_entry_id FROM settlement WHERE settlement.request_id = event."requestId") END));
END $function$
;

CREATE OR REPLACE FUNCTION public.refund_repeated_charge(p_request_id text, p_first_request_id text)
 RETURNS TABLE(amount_nano_usd bigint, spending_key_id text, spent_nano_usd bigint, spending_version bigint)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_charge settlement%ROWTYPE;
  v_outcome text;
BEGIN
  SELECT * INTO STRICT v_charge FROM settlement WHERE settlement.request_id = p_request_id;
  SELECT reversal.outcome INTO v_outcome FROM reverse_transaction(v_charge.account_id, 'settlement:' || p_request_id,
    'second charge of one Idempotency-Key; the first is ' || p_first_request_id) AS reversal;
  IF v_outcome IS DISTINCT FROM 'posted' THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT v_charge.cost_nano_usd, counted.id, counted.spent_nano_usd, counted.spending_version
    FROM (VALUES (v_charge.key_id)) AS charged (id) LEFT JOIN api_key USING (id)
      LEFT JOIN api_key AS counted ON counted.id = coalesce(api_key.spending_key_id, api_key.id);
  PERFORM emit_event(v_charge.account_id, 'charge.refunded', p_request_id, jsonb_build_object(
    'request_id', p_request_id, 'first_request_id', p_first_request_id,
    'amount_usd', usd_of(v_charge.cost_nano_usd)), NULL, false);
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_direct_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF pg_trigger_depth() < 2 OR TG_OP IN ('DELETE', 'TRUNCATE') THEN
    RAISE EXCEPTION 'ledger_balance follows ledger_entry: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_task_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'video_task is never deleted: % refused', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  -- The ledger may still record the event of a hold that it has returned at once.
  IF is_final_task(OLD.state) AND (to_jsonb(NEW) - 'hold_entry_id') <> (to_jsonb(OLD) - 'hold_entry_id') THEN
    RAISE EXCEPTION 'video task % has ended: % refused', OLD.id, TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.remove_contents_of_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM request_content WHERE key_id = NEW.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.replay_webhook_deliveries(p_account_id text, p_endpoint_id text, p_states text[], p_after_at timestamp with time zone, p_after_id bigint, p_to timestamp with time zone, p_events integer, p_place bigint, p_per_second integer)
 RETURNS TABLE(replayed integer, brought_forward integer, place bigint, last_at timestamp with time zone, last_id bigint)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_first bigint := CASE WHEN p_after_id > 0 THEN p_after_id + 1 ELSE first_event_since(p_account_id, p_after_at) END;
  -- The column has milliseconds.
  v_end bigint := first_event_since(p_account_id, p_to + interval '1 millisecond');
BEGIN
  PERFORM pg_advisory_xact_lock(7236104, hashtext(p_account_id));
  PERFORM 1 FROM webhook_endpoint WHERE account_id = p_account_id ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY
  WITH page AS MATERIALIZED (
    SELECT event.id, event.type, event.subject, event.is_test, event.created_at FROM account_event AS event
      WHERE event.account_id = p_account_id AND event.id >= v_first AND event.id < v_end
      ORDER BY event.id LIMIT p_events
  ), open AS MATERIALIZED (
    SELECT endpoint.* FROM webhook_endpoint AS endpoint
      WHERE endpoint.account_id = p_account_id AND (p_endpoint_id IS NULL OR endpoint.id = p_endpoint_id)
        AND endpoint.disabled_at IS NULL AND endpoint.deleted_at IS NULL
  ), found AS (
    SELECT delivery.id, delivery.state, page.id AS event_id, page.created_at, delivery.endpoint_id, delivery.url
      FROM page JOIN webhook_delivery AS delivery ON delivery.event_id = page.id
      WHERE (delivery.state = 'pending'
          OR delivery.state = ANY (p_states) AND (delivery.state <> 'delivered' OR delivery.finished_at <= p_to))
        AND (delivery.endpoint_id IS NULL AND p_endpoint_id IS NULL
          OR delivery.endpoint_id IN (SELECT open.id FROM open))
    UNION ALL
    SELECT new_public_id('whd'), 'missed', page.id, page.created_at, open.id, open.url
      FROM page JOIN open ON open.is_test = page.is_test AND open.created_at <= page.created_at
        AND (page.type = ANY (open.event_types) OR '*' = ANY (open.event_types)
          OR cardinality(open.event_types) = 0 AND is_sent_by_default(page.type))
      WHERE 'missed' = ANY (p_states) AND page.type <> 'webhook.test'
        AND (page.type <> 'webhook.endpoint.disabled' OR page.subject <> open.id)
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_delivery.event_id = page.id AND url = open.url)
  ), due AS MATERIALIZED (
    SELECT found.*, v_now + interval '1 second' / p_per_second
        * (p_place + row_number() OVER (ORDER BY found.event_id, found.url) - 1) AS due_at
      FROM found
  ), begun AS (
    UPDATE webhook_delivery AS delivery SET state = 'pending', step = 0, next_attempt_at = due.due_at, finished_at = NULL,
        last_status = NULL, last_error = NULL
      FROM due WHERE delivery.id = due.id AND due.state <> 'pending' AND delivery.state = due.state
      RETURNING delivery.id
  ), hastened AS (
    UPDATE webhook_delivery AS delivery SET next_attempt_at = due.due_at
      FROM due WHERE delivery.id = due.id AND due.state = 'pending' AND 'pending' = ANY (p_states)
        AND delivery.state = 'pending' AND delivery.lease IS NULL AND delivery.attempts > 0
        AND delivery.next_attempt_at > due.due_at
      RETURNING delivery.id
  ), made AS (
    INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at, created_at)
      SELECT due.id, due.event_id, p_account_id, due.endpoint_id, due.url, webhook_host(due.url), due.due_at, v_now
        FROM due WHERE due.state = 'missed'
      RETURNING webhook_delivery.id
  )
  SELECT (SELECT count(*) FROM begun)::int + (SELECT count(*) FROM made)::int, (SELECT count(*) FROM hastened)::int,
      p_place + (SELECT count(*) FROM due), page.created_at, page.id
    FROM page ORDER BY page.id DESC LIMIT 1;
END $function$
;

CREATE OR REPLACE FUNCTION public.replay_webhook_delivery(p_account_id text, p_delivery_id text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_delivery webhook_delivery%ROWTYPE;
BEGIN
  SELECT * INTO v_delivery FROM webhook_delivery WHERE id = p_delivery_id AND account_id = p_account_id;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  IF v_delivery.endpoint_id IS NOT NULL THEN
    SELECT * INTO v_endpoint FROM webhook_endpoint WHERE id = v_delivery.endpoint_id FOR NO KEY UPDATE;
    IF v_endpoint.deleted_at IS NOT NULL THEN
      RETURN 'endpoint_deleted';
    ELSIF v_endpoint.disabled_at IS NOT NULL THEN
      RETURN 'endpoint_disabled';
    END IF;
  END IF;
  UPDATE webhook_delivery SET state = 'pending', step = 0, next_attempt_at = now(), finished_at = NULL,
      last_status = NULL, last_error = NULL
    WHERE id = p_delivery_id AND state <> 'pending';
  RETURN CASE WHEN FOUND THEN 'replayed' ELSE 'pending' END;
END $function$
;

CREATE OR REPLACE FUNCTION public.report_webhook_attempt(p_delivery_id text, p_lease text, p_number integer, p_outcome text, p_duration_ms integer, p_status integer, p_error text, p_response_body text, p_retry_in_ms bigint, p_disable_after_ms bigint, p_disable_after_failures integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_endpoint webhook_endpoint%ROWTYPE;
  v_is_ours boolean;
  v_reason text;
BEGIN
  SELECT endpoint.* INTO v_endpoint FROM webhook_endpoint AS endpoint
    WHERE endpoint.id = (SELECT endpoint_id FROM webhook_delivery WHERE id = p_delivery_id) FOR NO KEY UPDATE;
  INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, status, error, response_body)
    VALUES (p_delivery_id, p_number, clock_timestamp() - p_duration_ms * interval '1 millisecond', p_duration_ms, p_status,
      p_error, p_response_body)
    ON CONFLICT (delivery_id, number) DO UPDATE SET duration_ms = excluded.duration_ms, status = excluded.status,
      error = excluded.error, response_body = excluded.response_body;
  UPDATE webhook_delivery SET
      state = CASE p_outcome WHEN 'delivered' THEN 'delivered' WHEN 'retry' THEN 'pending' ELSE 'failed' END,
      next_attempt_at = CASE p_outcome WHEN 'retry' THEN now() + p_retry_in_ms * interval '1 millisecond' END,
      finished_at = CASE p_outcome WHEN 'retry' THEN NULL ELSE now() END,
      lease = NULL, last_status = p_status, last_error = p_error
    WHERE id = p_delivery_id AND (lease = p_lease OR p_outcome = 'delivered' AND state = 'pending');
  v_is_ours := FOUND;
  IF v_endpoint.id IS NULL OR v_endpoint.deleted_at IS NOT NULL OR NOT v_is_ours THEN
    RETURN NULL;
  END IF;
  IF p_outcome = 'delivered' THEN
    UPDATE webhook_endpoint SET consecutive_failures = 0, failing_since = NULL, last_success_at = now()
      WHERE id = v_endpoint.id;
    RETURN NULL;
  END IF;
  v_reason := CASE
    WHEN p_outcome = 'gone' THEN 'gone'
    WHEN v_endpoint.consecutive_failures + 1 >= p_disable_after_failures
      AND v_endpoint.failing_since <= now() - p_disable_after_ms * interval '1 millisecond' THEN 'only_failures'
  END;
  UPDATE webhook_endpoint SET consecutive_failures = consecutive_failures + 1,
      failing_since = coalesce(failing_since, now()),
      disabled_at = CASE WHEN v_reason IS NULL THEN disabled_at ELSE coalesce(disabled_at, now()) END,
      disabled_reason = coalesce(disabled_reason, v_reason)
    WHERE id = v_endpoint.id;
  IF v_reason IS NULL OR v_endpoint.disabled_at IS NOT NULL THEN
    RETURN NULL;
  END IF;
  PERFORM cancel_webhook_deliveries(v_endpoint.id, 'endpoint_disabled');
  PERFORM emit_event(v_endpoint.account_id, 'webhook.endpoint.disabled', v_endpoint.id,
    jsonb_build_object('id', v_endpoint.id, 'url', v_endpoint.url, 'reason', v_reason), NULL, v_endpoint.is_test);
  RETURN v_reason;
END $function$
;

CREATE OR REPLACE FUNCTION public.reserve_epoch()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_epoch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  SELECT max(reserved.epoch) INTO v_epoch FROM redis_epoch AS reserved
    WHERE reserved.shard = -1 AND reserved.activations = 0
      AND NOT EXISTS (SELECT 1 FROM redis_epoch AS used WHERE used.epoch = reserved.epoch AND used.shard >= 0);
  IF v_epoch IS NULL THEN
    INSERT INTO redis_epoch DEFAULT VALUES RETURNING epoch INTO v_epoch;
  END IF;
  RETURN v_epoch;
END $function$
;

CREATE OR REPLACE FUNCTION public.retire_former_epoch()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key()::int, -1);
  UPDATE redis_epoch SET retired_at = now() WHERE shard = -1 AND activated_at IS NOT NULL AND retired_at IS NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.return_cap_costs(p_key_id text, p_at timestamp with time zone, p_amount bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  WITH locked AS (
    SELECT owner_id, period, starts_at FROM cap_count
      WHERE owner_id IN (
          SELECT unnest(ARRAY[coalesce(spending_key_id, id), member_id, account_id]) FROM api_key WHERE id = p_key_id)
        AND starts_at <= p_at AND (ends_at IS NULL OR p_at < ends_at)
      ORDER BY owner_id, period, starts_at FOR NO KEY UPDATE
  )
  UPDATE cap_count SET cost_nano_usd = cost_nano_usd - p_amount, version = version + 1
    FROM locked WHERE (cap_count.owner_id, cap_count.period, cap_count.starts_at)
      = (locked.owner_id, locked.period, locked.starts_at)
$function$
;

CREATE OR REPLACE FUNCTION public.return_key_spending(p_key_id text, p_amount bigint)
 RETURNS TABLE(spending_key_id text, spent_nano_usd bigint, spending_version bigint)
 LANGUAGE sql
AS $function$
  UPDATE api_key AS counted
    SET spent_nano_usd = counted.spent_nano_usd - p_amount, spending_version = counted.spending_version + 1
    WHERE counted.id = (SELECT coalesce(api_key.spending_key_id, api_key.id) FROM api_key WHERE api_key.id = p_key_id)
    RETURNING counted.id, counted.spent_nano_usd, counted.spending_version
$function$
;

CREATE OR REPLACE FUNCTION public.revenue_of_shard(p_shard integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT -1 - greatest(p_shard, 0)::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.reverse_transaction(p_account_id text, p_reference text, p_reason text)
 RETURNS TABLE(outcome text, transaction_id bigint, amount_nano_usd bigint, created_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_original ledger_transaction%ROWTYPE;
  v_house bigint;
  v_amount bigint;
  v_charge settlement%ROWTYPE;
  v_reversal ledger_transaction%ROWTYPE;
  v_transaction_id bigint;
BEGIN
  SELECT * INTO v_original FROM ledger_transaction AS original
    WHERE original.reference = p_reference AND original.account_id = p_account_id
      AND original.kind IN ('top_up', 'adjustment', 'settlement') AND original.reference NOT LIKE 'reversal:%';
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'unknown', NULL::bigint, NULL::bigint, NULL::timestamptz;
    RETURN;
  END IF;
  SELECT ledger_account_id, entry.amount_nano_usd INTO STRICT v_house, v_amount
    FROM ledger_entry AS entry JOIN ledger_account ON ledger_account.id = ledger_account_id
    WHERE entry.transaction_id = v_original.id AND ledger_account.account_id IS NULL;
  SELECT * INTO v_charge FROM settlement
    WHERE v_original.kind = 'settlement' AND request_id = substr(p_reference, 1 + length('settlement:'));
  -- Before the balances, by the order of locks.
  PERFORM 1 FROM api_key
    WHERE id = (SELECT coalesce(spending_key_id, id) FROM api_key WHERE id = v_charge.key_id) FOR NO KEY UPDATE;
  v_transaction_id := post_transfer('reversal:' || p_reference, 'adjustment', p_account_id, p_reason,
    v_house, ledger_account_of('customer', p_account_id), v_amount);
  IF v_transaction_id IS NOT NULL AND v_charge.request_id IS NOT NULL THEN
    PERFORM return_key_spending(v_charge.key_id, v_charge.cost_nano_usd);
    PERFORM return_cap_costs(v_charge.key_id, v_charge.admitted_at, v_charge.cost_nano_usd);
  END IF;
  SELECT * INTO STRICT v_reversal FROM ledger_transaction AS reversal
    WHERE reversal.id = (SELECT known.transaction_id FROM ledger_reference AS known WHERE known.reference = 'reversal:' || p_reference);
  RETURN QUERY SELECT CASE WHEN v_transaction_id IS NULL THEN 'repeated' ELSE 'posted' END,
    v_reversal.id, v_amount, v_reversal.created_at;
END $function$
;

CREATE OR REPLACE FUNCTION public.roll_up_usage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.rotate_webhook_secret(p_account_id text, p_sealed text, p_grace_ms bigint)
 RETURNS TABLE(id text, created_at timestamp with time zone, previous_expires_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_previous_expires_at timestamptz;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  UPDATE webhook_secret SET expires_at = now() WHERE account_id = p_account_id AND expires_at > now();
  UPDATE webhook_secret SET expires_at = now() + p_grace_ms * interval '1 millisecond'
    WHERE account_id = p_account_id AND expires_at IS NULL RETURNING expires_at INTO v_previous_expires_at;
  RETURN QUERY
    INSERT INTO webhook_secret (id, account_id, sealed) VALUES (new_public_id('whsec'), p_account_id, p_sealed)
      RETURNING webhook_secret.id, webhook_secret.created_at, v_previous_expires_at;
END $function$
;

CREATE OR REPLACE FUNCTION public.seed_account_caps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM seed_cap_counts(NEW.id, NEW.id, NEW.caps, NEW.time_zone);
  IF NEW.time_zone <> OLD.time_zone THEN
    PERFORM seed_cap_counts(NEW.id, owner_id, caps, NEW.time_zone) FROM (
      SELECT coalesce(spending_key_id, id) AS owner_id, caps FROM api_key
        WHERE account_id = NEW.id AND revoked_at IS NULL AND caps <> '[]'
      UNION ALL
      SELECT id, caps FROM member WHERE account_id = NEW.id AND removed_at IS NULL AND caps <> '[]' ORDER BY 1) AS capped;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.seed_cap_counts(p_account_id text, p_owner_id text, p_caps jsonb, p_time_zone text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_period text;
  v_start timestamptz;
BEGIN
  FOR v_period IN SELECT DISTINCT cap->>'period' FROM jsonb_array_elements(p_caps) AS cap ORDER BY 1 LOOP
    v_start := period_start(v_period, p_time_zone, now());
    INSERT INTO cap_count AS known (owner_id, period, starts_at, ends_at)
      VALUES (p_owner_id, v_period, v_start, period_end(v_period, p_time_zone, v_start))
      ON CONFLICT (owner_id, period, starts_at) DO UPDATE SET version = known.version + 1;
    UPDATE cap_count SET (requests, tokens, cost_nano_usd) = (
        SELECT count(*), coalesce(sum(token_count(units)), 0)::bigint, coalesce(sum(cost), 0)::bigint FROM (
          SELECT key_id, units, CASE WHEN request_id IN (
              SELECT substr(reference, 1 + length('reversal:settlement:')) FROM ledger_transaction
                WHERE account_id = p_account_id AND kind = 'adjustment' AND starts_with(reference, 'reversal:settlement:')
                  AND id >= ledger_month_floor(v_start)
            ) THEN 0 ELSE cost_nano_usd END AS cost FROM settlement
            WHERE account_id = p_account_id AND settled_at >= v_start AND admitted_at >= v_start
          UNION ALL
          SELECT key_id, '{}', hold_nano_usd FROM video_task
            WHERE account_id = p_account_id AND NOT is_final_task(state) AND hold_entry_id IS NOT NULL AND video_task.created_at >= v_start
        ) AS used JOIN api_key ON api_key.id = used.key_id AND NOT is_test
        WHERE p_owner_id IN (p_account_id, member_id, coalesce(spending_key_id, api_key.id)))
      WHERE owner_id = p_owner_id AND period = v_period AND starts_at = v_start;
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.seed_key_caps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM seed_cap_counts(NEW.account_id, coalesce(NEW.spending_key_id, NEW.id), NEW.caps, time_zone)
    FROM account WHERE id = NEW.account_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.seed_member_caps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM seed_cap_counts(NEW.account_id, NEW.id, NEW.caps, time_zone) FROM account WHERE id = NEW.account_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.shard_epoch(p_shard integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT max(epoch) FROM redis_epoch WHERE shard = p_shard AND activated_at IS NOT NULL AND retired_at IS NULL
$function$
;

CREATE OR REPLACE FUNCTION public.shard_of(p_account_id text)
 RETURNS integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  v_bytes bytea := convert_to(p_account_id, 'UTF8');
  v_hash bigint := 2166136261;
BEGIN
  FOR v_index IN 0 .. octet_length(v_bytes) - 1 LOOP
    v_hash := ((v_hash # get_byte(v_bytes, v_index)) * 16777619) & 4294967295;
  END LOOP;
  RETURN (v_hash # (v_hash >> 16)) & 63;
END $function$
;

CREATE OR REPLACE FUNCTION public.token_count(p_units jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(sum(value::numeric), 0)::bigint FROM jsonb_each_text(p_units) WHERE key LIKE '%\_token'
$function$
;

CREATE OR REPLACE FUNCTION public.usd_of(p_nano_usd bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN p_nano_usd < 0 THEN '-' ELSE '' END || abs(p_nano_usd) / 1000000000 || '.'
    || left(fraction, 2) || rtrim(substr(fraction, 3), '0')
  FROM (SELECT lpad((abs(p_nano_usd) % 1000000000)::text, 9, '0') AS fraction) AS decimals
$function$
;

CREATE OR REPLACE FUNCTION public.watch_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH side AS MATERIALIZED (
    SELECT (SELECT account_id FROM ledger_account WHERE id = posted.ledger_account_id) AS account_id,
        sum(amount_nano_usd) AS amount
      FROM posted GROUP BY posted.ledger_account_id
  ), moved AS MATERIALIZED (
    SELECT account_id, sum(amount) AS change
      FROM side WHERE account_id IS NOT NULL GROUP BY account_id HAVING sum(amount) <> 0
  ), owned AS MATERIALIZED (
    SELECT account_id, change,
        (SELECT low_balance_nano_usd FROM account WHERE account.id = moved.account_id) AS low,
        (SELECT sum(balance_nano_usd)::bigint
          FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
          WHERE ledger_account.account_id = moved.account_id) AS balance
      FROM moved
  ), rearmed AS (
    DELETE FROM budget_alert USING owned
      WHERE budget_alert.subject = owned.account_id AND change > 0
        AND (type = 'balance.low' AND balance >= low OR type = 'balance.exhausted' AND balance > 0)
  ), crossed AS MATERIALIZED (
    SELECT account_id, type, balance, CASE type WHEN 'balance.low' THEN low END AS low
      FROM owned CROSS JOIN (VALUES ('balance.low'), ('balance.exhausted')) AS line (type)
      WHERE change < 0 AND CASE type WHEN 'balance.low' THEN balance < low ELSE balance <= 0 END
  )
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT account_id, type, account_id,
        jsonb_strip_nulls(jsonb_build_object('balance_usd', usd_of(balance), 'low_balance_usd', usd_of(low)))
      FROM crossed ORDER BY account_id, type DESC
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.watch_low_balance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_balance bigint;
BEGIN
  PERFORM 1 FROM ledger_balance
    WHERE ledger_account_id IN (SELECT id FROM ledger_account WHERE account_id = NEW.id)
    ORDER BY ledger_account_id DESC FOR NO KEY UPDATE;
  v_balance := owned_by(NEW.id);
  IF v_balance < NEW.low_balance_nano_usd THEN
    INSERT INTO budget_alert (subject, type, account_id, data)
      VALUES (NEW.id, 'balance.low', NEW.id, jsonb_build_object('balance_usd', usd_of(v_balance),
        'low_balance_usd', usd_of(NEW.low_balance_nano_usd)))
      ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM budget_alert WHERE subject = NEW.id AND type = 'balance.low';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.watch_spend_caps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH chain AS (
    SELECT DISTINCT coalesce(after.spending_key_id, after.id) AS id
      FROM changed_to AS after JOIN changed_from AS before ON before.id = after.id
      WHERE (after.spent_nano_usd, after.spend_cap_nano_usd) IS DISTINCT FROM
          (before.spent_nano_usd, before.spend_cap_nano_usd)
        AND (after.spending_key_id IS NOT NULL
          OR after.spent_nano_usd * 100 >= after.spend_cap_nano_usd * 80
          OR EXISTS (SELECT 1 FROM budget_alert WHERE subject = after.id)
          OR EXISTS (SELECT 1 FROM api_key WHERE spending_key_id = after.id AND parent_id IS NULL))
  ), watched AS MATERIALIZED (
    SELECT chain.id AS subject, first.spent_nano_usd AS spent, key.*, cap.*
      FROM chain JOIN api_key AS first ON first.id = chain.id
      CROSS JOIN LATERAL (
        SELECT api_key.id, account_id, name, spend_cap_nano_usd AS cap FROM api_key
          WHERE (api_key.id = chain.id OR spending_key_id = chain.id AND parent_id IS NULL) AND revoked_at IS NULL
          ORDER BY created_at DESC, api_key.id DESC LIMIT 1
      ) AS key
      CROSS JOIN (VALUES ('key.spend_cap.warning', 80), ('key.spend_cap.reached', 100)) AS cap (type, percent)
  ), rearmed AS (
    DELETE FROM budget_alert USING watched
      WHERE budget_alert.subject = watched.subject AND budget_alert.type = watched.type
        AND (cap IS NULL OR spent * 100 < cap * percent)
  )
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT subject, type, account_id, jsonb_build_object('key_id', id, 'name', name, 'spent_usd', usd_of(spent),
        'spend_cap_usd', usd_of(cap))
      FROM watched WHERE spent * 100 >= cap * percent
      ORDER BY account_id, subject, percent
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.webhook_host(p_url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(substring(lower(p_url) FROM '^[a-z]+://([^/?#]*)'), '')
$function$
;

CREATE TRIGGER open_ledger_accounts AFTER INSERT ON public.account FOR EACH ROW EXECUTE FUNCTION open_ledger_accounts();

CREATE TRIGGER seed_caps AFTER UPDATE OF caps, time_zone ON public.account FOR EACH ROW WHEN (((new.caps IS DISTINCT FROM old.caps) OR (new.time_zone IS DISTINCT FROM old.time_zone))) EXECUTE FUNCTION seed_account_caps();

CREATE TRIGGER watch_low_balance AFTER UPDATE OF low_balance_nano_usd ON public.account FOR EACH ROW WHEN ((new.low_balance_nano_usd IS DISTINCT FROM old.low_balance_nano_usd)) EXECUTE FUNCTION watch_low_balance();

CREATE TRIGGER remove_contents AFTER UPDATE OF revoked_at, keep_contents ON public.api_key FOR EACH ROW WHEN ((old.keep_contents AND ((new.revoked_at IS NOT NULL) OR (NOT new.keep_contents)))) EXECUTE FUNCTION remove_contents_of_key();

CREATE TRIGGER seed_caps AFTER UPDATE OF caps ON public.api_key FOR EACH ROW WHEN ((new.caps IS DISTINCT FROM old.caps)) EXECUTE FUNCTION seed_key_caps();

CREATE TRIGGER watch_spend_caps AFTER UPDATE ON public.api_key REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to FOR EACH STATEMENT EXECUTE FUNCTION watch_spend_caps();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_outcome FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER emit AFTER INSERT ON public.budget_alert DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION emit_budget_alert();

CREATE TRIGGER count_added AFTER INSERT ON public.conversation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER count_changed AFTER UPDATE OF bytes ON public.conversation FOR EACH ROW WHEN ((new.bytes IS DISTINCT FROM old.bytes)) EXECUTE FUNCTION change_kept_bytes('responses');

CREATE TRIGGER count_removed AFTER DELETE ON public.conversation REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER count_added AFTER INSERT ON public.durable_request REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');

CREATE TRIGGER count_removed AFTER DELETE ON public.durable_request REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');

CREATE TRIGGER count_updated AFTER UPDATE ON public.durable_request REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('requests');

CREATE TRIGGER open_added AFTER INSERT ON public.durable_request REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_open_requests();

CREATE TRIGGER open_removed AFTER DELETE ON public.durable_request REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION follow_open_requests();

CREATE TRIGGER open_balance AFTER INSERT ON public.ledger_account FOR EACH ROW EXECUTE FUNCTION open_ledger_balance();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_archive FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER follows_entries BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.ledger_balance FOR EACH STATEMENT EXECUTE FUNCTION refuse_direct_balance();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER post AFTER INSERT ON public.ledger_entry REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION post_ledger_entries();

CREATE TRIGGER watch AFTER INSERT ON public.ledger_entry REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION watch_balances();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_reference FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transaction FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER seed_caps AFTER UPDATE OF caps ON public.member FOR EACH ROW WHEN ((old.caps IS DISTINCT FROM new.caps)) EXECUTE FUNCTION seed_member_caps();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.price_override FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER count_added AFTER INSERT ON public.request_content REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER count_removed AFTER DELETE ON public.request_content REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settlement FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER roll_up AFTER INSERT ON public.settlement REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION roll_up_usage();

CREATE TRIGGER count_added AFTER INSERT ON public.stored_response REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER count_changed AFTER UPDATE OF bytes ON public.stored_response FOR EACH ROW WHEN ((new.bytes IS DISTINCT FROM old.bytes)) EXECUTE FUNCTION change_kept_bytes('responses');

CREATE TRIGGER count_removed AFTER DELETE ON public.stored_response REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_kept_bytes('responses');

CREATE TRIGGER ended_is_final BEFORE DELETE OR UPDATE ON public.video_task FOR EACH ROW EXECUTE FUNCTION refuse_task_change();

GRANT INSERT, SELECT, UPDATE ON account TO services;

GRANT DELETE, INSERT, SELECT ON account_event TO services;

GRANT USAGE ON account_event_id_seq TO services;

GRANT SELECT ON account_view TO services;

GRANT SELECT ON administrator TO services;

GRANT INSERT, SELECT, UPDATE ON api_key TO services;

GRANT SELECT ON archived_partition TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON attempt_window TO services;

GRANT INSERT, SELECT ON audit_entry TO services;

GRANT USAGE ON audit_entry_id_seq TO services;

GRANT INSERT, SELECT ON audit_outcome TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON batch TO services;

GRANT DELETE, INSERT, SELECT ON batch_segment TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON billing_copy TO services;

GRANT SELECT, UPDATE ON billing_shard TO services;

GRANT DELETE, INSERT, SELECT ON budget_alert TO services;

GRANT INSERT, SELECT, UPDATE ON cap_count TO services;

GRANT SELECT ON channel_control TO services;

GRANT INSERT, SELECT ON content_key TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON conversation TO services;

GRANT DELETE, INSERT, SELECT ON conversation_item TO services;

GRANT INSERT, SELECT ON credit TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON durable_request TO services;

GRANT INSERT, SELECT, UPDATE ON escrow_grant TO services;

GRANT INSERT, SELECT, UPDATE ON escrow_return TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON fetched_result TO services;

GRANT DELETE, INSERT, SELECT ON kept_answer_piece TO services;

GRANT SELECT ON ledger_account TO services;

GRANT USAGE ON ledger_account_id_seq TO services;

GRANT SELECT ON ledger_archive TO services;

GRANT SELECT ON ledger_balance TO services;

GRANT INSERT, SELECT ON ledger_entry TO services;

GRANT USAGE ON ledger_entry_id_seq TO services;

GRANT SELECT ON ledger_month TO services;

GRANT INSERT, SELECT ON ledger_reference TO services;

GRANT INSERT, SELECT ON ledger_transaction TO services;

GRANT USAGE ON ledger_transaction_id_seq TO services;

GRANT SELECT ON ledger_transaction_other TO services;

GRANT SELECT ON member TO services;

GRANT DELETE, INSERT, SELECT ON open_request TO services;

GRANT INSERT, SELECT ON parked_event TO services;

GRANT DELETE, INSERT, SELECT ON pending_body TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON pending_object TO services;

GRANT INSERT, SELECT ON price_override TO services;

GRANT USAGE ON price_override_id_seq TO services;

GRANT INSERT, SELECT, UPDATE ON redis_epoch TO services;

GRANT SELECT, UPDATE, USAGE ON redis_epoch_epoch_seq TO services;

GRANT DELETE, INSERT, SELECT ON request_content TO services;

GRANT INSERT, SELECT ON settlement TO services;

GRANT SELECT ON settlement_other TO services;

GRANT INSERT, SELECT, UPDATE ON store_use TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON stored_object TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON stored_response TO services;

GRANT DELETE, INSERT, SELECT ON stored_response_item TO services;

GRANT SELECT ON usage_day TO services;

GRANT SELECT ON usage_rollup TO services;

GRANT SELECT ON vendor_bill TO services;

GRANT SELECT ON vendor_bill_item TO services;

GRANT SELECT ON vendor_bill_line TO services;

GRANT INSERT, SELECT, UPDATE ON video_task TO services;

GRANT INSERT, SELECT, UPDATE ON webhook_attempt TO services;

GRANT INSERT, SELECT, UPDATE ON webhook_delivery TO services;

GRANT USAGE ON webhook_delivery_sequence_seq TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_endpoint TO services;

GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_secret TO services;

GRANT EXECUTE ON FUNCTION account_epoch(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION active_epoch() TO PUBLIC;

GRANT EXECUTE ON FUNCTION add_durable_requests(jsonb[],text[]) TO PUBLIC;

GRANT EXECUTE ON FUNCTION add_kept_bytes(text,text,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION add_units(jsonb,jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION adopt_orphan_task_holds(integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION analyze_months() TO services;

GRANT EXECUTE ON FUNCTION append_event(text,text,text,jsonb,boolean) TO PUBLIC;

GRANT EXECUTE ON FUNCTION balance_of(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION cancel_orphaned_deliveries() TO PUBLIC;

GRANT EXECUTE ON FUNCTION cancel_webhook_deliveries(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION cap_periods(text,jsonb,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION change_kept_bytes() TO PUBLIC;

GRANT EXECUTE ON FUNCTION change_member(text,text,text,boolean,boolean,boolean) TO PUBLIC;

GRANT EXECUTE ON FUNCTION claim_durable_requests(text[],text[],double precision) TO PUBLIC;

GRANT EXECUTE ON FUNCTION claim_webhook_deliveries(integer,integer,integer,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION close_account(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION close_child_key(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION close_escrow_return(text,bigint,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION count_caps(jsonb,text[]) TO PUBLIC;

GRANT EXECUTE ON FUNCTION count_kept_bytes() TO PUBLIC;

GRANT EXECUTE ON FUNCTION create_child_key(text,text,jsonb,integer,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION create_webhook_endpoint(text,text,text[],text,boolean,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION emit_budget_alert() TO PUBLIC;

GRANT EXECUTE ON FUNCTION emit_event(text,text,text,jsonb,text,boolean) TO PUBLIC;

GRANT EXECUTE ON FUNCTION emit_event_to_endpoint(text,text,text,jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION emit_events(text,jsonb[],text[],boolean[]) TO PUBLIC;

GRANT EXECUTE ON FUNCTION empty_closed_account(text,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION enable_webhook_endpoint(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION end_durable_requests(jsonb[],text[],double precision) TO PUBLIC;

GRANT EXECUTE ON FUNCTION end_webhook_endpoint(text,text,boolean) TO PUBLIC;

GRANT EXECUTE ON FUNCTION epoch_lock_key() TO PUBLIC;

GRANT EXECUTE ON FUNCTION find_durable_requests(text[],text[],boolean[]) TO PUBLIC;

GRANT EXECUTE ON FUNCTION finish_video_task(text,integer,jsonb,jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION first_event_since(text,timestamp with time zone) TO PUBLIC;

GRANT EXECUTE ON FUNCTION follow_epoch(bigint,integer[],bigint,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION follow_open_requests() TO PUBLIC;

GRANT EXECUTE ON FUNCTION grant_escrow(text,bigint,bigint,bigint) TO services;

GRANT EXECUTE ON FUNCTION hard_caps(jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION hold_shards(text,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION is_final_task(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION is_return_under_way(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION is_sent_by_default(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION keep_ledger_months(integer) TO services;

GRANT EXECUTE ON FUNCTION keep_usage_days(integer,integer) TO services;

GRANT EXECUTE ON FUNCTION kept_until(text,timestamp with time zone) TO PUBLIC;

GRANT EXECUTE ON FUNCTION ledger_account_of(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION ledger_month_floor(timestamp with time zone) TO PUBLIC;

GRANT EXECUTE ON FUNCTION limit_child_keys(text,text,boolean) TO PUBLIC;

GRANT EXECUTE ON FUNCTION lock_held_tasks(jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION lock_shard_of(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION make_month_partitions(date,date) TO services;

GRANT EXECUTE ON FUNCTION mirror_escrow(text,bigint,bigint,bigint) TO services;

GRANT EXECUTE ON FUNCTION month_bounds(text,date) TO PUBLIC;

GRANT EXECUTE ON FUNCTION new_public_id(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION open_escrow_returns(bigint,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION owned_by(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION partition_end(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION pending_webhook_hosts(integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION period_end(text,text,timestamp with time zone) TO PUBLIC;

GRANT EXECUTE ON FUNCTION period_start(text,text,timestamp with time zone) TO PUBLIC;

GRANT EXECUTE ON FUNCTION post_credit(text,text,text,bigint,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION post_transfer(text,text,text,text,bigint,bigint,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION raise_cap_alerts(text,text,jsonb,cap_count) TO PUBLIC;

GRANT EXECUTE ON FUNCTION raise_exhausted_alert(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION record_settlements(jsonb,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION refund_repeated_charge(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION refuse_change() TO PUBLIC;

GRANT EXECUTE ON FUNCTION refuse_direct_balance() TO PUBLIC;

GRANT EXECUTE ON FUNCTION refuse_task_change() TO PUBLIC;

GRANT EXECUTE ON FUNCTION remove_contents_of_key() TO PUBLIC;

GRANT EXECUTE ON FUNCTION replay_webhook_deliveries(text,text,text[],timestamp with time zone,bigint,timestamp with time zone,integer,bigint,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION replay_webhook_delivery(text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION report_webhook_attempt(text,text,integer,text,integer,integer,text,text,bigint,bigint,integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION reserve_epoch() TO PUBLIC;

GRANT EXECUTE ON FUNCTION retire_former_epoch() TO PUBLIC;

GRANT EXECUTE ON FUNCTION return_cap_costs(text,timestamp with time zone,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION return_key_spending(text,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION revenue_of_shard(integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION reverse_transaction(text,text,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION rotate_webhook_secret(text,text,bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION seed_account_caps() TO PUBLIC;

GRANT EXECUTE ON FUNCTION seed_cap_counts(text,text,jsonb,text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION seed_key_caps() TO PUBLIC;

GRANT EXECUTE ON FUNCTION seed_member_caps() TO PUBLIC;

GRANT EXECUTE ON FUNCTION shard_epoch(integer) TO PUBLIC;

GRANT EXECUTE ON FUNCTION shard_of(text) TO PUBLIC;

GRANT EXECUTE ON FUNCTION token_count(jsonb) TO PUBLIC;

GRANT EXECUTE ON FUNCTION usd_of(bigint) TO PUBLIC;

GRANT EXECUTE ON FUNCTION watch_balances() TO PUBLIC;

GRANT EXECUTE ON FUNCTION watch_spend_caps() TO PUBLIC;

GRANT EXECUTE ON FUNCTION webhook_host(text) TO PUBLIC;
