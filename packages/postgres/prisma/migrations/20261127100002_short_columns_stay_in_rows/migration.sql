-- Ticket and settlement stay in the row, so a row of more than 2 KB had its short columns moved out, ids too: each was a row and an
-- index entry elsewhere, and each comparison read it. They stay now. A row may be longer before its contents leave it or it is compressed, and its
-- page has room for the next version.
ALTER TABLE durable_request
  ALTER COLUMN id SET STORAGE PLAIN,
  ALTER COLUMN account_id SET STORAGE PLAIN,
  ALTER COLUMN endpoint SET STORAGE PLAIN,
  ALTER COLUMN model SET STORAGE PLAIN,
  ALTER COLUMN vendor SET STORAGE PLAIN,
  ALTER COLUMN status SET STORAGE PLAIN,
  ALTER COLUMN owner SET STORAGE PLAIN,
  SET (toast_tuple_target = 3000, fillfactor = 40);
