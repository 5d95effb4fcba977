import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from './script.js';

/** A block that goes back to the ledger. */
export interface BlockReturn {
  readonly accountId: string;
  /** The ledger's number of this return, rising with each return of the account. */
  readonly sequence: bigint;
  /** The epoch the return was opened in: after Redis was lost it is void. */
  readonly epoch: bigint;
}

/**
 * Takes all that is spendable out, once under each number, and remembers how much it was: whoever asks again under the
 * latest number hears the same. An account that has a request running, or one that is not booked yet, keeps what it has.
 * What was taken is shown as part of the reserve, where the ledger is about to book it: the balance shown does not move.
 */
export const TAKE_BACK_LUA = `
local epoch, account = unpack(KEYS)
local given_epoch, sequence = unpack(ARGV)
if redis.call('GET', epoch) ~= given_epoch then return nil end

local state = redis.call('HMGET', account, 'returnSequence', 'returned', 'spendable', 'held', 'unsettled')
local known, returned = state[1], state[2]
local spendable, held, unsettled = state[3] or '0', state[4] or '0', state[5] or '0'
if known == sequence then return returned end
if known and tonumber(known) > tonumber(sequence) then return '0' end

local amount = '0'
if held == '0' and unsettled == '0' and tonumber(spendable) > 0 then amount = spendable end
redis.call('HSET', account, 'returnSequence', sequence, 'returned', amount)
if amount ~= '0' then
  redis.call('HSET', account, 'spendable', '0')
  redis.call('HINCRBY', account, 'reserve', amount)
end
return amount
`;

export const takeBackCall = (keys: RedisKeys, { accountId, sequence, epoch }: BlockReturn): ScriptCall => ({
  keys: [keys.epoch, keys.account(accountId)],
  args: [epoch.toString(), sequence.toString()],
});
