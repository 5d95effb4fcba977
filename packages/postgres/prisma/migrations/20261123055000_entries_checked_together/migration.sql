-- post_ledger_entries() checks once for each statement that transactions and ledger accounts exist; it follows in the same run.
-- Foreign keys check each row: that was a third of PostgreSQL's time for a settlement. Both tables refuse to lose a row.
-- In the order of those who settle. Nothing is read or copied, so the locks last milliseconds.
LOCK TABLE settlement, ledger_transaction, ledger_entry, ledger_account IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_transaction_id_fkey, DROP CONSTRAINT ledger_entry_ledger_account_id_fkey;
