import { modelOfPrice } from '@gateway/catalogue';
import { VendorCosts } from '@gateway/channels';
import { BoundedLabel, type Logger } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../metrics.js';
import { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import { LOGGER, WORKER_METRICS } from '../tokens.js';
import { BalanceCacheUpdater } from './balance-cache-updater.service.js';

/** Reports the end of a task to metrics, log, subscribers and the balance cache. */
@Injectable()
export class CompletionReporter {
  readonly #fields = new BoundedLabel();

  constructor(
    private readonly changes: TaskChangePublisher,
    private readonly balances: BalanceCacheUpdater,
    private readonly vendorCosts: VendorCosts,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it once for each task, with the task after its end. */
  report(task: WorkerVideoTask): void {
    const { requestId, taskId, accountId, model, state, error, holdNanoUsd, costNanoUsd } = task;
    this.metrics.ended.inc({ model, state });
    if (holdNanoUsd > 0n && costNanoUsd === 0n) this.metrics.refunds.inc({ model, state });
    this.logger.info({ requestId, taskId, accountId, model, state, errorCode: error?.code }, 'task ended');
    this.vendorCosts.compare({ ...task, chargedNanoUsd: costNanoUsd ?? 0n });
    this.changes.publish(task);
    if (holdNanoUsd > 0n) this.balances.update(task);
  }

  /** What has no price cannot be charged: the vendor may bill it, so somebody must look. */
  raiseUnpriced({ requestId, taskId, model, priceVersion }: WorkerVideoTask, unpriced: readonly string[]): void {
    if (unpriced.length === 0) return;
    const protocol = modelOfPrice(model, priceVersion)?.video?.protocol ?? 'unknown';
    for (const field of unpriced) this.metrics.unpricedUsage.inc({ protocol, field: this.#fields.of(field) });
    this.logger.error({ requestId, taskId, model, protocol, unpriced }, 'usage without a price');
  }

  /** `endedAtMs`: by the upstream's clock, which may be ahead. */
  observeDetectionLag(endedAtMs: number, nowMs: number): void {
    this.metrics.detectionLag.observe(Math.max(0, nowMs - endedAtMs) / 1_000);
  }
}
