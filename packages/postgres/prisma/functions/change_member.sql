-- Gives a member another role (null: keeps it), or removes the member. The last owner keeps the role and stays, however many
-- ask at once: the lock of the account comes before the count.
-- p_ends_keys: the keys of a member who stays end too, as those of a removed one.
-- p_hands_over: the organisation gets the keys that would end; otherwise they are revoked.
-- Returns 'changed', 'unknown' or 'last_owner'.
-- Called by changeMemberRole() and removeMember().
CREATE OR REPLACE FUNCTION change_member(p_account_id text, p_member_id text, p_role text, p_is_removed boolean, p_hands_over boolean,
  p_ends_keys boolean DEFAULT false)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_member member%ROWTYPE;
BEGIN
  PERFORM 1 FROM account WHERE id = p_account_id FOR NO KEY UPDATE;
  SELECT * INTO v_member FROM member WHERE id = p_member_id AND account_id = p_account_id AND removed_at IS NULL;
  IF NOT FOUND THEN
    RETURN 'unknown';
  END IF;
  IF v_member.role = 'owner' AND (p_is_removed OR coalesce(p_role, 'owner') <> 'owner') AND NOT EXISTS (
    SELECT 1 FROM member WHERE account_id = p_account_id AND role = 'owner' AND removed_at IS NULL AND id <> p_member_id
  ) THEN
    RETURN 'last_owner';
  END IF;
  UPDATE member SET role = coalesce(p_role, role), removed_at = CASE WHEN p_is_removed THEN now() END WHERE id = p_member_id;
  -- The links that a former owner sent could let him or her in again.
  IF v_member.role = 'owner' AND (p_is_removed OR coalesce(p_role, 'owner') <> 'owner') THEN
    UPDATE invitation SET revoked_at = now()
      WHERE account_id = p_account_id AND invited_by = v_member.person_id AND accepted_at IS NULL AND revoked_at IS NULL;
  END IF;
  IF p_is_removed OR p_ends_keys THEN
    UPDATE api_key SET member_id = CASE WHEN p_hands_over THEN NULL ELSE member_id END,
        revoked_at = CASE WHEN p_hands_over THEN revoked_at ELSE now() END
      WHERE member_id = p_member_id AND revoked_at IS NULL;
  END IF;
  IF p_is_removed THEN
    UPDATE session SET account_id = NULL WHERE account_id = p_account_id AND person_id = v_member.person_id;
  END IF;
  RETURN 'changed';
END $$;
