/**
 * Every name this gateway uses in Redis. All that one admission script touches shares the hash tag `{shard}`, hence one
 * slot: to spread accounts over several shards, choose the shard here and nowhere else.
 */
export interface RedisKeys {
  readonly epoch: string;
  /** Set of the accounts that have an account hash. */
  readonly accounts: string;
  /** Hash: spendable, held, unsettled, grantSequence, returnSequence, returned, reserve, reserveVersion. */
  account(accountId: string): string;
  /** Sorted set of the latest grants' sequence numbers. */
  grants(accountId: string): string;
  /** Hash: one open hold. */
  hold(requestId: string): string;
  /** Sorted set of the requests with an open hold, by the hold's expiry. */
  readonly openHolds: string;
  /** Sorted set of a key's running requests, by the lease's expiry. */
  leases(keyId: string): string;
  /** Theoretical arrival time of a key's next request, in microseconds. */
  rate(keyId: string): string;
  /** Hash of keys with a spend cap: spent, version (of spent), unsettled, held. */
  spending(spendingKeyId: string): string;
  /** Tombstone of a settled request: its outcome, `:`, its cost in nano-USD. */
  settled(requestId: string): string;
  /** Hash: one request of an account that is answered once, by the SHA-256 of its client's key. */
  idempotency(purse: 'live' | 'test', accountId: string, keySha256: string): string;
  /** Bytes of answers that an account has kept here, or elsewhere. */
  idempotencyBytes(accountId: string, place: 'here' | 'apart'): string;
  readonly usage: string;
  readonly deadUsage: string;
  keyRecord(keySha256: string): string;
  /** While it exists, a key's record may not be cached: it has just been changed. */
  keyFence(keySha256: string): string;
  readonly invalidatedKeys: string;
  /** Channel on which it is said that a video task has changed. */
  readonly taskChanges: string;
  /** When a channel may be asked next how its tasks are, in microseconds. */
  pollRate(channelId: string): string;
  /** A queue is a slot of its own: its scripts touch nothing else. */
  queuePrefix(queueName: string): string;
}

export function redisKeys(prefix = 'gw', shard = '0'): RedisKeys {
  const tag = `${prefix}{${shard}}`;
  return {
    epoch: `${tag}:epoch`,
    accounts: `${tag}:accounts`,
    account: (accountId) => `${tag}:account:${accountId}`,
    grants: (accountId) => `${tag}:grants:${accountId}`,
    hold: (requestId) => `${tag}:hold:${requestId}`,
    openHolds: `${tag}:holds`,
    leases: (keyId) => `${tag}:leases:${keyId}`,
    rate: (keyId) => `${tag}:rate:${keyId}`,
    spending: (spendingKeyId) => `${tag}:spending:${spendingKeyId}`,
    settled: (requestId) => `${tag}:s:${requestId}`,
    idempotency: (purse, accountId, keySha256) => `${tag}:once:${purse}:${accountId}:${keySha256}`,
    idempotencyBytes: (accountId, place) => `${tag}:once-bytes${place === 'here' ? '' : '-apart'}:${accountId}`,
    usage: `${tag}:usage`,
    deadUsage: `${tag}:usage:dead`,
    keyRecord: (keySha256) => `${prefix}:key:{${keySha256}}`,
    keyFence: (keySha256) => `${prefix}:key-fence:{${keySha256}}`,
    invalidatedKeys: `${prefix}:keys:invalidated`,
    taskChanges: `${prefix}:tasks:changed`,
    pollRate: (channelId) => `${prefix}:poll-rate:${channelId}`,
    queuePrefix: (queueName) => `${prefix}{${queueName}}`,
  };
}
