-- Lines of a batch are shown with their batch. A list that steps over 50,000 of them would read each.
DROP INDEX durable_request_account_id_created_at_id_idx;
CREATE INDEX durable_request_shown ON durable_request (account_id, is_test, created_at DESC, id DESC)
  WHERE (ticket ->> 'isOfBatch') IS NULL;
