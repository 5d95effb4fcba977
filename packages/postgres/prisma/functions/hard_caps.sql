-- The caps that refuse requests.
-- Called by findKeyBySha256().
CREATE OR REPLACE FUNCTION hard_caps(p_caps jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_path_query_array(p_caps, '$[*] ? (@.hard == true)')
$$;
