-- A vendor's result, and whether the gateway has its bytes yet. Its file is `stored_object` of the same id, once it is stored.
CREATE TABLE fetched_result (
  file_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  part TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  is_test BOOLEAN NOT NULL,
  source_url TEXT NOT NULL,
  source_expires_at TIMESTAMPTZ(3) NOT NULL,
  billed_seconds INTEGER,
  status TEXT NOT NULL DEFAULT 'pending',
  reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  media JSONB,
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT fetched_result_pkey PRIMARY KEY (file_id),
  CONSTRAINT fetched_result_task_id_part_key UNIQUE (task_id, part),
  CONSTRAINT fetched_result_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id)
    ON DELETE RESTRICT ON UPDATE NO ACTION,
  CONSTRAINT fetched_result_part_check CHECK (part IN ('video', 'last_frame')),
  CONSTRAINT fetched_result_status_check CHECK (status IN ('pending', 'stored', 'passed_on', 'lost'))
);
CREATE INDEX fetched_result_due_at_idx ON fetched_result (due_at) WHERE status = 'pending';
CREATE INDEX fetched_result_source_expires_at_idx ON fetched_result (source_expires_at) WHERE status <> 'pending';
