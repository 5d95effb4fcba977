/**
 * What a request that let go of its record, or was lost with its edge, has come to: `charged`, `running` or `free`. Its
 * settlement says so, and nothing else: whoever asks again must not pay twice for one key, whatever process died. The names
 * of its hold and its tombstone share the record's hash tag; which request it was is only known here. A request that was
 * `held` has become a task or nothing: the table of tasks remembers its key, and knows better than its tombstone.
 */
export const JUDGE_LUA = `
local function judge(request_id, hold_prefix, settled_prefix)
  local settled = redis.call('GET', settled_prefix .. request_id)
  if settled then
    local outcome, cost = string.match(settled, '^(%a*):(%d+)$')
    return (outcome == 'held' or cost == '0') and 'free' or 'charged'
  end
  return redis.call('EXISTS', hold_prefix .. request_id) == 1 and 'running' or 'free'
end
`;
