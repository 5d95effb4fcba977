-- Raises and clears the alerts balance.low and balance.exhausted of the accounts whose total has changed.
-- It runs after "post", by the order of the names, so the balances have moved and are locked. It reads accounts one by
-- one, because a session caches the plan of its first batch. A cached scan of all accounts took 60 ms of each posting.
-- Trigger "watch" of ledger_entry, once for each statement.
CREATE OR REPLACE FUNCTION watch_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH side AS MATERIALIZED (
    SELECT (SELECT account_id FROM ledger_account WHERE id = posted.ledger_account_id) AS account_id,
        sum(amount_nano_usd) AS amount
      FROM posted GROUP BY posted.ledger_account_id
  ), moved AS MATERIALIZED (
    SELECT account_id, sum(amount) AS change
      FROM side WHERE account_id IS NOT NULL GROUP BY account_id HAVING sum(amount) <> 0
  ), owned AS MATERIALIZED (
    SELECT account_id, change,
        (SELECT low_balance_nano_usd FROM account WHERE account.id = moved.account_id) AS low,
        (SELECT sum(balance_nano_usd)::bigint
          FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
          WHERE ledger_account.account_id = moved.account_id) AS balance
      FROM moved
  ), rearmed AS (
    DELETE FROM budget_alert USING owned
      WHERE budget_alert.subject = owned.account_id AND change > 0
        AND (type = 'balance.low' AND balance >= low OR type = 'balance.exhausted' AND balance > 0)
  ), crossed AS MATERIALIZED (
    SELECT account_id, type, balance, CASE type WHEN 'balance.low' THEN low END AS low
      FROM owned CROSS JOIN (VALUES ('balance.low'), ('balance.exhausted')) AS line (type)
      WHERE change < 0 AND CASE type WHEN 'balance.low' THEN balance < low ELSE balance <= 0 END
  )
  INSERT INTO budget_alert (subject, type, account_id, data)
    SELECT account_id, type, account_id,
        jsonb_strip_nulls(jsonb_build_object('balance_usd', usd_of(balance), 'low_balance_usd', usd_of(low)))
      FROM crossed ORDER BY account_id, type DESC
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
