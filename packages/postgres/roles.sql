-- Grants a role that owns nothing what its services need. `services`: they read the ledger and append to it, and never
-- change it, remove from it or touch a trigger. `accounts`: the service that people reach, which writes no ledger table.
-- Run it as the owner of the tables after each migration, for each of the two roles; it may run again:
--
--   PGOPTIONS='-c gateway.role=gateway_services -c gateway.role_of=services' psql "$OWNER_URL" -f roles.sql
--
-- `node dist/migrate.js` runs it for SERVICES_ROLE and ACCOUNTS_ROLE. A test checks that every table has a row here.
DO $roles$
DECLARE
  v_role text := current_setting('gateway.role');
  v_is_accounts boolean := current_setting('gateway.role_of') = 'accounts';
  v_table text;
  v_rights text;
  v_rights_of_accounts text;
  v_function text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = v_role) THEN
    RAISE EXCEPTION 'there is no role %: create it with CREATE ROLE first', v_role;
  END IF;
  -- A trigger of a table of its own would count as a trigger of the ledger when balances check their caller.
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I', current_database(), v_role);
  EXECUTE format('REVOKE CREATE ON SCHEMA public FROM PUBLIC, %I', v_role);
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), v_role);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', v_role);
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, %I', v_role);
  EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO %I', v_role);
  EXECUTE format('REVOKE ALL ON SEQUENCE redis_epoch_epoch_seq FROM %I', v_role);
  IF NOT v_is_accounts THEN
    EXECUTE format('GRANT USAGE, SELECT, UPDATE ON SEQUENCE redis_epoch_epoch_seq TO %I', v_role);
  END IF;

  -- The table, the rights of `services`, and those of `accounts`.
  FOR v_table, v_rights, v_rights_of_accounts IN VALUES
    -- Only the triggers of ledger_entry write these.
    ('ledger_account', 'SELECT', 'SELECT'),
    ('ledger_balance', 'SELECT', 'SELECT'),
    -- Only the trigger of settlement writes it.
    ('usage_rollup', 'SELECT', 'SELECT'),
    -- Only keep_usage_days and keep_ledger_months write these.
    ('usage_day', 'SELECT', 'SELECT'),
    ('ledger_month', 'SELECT', 'SELECT'),
    -- Only archive_months, which the owner calls, writes these.
    ('ledger_archive', 'SELECT', 'SELECT'),
    ('archived_partition', 'SELECT', 'SELECT'),
    -- Billing counts what has no month; all else goes through the parents.
    ('settlement_other', 'SELECT', ''),
    ('ledger_transaction_other', 'SELECT', ''),
    -- Append-only.
    ('ledger_reference', 'SELECT, INSERT', 'SELECT'),
    ('ledger_transaction', 'SELECT, INSERT', 'SELECT'),
    ('ledger_entry', 'SELECT, INSERT', 'SELECT'),
    ('settlement', 'SELECT, INSERT', 'SELECT'),
    ('credit', 'SELECT, INSERT', 'SELECT'),
    ('price_override', 'SELECT, INSERT', 'SELECT, INSERT'),
    ('audit_entry', 'SELECT, INSERT', 'SELECT, INSERT'),
    ('audit_outcome', 'SELECT, INSERT', 'SELECT, INSERT'),
    ('parked_event', 'SELECT, INSERT', 'SELECT'),
    -- Written by migrations. Operators see which are applied.
    ('_prisma_migrations', '', 'SELECT'),
    -- Changed, never deleted.
    ('account', 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE'),
    ('api_key', 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE'),
    ('escrow_grant', 'SELECT, INSERT, UPDATE', 'SELECT'),
    ('escrow_return', 'SELECT, INSERT, UPDATE', 'SELECT'),
    ('redis_epoch', 'SELECT, INSERT, UPDATE', 'SELECT'),
    ('video_task', 'SELECT, INSERT, UPDATE', 'SELECT, UPDATE (cancel_requested_at, cancel_outcome, version)'),
    ('webhook_delivery', 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE'),
    ('webhook_attempt', 'SELECT, INSERT, UPDATE', 'SELECT'),
    ('administrator', 'SELECT', 'SELECT, INSERT, UPDATE'),
    ('account_view', 'SELECT', 'SELECT, INSERT, UPDATE'),
    ('vendor_bill', 'SELECT', 'SELECT, INSERT, UPDATE, DELETE'),
    ('vendor_bill_line', 'SELECT', 'SELECT, INSERT, DELETE'),
    ('vendor_bill_item', 'SELECT', 'SELECT, INSERT, UPDATE, DELETE'),
    ('channel_control', 'SELECT', 'SELECT, INSERT, UPDATE'),
    ('cap_count', 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE'),
    ('billing_copy', 'SELECT, INSERT, UPDATE, DELETE', ''),
    ('billing_shard', 'SELECT, UPDATE', ''),
    -- Who people are is the business of accounts alone. Admission and settlement read the caps of members.
    ('person', '', 'SELECT, INSERT, UPDATE'),
    ('member', 'SELECT', 'SELECT, INSERT, UPDATE'),
    ('invitation', '', 'SELECT, INSERT, UPDATE'),
    ('mail', '', 'SELECT, INSERT, UPDATE, DELETE'),
    -- Deleted after a time.
    ('session', '', 'SELECT, INSERT, UPDATE, DELETE'),
    ('attempt_window', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, INSERT, UPDATE, DELETE'),
    ('account_event', 'SELECT, INSERT, DELETE', 'SELECT, INSERT'),
    ('budget_alert', 'SELECT, INSERT, DELETE', 'SELECT, INSERT, DELETE'),
    ('kept_answer_piece', 'SELECT, INSERT, DELETE', 'SELECT, DELETE'),
    ('stored_response', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (expires_at), DELETE'),
    ('stored_response_item', 'SELECT, INSERT, DELETE', ''),
    ('content_key', 'SELECT, INSERT', 'SELECT, UPDATE, DELETE'),
    ('request_content', 'SELECT, INSERT, DELETE', 'SELECT, DELETE'),
    ('conversation', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (expires_at), DELETE'),
    ('conversation_item', 'SELECT, INSERT, DELETE', ''),
    ('durable_request', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (cancel_requested_at, due_at, expires_at)'),
    ('open_request', 'SELECT, INSERT, DELETE', 'SELECT'),
    ('pending_body', 'SELECT, INSERT, DELETE', ''),
    ('pending_object', 'SELECT, INSERT, UPDATE, DELETE', ''),
    ('store_use', 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE'),
    ('stored_object', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (status, due_at)'),
    ('fetched_result', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (status, reason)'),
    ('batch', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE (cancel_requested_at, due_at, deleted_at)'),
    ('batch_segment', 'SELECT, INSERT, DELETE', ''),
    ('webhook_endpoint', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, INSERT, UPDATE, DELETE'),
    ('webhook_secret', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, INSERT, UPDATE, DELETE')
  LOOP
    IF v_is_accounts THEN
      v_rights := v_rights_of_accounts;
    END IF;
    IF v_rights <> '' THEN
      EXECUTE format('GRANT %s ON %I TO %I', v_rights, v_table, v_role);
    END IF;
  END LOOP;

  -- These write or lock the balances, or make partitions, and run as their owner. No other role may name them in a trigger, so none moves a balance.
  FOREACH v_function IN ARRAY ARRAY[
    'post_ledger_entries()', 'open_ledger_balance()', 'open_ledger_accounts()', 'watch_low_balance()', 'roll_up_usage()',
    'grant_escrow(text, bigint, bigint, bigint)', 'mirror_escrow(text, bigint, bigint, bigint)',
    'make_month_partitions(date, date)', 'analyze_months()', 'keep_usage_days(integer, integer)',
    'keep_ledger_months(integer)'
  ] LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = public, pg_temp', v_function);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, %I', v_function, v_role);
  END LOOP;
  REVOKE ALL ON FUNCTION archive_months(date) FROM PUBLIC;
  IF NOT v_is_accounts THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION make_month_partitions(date, date), analyze_months(),
      keep_usage_days(integer, integer), keep_ledger_months(integer) TO %I', v_role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION grant_escrow(text, bigint, bigint, bigint) TO %I', v_role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION mirror_escrow(text, bigint, bigint, bigint) TO %I', v_role);
  END IF;
END $roles$;
