-- Rejects a transaction that does not sum to zero, and an entry without its transaction or ledger account. Then moves the
-- balances of the entries. It is the only writer of ledger_balance.
-- Trigger "post" of ledger_entry, once for each statement. It replaces two foreign keys, which check each row: neither table
-- ever loses a row, so what exists here cannot vanish before the commit.
CREATE OR REPLACE FUNCTION post_ledger_entries() RETURNS trigger LANGUAGE plpgsql
-- A session that saw the month empty would plan to scan it, and keep that plan.
SET enable_seqscan = off AS $$
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
END $$;
