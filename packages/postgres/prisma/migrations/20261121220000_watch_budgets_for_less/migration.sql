-- As before, without calling a function for each account of a batch: amounts are only written out for those who are told.
CREATE OR REPLACE FUNCTION watch_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH moved AS (
    SELECT ledger_account.account_id, sum(posted.amount_nano_usd) AS change
      FROM posted JOIN ledger_account ON ledger_account.id = posted.ledger_account_id
      WHERE ledger_account.account_id IS NOT NULL
      GROUP BY ledger_account.account_id HAVING sum(posted.amount_nano_usd) <> 0
  ), owned AS MATERIALIZED (
    SELECT moved.account_id, change, balance, low_balance_nano_usd AS low
      FROM moved JOIN account ON account.id = moved.account_id
      CROSS JOIN LATERAL (
        SELECT sum(balance_nano_usd)::bigint AS balance
          FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
          WHERE ledger_account.account_id = moved.account_id
      ) AS own
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

-- As before, and looks no further at keys that are far from their caps, of which nothing was told, and that are alone in their line.
CREATE OR REPLACE FUNCTION watch_spend_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH line AS (
    SELECT DISTINCT coalesce(after.spending_key_id, after.id) AS id
      FROM changed_to AS after JOIN changed_from AS before ON before.id = after.id
      WHERE (after.spent_nano_usd, after.spend_cap_nano_usd) IS DISTINCT FROM
          (before.spent_nano_usd, before.spend_cap_nano_usd)
        AND (after.spending_key_id IS NOT NULL
          OR after.spent_nano_usd * 100 >= after.spend_cap_nano_usd * 80
          OR EXISTS (SELECT 1 FROM budget_alert WHERE subject = after.id)
          OR EXISTS (SELECT 1 FROM api_key WHERE spending_key_id = after.id))
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
