import type { Metrics } from '@gateway/observability';

/** What this worker counts, by names that dashboards and alerts rely on. */
export function workerMetrics(metrics: Metrics) {
  return {
    openTasks: metrics.gauge('gateway_video_open_tasks', 'Tasks that have not ended', ['state', 'model']),
    oldestTaskSeconds: metrics.gauge('gateway_video_oldest_task_seconds', 'Age of the oldest open task', ['state']),
    alarmsSet: metrics.counter('gateway_video_alarms_set_again_total', 'Alarms that were lost or late', ['vendor']),
  };
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

export const WORKER_METRICS = Symbol('WorkerMetrics');
