import { SHARDS } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import { activateEpoch, activeEpochs, type Database, nextEpoch } from '@gateway/postgres';
import type { AdmissionStore, RedisConnection, ShardEpochs } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS, REDIS } from '../tokens.js';
import { CloseFormerSlot } from './close-former-slot.service.js';

/** A server returns all epochs to one command, a cluster needs one for each shard. */
const POLL_MS = { server: 500, cluster: 1_000 };
/** While no epoch changes. A Redis that has restarted ends the pause. */
const MAX_INTERVAL_MS = 2_000;
/** The interval of the check that no other process has moved the ledger to another epoch: up to ten seconds. */
const VERIFY_EVERY_ROUNDS = 5;

/**
 * Keeps the ledger in the epochs of Redis. A shard without an epoch has lost its data, so this begins a new one. The ledger
 * then returns the escrow of its accounts to the customers in batches. It grants them nothing until the last batch, so no
 * money is spendable twice. Shards that lost nothing go on. Several processes may run it: Redis accepts one epoch for each
 * shard, and the ledger enters it once.
 */
@Injectable()
export class FollowEpoch implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #followed: (string | null)[] = SHARDS.map(() => null);
  #isComplete = false;
  #roundsSinceVerified = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly formerSlot: CloseFormerSlot,
  ) {
    this.#loop = new Loop({
      intervalMs: redis.isCluster ? POLL_MS.cluster : POLL_MS.server,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async (signal) => {
        if (!(await this.follow(signal))) this.#loop.backOff();
      },
      onError: (error) => this.logger.warn({ err: error }, 'epoch check failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.redis.on('ready', () => this.#loop.kick());
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** True while the last round found the ledger and each shard that replied in the same epoch. */
  get isFollowing(): boolean {
    return this.#isComplete;
  }

  /** The epochs in which the last round found the ledger and Redis; null: none. */
  get followed(): readonly (string | null)[] {
    return [...this.#followed];
  }

  /** The epochs of Redis now; all undefined while it does not reply. */
  async readNow(): Promise<ShardEpochs> {
    try {
      return await this.store.currentEpochs();
    } catch (error) {
      this.logger.debug({ err: error }, 'epochs not read');
      return SHARDS.map(() => undefined);
    }
  }

  /** False: nothing has changed. An aborted `signal` leaves the remaining escrow to the next process. */
  async follow(signal?: AbortSignal): Promise<boolean> {
    const epochs = await this.#beginWhereLost(await this.store.currentEpochs());
    const moved = SHARDS.filter((shard) => epochs[shard] !== undefined && epochs[shard] !== this.#followed[shard]);
    const behind = moved.length > 0 ? moved : await this.#shardsThatTheLedgerLeft(epochs);
    this.#isComplete = behind.length === 0 && this.#followed.some((epoch) => epoch !== null);
    for (const shard of behind) this.#followed[shard] = null;
    for (const [epoch, shards] of Map.groupBy(behind, (shard) => epochs[shard] as string)) {
      if (!(await this.#activate(epoch, shards, signal))) return true;
      for (const shard of shards) this.#followed[shard] = epoch;
    }
    this.#isComplete = true;
    return behind.length > 0;
  }

  /** False: the signal stopped it. */
  async #activate(epoch: string, shards: readonly number[], signal: AbortSignal | undefined): Promise<boolean> {
    if (!/^\d{1,18}$/.test(epoch))
      throw new Error(`the epoch in Redis must be a number of the ledger, but is ${JSON.stringify(epoch)}`);
    const activation = await activateEpoch(this.database, BigInt(epoch), shards, signal);
    const { isActive, isChanged, accounts, returnedNanoUsd } = activation;
    if (!isActive || !isChanged) return isActive;
    this.metrics.rebuilds.inc();
    this.logger.warn(
      { epoch, shards: shards.length, accounts: accounts.toString(), returnedNanoUsd: returnedNanoUsd.toString() },
      'Redis lost data: escrow returned to the customers',
    );
    return true;
  }

  /** The first process decides: a shard ignores `beginEpoch` once it has an epoch. */
  async #beginWhereLost(epochs: ShardEpochs): Promise<ShardEpochs> {
    const lost = SHARDS.filter((shard) => epochs[shard] === null);
    if (lost.length === 0) return epochs;
    this.#isComplete = false;
    for (const shard of lost) this.#followed[shard] = null;
    // Before the first escrow returns, nothing may be spendable under the keys of a former release.
    await this.formerSlot.close();
    await this.store.beginEpoch((await nextEpoch(this.database)).toString(), lost);
    const begun = await this.store.currentEpochs();
    if (begun.includes(null)) throw new Error('Redis lost its epoch again');
    return begun;
  }

  async #shardsThatTheLedgerLeft(epochs: ShardEpochs): Promise<readonly number[]> {
    this.#roundsSinceVerified += 1;
    if (this.#roundsSinceVerified < VERIFY_EVERY_ROUNDS) return [];
    this.#roundsSinceVerified = 0;
    const active = await activeEpochs(this.database);
    return SHARDS.filter(
      (shard) => typeof epochs[shard] === 'string' && active.get(shard)?.toString() !== epochs[shard],
    );
  }
}
