-- The sum of two sets of units, unit by unit.
CREATE OR REPLACE FUNCTION add_units(p_left jsonb, p_right jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(unit, amount), '{}') FROM (
    SELECT unit, sum(count::numeric) AS amount
    FROM (SELECT * FROM jsonb_each_text(p_left) UNION ALL SELECT * FROM jsonb_each_text(p_right)) AS each (unit, count)
    GROUP BY unit) AS summed
$$;
