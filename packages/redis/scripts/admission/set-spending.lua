-- Stores what a key has spent according to the ledger.
--
-- Caller: AdmissionStore.setSpending, after the ledger refunded a cost.
-- Atomic because an older value must not overwrite a newer one.
--
-- KEYS   1 spending
-- ARGV   1 JSON {spent, version}; spent: nano-USD as digits
-- Reply  1 stored | 0 a newer value, or none, is stored
-- include spending.lua

local args = cjson.decode(ARGV[1])
return set_spending(KEYS[1], args.spent, args.version)
