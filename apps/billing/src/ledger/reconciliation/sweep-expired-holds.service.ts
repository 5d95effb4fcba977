import type { UsageSettled } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { AdmissionStore, HoldRecord } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { ADMISSION_STORE, LOGGER, METRICS } from '../../tokens.js';

const EVERY_MS = 1_000;
const BATCH = 200;

/** What is known of a request whose worker and edge both went without a word: it cost nothing. */
const expiry = (hold: HoldRecord, settledAtMs: number): UsageSettled => ({
  schemaVersion: 1,
  requestId: hold.requestId,
  accountId: hold.accountId,
  keyId: hold.keyId,
  endpoint: hold.about.endpoint,
  model: hold.about.model,
  outcome: 'expired',
  holdNanoUsd: hold.amountNanoUsd.toString(),
  costNanoUsd: '0',
  priceVersion: hold.about.priceVersion,
  unitPrices: {},
  units: {},
  isEstimated: false,
  errorCode: 'request_timeout',
  attempts: [],
  admittedAtMs: hold.about.admittedAtMs,
  settledAtMs,
});

/** Ends holds past their expiry. Redis ends a hold once and leaves one that was renewed, so several may sweep. */
@Injectable()
export class SweepExpiredHolds implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: async () => {
        await this.sweep(Date.now());
      },
      onError: (error) => this.logger.warn({ err: error }, 'cannot sweep holds'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Gives the number of holds that this call ended. */
  async sweep(nowMs: number): Promise<number> {
    const holds = await this.store.expiredHolds(nowMs, BATCH);
    let ended = 0;
    for (const hold of holds) {
      const { applied } = await this.store.settle(expiry(hold, nowMs));
      if (!applied) continue;
      ended += 1;
      this.metrics.expiredHolds.inc();
      this.logger.warn({ requestId: hold.requestId, holdNanoUsd: hold.amountNanoUsd.toString() }, 'ended an orphan');
    }
    return ended;
  }
}
