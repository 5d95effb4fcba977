import { type Logger, Loop } from '@gateway/observability';
import { activateEpoch, activeEpoch, type Database, nextEpoch } from '@gateway/postgres';
import type { AdmissionStore, RedisConnection } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS, REDIS } from '../tokens.js';

const POLL_MS = 250;
/** The interval of the check that no other process has moved the ledger to another epoch. */
const VERIFY_EVERY_ROUNDS = 20;

/**
 * Keeps the ledger in the epoch of Redis. A Redis without an epoch has lost its data, so this begins a new one. The ledger
 * then returns all escrow to the customers in batches. It grants nothing until the last batch, so no money is spendable
 * twice. Several processes may run it: Redis accepts one epoch, and the ledger enters it once.
 */
@Injectable()
export class FollowEpoch implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #followed: string | null = null;
  #roundsSinceVerified = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: POLL_MS,
      run: (signal) => this.follow(signal),
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

  /** True while the last round found the ledger and Redis in the same epoch. */
  get isFollowing(): boolean {
    return this.#followed !== null;
  }

  /** An aborted `signal` leaves the remaining escrow to the next process. */
  async follow(signal?: AbortSignal): Promise<void> {
    const epoch = (await this.store.currentEpoch()) ?? (await this.#beginEpoch());
    if (epoch === this.#followed && !(await this.#hasLedgerMoved(epoch))) return;
    this.#followed = null;
    if (!/^\d{1,18}$/.test(epoch))
      throw new Error(`the epoch in Redis must be a number of the ledger, but is ${JSON.stringify(epoch)}`);
    const activation = await activateEpoch(this.database, BigInt(epoch), signal);
    const { isActive, isChanged, accounts, returnedNanoUsd } = activation;
    if (!isActive) return;
    this.#followed = epoch;
    if (!isChanged) return;
    this.metrics.rebuilds.inc();
    this.logger.warn(
      { epoch, accounts: accounts.toString(), returnedNanoUsd: returnedNanoUsd.toString() },
      'Redis lost its data: escrow returned to the customers',
    );
  }

  /** The first process decides: Redis ignores `beginEpoch` once it has an epoch. */
  async #beginEpoch(): Promise<string> {
    this.#followed = null;
    await this.store.beginEpoch((await nextEpoch(this.database)).toString());
    const epoch = await this.store.currentEpoch();
    if (epoch === null) throw new Error('Redis lost its epoch again');
    return epoch;
  }

  async #hasLedgerMoved(epoch: string): Promise<boolean> {
    this.#roundsSinceVerified += 1;
    if (this.#roundsSinceVerified < VERIFY_EVERY_ROUNDS) return false;
    this.#roundsSinceVerified = 0;
    return (await activeEpoch(this.database))?.toString() !== epoch;
  }
}
