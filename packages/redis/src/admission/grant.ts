import type { RedisKeys } from '../keys.js';
import { RESERVE_LUA } from './reserve.js';
import type { ScriptCall } from './script.js';

export interface Grant {
  readonly accountId: string;
  /** The ledger's number of this grant, rising with each grant of the account. */
  readonly sequence: bigint;
  /** The epoch the grant was made in: after Redis was lost it is void. */
  readonly epoch: string;
  readonly amountNanoUsd: bigint;
  /** The customer's balance in the ledger after the grant, escrow excluded. */
  readonly reserveNanoUsd: bigint;
  /** Rises with each change of the customer's balance in the ledger. */
  readonly reserveVersion: bigint;
}

export type GrantOutcome = 'applied' | 'duplicate' | 'wrong_epoch';

/** Grants that are remembered one by one, so that a late one is told from a repeated one; older ones count as repeated. */
export const REMEMBERED_GRANTS = 100;

/** Makes one block of escrow spendable, once. Grants may arrive in any order: none is lost, none counts twice. */
export const GRANT_LUA = `${RESERVE_LUA}
local epoch, account, grants, accounts = unpack(KEYS)
local account_id, given_epoch, sequence, amount, reserve, reserve_version = unpack(ARGV)
if redis.call('GET', epoch) ~= given_epoch then return 'wrong_epoch' end
set_reserve(account, reserve, reserve_version)

if redis.call('ZSCORE', grants, sequence) then return 'duplicate' end
if redis.call('ZCARD', grants) >= ${REMEMBERED_GRANTS} then
  local oldest = redis.call('ZRANGE', grants, 0, 0)[1]
  if tonumber(sequence) < tonumber(oldest) then return 'duplicate' end
  redis.call('ZREM', grants, oldest)
end
redis.call('SADD', accounts, account_id)
redis.call('ZADD', grants, sequence, sequence)
redis.call('HSET', account, 'grantSequence', redis.call('ZRANGE', grants, -1, -1)[1])
redis.call('HINCRBY', account, 'spendable', amount)
return 'applied'
`;

export const grantCall = (keys: RedisKeys, grant: Grant): ScriptCall => ({
  keys: [keys.epoch, keys.account(grant.accountId), keys.grants(grant.accountId), keys.accounts],
  args: [
    grant.accountId,
    grant.epoch,
    grant.sequence.toString(),
    grant.amountNanoUsd.toString(),
    grant.reserveNanoUsd.toString(),
    grant.reserveVersion.toString(),
  ],
});
