-- Keys that keys make: a child's budget is reserved from what its parent may spend.
-- parent_id: the first key of the parent's chain of rotations. reserved_nano_usd: the part of spent_nano_usd that the
-- budgets of open children have reserved. closed_at: what a child left over has been returned.
ALTER TABLE api_key
  ADD COLUMN parent_id text,
  ADD COLUMN depth integer NOT NULL DEFAULT 0,
  ADD COLUMN reserved_nano_usd bigint NOT NULL DEFAULT 0,
  ADD COLUMN closed_at timestamptz(3),
  ADD CONSTRAINT api_key_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES api_key (id) ON DELETE RESTRICT ON UPDATE NO ACTION;

CREATE INDEX api_key_parent_id_idx ON api_key (parent_id, (depth + 0)) WHERE parent_id IS NOT NULL;
CREATE INDEX api_key_open_child ON api_key ((id || '')) WHERE parent_id IS NOT NULL AND closed_at IS NULL;

-- A key that makes a child is an actor of the audit log.
ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_actor_is_known,
  ADD CONSTRAINT audit_entry_actor_is_known CHECK (actor IN ('person', 'administrator', 'key', 'nobody'));
