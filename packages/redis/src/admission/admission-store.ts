import type { AdmissionOutcome, AdmissionRequest, KeySpending, UsageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { type AccountState, readAccountState } from './account-state.js';
import { ACKNOWLEDGE_LUA, type AcknowledgedUsage, acknowledgeCall } from './acknowledge.js';
import { ADMIT_LUA, admitCall, readAdmitReply } from './admit.js';
import { BEGIN_EPOCH_LUA, beginEpochCall } from './begin-epoch.js';
import { GRANT_LUA, type Grant, type GrantOutcome, grantCall } from './grant.js';
import { type HoldRecord, readHold } from './hold-record.js';
import { RENEW_LUA, type RunningRequest, renewCall } from './renew.js';
import { type Reserve, type ReserveOutcome, SET_RESERVE_LUA, setReserveCall } from './reserve.js';
import { registerScript } from './script.js';
import { readSettleReply, SETTLE_LUA, type Settlement, settleCall } from './settle.js';
import { readSpendingState, SET_SPENDING_LUA, type SpendingState, setSpendingCall } from './spending.js';
import { type BlockReturn, TAKE_BACK_LUA, takeBackCall } from './take-back.js';

export interface AdmissionStoreOptions {
  readonly keys?: RedisKeys;
  /** How long a concurrency lease lives without renewal. */
  readonly leaseMs?: number;
  /** How long a settled request is remembered. */
  readonly tombstoneMs?: number;
  /** Stands in for Redis' own clock where a test must not wait. */
  readonly nowMs?: () => number;
}

const DEFAULT_LEASE_MS = 60_000;
/** Longer than a hold lives: later repetitions are rare, and the ledger, which never forgets an id, gives their cost back. */
const DEFAULT_TOMBSTONE_MS = 30 * 60 * 1_000;

/** Limits, leases, holds and escrow, each change one script and one round trip. */
export class AdmissionStore {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #leaseMs: number;
  readonly #tombstoneMs: number;
  readonly #nowMs: () => string;
  readonly #scripts;

  constructor(redis: RedisConnection, options: AdmissionStoreOptions = {}) {
    const { nowMs } = options;
    this.#redis = redis;
    this.#keys = options.keys ?? redisKeys();
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.#tombstoneMs = options.tombstoneMs ?? DEFAULT_TOMBSTONE_MS;
    this.#nowMs = nowMs === undefined ? () => '' : () => nowMs().toString();
    this.#scripts = {
      admit: registerScript(redis, 'gwAdmit', ADMIT_LUA),
      renew: registerScript(redis, 'gwRenew', RENEW_LUA),
      settle: registerScript(redis, 'gwSettle', SETTLE_LUA),
      grant: registerScript(redis, 'gwGrant', GRANT_LUA),
      takeBack: registerScript(redis, 'gwTakeBack', TAKE_BACK_LUA),
      setReserve: registerScript(redis, 'gwSetReserve', SET_RESERVE_LUA),
      setSpending: registerScript(redis, 'gwSetSpending', SET_SPENDING_LUA),
      beginEpoch: registerScript(redis, 'gwBeginEpoch', BEGIN_EPOCH_LUA),
      acknowledge: registerScript(redis, 'gwAcknowledge', ACKNOWLEDGE_LUA),
    };
  }

  async admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    const call = admitCall(this.#keys, request, this.#leaseMs, this.#nowMs());
    return readAdmitReply(await this.#scripts.admit(call), request);
  }

  /** Gives back the ids of the requests that hold nothing any more: settled, swept or lost. */
  async renew(
    running: readonly RunningRequest[],
    leaseUntilMs: number,
    holdExpiresAtMs: number,
  ): Promise<readonly string[]> {
    if (running.length === 0) return [];
    const call = renewCall(this.#keys, running, leaseUntilMs, holdExpiresAtMs, this.#nowMs());
    return (await this.#scripts.renew(call)) as string[];
  }

  /** The event's own `holdNanoUsd` is not used: the appended event carries what was really held. */
  async settle(event: UsageSettled): Promise<Settlement> {
    return readSettleReply(await this.#scripts.settle(settleCall(this.#keys, event, this.#tombstoneMs)));
  }

  async grant(grant: Grant): Promise<GrantOutcome> {
    return (await this.#scripts.grant(grantCall(this.#keys, grant))) as GrantOutcome;
  }

  /** What this return took out of spendable, by this call or an earlier one. Null: Redis lives in another epoch. */
  async takeBack(blockReturn: BlockReturn): Promise<bigint | null> {
    const taken = (await this.#scripts.takeBack(takeBackCall(this.#keys, blockReturn))) as string | null;
    return taken === null ? null : BigInt(taken);
  }

  async setReserve(reserve: Reserve): Promise<ReserveOutcome> {
    return (await this.#scripts.setReserve(setReserveCall(this.#keys, reserve))) as ReserveOutcome;
  }

  /**
   * How many of the entries were taken off the stream by this call; the others had been before. `spendings`: what their
   * keys have spent now that they are booked.
   */
  async acknowledge(entries: readonly AcknowledgedUsage[], spendings: readonly KeySpending[] = []): Promise<number> {
    if (entries.length === 0) return 0;
    return (await this.#scripts.acknowledge(acknowledgeCall(this.#keys, entries, spendings))) as number;
  }

  /** Tells Redis what a key has spent after the ledger gave some of it back. False: a newer value, or none, is there. */
  async setSpending(spending: KeySpending): Promise<boolean> {
    return (await this.#scripts.setSpending(setSpendingCall(this.#keys, spending))) === 1;
  }

  /** What counts against the cap of the keys that share this count. */
  async readSpending(spendingKeyId: string): Promise<SpendingState> {
    return readSpendingState(await this.#redis.hgetall(this.#keys.spending(spendingKeyId)));
  }

  async readAccount(accountId: string): Promise<AccountState> {
    return readAccountState(await this.#redis.hgetall(this.#keys.account(accountId)));
  }

  /**
   * Some of the accounts that Redis has a state of, about `count`, from where the last page ended (null: from the beginning).
   * `next` is null after the last page; by then each account that was there all the time has been given, perhaps twice.
   */
  async accountIds(
    from: string | null,
    count: number,
  ): Promise<{ accountIds: readonly string[]; next: string | null }> {
    const [next, accountIds] = await this.#redis.sscan(this.#keys.accounts, from ?? '0', 'COUNT', count);
    return { accountIds, next: next === '0' ? null : next };
  }

  /** Null: Redis is empty and admission refused until `beginEpoch`. */
  async currentEpoch(): Promise<string | null> {
    return this.#redis.get(this.#keys.epoch);
  }

  /** False: an epoch is already open. Book no usage between this call and taking escrow back in the ledger. */
  async beginEpoch(epoch: string): Promise<boolean> {
    return (await this.#scripts.beginEpoch(beginEpochCall(this.#keys, epoch))) === 1;
  }

  /** Stops admission until billing has rebuilt the escrow. */
  async dropEpoch(): Promise<void> {
    await this.#redis.del(this.#keys.epoch);
  }

  /** Holds whose time is over, the oldest first. */
  async expiredHolds(nowMs: number, limit: number): Promise<readonly HoldRecord[]> {
    return this.#readHolds(await this.#redis.zrangebyscore(this.#keys.openHolds, '-inf', nowMs, 'LIMIT', 0, limit));
  }

  /** Open holds, those first whose time is over first. */
  async openHolds(limit: number): Promise<readonly HoldRecord[]> {
    return this.#readHolds(await this.#redis.zrange(this.#keys.openHolds, 0, (limit - 1).toString()));
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
