-- 64 ledger accounts of revenue. A batch of charges pays one of them, that of its lowest shard of money: copies of billing hold
-- other shards, so their batches lock no balance of each other. The first account of revenue keeps what it has.
-- The ids are negative, so that these balances stay the last ones that a transaction locks: post_ledger_entries().
-- Balances are not locked as a table: who grants locks a balance first and reads an account then.
-- The locks last as long as the index of accounts is built, a second for a million.
CREATE OR REPLACE FUNCTION ledger_account_of(p_kind text, p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT id FROM ledger_account WHERE kind = p_kind AND coalesce(account_id, '') = coalesce(p_account_id, '') AND id > 0
$$;
LOCK TABLE ledger_account IN ACCESS EXCLUSIVE MODE;
DROP INDEX ledger_account_once;
CREATE UNIQUE INDEX ledger_account_once ON ledger_account (kind, coalesce(account_id, '')) WHERE id > 0;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_revenue_of_shard CHECK (id > 0 OR kind = 'revenue' AND id >= -64 AND id < 0);
-- The bodies of the triggers follow in the same run.
ALTER TABLE ledger_account DISABLE TRIGGER USER;
ALTER TABLE ledger_balance DISABLE TRIGGER USER;
INSERT INTO ledger_account (id, kind) SELECT -1 - shard, 'revenue' FROM generate_series(0, 63) AS shard;
INSERT INTO ledger_balance (ledger_account_id) SELECT -1 - shard FROM generate_series(0, 63) AS shard;
ALTER TABLE ledger_account ENABLE TRIGGER USER;
ALTER TABLE ledger_balance ENABLE TRIGGER USER;
