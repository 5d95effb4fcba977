import { type Logger, Loop } from '@gateway/observability';
import { closeChildKey, type Database, listEndedChildren } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS } from '../tokens.js';

const EVERY_MS = 5_000;
const BATCH = 100;

/**
 * Returns to its parent what an ended child key has not spent, once nothing of the child is held or unsettled. Several
 * processes may run it: the database closes a child once.
 */
@Injectable()
export class CloseChildren implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'readSpending' | 'setSpending'>,
    @Inject(METRICS) private readonly metrics: Pick<BillingMetrics, 'closedChildKeys'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: async () => {
        await this.closeEnded();
      },
      onError: (error) => this.logger.warn({ err: error }, 'closing of child keys failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Resolves to the number of children that this call closed. */
  async closeEnded(): Promise<number> {
    let closed = 0;
    for (const id of await listEndedChildren(this.database, BATCH)) {
      const { heldNanoUsd, unsettledNanoUsd } = await this.store.readSpending(id);
      if (heldNanoUsd !== 0n || unsettledNanoUsd !== 0n) continue;
      const parent = await closeChildKey(this.database, id);
      if (parent === null) continue;
      await this.store.setSpending(parent);
      this.metrics.closedChildKeys.inc();
      closed += 1;
    }
    return closed;
  }
}
