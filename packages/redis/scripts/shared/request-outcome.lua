-- classify_request(request_id, hold_prefix, settled_prefix): 'charged', 'running' or 'free'.
-- Only the settlement decides, so that no crash can charge one idempotency key twice.
-- A request that was 'held' became a task or nothing. The task table stores its key, so the tombstone does not count here.
-- Both keys are built from prefixes: they share the record's hash tag, and only the record names the request.
local function classify_request(request_id, hold_prefix, settled_prefix)
  local settled = redis.call('GET', settled_prefix .. request_id)
  if settled then
    local outcome, cost = string.match(settled, '^(%a*):(%d+)$')
    return (outcome == 'held' or cost == '0') and 'free' or 'charged'
  end
  return redis.call('EXISTS', hold_prefix .. request_id) == 1 and 'running' or 'free'
end
