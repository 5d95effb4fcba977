-- A short body and a short response wait in the row of their request; longer ones are objects of the store.
-- A request ends before Redis settles it: settled_at is when Redis has confirmed.
ALTER TABLE durable_request ADD COLUMN body BYTEA, ADD COLUMN response_body BYTEA, ADD COLUMN settled_at TIMESTAMPTZ(3);
-- Contents leave the row uncompressed, once; what each change of the row copies stays in it.
ALTER TABLE durable_request
  ALTER COLUMN body SET STORAGE EXTERNAL,
  ALTER COLUMN response_body SET STORAGE EXTERNAL,
  ALTER COLUMN ticket SET STORAGE MAIN,
  ALTER COLUMN settlement SET STORAGE MAIN,
  ALTER COLUMN response SET STORAGE MAIN;
