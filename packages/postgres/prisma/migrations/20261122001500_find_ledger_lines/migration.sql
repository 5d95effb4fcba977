-- What customers see of their ledger, without the moves between their own accounts, of which an account may have far
-- more: a page was looked for among all of them. A smaller index takes the place of the one of all.
CREATE INDEX IF NOT EXISTS "ledger_transaction_shown" ON "ledger_transaction" ("account_id", "id" DESC)
  WHERE "kind" IN ('top_up', 'adjustment', 'settlement');
DROP INDEX "ledger_transaction_account_id_id_idx";
