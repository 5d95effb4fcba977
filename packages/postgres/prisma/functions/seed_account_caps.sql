-- Counts what is booked when the caps of an account change, and for its members and keys too when its time zone does.
-- Trigger "seed_caps" of account, for each row.
CREATE OR REPLACE FUNCTION seed_account_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM seed_cap_counts(NEW.id, NEW.id, NEW.caps, NEW.time_zone);
  IF NEW.time_zone <> OLD.time_zone THEN
    PERFORM seed_cap_counts(NEW.id, owner_id, caps, NEW.time_zone) FROM (
      SELECT coalesce(spending_key_id, id) AS owner_id, caps FROM api_key
        WHERE account_id = NEW.id AND revoked_at IS NULL AND caps <> '[]'
      UNION ALL
      SELECT id, caps FROM member WHERE account_id = NEW.id AND removed_at IS NULL AND caps <> '[]' ORDER BY 1) AS capped;
  END IF;
  RETURN NULL;
END $$;
