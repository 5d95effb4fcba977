-- Rejects a transaction that does not sum to zero, then moves the balances of its entries. It is the only writer of
-- ledger_balance.
-- Trigger "post" of ledger_entry, once for each statement.
CREATE OR REPLACE FUNCTION post_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_unbalanced bigint;
BEGIN
  SELECT transaction_id INTO v_unbalanced
    FROM posted GROUP BY transaction_id HAVING sum(amount_nano_usd) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', v_unbalanced USING ERRCODE = 'check_violation';
  END IF;
  -- One order for all writers, so that two cannot deadlock. The busy accounts of the house have the lowest ids and come last.
  PERFORM 1 FROM ledger_balance
    WHERE ledger_account_id IN (SELECT ledger_account_id FROM posted)
    ORDER BY ledger_account_id DESC FOR NO KEY UPDATE;
  UPDATE ledger_balance AS balance
    SET balance_nano_usd = balance.balance_nano_usd + moved.amount, version = balance.version + 1
    FROM (SELECT ledger_account_id, sum(amount_nano_usd)::bigint AS amount FROM posted GROUP BY ledger_account_id) AS moved
    WHERE balance.ledger_account_id = moved.ledger_account_id;
  RETURN NULL;
END $$;
