import type { Metrics } from '@gateway/observability';
import type { BatchStore } from '@gateway/postgres';

/** The state of all batches, read at most once for each scrape. A database that is away leaves the last values. */
export function batchGauges(metrics: Metrics, batches: Pick<BatchStore, 'backlog'>): void {
  const count = metrics.gauge('gateway_batches', 'Batches that have not ended, by state', ['state']);
  metrics.gauge(
    'gateway_batch_oldest_due_seconds',
    'Time since the longest-waiting batch was due and no worker took it, in seconds',
    [],
    async (gauge) => {
      const backlog = await batches.backlog().catch(() => undefined);
      if (backlog === undefined) return;
      gauge.set(backlog.oldestDueSeconds);
      count.set({ state: 'waiting' }, backlog.waiting);
      count.set({ state: 'running' }, backlog.running);
      count.set({ state: 'waiting_for_credit' }, backlog.waitingForCredit);
      count.set({ state: 'late' }, backlog.late);
    },
  );
}
