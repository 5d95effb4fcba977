-- A migration of its own: it locks rows, and the table stays usable.
UPDATE durable_request SET settled_at = finished_at WHERE finished_at IS NOT NULL;
