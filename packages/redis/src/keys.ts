import { FORMER_SHARD, shardOf } from '@gateway/contracts';
import { FORMER_TAG, SHARD_TAGS } from './shards/shard-tags.js';

/** The keys of the money in one shard. They share the hash tag of the shard, and so one slot: scripts change them together. */
export interface MoneyKeys {
  /** 0 to 63, or `FORMER_SHARD`. */
  readonly shard: number;
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
  /** Sorted set of the running requests of an account or an API key, by the lease's expiry. */
  leases(ownerId: string): string;
  /** Theoretical arrival time of the next request of an account or an API key, in microseconds. */
  rate(ownerId: string): string;
  /** Hash of API keys with a spend cap: spent, version (of spent), unsettled, held. */
  spending(spendingKeyId: string): string;
  /** `counter`: the name of a `CapCounter`. */
  cap(counter: string): string;
  /** Tombstone of a settled request: its outcome, `:`, its cost in nano-USD. */
  settled(requestId: string): string;
  /** Hash: the record of one idempotency key, by the SHA-256 of the client's key. */
  idempotency(mode: 'live' | 'test', accountId: string, keySha256: string): string;
  /** Bytes of an account's stored response bodies: in Redis (`redis`) or elsewhere (`spilled`). */
  idempotencyBytes(accountId: string, place: 'redis' | 'spilled'): string;
  /** Stream of settled requests that the ledger has not booked. */
  readonly usage: string;
  readonly deadUsage: string;
}

/** Every key and channel of this gateway in Redis. */
export interface RedisKeys {
  /** The shards of the money, by number. */
  readonly shards: readonly MoneyKeys[];
  /** What releases that had one slot for all money have left behind. */
  readonly former: MoneyKeys;
  /** The shard of an account, for all its requests, keys and members. */
  of(accountId: string): MoneyKeys;
  /** Readiness checks write them, because Redis may reply and refuse writes. Of several nodes, each serves one or more. */
  readonly probes: readonly string[];
  /** The same, in a Redis of the queues. */
  readonly queueProbe: string;
  keyRecord(keySha256: string): string;
  /** While it exists, the key's record must not be cached: it was just invalidated. */
  keyFence(keySha256: string): string;
  readonly invalidatedKeys: string;
  /** Channel of hints that a video task changed. */
  readonly taskChanges: string;
  /** Channel of the ends of requests whose clients wait at an edge. */
  requestEnds(edge: string): string;
  /** When an upstream channel may be polled next, in Unix microseconds. */
  pollRate(channelId: string): string;
  /** Channel of an account's requests whose receipts are in the ledger. */
  bookedRequests(accountId: string): string;
  /** List: the latest refused requests of an account, the newest first. */
  refusals(accountId: string): string;
  /** Hash: the latest report of each worker process. */
  readonly processReports: string;
  /** JSON: what administrators have set for channels. */
  readonly channelControls: string;
  /** The bytes of a running stream that its reader may attach to again. */
  liveResponse(requestId: string): string;
  /** Which running streams use memory here, of one account or of all: sorted set by expiry, and hash of bytes. They share a slot. */
  liveUse(scope: string): { readonly expiries: string; readonly sizes: string };
  /** Each queue has a slot of its own: BullMQ's scripts touch one queue. */
  queuePrefix(queueName: string): string;
}

function moneyKeys(prefix: string, shard: number, hashTag: string): MoneyKeys {
  const tag = `${prefix}{${hashTag}}`;
  return {
    shard,
    epoch: `${tag}:epoch`,
    accounts: `${tag}:accounts`,
    account: (accountId) => `${tag}:account:${accountId}`,
    grants: (accountId) => `${tag}:grants:${accountId}`,
    hold: (requestId) => `${tag}:hold:${requestId}`,
    openHolds: `${tag}:holds`,
    leases: (ownerId) => `${tag}:leases:${ownerId}`,
    rate: (ownerId) => `${tag}:rate:${ownerId}`,
    spending: (spendingKeyId) => `${tag}:spending:${spendingKeyId}`,
    cap: (counter) => `${tag}:cap:${counter}`,
    settled: (requestId) => `${tag}:s:${requestId}`,
    idempotency: (mode, accountId, keySha256) => `${tag}:once:${mode}:${accountId}:${keySha256}`,
    idempotencyBytes: (accountId, place) => `${tag}:once-bytes${place === 'redis' ? '' : '-apart'}:${accountId}`,
    usage: `${tag}:usage`,
    deadUsage: `${tag}:usage:dead`,
  };
}

/** As many nodes may fail before a probe finds none, if each has equally many slots. */
const PROBED_SHARDS = [0, 16, 32, 48];

const USUAL_PREFIX = 'gw';
let usualKeys: RedisKeys | undefined;

/** The usual ones are made once: callers ask for them with each request. */
export function redisKeys(prefix = USUAL_PREFIX): RedisKeys {
  if (prefix !== USUAL_PREFIX) return keysWith(prefix);
  usualKeys ??= keysWith(USUAL_PREFIX);
  return usualKeys;
}

function keysWith(prefix: string): RedisKeys {
  const shards = SHARD_TAGS.map((tag, shard) => moneyKeys(prefix, shard, tag));
  return {
    shards,
    former: moneyKeys(prefix, FORMER_SHARD, FORMER_TAG),
    of: (accountId) => shards[shardOf(accountId)] as MoneyKeys,
    probes: PROBED_SHARDS.map((shard) => `${prefix}{${SHARD_TAGS[shard]}}:probe`),
    queueProbe: `${prefix}:queue-probe`,
    keyRecord: (keySha256) => `${prefix}:key:{${keySha256}}`,
    keyFence: (keySha256) => `${prefix}:key-fence:{${keySha256}}`,
    invalidatedKeys: `${prefix}:keys:invalidated`,
    taskChanges: `${prefix}:tasks:changed`,
    requestEnds: (edge) => `${prefix}:requests:ended:${edge}`,
    pollRate: (channelId) => `${prefix}:poll-rate:${channelId}`,
    bookedRequests: (accountId) => `${prefix}:booked:${accountId}`,
    refusals: (accountId) => `${prefix}:refusals:{${accountId}}`,
    processReports: `${prefix}:processes`,
    channelControls: `${prefix}:channel-controls`,
    liveResponse: (requestId) => `${prefix}:live:${requestId}`,
    liveUse: (scope) => ({ expiries: `${prefix}:live-use:{${scope}}`, sizes: `${prefix}:live-bytes:{${scope}}` }),
    queuePrefix: (queueName) => `${prefix}{${queueName}}`,
  };
}

/** The keys by which releases with one slot for all money are read: each account is in it. */
export const formerKeys = (keys: RedisKeys): RedisKeys => ({
  ...keys,
  shards: [keys.former],
  of: () => keys.former,
});
