-- What a closed account keeps becomes due in parts: an account may have millions of rows. Null: there may be more.
ALTER TABLE account ADD COLUMN emptied_at timestamptz(3);
-- Former releases did it in one transaction.
UPDATE account SET emptied_at = closed_at WHERE closed_at IS NOT NULL;
CREATE INDEX account_to_be_emptied ON account (closed_at) WHERE closed_at IS NOT NULL AND emptied_at IS NULL;

-- The rows of one account that are not due. Lines of batches have no place in the index of shown requests.
CREATE INDEX stored_response_account_id_expires_at_idx ON stored_response (account_id, expires_at);
CREATE INDEX fetched_result_of_account ON fetched_result (account_id) WHERE status <> 'deleted';
CREATE INDEX durable_request_lines ON durable_request (account_id, expires_at) WHERE (ticket ->> 'isOfBatch') IS NOT NULL;
