-- Sets an account's escrow to what Redis holds, in nano-USD, against the customer's balance: the total stays the same.
-- Returns false if the escrow is not p_seen_escrow any more, the epoch is another, or a return is under way.
-- An abandoned return is closed: what it took out is not in Redis.
-- Called by mirrorEscrow().
CREATE OR REPLACE FUNCTION mirror_escrow(p_account_id text, p_seen_escrow bigint, p_held_by_redis bigint, p_epoch bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
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
END $$;
