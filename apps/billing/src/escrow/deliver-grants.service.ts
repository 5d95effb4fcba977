import { attemptEach, type Logger, Loop } from '@gateway/observability';
import { type Database, markDelivered, type UndeliveredGrant, undeliveredGrants } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, LOGGER } from '../tokens.js';

const REDELIVER_EVERY_MS = 2_000;
/** A request that needs the escrow delivers its account's grants at once. */
const MAX_INTERVAL_MS = 8_000;
/** Younger grants are still delivered by the process that made them. */
const ABANDONED_AFTER_MS = 2_000;
const BATCH = 500;

/** Delivers committed grants to Redis, and retries until Redis has them. Redis applies each grant once. */
@Injectable()
export class DeliverGrants implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: REDELIVER_EVERY_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async () => {
        if ((await this.redeliverAbandoned(ABANDONED_AFTER_MS)) === 0) this.#loop.backOff();
      },
      onError: (error) => this.logger.warn({ err: error }, 'grant delivery failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Delivers the account's undelivered grants in order. False: Redis is in another epoch than one of them. */
  async deliver(accountId: string): Promise<boolean> {
    return this.#deliverAll(accountId, await undeliveredGrants(this.database, { accountId }));
  }

  /** Delivers grants whose process died between commit and delivery. Resolves to their number. */
  async redeliverAbandoned(olderThanMs: number): Promise<number> {
    const grants = await undeliveredGrants(this.database, { olderThanMs, limit: BATCH });
    const byAccount = Map.groupBy(grants, (grant) => grant.accountId);
    await attemptEach(byAccount, ([accountId, accountGrants]) => this.#deliverAll(accountId, accountGrants));
    return grants.length;
  }

  async #deliverAll(accountId: string, grants: readonly UndeliveredGrant[]): Promise<boolean> {
    const delivered: bigint[] = [];
    let abandonedNanoUsd = 0n;
    for (const grant of grants) {
      const outcome = await this.store.grant({
        accountId,
        sequence: grant.sequence,
        epoch: grant.epoch.toString(),
        amountNanoUsd: grant.amountNanoUsd,
        reserveNanoUsd: grant.customerNanoUsd,
        reserveVersion: grant.customerVersion,
      });
      if (outcome === 'wrong_epoch') break;
      if (outcome === 'applied' && grant.ageMs >= ABANDONED_AFTER_MS) abandonedNanoUsd += grant.amountNanoUsd;
      delivered.push(grant.sequence);
    }
    if (abandonedNanoUsd > 0n) {
      this.logger.warn({ accountId, amountNanoUsd: abandonedNanoUsd.toString() }, 'abandoned grant delivered');
    }
    await markDelivered(this.database, accountId, delivered);
    return delivered.length === grants.length;
  }
}
