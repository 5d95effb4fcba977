import { attemptEach, type Logger, Loop } from '@gateway/observability';
import { type Database, listRepeatedCharges, type RepeatedCharge, refundRepeatedCharge } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ReserveMirror } from '../reserve-mirror.service.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS } from '../tokens.js';

const EVERY_MS = 10_000;
/** Longer than the commit of a batch takes. */
const OVERLAP_MS = 60_000;
/** What a process looks at when it starts: more than lies between a receipt and the round that missed it. */
const FIRST_LOOK_BACK_MS = 3_600_000;

/**
 * Gives back the second charge of one idempotency key. The claim of a key lives in Redis alone, so a retry after a loss of
 * Redis runs and is charged again. Several processes may run it: the ledger reverses a charge once.
 */
@Injectable()
export class RefundRepeatedCharges implements OnApplicationBootstrap {
  readonly #loop: Loop;
  /** By the monotonic clock: with another one, a clock that is set back would end the refunds until it catches up. */
  #readUntilMs = performance.now() - FIRST_LOOK_BACK_MS;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    private readonly reserveMirror: ReserveMirror,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.refund(performance.now()),
      onError: (error) => this.logger.warn({ err: error }, 'repeated charge lookup failed'),
    });
  }

  onApplicationBootstrap(): void {
    // Initialise to 0 so that `increase()` counts the first refund.
    this.metrics.refundedCharges.inc(0);
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Refunds what was recorded since the last call that succeeded. `nowMs`: of the monotonic clock. */
  async refund(nowMs: number): Promise<void> {
    const charges = await listRepeatedCharges(this.database, nowMs - this.#readUntilMs + OVERLAP_MS);
    await attemptEach(charges, (charge) => this.#refund(charge));
    // Charges beyond the limit of one look are found by the next one.
    if (charges.length === 0) this.#readUntilMs = nowMs;
  }

  async #refund(charge: RepeatedCharge): Promise<void> {
    const refund = await refundRepeatedCharge(this.database, charge);
    if (refund === null) return;
    this.metrics.refundedCharges.inc();
    this.logger.warn({ ...charge, amountNanoUsd: refund.amountNanoUsd.toString() }, 'repeated charge refunded');
    await this.reserveMirror.refresh(charge.accountId);
    if (refund.spending === null) return;
    await this.store.setSpending(charge.accountId, refund.spending).catch((error: unknown) => {
      // The next receipt of the key corrects it.
      this.logger.warn({ err: error, requestId: charge.requestId }, 'spending of a key not refreshed');
    });
  }
}
