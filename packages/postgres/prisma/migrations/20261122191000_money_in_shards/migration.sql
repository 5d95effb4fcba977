-- Money in Redis is spread over 64 shards, each with epochs of its own.
CREATE OR REPLACE FUNCTION shard_of(p_account_id text) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_bytes bytea := convert_to(p_account_id, 'UTF8');
  v_hash bigint := 2166136261;
BEGIN
  FOR v_index IN 0 .. octet_length(v_bytes) - 1 LOOP
    v_hash := ((v_hash # get_byte(v_bytes, v_index)) * 16777619) & 4294967295;
  END LOOP;
  RETURN (v_hash # (v_hash >> 16)) & 63;
END $$;

ALTER TABLE ledger_account ADD COLUMN shard SMALLINT GENERATED ALWAYS AS (shard_of(account_id)) STORED;

-- -1: an epoch of the releases that had one slot for all money, or a number that was reserved and not used yet.
ALTER TABLE redis_epoch ADD COLUMN shard SMALLINT NOT NULL DEFAULT -1;
ALTER TABLE redis_epoch DROP CONSTRAINT redis_epoch_pkey, ADD CONSTRAINT redis_epoch_pkey PRIMARY KEY (shard, epoch);

-- The running copies of billing, and the shards that each reads.
CREATE TABLE billing_copy (
  name TEXT NOT NULL PRIMARY KEY,
  expires_at TIMESTAMPTZ(3) NOT NULL
);
CREATE TABLE billing_shard (
  shard SMALLINT NOT NULL PRIMARY KEY,
  holder TEXT,
  taken_at TIMESTAMPTZ(3)
);
INSERT INTO billing_shard (shard) SELECT generate_series(0, 63);
