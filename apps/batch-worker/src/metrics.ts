import type { Metrics } from '@gateway/observability';
import type { BatchStore } from '@gateway/postgres';

/** Registers what this worker counts. Dashboards and alerts rely on the names. */
export function batchMetrics(metrics: Metrics) {
  return {
    lines: metrics.counter('gateway_batch_lines_total', 'Ended lines of batches, by outcome', ['outcome']),
    ended: metrics.counter('gateway_batches_ended_total', 'Ended batches, by status', ['status']),
    waits: metrics.counter('gateway_batch_line_waits_total', 'Times that a line had to wait, by reason', ['reason']),
  };
}

export type BatchMetrics = ReturnType<typeof batchMetrics>;

/** The state of all batches, read at most once for each scrape. A database that is away leaves the last values. */
export function batchGauges(metrics: Metrics, batches: Pick<BatchStore, 'backlog'>): void {
  const count = metrics.gauge('gateway_batches', 'Batches that have not ended, by phase', ['phase']);
  metrics.gauge(
    'gateway_batch_oldest_due_seconds',
    'Time since the longest-waiting batch was due and no worker took it, in seconds',
    [],
    async (gauge) => {
      const backlog = await batches.backlog().catch(() => undefined);
      if (backlog === undefined) return;
      gauge.set(backlog.oldestDueSeconds);
      count.set({ phase: 'waiting' }, backlog.waiting);
      count.set({ phase: 'running' }, backlog.running);
      count.set({ phase: 'waiting_for_credit' }, backlog.waitingForCredit);
      count.set({ phase: 'late' }, backlog.late);
    },
  );
}
