-- Receipts and the ledger, split by month. The present tables become the partitions of what has no month in its id; nothing is
-- copied. One transaction, which keeps readers and writers of these tables out: about 20 s for a million receipts
-- (building indexes, checking bounds and foreign keys). Requests go on meanwhile; settlements wait in Redis.
LOCK TABLE settlement, ledger_transaction, ledger_entry, credit IN ACCESS EXCLUSIVE MODE;

-- The references of credits and reversals, which happen once for ever.
CREATE TABLE ledger_reference (
  reference TEXT COLLATE "C" NOT NULL,
  transaction_id BIGINT NOT NULL,
  CONSTRAINT ledger_reference_pkey PRIMARY KEY (reference)
);
INSERT INTO ledger_reference SELECT reference, id FROM ledger_transaction WHERE kind IN ('top_up', 'adjustment');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_reference
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the entries of a detached partition sum to, for each ledger account.
CREATE TABLE ledger_archive (
  partition TEXT NOT NULL,
  ledger_account_id BIGINT NOT NULL,
  amount_nano_usd BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  CONSTRAINT ledger_archive_pkey PRIMARY KEY (ledger_account_id, partition),
  CONSTRAINT ledger_archive_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_archive
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE archived_partition (
  name TEXT NOT NULL,
  ends_at TIMESTAMPTZ(3) NOT NULL,
  archived_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT archived_partition_pkey PRIMARY KEY (name)
);

-- The bounds are compared byte by byte, whatever the collation of the database. Indexes of these columns are rebuilt.
ALTER TABLE settlement ALTER COLUMN request_id TYPE TEXT COLLATE "C";
ALTER TABLE ledger_transaction ALTER COLUMN reference TYPE TEXT COLLATE "C";

DROP TRIGGER append_only ON settlement;
DROP TRIGGER roll_up ON settlement;
DROP TRIGGER append_only ON ledger_transaction;
DROP TRIGGER append_only ON ledger_entry;
DROP TRIGGER post ON ledger_entry;
DROP TRIGGER watch ON ledger_entry;
ALTER TABLE credit DROP CONSTRAINT credit_transaction_id_fkey;
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_transaction_id_fkey, DROP CONSTRAINT ledger_entry_pkey,
  ADD CONSTRAINT ledger_entry_undated_pkey PRIMARY KEY (transaction_id, id);
DROP INDEX ledger_entry_transaction_id_idx;
DROP INDEX ledger_entry_ledger_account_id_id_idx;

ALTER TABLE settlement RENAME TO settlement_undated;
ALTER TABLE settlement_undated RENAME CONSTRAINT settlement_pkey TO settlement_undated_pkey;
ALTER INDEX settlement_account_id_idempotency_key_idx RENAME TO settlement_undated_account_id_idempotency_key_idx;
ALTER INDEX settlement_account_id_key_id_settled_at_idx RENAME TO settlement_undated_account_id_key_id_settled_at_idx;
ALTER INDEX settlement_account_id_settled_at_request_id_idx RENAME TO settlement_undated_account_id_settled_at_request_id_idx;
ALTER INDEX settlement_idempotency_hash_idx RENAME TO settlement_undated_idempotency_hash_idx;
ALTER INDEX settlement_keyed_recorded_at_idx RENAME TO settlement_undated_keyed_recorded_at_idx;
ALTER INDEX settlement_upstream_id_idx RENAME TO settlement_undated_upstream_id_idx;
ALTER TABLE ledger_transaction RENAME TO ledger_transaction_undated;
ALTER TABLE ledger_transaction_undated RENAME CONSTRAINT ledger_transaction_pkey TO ledger_transaction_undated_pkey;
ALTER INDEX ledger_transaction_reference_key RENAME TO ledger_transaction_undated_reference_key;
ALTER INDEX ledger_transaction_shown RENAME TO ledger_transaction_undated_shown;
ALTER TABLE ledger_entry RENAME TO ledger_entry_undated;
ALTER TABLE ledger_entry_undated RENAME CONSTRAINT ledger_entry_ledger_account_id_fkey TO ledger_entry_undated_ledger_account_id_fkey;

CREATE OR REPLACE FUNCTION ledger_month_floor(p_at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(year FROM p_at AT TIME ZONE 'UTC')::bigint * 12 + extract(month FROM p_at AT TIME ZONE 'UTC')::bigint - 23641)
    * 1099511627776
$$;

CREATE TABLE settlement (
  LIKE settlement_undated INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT settlement_pkey PRIMARY KEY (request_id)
) PARTITION BY RANGE (request_id);
CREATE INDEX settlement_account_id_idempotency_key_idx ON settlement (account_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX settlement_account_id_key_id_settled_at_idx ON settlement (account_id, key_id, settled_at DESC, request_id DESC);
CREATE INDEX settlement_account_id_settled_at_request_id_idx ON settlement (account_id, settled_at DESC, request_id DESC);
CREATE INDEX settlement_idempotency_hash_idx ON settlement (account_id, idempotency_hash) WHERE idempotency_hash IS NOT NULL;
CREATE INDEX settlement_keyed_recorded_at_idx ON settlement (recorded_at) WHERE idempotency_hash IS NOT NULL;
CREATE INDEX settlement_upstream_id_idx ON settlement ((attempts -> -1 ->> 'upstreamId'))
  WHERE (attempts -> -1 ->> 'upstreamId') IS NOT NULL;

CREATE TABLE ledger_transaction (
  LIKE ledger_transaction_undated INCLUDING CONSTRAINTS,
  CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
ALTER TABLE ledger_transaction ALTER COLUMN created_at SET DEFAULT CURRENT_TIMESTAMP,
  ALTER COLUMN id SET DEFAULT ledger_month_floor(now()) + nextval('ledger_transaction_id_seq');
CREATE INDEX ledger_transaction_shown ON ledger_transaction (account_id, id DESC)
  WHERE kind IN ('top_up', 'adjustment', 'settlement');
-- Below the month of an id.
ALTER SEQUENCE ledger_transaction_id_seq OWNED BY ledger_transaction.id MAXVALUE 1099511627775 CYCLE;
ALTER TABLE ledger_transaction_undated ALTER COLUMN id DROP DEFAULT;

CREATE TABLE ledger_entry (
  LIKE ledger_entry_undated INCLUDING CONSTRAINTS,
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (transaction_id, id)
) PARTITION BY RANGE (transaction_id);
ALTER TABLE ledger_entry ALTER COLUMN id SET DEFAULT nextval('ledger_entry_id_seq');
CREATE INDEX ledger_entry_ledger_account_id_transaction_id_idx ON ledger_entry (ledger_account_id, transaction_id DESC);
ALTER SEQUENCE ledger_entry_id_seq OWNED BY ledger_entry.id;

-- Nothing that was accepted is refused because its month is missing: it goes here, and moves when its month is made.
CREATE TABLE settlement_other PARTITION OF settlement DEFAULT;
CREATE TABLE ledger_transaction_other PARTITION OF ledger_transaction DEFAULT;
CREATE UNIQUE INDEX ledger_transaction_other_reference_key ON ledger_transaction_other (reference);
CREATE TABLE ledger_entry_other PARTITION OF ledger_entry DEFAULT;

-- Receipts of requests that began after ids carried their month, and before there were partitions.
INSERT INTO settlement_other SELECT * FROM settlement_undated WHERE request_id < 'req_21';
DELETE FROM settlement_undated WHERE request_id < 'req_21';
ALTER TABLE settlement ATTACH PARTITION settlement_undated FOR VALUES FROM ('req_21') TO (MAXVALUE);
ALTER TABLE ledger_transaction ATTACH PARTITION ledger_transaction_undated FOR VALUES FROM (MINVALUE) TO (659706976665600);
ALTER TABLE ledger_entry ATTACH PARTITION ledger_entry_undated FOR VALUES FROM (MINVALUE) TO (659706976665600);
ALTER TABLE ledger_entry
  ADD CONSTRAINT ledger_entry_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id) ON DELETE RESTRICT,
  ADD CONSTRAINT ledger_entry_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id) ON DELETE RESTRICT;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER roll_up AFTER INSERT ON settlement REFERENCING NEW TABLE AS recorded
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_usage();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transaction
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER post AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION post_ledger_entries();
CREATE TRIGGER watch AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION watch_balances();

-- The services keep their rights until roles.sql runs. Partitions are written only through their parents.
DO $$
DECLARE
  v_grant record;
BEGIN
  FOR v_grant IN
    SELECT relname, replace(relname, '_undated', '') AS parent, grantee::regrole::text AS role, privilege_type
      FROM pg_class, aclexplode(relacl)
      WHERE oid IN ('settlement_undated'::regclass, 'ledger_transaction_undated'::regclass, 'ledger_entry_undated'::regclass)
        AND grantee <> relowner AND grantee <> 0
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s', v_grant.privilege_type, v_grant.parent, v_grant.role);
    EXECUTE format('REVOKE %s ON %I FROM %s', v_grant.privilege_type, v_grant.relname, v_grant.role);
    EXECUTE format('GRANT SELECT ON ledger_reference, ledger_archive, archived_partition TO %s', v_grant.role);
    IF v_grant.privilege_type = 'INSERT' THEN
      EXECUTE format('GRANT INSERT ON ledger_reference TO %s', v_grant.role);
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION month_bounds(p_table text, p_month date) RETURNS TABLE (lower text, upper text)
LANGUAGE sql STABLE AS $$
  SELECT CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at, 'YYYYMM'))
      ELSE ledger_month_floor(at AT TIME ZONE 'UTC')::text END,
    CASE p_table WHEN 'settlement' THEN quote_literal('req_' || to_char(at + interval '1 month', 'YYYYMM'))
      ELSE ledger_month_floor((at + interval '1 month') AT TIME ZONE 'UTC')::text END
  FROM (SELECT p_month::timestamp AS at) AS month
$$;

CREATE OR REPLACE FUNCTION make_month_partitions(p_first date, p_last date) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  v_table text;
  v_name text;
  v_key text;
  v_bounds record;
  v_month date;
  v_new text[];
BEGIN
  PERFORM pg_advisory_xact_lock(7236111);
  PERFORM set_config('lock_timeout', '2s', true);
  FOR v_month IN SELECT generate_series(date_trunc('month', p_first::timestamp), p_last, interval '1 month')::date LOOP
    v_new := '{}';
    -- Entries leave the default partition before their transactions, which they refer to.
    FOREACH v_table IN ARRAY ARRAY['ledger_entry', 'ledger_transaction', 'settlement'] LOOP
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      CONTINUE WHEN to_regclass(v_name) IS NOT NULL
        OR EXISTS (SELECT 1 FROM archived_partition WHERE name = v_name);
      v_key := CASE v_table WHEN 'ledger_entry' THEN 'transaction_id' WHEN 'settlement' THEN 'request_id' ELSE 'id' END;
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', v_table || '_other');
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', v_name, v_table);
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %I >= %s AND %I < %s', v_name, v_table || '_other',
        v_key, v_bounds.lower, v_key, v_bounds.upper);
      EXECUTE format('DELETE FROM %I WHERE %I >= %s AND %I < %s', v_table || '_other', v_key, v_bounds.lower, v_key, v_bounds.upper);
      v_new := v_new || v_table;
      RETURN NEXT v_name;
    END LOOP;
    FOREACH v_table IN ARRAY ARRAY['settlement', 'ledger_transaction', 'ledger_entry'] LOOP
      CONTINUE WHEN NOT v_table = ANY (v_new);
      v_name := format('%s_y%sm%s', v_table, to_char(v_month, 'YYYY'), to_char(v_month, 'MM'));
      SELECT * INTO v_bounds FROM month_bounds(v_table, v_month);
      IF v_table = 'ledger_transaction' THEN
        EXECUTE format('CREATE UNIQUE INDEX ON %I (reference)', v_name);
      END IF;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', v_table, v_name, v_bounds.lower, v_bounds.upper);
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION post_transfer(
  p_reference text, p_kind text, p_account_id text, p_reason text, p_from bigint, p_to bigint, p_amount bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_transaction_id bigint := ledger_month_floor(now()) + nextval('ledger_transaction_id_seq');
BEGIN
  IF p_kind IN ('top_up', 'adjustment') THEN
    INSERT INTO ledger_reference (reference, transaction_id) VALUES (p_reference, v_transaction_id) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO ledger_transaction (id, reference, kind, account_id, reason)
    VALUES (v_transaction_id, p_reference, p_kind, p_account_id, p_reason);
  INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
    VALUES (v_transaction_id, p_from, -p_amount), (v_transaction_id, p_to, p_amount);
  RETURN v_transaction_id;
END $$;

SELECT make_month_partitions(now()::date, (now() + interval '1 month')::date);
