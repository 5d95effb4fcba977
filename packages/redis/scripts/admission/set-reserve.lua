-- Stores the customer's balance outside escrow. It is shown, and admission takes a negative one off what it may hold.
--
-- Caller: AdmissionStore.setReserve, after each change of the balance in the ledger.
-- Atomic because an older value must not overwrite a newer one.
--
-- KEYS   1 epoch  2 account  3 accounts
-- ARGV   1 JSON {accountId, epoch, reserve, reserveVersion}; reserve: nano-USD as digits
-- Reply  applied | stale | wrong_epoch
-- include reserve.lua

local args = cjson.decode(ARGV[1])
local epoch, account, accounts = unpack(KEYS)
if redis.call('GET', epoch) ~= args.epoch then return 'wrong_epoch' end
if not set_reserve(account, args.reserve, args.reserveVersion) then return 'stale' end
redis.call('SADD', accounts, args.accountId)
return 'applied'
