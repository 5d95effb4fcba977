import { attemptEach, type Logger, Loop } from '@gateway/observability';
import { closeChildKey, type Database, listEndedChildren } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS } from '../tokens.js';

const EVERY_MS = 5_000;
/** While no child has ended. */
const MAX_INTERVAL_MS = 20_000;
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
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async () => {
        if ((await this.closeEnded()) === 0) this.#loop.backOff();
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
    await attemptEach(await listEndedChildren(this.database, BATCH), async ({ id, accountId }) => {
      const { heldNanoUsd, unsettledNanoUsd } = await this.store.readSpending(accountId, id);
      if (heldNanoUsd !== 0n || unsettledNanoUsd !== 0n) return;
      const parent = await closeChildKey(this.database, id);
      if (parent === null) return;
      closed += 1;
      this.metrics.closedChildKeys.inc();
      await this.store.setSpending(accountId, parent);
    });
    return closed;
  }
}
