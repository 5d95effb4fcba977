-- Creates a new current secret. The former one stays valid for p_grace_ms milliseconds; older ones end now.
-- Locks the account, so that two rotations do not leave two current secrets.
-- Called by rotateSecret().
CREATE OR REPLACE FUNCTION rotate_webhook_secret(p_account_id text, p_sealed text, p_grace_ms bigint)
RETURNS TABLE (id text, created_at timestamptz, previous_expires_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  v_previous_expires_at timestamptz;
BEGIN
  PERFORM 1 FROM account WHERE account.id = p_account_id FOR NO KEY UPDATE;
  UPDATE webhook_secret SET expires_at = now() WHERE account_id = p_account_id AND expires_at > now();
  UPDATE webhook_secret SET expires_at = now() + p_grace_ms * interval '1 millisecond'
    WHERE account_id = p_account_id AND expires_at IS NULL RETURNING expires_at INTO v_previous_expires_at;
  RETURN QUERY
    INSERT INTO webhook_secret (id, account_id, sealed) VALUES (new_public_id('whsec'), p_account_id, p_sealed)
      RETURNING webhook_secret.id, webhook_secret.created_at, v_previous_expires_at;
END $$;
