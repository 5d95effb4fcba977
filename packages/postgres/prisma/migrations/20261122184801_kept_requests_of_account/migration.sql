-- The list of an account's kept requests, the newest first.
CREATE INDEX durable_request_account_id_created_at_id_idx ON durable_request (account_id, is_test, created_at DESC, id DESC);
