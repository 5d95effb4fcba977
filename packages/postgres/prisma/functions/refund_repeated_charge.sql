-- Gives the second charge of one idempotency key back, once: a reversal, less spending of its key, an event.
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
  RETURN QUERY SELECT v_charge.cost_nano_usd, spent.spending_key_id, spent.spent_nano_usd, spent.spending_version
    FROM (VALUES (1)) AS one LEFT JOIN return_key_spending(v_charge.key_id, v_charge.cost_nano_usd) AS spent ON true;
  PERFORM return_cap_costs(v_charge.key_id, v_charge.admitted_at, v_charge.cost_nano_usd);
  PERFORM emit_event(v_charge.account_id, 'charge.refunded', p_request_id, jsonb_build_object(
    'request_id', p_request_id, 'first_request_id', p_first_request_id,
    'amount_usd', usd_of(v_charge.cost_nano_usd)), NULL, false);
END $$;
