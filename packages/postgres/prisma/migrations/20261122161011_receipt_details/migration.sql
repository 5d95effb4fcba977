-- What a receipt tells beside its money: when the request was queued, the status of its response, the client's
-- idempotency key, and what the gateway changed in the request.
ALTER TABLE settlement
  ADD COLUMN queued_at timestamptz(3),
  ADD COLUMN status integer,
  ADD COLUMN idempotency_key text,
  ADD COLUMN changes jsonb;

CREATE INDEX settlement_account_id_idempotency_key_idx ON settlement (account_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
