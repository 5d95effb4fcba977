import type { AdmissionOutcome, AdmissionRequest, KeySpending, UsageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { clockOf, registerScript } from '../scripts/script.js';
import { type AccountFundsRecord, readAccountFunds } from './account-funds.js';
import { type AccountState, readAccountState } from './account-state.js';
import { type AcknowledgedUsage, acknowledgeCall, type BookedTotals } from './acknowledge.js';
import { admitCall, readAdmitReply } from './admit.js';
import { beginEpochCall } from './begin-epoch.js';
import { type Grant, type GrantOutcome, grantCall } from './grant.js';
import { headroomCall } from './headroom.js';
import { type HoldRecord, readHold } from './hold-record.js';
import { type RunningRequest, renewCall } from './renew.js';
import { type Reserve, type ReserveOutcome, setReserveCall } from './reserve.js';
import { readSettleReply, type Settlement, settleCall } from './settle.js';
import { readSpendingState, type SpendingState, setSpendingCall } from './spending.js';
import { type BlockReturn, takeBackCall } from './take-back.js';

export interface AdmissionStoreOptions {
  readonly keys?: RedisKeys;
  /** Lifetime of a concurrency lease without renewal. */
  readonly leaseMs?: number;
  /** Lifetime of a settled request's tombstone. */
  readonly tombstoneMs?: number;
  /** Replaces Redis' own clock in tests. Unix milliseconds. */
  readonly nowMs?: () => number;
}

const DEFAULT_LEASE_MS = 60_000;
/** Longer than a hold. Later repetitions are rare, and the ledger, which stores every request id, refunds their cost. */
const DEFAULT_TOMBSTONE_MS = 30 * 60 * 1_000;

/** Limits, leases, holds and escrow. Each change is one script and one round trip. */
export class AdmissionStore {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #leaseMs: number;
  readonly #tombstoneMs: number;
  readonly #givenMs: () => string;
  readonly #scripts;

  constructor(redis: RedisConnection, options: AdmissionStoreOptions = {}) {
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.#tombstoneMs = options.tombstoneMs ?? DEFAULT_TOMBSTONE_MS;
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
    };
  }

  async admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const call = admitCall(this.#keys, request, this.#leaseMs, this.#givenMs());
    return readAdmitReply(await this.#scripts.admit(call), request);
  }

  /** Resolves to the ids of the requests without a hold: settled, swept or lost. Times in Unix milliseconds. */
  async renew(
    running: readonly RunningRequest[],
    leaseUntilMs: number,
    holdExpiresAtMs: number,
  ): Promise<readonly string[]> {
    if (running.length === 0) return [];
    const call = renewCall(this.#keys, running, { leaseUntilMs, holdExpiresAtMs, givenMs: this.#givenMs() });
    return (await this.#scripts.renew(call)) as string[];
  }

  /** What a running request may use beyond its hold, in nano-USD. Null: it has no hold. */
  async headroom(accountId: string, requestId: string): Promise<bigint | null> {
    const digits = (await this.#scripts.headroom(headroomCall(this.#keys, accountId, requestId))) as string;
    return digits === '' ? null : BigInt(digits);
  }

  /** Idempotent by request id. Ignores the event's `holdNanoUsd`: Redis writes the amount that it held. */
  async settle(event: UsageSettled): Promise<Settlement> {
    return readSettleReply(await this.#scripts.settle(settleCall(this.#keys, event, this.#tombstoneMs)));
  }

  async grant(grant: Grant): Promise<GrantOutcome> {
    return (await this.#scripts.grant(grantCall(this.#keys, grant))) as GrantOutcome;
  }

  /** The nano-USD that this return withdrew, by this call or an earlier one. Null: another epoch is open. */
  async takeBack(blockReturn: BlockReturn): Promise<bigint | null> {
    const taken = (await this.#scripts.takeBack(takeBackCall(this.#keys, blockReturn))) as string | null;
    return taken === null ? null : BigInt(taken);
  }

  async setReserve(reserve: Reserve): Promise<ReserveOutcome> {
    return (await this.#scripts.setReserve(setReserveCall(this.#keys, reserve))) as ReserveOutcome;
  }

  /**
   * Resolves to how many entries this call removed from the stream; the others were removed before. `booked`: the
   * totals of the entries' keys and caps.
   */
  async acknowledge(entries: readonly AcknowledgedUsage[], booked: Partial<BookedTotals> = {}): Promise<number> {
    if (entries.length === 0) return 0;
    return (await this.#scripts.acknowledge(
      acknowledgeCall(this.#keys, entries, { spendings: [], capCounts: [], ...booked }),
    )) as number;
  }

  /** Stores a key's booked total after a refund. False: a newer total, or none, is stored. */
  async setSpending(spending: KeySpending): Promise<boolean> {
    return (await this.#scripts.setSpending(setSpendingCall(this.#keys, spending))) === 1;
  }

  /** Stores a key's total with a new reservation, and returns what counts against its cap from then on. */
  async reserveSpending(spending: KeySpending): Promise<SpendingState> {
    const [spent, unsettled, held] = (await this.#scripts.reserveSpending(
      setSpendingCall(this.#keys, spending),
    )) as readonly string[];
    return readSpendingState({ spent: spent || '0', unsettled: unsettled || '0', held: held || '0' });
  }

  /** What counts against the cap; several keys may share one count. */
  async readSpending(spendingKeyId: string): Promise<SpendingState> {
    return readSpendingState(await this.#redis.hgetall(this.#keys.spending(spendingKeyId)));
  }

  /** What counts against the caps of a counter: booked, settled and held. */
  async readCapCounter(name: string): Promise<Record<string, string>> {
    return this.#redis.hgetall(this.#keys.cap(name));
  }

  /** What the customer has, without a hold. Null if Redis does not know it. */
  async readFunds(accountId: string): Promise<AccountFundsRecord | null> {
    return readAccountFunds(await this.#redis.hmget(this.#keys.account(accountId), 'reserve', 'spendable', 'held'));
  }

  async readAccount(accountId: string): Promise<AccountState> {
    return readAccountState(await this.#redis.hgetall(this.#keys.account(accountId)));
  }

  /**
   * One page of about `count` accounts that have a state here. `cursor` is the previous page's `next`, or null for the
   * first page; `next` is null after the last. An account that existed throughout appears at least once.
   */
  async accountIds(
    cursor: string | null,
    count: number,
  ): Promise<{ accountIds: readonly string[]; next: string | null }> {
    const [next, accountIds] = await this.#redis.sscan(this.#keys.accounts, cursor ?? '0', 'COUNT', count);
    return { accountIds, next: next === '0' ? null : next };
  }

  /** Null: Redis is empty and refuses admission until `beginEpoch`. */
  async currentEpoch(): Promise<string | null> {
    return this.#redis.get(this.#keys.epoch);
  }

  /** False: an epoch is open. Between this call and the ledger's own reset of escrow, book no usage. */
  async beginEpoch(epoch: string): Promise<boolean> {
    return (await this.#scripts.beginEpoch(beginEpochCall(this.#keys, epoch))) === 1;
  }

  /** Stops admission until billing rebuilds the escrow. */
  async dropEpoch(): Promise<void> {
    await this.#redis.del(this.#keys.epoch);
  }

  /** Expired holds, earliest expiry first. */
  async expiredHolds(nowMs: number, limit: number): Promise<readonly HoldRecord[]> {
    return this.#readHolds(await this.#redis.zrangebyscore(this.#keys.openHolds, '-inf', nowMs, 'LIMIT', 0, limit));
  }

  /** Open holds, earliest expiry first. */
  async openHolds(limit: number): Promise<readonly HoldRecord[]> {
    return this.#readHolds(await this.#redis.zrange(this.#keys.openHolds, 0, (limit - 1).toString()));
  }

  /** Undefined: the request was never admitted, or has ended. */
  async openHold(requestId: string): Promise<HoldRecord | undefined> {
    return readHold(requestId, await this.#redis.hgetall(this.#keys.hold(requestId)));
  }

  async countOpenHolds(): Promise<number> {
    return this.#redis.zcard(this.#keys.openHolds);
  }

  async #readHolds(requestIds: readonly string[]): Promise<readonly HoldRecord[]> {
    const read = async (requestId: string) =>
      readHold(requestId, await this.#redis.hgetall(this.#keys.hold(requestId)));
    return (await Promise.all(requestIds.map(read))).filter((hold) => hold !== undefined);
  }
}
