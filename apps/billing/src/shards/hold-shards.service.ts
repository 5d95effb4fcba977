import { type Logger, Loop } from '@gateway/observability';
import { type Database, holdShards, releaseShards } from '@gateway/postgres';
import type { RedisConnection } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { CONSUMER_NAME, DATABASE, LOGGER, METRICS, REDIS } from '../tokens.js';

const EVERY_MS = 2_000;
const LEASE_MS = 6_000;
/** A process stops to read its shards this long before its lease ends by its own clock. */
const MARGIN_MS = 1_000;
/** Renewals without Redis after which a copy leaves its shards to the others: a reconnect takes a second. */
const MAX_ROUNDS_WITHOUT_REDIS = 3;

/**
 * Shares the shards among the running copies of billing, by a lease in PostgreSQL that lasts six seconds. Each shard is read
 * and swept by one copy, and a dead copy's shards go to the others. Two copies that believe to hold one shard for a moment
 * do no harm: Redis gives each event to one of them, and the ledger books each request once. A copy that cannot reach Redis
 * holds none: the events of its shards would wait although another copy could book them.
 */
@Injectable()
export class HoldShards implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #held: readonly number[] = [];
  #endsAtMs = 0;
  #roundsWithoutRedis = 0;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: Pick<RedisConnection, 'status' | 'on'>,
    @Inject(CONSUMER_NAME) readonly copy: string,
    @Inject(METRICS) private readonly metrics: Pick<BillingMetrics, 'shardsHeld' | 'shardsUnheld'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.renew(),
      onError: (error) => this.logger.warn({ err: error }, 'lease of the shards not renewed'),
    });
  }

  onApplicationBootstrap(): void {
    this.redis.on('ready', () => this.#loop.kick());
    this.#loop.start();
  }

  /** The others take the shards at their next renewal. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#release().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'shards not released: they are free when the lease ends');
    });
  }

  /** Empty after the end of the lease. */
  get held(): readonly number[] {
    return performance.now() < this.#endsAtMs ? this.#held : [];
  }

  async renew(): Promise<void> {
    this.#roundsWithoutRedis = this.redis.status === 'ready' ? 0 : this.#roundsWithoutRedis + 1;
    const maxRounds = this.#held.length > 0 ? MAX_ROUNDS_WITHOUT_REDIS : 1;
    if (this.#roundsWithoutRedis >= maxRounds) await this.#leave();
    else await this.#hold();
  }

  async #leave(): Promise<void> {
    if (this.#held.length === 0) return;
    this.logger.warn({ shards: this.#held.length }, 'Redis is away: shards left to other copies');
    await this.#release();
    this.metrics.shardsHeld.set(0);
  }

  async #release(): Promise<void> {
    this.#held = [];
    await releaseShards(this.database, this.copy);
  }

  async #hold(): Promise<void> {
    const askedAtMs = performance.now();
    const { held, unheld } = await holdShards(this.database, this.copy, LEASE_MS);
    if (held.length !== this.#held.length) this.logger.info({ shards: held.length, unheld }, 'shards of this process');
    this.#held = held;
    this.#endsAtMs = askedAtMs + LEASE_MS - MARGIN_MS;
    this.metrics.shardsHeld.set(held.length);
    this.metrics.shardsUnheld.set(unheld);
  }
}
