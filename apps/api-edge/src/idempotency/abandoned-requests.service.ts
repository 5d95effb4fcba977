import { type AccountId, buildUsageSettled, type RequestId } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, EDGE_CONFIG, type EdgeConfig, LOGGER } from '../tokens.js';

/** Ends requests whose edge and worker have died together, so that their idempotency keys are free before the holds expire. */
@Injectable()
export class AbandonedRequests {
  /** An edge that has just started does not know whether Redis was away. */
  #redisFailedAtMs = Date.now();

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Redis did not reply: holds of running requests may have gone without renewals, too. */
  noteRedisFailure(): void {
    this.#redisFailedAtMs = Date.now();
  }

  /** Milliseconds until a missing renewal proves that edge and worker are gone; 0 if it does. */
  get provedInMs(): number {
    return Math.max(0, this.#redisFailedAtMs + this.config.leaseMs - Date.now());
  }

  /** Settles the request at zero. A settlement of its own that comes first wins; a later one changes nothing. */
  async settle(accountId: AccountId, requestId: RequestId): Promise<void> {
    const hold = await this.store.openHold(accountId, requestId);
    if (hold === undefined) return;
    const { keyId, amountNanoUsd, about } = hold;
    const { applied } = await this.store.settle(
      buildUsageSettled(
        { ...about, requestId, accountId, keyId, holdNanoUsd: amountNanoUsd.toString() },
        { outcome: 'failed', costNanoUsd: 0n, errorCode: 'worker_lost', settledAtMs: Date.now() },
      ),
    );
    if (applied) this.logger.warn({ requestId }, 'abandoned request settled at zero');
  }
}
