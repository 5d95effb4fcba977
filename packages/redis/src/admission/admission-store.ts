import type { AdmissionOutcome, AdmissionRequest, KeySpending, UsageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { redisTimeMs } from '../connection/redis-time.js';
import { type MoneyKeys, type RedisKeys, redisKeys } from '../keys.js';
import { clockOf, registerScript } from '../scripts/script.js';
import { afterAll, groupByShard, whatSucceeds } from '../shards/by-shard.js';
import { type AccountFundsRecord, readAccountFunds } from './account-funds.js';
import { type AccountState, readAccountState } from './account-state.js';
import { type AcknowledgedUsage, acknowledgeCall, type BookedTotals } from './acknowledge.js';
import { admitCall, readAdmitReply } from './admit.js';
import { beginEpochCall } from './begin-epoch.js';
import { expiredHoldsCall } from './expired-holds.js';
import { type Grant, type GrantOutcome, grantCall } from './grant.js';
import { headroomCall } from './headroom.js';
import { type HoldRecord, readHold } from './hold-record.js';
import { type PageOfAccounts, pageOfAccounts } from './page-of-accounts.js';
import { readShardStates, readShardsCall, type ShardState } from './read-shards.js';
import { LEASE_MS, type RunningRequest, renewCall } from './renew.js';
import { type Reserve, type ReserveOutcome, setReserveCall } from './reserve.js';
import { readSettleReply, type Settlement, settleCall } from './settle.js';
import { readSpendingState, type SpendingState, setSpendingCall } from './spending.js';
import { type BlockReturn, takeBackCall } from './take-back.js';

/** The epochs by shard. Null: none is open; undefined: its node did not reply. */
export type ShardEpochs = readonly (string | null | undefined)[];

export interface AdmissionStoreOptions {
  readonly keys?: RedisKeys;
  /** Lifetime of a concurrency lease without renewal. */
  readonly leaseMs?: number;
  /** Replaces Redis' own clock in tests. Unix milliseconds. */
  readonly nowMs?: () => number;
}

/** A message that is no list of keys stands for all of them. */
const ALL_KEYS = '"all"';

/** Limits, leases, holds and escrow. Each change is one script and one round trip. */
export class AdmissionStore {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #leaseMs: number;
  readonly #givenMs: () => string;
  readonly #scripts;

  constructor(redis: RedisConnection, options: AdmissionStoreOptions = {}) {
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#givenMs = clockOf(options.nowMs);
    this.#scripts = {
      admit: registerScript(redis, 'admission/admit'),
      renew: registerScript(redis, 'admission/renew'),
      headroom: registerScript(redis, 'admission/headroom'),
      settle: registerScript(redis, 'admission/settle'),
      grant: registerScript(redis, 'admission/grant'),
      takeBack: registerScript(redis, 'admission/take-back'),
      setReserve: registerScript(redis, 'admission/set-reserve'),
      setSpending: registerScript(redis, 'admission/set-spending'),
      reserveSpending: registerScript(redis, 'admission/reserve-spending'),
      beginEpoch: registerScript(redis, 'admission/begin-epoch'),
      acknowledge: registerScript(redis, 'admission/acknowledge'),
      expiredHolds: registerScript(redis, 'admission/expired-holds'),
      readShards: registerScript(redis, 'admission/read-shards'),
    };
  }

  async admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const call = admitCall(this.#keys.of(request.accountId), request, this.#leaseMs, this.#givenMs());
    return readAdmitReply(await this.#scripts.admit(call), request);
  }

  /**
   * From now on, leases and holds last so many milliseconds. Resolves to the ids of the requests without a hold: settled,
   * swept or lost.
   */
  async renew(running: readonly RunningRequest[], leaseMs: number, holdMs: number): Promise<readonly string[]> {
    if (running.length === 0) return [];
    const times = { leaseMs, holdMs, givenMs: this.#givenMs() };
    const renewals = groupByShard(this.#redis, running, ({ accountId }) => this.#keys.of(accountId)).map((group) =>
      this.#scripts.renew(renewCall(this.#keys, group, times)),
    );
    return ((await afterAll(renewals)) as string[][]).flat();
  }

  /** What a running request may use beyond its hold, in nano-USD. Null: it has no hold. */
  async headroom(accountId: string, requestId: string): Promise<bigint | null> {
    const digits = (await this.#scripts.headroom(
      headroomCall(this.#keys.of(accountId), accountId, requestId),
    )) as string;
    return digits === '' ? null : BigInt(digits);
  }

  /** Idempotent by request id. Ignores the event's `holdNanoUsd`: Redis writes the amount that it held. */
  async settle(event: UsageSettled): Promise<Settlement> {
    return readSettleReply(await this.#scripts.settle(settleCall(this.#keys.of(event.accountId), event)));
  }

  async grant(grant: Grant): Promise<GrantOutcome> {
    return (await this.#scripts.grant(grantCall(this.#keys.of(grant.accountId), grant))) as GrantOutcome;
  }

  /** The nano-USD that this return withdrew, by this call or an earlier one. Null: another epoch is open. */
  async takeBack(blockReturn: BlockReturn): Promise<bigint | null> {
    const taken = (await this.#scripts.takeBack(takeBackCall(this.#keys.of(blockReturn.accountId), blockReturn))) as
      | string
      | null;
    return taken === null ? null : BigInt(taken);
  }

  async setReserve(reserve: Reserve): Promise<ReserveOutcome> {
    return (await this.#scripts.setReserve(
      setReserveCall(this.#keys.of(reserve.accountId), reserve),
    )) as ReserveOutcome;
  }

  /**
   * Resolves to how many entries this call removed from the streams; the others were removed before, or their node is away:
   * they become stale and are booked again, which changes nothing. `booked`: the totals of the entries' keys and caps.
   */
  async acknowledge(entries: readonly AcknowledgedUsage[], booked: Partial<BookedTotals> = {}): Promise<number> {
    const { spendings = [], capCounts = [] } = booked;
    const calls = [...Map.groupBy(entries, ({ accountId }) => this.#keys.of(accountId))].map(([money, group]) => {
      const isHere = ({ accountId }: { readonly accountId: string }) => this.#keys.of(accountId) === money;
      const totals = { spendings: spendings.filter(isHere), capCounts: capCounts.filter(isHere) };
      return this.#scripts.acknowledge(acknowledgeCall(money, group, totals));
    });
    return ((await whatSucceeds(calls)) as number[]).reduce((sum, count) => sum + count, 0);
  }

  /** Stores a key's booked total after a refund. False: a newer total, or none, is stored. */
  async setSpending(accountId: string, spending: KeySpending): Promise<boolean> {
    return (await this.#scripts.setSpending(setSpendingCall(this.#keys.of(accountId), spending))) === 1;
  }

  /** Stores a key's total with a new reservation, and returns what counts against its cap from then on. */
  async reserveSpending(accountId: string, spending: KeySpending): Promise<SpendingState> {
    const [spent, unsettled, held] = (await this.#scripts.reserveSpending(
      setSpendingCall(this.#keys.of(accountId), spending),
    )) as readonly string[];
    return readSpendingState({ spent: spent || '0', unsettled: unsettled || '0', held: held || '0' });
  }

  /** What counts against the cap; several keys may share one count. */
  async readSpending(accountId: string, spendingKeyId: string): Promise<SpendingState> {
    return readSpendingState(await this.#redis.hgetall(this.#keys.of(accountId).spending(spendingKeyId)));
  }

  /** What counts against the caps of a counter: booked, settled and held. */
  async readCapCounter(accountId: string, name: string): Promise<Record<string, string>> {
    return this.#redis.hgetall(this.#keys.of(accountId).cap(name));
  }

  /** What the customer has, without a hold. Null if Redis does not know it. */
  async readFunds(accountId: string): Promise<AccountFundsRecord | null> {
    const account = this.#keys.of(accountId).account(accountId);
    return readAccountFunds(await this.#redis.hmget(account, 'reserve', 'spendable', 'held'));
  }

  async readAccount(accountId: string): Promise<AccountState> {
    return readAccountState(await this.#redis.hgetall(this.#keys.of(accountId).account(accountId)));
  }

  /**
   * One page of about `count` accounts that have a state here, shard by shard. `cursor` is the previous page's `next`, or
   * null for the first page; `next` is null after the last. An account that existed throughout appears at least once. A cluster's node that
   * is away is left out.
   */
  async accountIds(cursor: string | null, count: number): Promise<PageOfAccounts> {
    return pageOfAccounts(this.#redis, this.#keys.shards, cursor, count);
  }

  /** Null: the account's shard is empty and refuses admission until `beginEpoch`. */
  async currentEpoch(accountId: string): Promise<string | null> {
    return this.#redis.get(this.#keys.of(accountId).epoch);
  }

  /** Rejects if no node replied. */
  async currentEpochs(): Promise<ShardEpochs> {
    const names = this.#keys.shards.map(({ epoch }) => epoch);
    if (!this.#redis.isCluster) return this.#redis.mget(names);
    const epochs: (string | null | undefined)[] = names.map(() => undefined);
    const read = names.map(async (name, shard) => {
      epochs[shard] = await this.#redis.get(name);
    });
    await whatSucceeds(read);
    return epochs;
  }

  /**
   * False: an epoch is open in one of these shards. Between this call and the ledger's own reset of escrow, book no usage.
   * Edges read all keys again: the counts of a record that they have cached may be older than those that Redis has lost.
   */
  async beginEpoch(epoch: string, shards = this.#shardNumbers): Promise<boolean> {
    await this.#redis.publish(this.#keys.invalidatedKeys, ALL_KEYS);
    const begun = this.#keysOf(shards).map((money) => this.#scripts.beginEpoch(beginEpochCall(money, epoch)));
    return (await afterAll(begun)).every((reply) => reply === 1);
  }

  /** The clock by which holds expire, in Unix milliseconds. */
  now(): Promise<number> {
    return redisTimeMs(this.#redis);
  }

  /** Expired holds of these shards, at most `limit` of each, earliest expiry first. */
  async expiredHolds(nowMs: number, limit: number, shards = this.#shardNumbers): Promise<readonly HoldRecord[]> {
    const calls = groupByShard(this.#redis, this.#keysOf(shards), ({ shard }) => shard).map((group) =>
      this.#scripts.expiredHolds(expiredHoldsCall(group, nowMs, limit)),
    );
    const found = ((await whatSucceeds(calls)) as [holds: string, requestId: string][][]).flat();
    const byHolds = new Map(this.#keys.shards.map((money) => [money.openHolds, money]));
    const read = await this.#readHolds(
      found.map(([holds, requestId]) => [byHolds.get(holds) as MoneyKeys, requestId] as const),
    );
    return read.toSorted((one, other) => one.expiresAtMs - other.expiresAtMs);
  }

  /** Undefined: the request was never admitted for this account, or has ended. */
  async openHold(accountId: string, requestId: string): Promise<HoldRecord | undefined> {
    return readHold(requestId, await this.#redis.hgetall(this.#keys.of(accountId).hold(requestId)));
  }

  /** The counts of each shard whose node replies. Rejects if none does. `nowMs`: holds that expire before it have expired. */
  async readShards(nowMs: number): Promise<readonly ShardState[]> {
    const calls = groupByShard(this.#redis, this.#keys.shards, ({ shard }) => shard).map(async (group) =>
      readShardStates(group, await this.#scripts.readShards(readShardsCall(group, nowMs))),
    );
    return (await whatSucceeds(calls)).flat();
  }

  get #shardNumbers(): readonly number[] {
    return this.#keys.shards.map(({ shard }) => shard);
  }

  #keysOf(shards: readonly number[]): readonly MoneyKeys[] {
    return this.#keys.shards.filter(({ shard }) => shards.includes(shard));
  }

  async #readHolds(found: readonly (readonly [MoneyKeys, string])[]): Promise<readonly HoldRecord[]> {
    const reads = found.map(async ([money, requestId]) =>
      readHold(requestId, await this.#redis.hgetall(money.hold(requestId))),
    );
    return (await whatSucceeds(reads)).filter((hold) => hold !== undefined);
  }
}
