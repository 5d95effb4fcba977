-- Telling customers that their money runs out. A row of `budget_alert` says that somebody was told and what is told of is
-- still so: it is written when a line is crossed, and removed when it is crossed back. Triggers write it, in the
-- transaction that moves the money, whichever function moves it: so nothing is crossed untold, and nothing is told twice.

-- Null: not wanted.
ALTER TABLE "account" ADD COLUMN "low_balance_nano_usd" BIGINT DEFAULT 1000000000;
ALTER TABLE "account" ADD CONSTRAINT "account_low_balance_is_not_negative" CHECK ("low_balance_nano_usd" >= 0);

-- CreateTable
CREATE TABLE "budget_alert" (
    "subject" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budget_alert_pkey" PRIMARY KEY ("subject","type")
);

-- CreateIndex
CREATE INDEX "api_key_spending_key_id_idx" ON "api_key"("spending_key_id");

-- AddForeignKey
ALTER TABLE "budget_alert" ADD CONSTRAINT "budget_alert_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Told at the commit, when every other lock has been taken: the lock of an account's events comes last. Whoever charges holds
-- the one balance of revenue until then, so that two who tell several accounts do not wait for each other in a circle.
CREATE FUNCTION tell_of_budget() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM emit_event(NEW.account_id, NEW.type, coalesce(NEW.data->>'key_id', NEW.subject), NEW.data, NULL, false);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "tell" AFTER INSERT ON "budget_alert" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION tell_of_budget();

-- As decimal USD, in the form in which everything else shows it.
CREATE FUNCTION usd_of(p_nano_usd bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_nano_usd < 0 THEN '-' ELSE '' END || abs(p_nano_usd) / 1000000000 || '.'
    || left(fraction, 2) || rtrim(substr(fraction, 3), '0')
  FROM (SELECT lpad((abs(p_nano_usd) % 1000000000)::text, 9, '0') AS fraction) AS decimals
$$;

-- All that a customer owns, in escrow and kept for tasks too: it changes by charges and credits, not by what is held meanwhile.
CREATE FUNCTION owned_by(p_account_id text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT sum(balance_nano_usd)::bigint FROM ledger_account JOIN ledger_balance ON ledger_account_id = id
    WHERE account_id = p_account_id
$$;

-- After "post", by its name: the balances have moved, and are locked.
CREATE FUNCTION watch_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH moved AS (
    SELECT ledger_account.account_id, sum(posted.amount_nano_usd) AS change
      FROM posted JOIN ledger_account ON ledger_account.id = posted.ledger_account_id
      WHERE ledger_account.account_id IS NOT NULL
      GROUP BY ledger_account.account_id HAVING sum(posted.amount_nano_usd) <> 0
  ), owned AS MATERIALIZED (
    SELECT moved.account_id, change, owned_by(moved.account_id) AS balance, low_balance_nano_usd AS low
      FROM moved JOIN account ON account.id = moved.account_id
  ), rearmed AS (
    DELETE FROM budget_alert USING owned
      WHERE budget_alert.subject = owned.account_id AND change > 0
        AND (type = 'balance.low' AND balance >= low OR type = 'balance.exhausted' AND balance > 0)
  )
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT account_id, line.type, account_id, line.data
      FROM owned CROSS JOIN LATERAL (VALUES
        ('balance.low', balance < low,
          jsonb_build_object('balance_usd', usd_of(balance), 'low_balance_usd', usd_of(low))),
        ('balance.exhausted', balance <= 0, jsonb_build_object('balance_usd', usd_of(balance)))
      ) AS line (type, is_crossed, data)
      WHERE change < 0 AND is_crossed
      ORDER BY account_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "watch" AFTER INSERT ON "ledger_entry" REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION watch_balances();

-- Another threshold: what is below it is told of at once.
CREATE FUNCTION watch_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;

CREATE TRIGGER "watch_low_balance" AFTER UPDATE OF "low_balance_nano_usd" ON "account"
  FOR EACH ROW WHEN (NEW."low_balance_nano_usd" IS DISTINCT FROM OLD."low_balance_nano_usd")
  EXECUTE FUNCTION watch_low_balance();

-- A key and those that replaced it spend together: they are one line, told of once, by the cap of the newest.
CREATE FUNCTION watch_spend_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH line AS (
    SELECT DISTINCT coalesce(after.spending_key_id, after.id) AS id
      FROM changed_to AS after JOIN changed_from AS before ON before.id = after.id
      WHERE (after.spent_nano_usd, after.spend_cap_nano_usd) IS DISTINCT FROM
          (before.spent_nano_usd, before.spend_cap_nano_usd)
        AND (after.spend_cap_nano_usd IS NOT NULL OR before.spend_cap_nano_usd IS NOT NULL
          OR EXISTS (SELECT 1 FROM api_key WHERE spending_key_id = after.id AND spend_cap_nano_usd IS NOT NULL))
  ), watched AS MATERIALIZED (
    SELECT line.id AS subject, first.spent_nano_usd AS spent, key.*, cap.*
      FROM line JOIN api_key AS first ON first.id = line.id
      CROSS JOIN LATERAL (
        SELECT api_key.id, account_id, name, spend_cap_nano_usd AS cap FROM api_key
          WHERE (api_key.id = line.id OR spending_key_id = line.id) AND revoked_at IS NULL
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
END $$;

CREATE TRIGGER "watch_spend_caps" AFTER UPDATE ON "api_key" REFERENCING OLD TABLE AS changed_from NEW TABLE AS changed_to
  FOR EACH STATEMENT EXECUTE FUNCTION watch_spend_caps();

-- A request was refused for want of money. While a block is on its way to Redis that is not the last word.
CREATE FUNCTION note_exhausted(p_account_id text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT p_account_id, 'balance.exhausted', p_account_id, jsonb_build_object('balance_usd', usd_of(owned_by(p_account_id)))
      WHERE NOT EXISTS (SELECT 1 FROM escrow_grant
        WHERE account_id = p_account_id AND delivered_at IS NULL AND voided_at IS NULL)
    ON CONFLICT DO NOTHING
$$;

-- As before, and whoever is refused is told that the balance is exhausted.
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
