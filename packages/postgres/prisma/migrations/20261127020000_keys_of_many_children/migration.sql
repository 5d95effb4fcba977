-- A key may have had many thousands of children, of which few are open. What reads the open ones, or the chain of rotations
-- of a key, no longer reads the ended ones.
CREATE INDEX api_key_open_child_of ON api_key (parent_id, (depth + 0)) WHERE parent_id IS NOT NULL AND closed_at IS NULL;
CREATE INDEX api_key_chain_idx ON api_key (spending_key_id, (depth + 0)) WHERE parent_id IS NULL;
