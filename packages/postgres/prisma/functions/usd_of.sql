-- Decimal USD of an amount in nano-USD, as @gateway/money formats it.
-- Called by the functions of budget alerts and by refund_repeated_charge.
CREATE OR REPLACE FUNCTION usd_of(p_nano_usd bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_nano_usd < 0 THEN '-' ELSE '' END || abs(p_nano_usd) / 1000000000 || '.'
    || left(fraction, 2) || rtrim(substr(fraction, 3), '0')
  FROM (SELECT lpad((abs(p_nano_usd) % 1000000000)::text, 9, '0') AS fraction) AS decimals
$$;
