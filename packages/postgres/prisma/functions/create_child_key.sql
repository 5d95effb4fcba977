-- Makes a child of a key, and reserves its budget: the parent's line counts the whole budget as spent at once.
-- p_parent_id: the key that makes it, or for which it is made. p_child: {id, sha256, prefix, name, models, endpoints,
-- allowed_ips, scopes, requests_per_minute, concurrency, budget, expires_at, made_by_key}; budget in nano-USD. A person makes
-- children also of a key without the scope for it.
-- Returns {outcome: 'created', lineId, spent, version, cap}, with the parent's totals for Redis, or {outcome: 'not_found'},
-- {outcome: 'capped'} for a parent with caps by period, {outcome: 'depth'}, {outcome: 'count'}, {outcome: 'budget', left}.
-- Called by createChildKey().
CREATE OR REPLACE FUNCTION create_child_key(p_account_id text, p_parent_id text, p_child jsonb, p_max_depth int, p_max_children int)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_parent api_key%ROWTYPE;
  v_line api_key%ROWTYPE;
  v_budget bigint := (p_child->>'budget')::bigint;
BEGIN
  SELECT * INTO v_parent FROM api_key WHERE id = p_parent_id AND account_id = p_account_id;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  PERFORM 1 FROM api_key WHERE id IN (p_parent_id, coalesce(v_parent.spending_key_id, p_parent_id)) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO v_parent FROM api_key WHERE id = p_parent_id;
  SELECT * INTO v_line FROM api_key WHERE id = coalesce(v_parent.spending_key_id, p_parent_id);
  IF v_parent.revoked_at IS NOT NULL OR v_parent.closed_at IS NOT NULL
    OR least(v_parent.expires_at, v_parent.grace_ends_at) <= clock_timestamp()
    -- The key may have lost the scope since the caller read it.
    OR (coalesce((p_child->>'made_by_key')::boolean, false) AND NOT coalesce('keys:children' = ANY (v_parent.scopes), false)) THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  IF v_parent.caps <> '[]' THEN
    RETURN jsonb_build_object('outcome', 'capped');
  END IF;
  IF v_parent.depth >= p_max_depth THEN
    RETURN jsonb_build_object('outcome', 'depth');
  END IF;
  IF (SELECT count(*) FROM api_key WHERE parent_id = v_line.id AND closed_at IS NULL) >= p_max_children THEN
    RETURN jsonb_build_object('outcome', 'count');
  END IF;
  IF v_line.spent_nano_usd + v_budget > v_parent.spend_cap_nano_usd THEN
    RETURN jsonb_build_object('outcome', 'budget', 'left', (v_parent.spend_cap_nano_usd - v_line.spent_nano_usd)::text);
  END IF;
  INSERT INTO api_key (id, account_id, member_id, sha256, prefix, is_test, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, spend_cap_nano_usd, expires_at, parent_id, depth)
    SELECT id, p_account_id, v_parent.member_id, sha256, prefix, v_parent.is_test, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, v_budget,
      least(expires_at, v_parent.expires_at, v_parent.grace_ends_at), v_line.id, v_parent.depth + 1
    FROM jsonb_to_record(p_child) AS child (id text, sha256 text, prefix text, name text, models text[], endpoints text[],
      allowed_ips text[], scopes text[], requests_per_minute int, concurrency int, expires_at timestamptz);
  UPDATE api_key SET spent_nano_usd = spent_nano_usd + v_budget, reserved_nano_usd = reserved_nano_usd + v_budget,
      spending_version = spending_version + 1
    WHERE id = v_line.id RETURNING * INTO v_line;
  -- The parent may have lost a right since the caller read it.
  PERFORM limit_child_keys(p_account_id, p_parent_id);
  RETURN jsonb_build_object('outcome', 'created', 'lineId', v_line.id, 'spent', v_line.spent_nano_usd::text,
    'version', v_line.spending_version::text, 'cap', v_parent.spend_cap_nano_usd::text);
END $$;
