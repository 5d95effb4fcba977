-- Counts what is booked when the caps of a key change.
-- Trigger "seed_caps" of api_key, for each row.
CREATE OR REPLACE FUNCTION seed_key_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM seed_cap_counts(NEW.account_id, coalesce(NEW.spending_key_id, NEW.id), NEW.caps, time_zone)
    FROM account WHERE id = NEW.account_id;
  RETURN NULL;
END $$;
