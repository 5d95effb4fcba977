-- Takes from the open keys below a key what the key itself may not do any more, and gives them its member. A child whose models
-- or endpoints are all taken ends: an empty list would allow everything. Below a closed child no key is open.
-- p_takes_children: the key may make no children any more, so neither may those below it. Returns the SHA-256 of each key that has changed.
-- Called by changeKey(), in the transaction of the change, and by create_child_key.
CREATE OR REPLACE FUNCTION limit_child_keys(p_account_id text, p_id text, p_takes_children boolean DEFAULT false) RETURNS TABLE (sha256 text) LANGUAGE sql AS $$
  WITH RECURSIVE parent AS (
    SELECT * FROM api_key WHERE id = p_id AND account_id = p_account_id
  ), below AS (
    SELECT child.id FROM parent JOIN api_key AS child
      ON child.parent_id = CASE WHEN parent.parent_id IS NULL THEN coalesce(parent.spending_key_id, parent.id) ELSE parent.id END AND child.closed_at IS NULL
    UNION ALL
    SELECT child.id FROM below JOIN api_key AS child ON child.parent_id = below.id AND child.closed_at IS NULL
  ), within AS (
    SELECT child.id, parent.member_id,
      CASE WHEN parent.models = '{}' THEN child.models WHEN child.models = '{}' THEN parent.models
        ELSE ARRAY(SELECT model FROM unnest(child.models) AS model WHERE model = ANY (parent.models)) END AS models,
      CASE WHEN parent.endpoints = '{}' THEN child.endpoints WHEN child.endpoints = '{}' THEN parent.endpoints
        ELSE ARRAY(SELECT endpoint FROM unnest(child.endpoints) AS endpoint WHERE endpoint = ANY (parent.endpoints)) END AS endpoints,
      CASE WHEN parent.allowed_ips = '{}' THEN child.allowed_ips ELSE parent.allowed_ips END AS allowed_ips,
      least(child.requests_per_minute, parent.requests_per_minute) AS requests_per_minute,
      least(child.concurrency, parent.concurrency) AS concurrency,
      least(child.expires_at, parent.expires_at) AS expires_at,
      CASE WHEN p_takes_children THEN array_remove(child.scopes, 'keys:children') ELSE child.scopes END AS scopes
    FROM below JOIN api_key AS child USING (id) CROSS JOIN parent
    WHERE child.revoked_at IS NULL
  )
  UPDATE api_key AS child SET
      models = CASE WHEN is_empty THEN child.models ELSE within.models END,
      endpoints = CASE WHEN is_empty THEN child.endpoints ELSE within.endpoints END,
      allowed_ips = within.allowed_ips, requests_per_minute = within.requests_per_minute, concurrency = within.concurrency,
      expires_at = within.expires_at, scopes = within.scopes, member_id = within.member_id, revoked_at = CASE WHEN is_empty THEN clock_timestamp() END
    FROM within JOIN api_key AS before USING (id) CROSS JOIN LATERAL (
      SELECT (within.models = '{}' AND before.models <> '{}') OR (within.endpoints = '{}' AND before.endpoints <> '{}') AS is_empty
    ) AS checked
    WHERE child.id = within.id
      AND (within.models, within.endpoints, within.allowed_ips, within.requests_per_minute, within.concurrency, within.expires_at, within.scopes, within.member_id)
        IS DISTINCT FROM (child.models, child.endpoints, child.allowed_ips, child.requests_per_minute, child.concurrency, child.expires_at, child.scopes, child.member_id)
    RETURNING child.sha256
$$;
