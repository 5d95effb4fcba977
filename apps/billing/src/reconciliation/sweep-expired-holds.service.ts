import { buildUsageSettled, type UsageSettled } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { AdmissionStore, HoldRecord } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, LOGGER, METRICS, SHARDS_TO_SWEEP } from '../tokens.js';

const EVERY_MS = 1_000;
/** While no hold expires. Below the time after which reconciliation reports an expired hold. */
const MAX_INTERVAL_MS = 8_000;
const BATCH = 200;

/** Neither worker nor edge reported the end of the request, so it costs nothing. */
const expiredUsage = (hold: HoldRecord, settledAtMs: number): UsageSettled =>
  buildUsageSettled(
    {
      ...hold.about,
      requestId: hold.requestId,
      accountId: hold.accountId,
      keyId: hold.keyId,
      holdNanoUsd: hold.amountNanoUsd.toString(),
    },
    { outcome: 'expired', costNanoUsd: 0n, errorCode: 'request_timeout', settledAtMs },
  );

/** Settles the expired holds of its shards at no cost. Several processes may run it: Redis settles a hold once and skips a renewed one. */
@Injectable()
export class SweepExpiredHolds implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'expiredHolds' | 'now' | 'settle'>,
    @Inject(SHARDS_TO_SWEEP) private readonly shards: () => readonly number[],
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async () => {
        if ((await this.sweep(await this.store.now())) === 0) this.#loop.backOff();
      },
      onError: (error) => this.logger.warn({ err: error }, 'expired hold sweep failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /**
   * `nowMs`: by the clock of Redis. With a clock that is ahead, running requests would end free. Resolves to the number of
   * holds that this call settled.
   */
  async sweep(nowMs: number): Promise<number> {
    const holds = await this.store.expiredHolds(nowMs, BATCH, this.shards());
    let settled = 0;
    for (const hold of holds) {
      const { applied } = await this.store.settle(expiredUsage(hold, nowMs));
      if (!applied) continue;
      settled += 1;
      this.metrics.expiredHolds.inc();
      this.logger.warn(
        { requestId: hold.requestId, holdNanoUsd: hold.amountNanoUsd.toString() },
        'expired hold released',
      );
    }
    return settled;
  }
}
