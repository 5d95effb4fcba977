#!lua flags=allow-oom
-- Removes usage events that the ledger has booked, and stores what their keys have spent.
--
-- Caller: AdmissionStore.acknowledge, after each batch that billing booked.
-- Atomic because a cost must count against a cap exactly once: as unsettled before, as spent after.
-- Only the call that removes an event from the pending list changes the account.
-- allow-oom: this releases memory.
--
-- KEYS   1 usage, then the account of each entry
-- ARGV   1 JSON {group, spendingPrefix, entries, spendings}; amounts in nano-USD as digits
--          entries    [{id, minusCost, refund, spendingKey}]; refund: the cost if the ledger had booked it before, else '0';
--                     spendingKey: '' for a key without a cap
--          spendings  [{spendingKey, spent, version}]
-- Reply  number of entries that this call removed
-- include spending.lua

local args = cjson.decode(ARGV[1])
local usage = KEYS[1]
local acknowledged = 0
for index, entry in ipairs(args.entries) do
  local account = KEYS[index + 1]
  if redis.call('XACK', usage, args.group, entry.id) == 1 then
    redis.call('XDEL', usage, entry.id)
    redis.call('HINCRBY', account, 'unsettled', entry.minusCost)
    if entry.refund ~= '0' then redis.call('HINCRBY', account, 'spendable', entry.refund) end
    if entry.spendingKey ~= '' then
      redis.call('HINCRBY', args.spendingPrefix .. entry.spendingKey, 'unsettled', entry.minusCost)
    end
    acknowledged = acknowledged + 1
  end
end
for _, spending in ipairs(args.spendings) do
  set_spending(args.spendingPrefix .. spending.spendingKey, spending.spent, spending.version)
end
return acknowledged
