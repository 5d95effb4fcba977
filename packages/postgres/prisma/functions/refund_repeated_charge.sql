-- Gives the second charge of one idempotency key back, once: a reversal and an event.
-- Returns no row if the charge was given back before.
-- Called by refundRepeatedCharge().
CREATE OR REPLACE FUNCTION refund_repeated_charge(p_request_id text, p_first_request_id text)
RETURNS TABLE (amount_nano_usd bigint, spending_key_id text, spent_nano_usd bigint, spending_version bigint)
LANGUAGE plpgsql AS $$
DECLARE
  v_charge settlement%ROWTYPE;
  v_outcome text;
BEGIN
  SELECT * INTO STRICT v_charge FROM settlement WHERE settlement.request_id = p_request_id;
  SELECT reversal.outcome INTO v_outcome FROM reverse_transaction(v_charge.account_id, 'settlement:' || p_request_id,
    'second charge of one Idempotency-Key; the first is ' || p_first_request_id) AS reversal;
  IF v_outcome IS DISTINCT FROM 'posted' THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT v_charge.cost_nano_usd, counted.id, counted.spent_nano_usd, counted.spending_version
    FROM (VALUES (v_charge.key_id)) AS charged (id) LEFT JOIN api_key USING (id)
      LEFT JOIN api_key AS counted ON counted.id = coalesce(api_key.spending_key_id, api_key.id);
  PERFORM emit_event(v_charge.account_id, 'charge.refunded', p_request_id, jsonb_build_object(
    'request_id', p_request_id, 'first_request_id', p_first_request_id,
    'amount_usd', usd_of(v_charge.cost_nano_usd)), NULL, false);
END $$;
