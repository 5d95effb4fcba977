-- Raises and clears the alerts key.spend_cap.warning (80 %) and key.spend_cap.reached (100 %).
-- A key and its replacements spend together: they have one alert, by the cap of the newest. Keys that are far from the
-- cap, without an alert and without a replacement, are skipped at once. A child that has ended counts on its parent's line too,
-- but its budget is not the parent's cap.
-- Trigger "watch_spend_caps" of api_key, once for each statement.
CREATE OR REPLACE FUNCTION watch_spend_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH chain AS (
    SELECT DISTINCT coalesce(after.spending_key_id, after.id) AS id
      FROM changed_to AS after JOIN changed_from AS before ON before.id = after.id
      WHERE (after.spent_nano_usd, after.spend_cap_nano_usd) IS DISTINCT FROM
          (before.spent_nano_usd, before.spend_cap_nano_usd)
        AND (after.spending_key_id IS NOT NULL
          OR after.spent_nano_usd * 100 >= after.spend_cap_nano_usd * 80
          OR EXISTS (SELECT 1 FROM budget_alert WHERE subject = after.id)
          OR EXISTS (SELECT 1 FROM api_key WHERE spending_key_id = after.id AND parent_id IS NULL))
  ), watched AS MATERIALIZED (
    SELECT chain.id AS subject, first.spent_nano_usd AS spent, key.*, cap.*
      FROM chain JOIN api_key AS first ON first.id = chain.id
      CROSS JOIN LATERAL (
        SELECT api_key.id, account_id, name, spend_cap_nano_usd AS cap FROM api_key
          WHERE (api_key.id = chain.id OR spending_key_id = chain.id AND parent_id IS NULL) AND revoked_at IS NULL
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
