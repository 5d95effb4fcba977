-- The ids of events are in the order of their times: a search by id finds a time, and what is read by time needs no index of it.
DROP INDEX account_event_created_at_idx;
DROP INDEX account_event_account_id_created_at_id_idx;
CREATE INDEX account_event_refunded ON account_event (created_at, id) WHERE type = 'charge.refunded';
-- emit_events() and append_event() look for the account, once for each statement.
ALTER TABLE account_event DROP CONSTRAINT account_event_account_id_fkey;
