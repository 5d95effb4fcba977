-- Credits are rare among settlements: a list of them alone must not read the settlements.
CREATE INDEX ledger_transaction_credits ON ledger_transaction (account_id, id DESC) WHERE kind IN ('top_up', 'adjustment');
