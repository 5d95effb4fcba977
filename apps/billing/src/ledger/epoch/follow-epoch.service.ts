import { type Logger, Loop } from '@gateway/observability';
import { activateEpoch, activeEpoch, type Database, nextEpoch } from '@gateway/postgres';
import type { AdmissionStore, RedisConnection } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS, REDIS } from '../../tokens.js';

const POLL_MS = 250;
/** How often it is checked that the ledger still is where this process left it. */
const VERIFY_EVERY_ROUNDS = 20;

/**
 * Keeps the ledger in the same life as Redis. A Redis without an epoch has lost everything: it is given a new one, and
 * the ledger takes back all escrow as it follows, in batches. Until the last of it is back nothing is granted, so money is
 * never spendable twice. Several processes may do this at once: Redis takes one epoch, the ledger follows it once.
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
      onError: (error) => this.logger.warn({ err: error }, 'cannot follow the epoch of Redis'),
    });
  }

  onApplicationBootstrap(): void {
    this.redis.on('ready', () => this.#loop.kick());
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** True once the ledger and Redis were seen in the same life. */
  get isFollowing(): boolean {
    return this.#followed !== null;
  }

  /** Told to stop, it leaves the rest of the escrow to the next process. */
  async follow(signal?: AbortSignal): Promise<void> {
    const epoch = (await this.store.currentEpoch()) ?? (await this.#beginEpoch());
    if (epoch === this.#followed && !(await this.#hasLedgerMoved(epoch))) return;
    this.#followed = null;
    if (!/^\d{1,18}$/.test(epoch)) throw new Error(`Redis lives in an epoch that the ledger did not number: ${epoch}`);
    const activation = await activateEpoch(this.database, BigInt(epoch), signal);
    const { isActive, isChanged, accounts, returnedNanoUsd } = activation;
    if (!isActive) return;
    this.#followed = epoch;
    if (!isChanged) return;
    this.metrics.rebuilds.inc();
    this.logger.warn(
      { epoch, accounts: accounts.toString(), returnedNanoUsd: returnedNanoUsd.toString() },
      'Redis began a new life: its escrow went back to the customers',
    );
  }

  /** Whoever comes first decides which epoch it is. */
  async #beginEpoch(): Promise<string> {
    this.#followed = null;
    await this.store.beginEpoch((await nextEpoch(this.database)).toString());
    const epoch = await this.store.currentEpoch();
    if (epoch === null) throw new Error('Redis has lost its epoch again');
    return epoch;
  }

  async #hasLedgerMoved(epoch: string): Promise<boolean> {
    this.#roundsSinceVerified += 1;
    if (this.#roundsSinceVerified < VERIFY_EVERY_ROUNDS) return false;
    this.#roundsSinceVerified = 0;
    return (await activeEpoch(this.database))?.toString() !== epoch;
  }
}
