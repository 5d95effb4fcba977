-- Counts what is booked when the caps of a member change.
-- Trigger "seed_caps" of member, for each row.
CREATE OR REPLACE FUNCTION seed_member_caps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM seed_cap_counts(NEW.account_id, NEW.id, NEW.caps, time_zone) FROM account WHERE id = NEW.account_id;
  RETURN NULL;
END $$;
