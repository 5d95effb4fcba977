-- A block that nobody uses goes back from escrow to its customer. The ledger opens a numbered return, Redis takes what is
-- spendable out under that number, once, and the ledger books what was taken and closes it. Whoever finds a return open may
-- finish it: Redis says the same amount again, and a closed one books nothing. One row for each account, with its latest return.

-- CreateTable
CREATE TABLE "escrow_return" (
    "account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 1,
    "epoch" BIGINT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "escrow_return_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "escrow_return" ADD CONSTRAINT "escrow_return_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- The expression keeps the index out of reach of schema.prisma, which cannot say WHERE.
CREATE INDEX "escrow_return_open" ON "escrow_return" (("sequence" + 0)) WHERE "closed_at" IS NULL;

-- Opens a return for accounts whose escrow has not moved, and was not asked back, for so long. Nothing moves yet.
CREATE FUNCTION open_escrow_returns(p_idle_ms bigint, p_limit int)
RETURNS TABLE (account_id text, sequence bigint, epoch bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_epoch bigint;
  v_idle_since timestamptz := now() - p_idle_ms * interval '1 millisecond';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  v_epoch := active_epoch();
  IF v_epoch IS NULL THEN
    RETURN;
  END IF;
  RETURN QUERY
    INSERT INTO escrow_return AS last (account_id, epoch)
      SELECT ledger_account.account_id, v_epoch
        FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
        LEFT JOIN escrow_return ON escrow_return.account_id = ledger_account.account_id
        WHERE kind = 'escrow' AND balance_nano_usd > 0
          AND (escrow_return.account_id IS NULL
            OR escrow_return.closed_at IS NOT NULL AND escrow_return.opened_at <= v_idle_since)
          AND (SELECT ledger_transaction.created_at
            FROM ledger_entry JOIN ledger_transaction ON ledger_transaction.id = transaction_id
            WHERE ledger_account_id = ledger_account.id ORDER BY ledger_entry.id DESC LIMIT 1) <= v_idle_since
        ORDER BY ledger_account.account_id LIMIT p_limit
      -- Another process was faster: its return is this one.
      ON CONFLICT (account_id) DO UPDATE
        SET sequence = last.sequence + 1, epoch = excluded.epoch, opened_at = now(), closed_at = NULL
        WHERE last.closed_at IS NOT NULL
      RETURNING last.account_id, last.sequence, last.epoch;
END $$;

-- Books what Redis has taken out under this number, and what the customer has then; no row if it was closed before, or void.
CREATE FUNCTION close_escrow_return(p_account_id text, p_sequence bigint, p_amount bigint)
RETURNS TABLE (customer_nano_usd bigint, customer_version bigint)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  -- Before the balances are read or moved: whoever decides on a grant sees the return open, or its money.
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
END $$;

-- A return that a process of this release has opened is finished within moments. One that is older was left by a release that
-- is not there any more, and the one before knows nothing of returns: it must not wait for it.
CREATE FUNCTION is_return_under_way(p_account_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM escrow_return
    WHERE account_id = p_account_id AND closed_at IS NULL AND opened_at > now() - interval '1 minute')
$$;

-- As before, and says no only if nothing is on its way back, which may be what is missing. `no_epoch` with an amount: ask
-- again when the return is finished. The release before knows no other word for it, and answers 503.
CREATE OR REPLACE FUNCTION grant_escrow(p_account_id text, p_missing bigint, p_block_limit bigint, p_block_divisor bigint)
RETURNS TABLE (outcome text, amount_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_epoch bigint;
  v_sequence bigint;
  v_customer bigint;
  v_amount bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  v_epoch := active_epoch();
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
    PERFORM note_exhausted(p_account_id);
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
END $$;

-- As before, and returns that were under way are void: what they took, or did not, goes back with all the rest.
CREATE OR REPLACE FUNCTION activate_epoch(p_epoch bigint)
RETURNS TABLE (is_changed boolean, accounts bigint, returned_nano_usd bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_activation int;
BEGIN
  PERFORM pg_advisory_xact_lock(epoch_lock_key());
  IF active_epoch() = p_epoch THEN
    RETURN QUERY SELECT false, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  UPDATE redis_epoch SET retired_at = now() WHERE activated_at IS NOT NULL AND retired_at IS NULL;
  INSERT INTO redis_epoch AS life (epoch, activations, activated_at) VALUES (p_epoch, 1, now())
    ON CONFLICT (epoch) DO UPDATE SET activations = life.activations + 1, activated_at = now(), retired_at = NULL
    RETURNING activations INTO v_activation;
  PERFORM setval('redis_epoch_epoch_seq', greatest(p_epoch, (SELECT last_value FROM redis_epoch_epoch_seq)));
  UPDATE escrow_grant SET voided_at = now() WHERE delivered_at IS NULL AND voided_at IS NULL;
  UPDATE escrow_return SET closed_at = now() WHERE closed_at IS NULL;
  RETURN QUERY
    WITH returned AS (
      SELECT ledger_account.account_id, ledger_account.id AS escrow_id, balance_nano_usd AS amount,
        'escrow-return:' || p_epoch || '.' || v_activation || ':' || ledger_account.account_id AS reference
      FROM ledger_balance JOIN ledger_account ON ledger_account.id = ledger_account_id
      WHERE kind = 'escrow' AND balance_nano_usd <> 0
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
    SELECT true, count(*), coalesce(sum(amount), 0)::bigint FROM returned;
END $$;

-- As before, and leaves alone what a return has under way; one that was abandoned ends here, since what it took is not in Redis.
CREATE OR REPLACE FUNCTION mirror_escrow(p_account_id text, p_seen_escrow bigint, p_held_by_redis bigint, p_epoch bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_escrow bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(epoch_lock_key());
  IF active_epoch() IS DISTINCT FROM p_epoch OR p_seen_escrow = p_held_by_redis THEN
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
