#!lua flags=allow-oom
-- Removes usage events that the ledger has booked, and stores what their keys have spent.
--
-- Caller: AdmissionStore.acknowledge, after each batch that billing booked.
-- Atomic because a cost must count against a cap exactly once: as unsettled before, as spent after.
-- Only the call that removes an event from the pending list changes the account.
-- allow-oom: this releases memory.
--
-- KEYS   1 usage, then the account of each entry
-- ARGV   1 JSON {group, spendingPrefix, capPrefix, entries, spendings, capCounts}; amounts in nano-USD as digits
--          entries    [{id, minusCost, minusTokens, counters, refund, spendingKey}]; refund: the cost if the ledger had booked it before, else '0';
--                     spendingKey: '' for a key without a cap
--          spendings  [{spendingKey, spent, version}]
--          capCounts  [{counter, requests, tokens, cost, version}]; a counter that has expired stays away
-- Counts of a key that never end by themselves expire a day after its last request is booked.
-- Reply  number of entries that this call removed
-- include spending.lua

local args = cjson.decode(ARGV[1])
local usage = KEYS[1]
-- Every key is read before the first write: one that has moved to another node ends the script.
for _, entry in ipairs(args.entries) do
  if entry.spendingKey ~= '' then redis.call('EXISTS', args.spendingPrefix .. entry.spendingKey) end
  for name in string.gmatch(entry.counters, '%S+') do redis.call('EXISTS', args.capPrefix .. name) end
end
for _, spending in ipairs(args.spendings) do redis.call('EXISTS', args.spendingPrefix .. spending.spendingKey) end
for _, count in ipairs(args.capCounts) do redis.call('EXISTS', args.capPrefix .. count.counter) end

local acknowledged = 0
for index, entry in ipairs(args.entries) do
  local account = KEYS[index + 1]
  if redis.call('XACK', usage, args.group, entry.id) == 1 then
    redis.call('XDEL', usage, entry.id)
    redis.call('HINCRBY', account, 'unsettled', entry.minusCost)
    if entry.refund ~= '0' then redis.call('HINCRBY', account, 'spendable', entry.refund) end
    local spending = args.spendingPrefix .. entry.spendingKey
    if entry.spendingKey ~= '' and redis.call('EXISTS', spending) == 1 then
      redis.call('HINCRBY', spending, 'unsettled', entry.minusCost)
      expire_when_idle(spending, {'held', 'unsettled'})
    end
    for name in string.gmatch(entry.counters, '%S+') do
      local counter = args.capPrefix .. name
      if redis.call('EXISTS', counter) == 1 then
        redis.call('HINCRBY', counter, 'openRequests', -1)
        redis.call('HINCRBY', counter, 'openTokens', entry.minusTokens)
        redis.call('HINCRBY', counter, 'openCost', entry.minusCost)
        -- Nothing in the ledger counts a budget, so its booked cost is counted here.
        if string.sub(name, 1, 7) == 'budget:' then
          redis.call('HINCRBY', counter, 'cost', (string.gsub(entry.minusCost, '^%-', '')))
        elseif redis.call('PTTL', counter) == -1 then
          expire_when_idle(counter, {'openRequests', 'openTokens', 'openCost'})
        end
      end
    end
    acknowledged = acknowledged + 1
  end
end
for _, spending in ipairs(args.spendings) do
  set_spending(args.spendingPrefix .. spending.spendingKey, spending.spent, spending.version)
end
for _, count in ipairs(args.capCounts) do
  local counter = args.capPrefix .. count.counter
  local known = redis.call('HGET', counter, 'version')
  if known and tonumber(known) < tonumber(count.version) then
    redis.call('HSET', counter, 'version', count.version, 'requests', count.requests, 'tokens', count.tokens, 'cost', count.cost)
  end
end
return acknowledged
