import type { Metrics } from '@gateway/observability';

/** What this worker counts, by names that dashboards and alerts rely on. */
export function workerMetrics(metrics: Metrics) {
  return {
    openTasks: metrics.gauge('gateway_video_open_tasks', 'Tasks that have not ended', ['state', 'model']),
    oldestTaskSeconds: metrics.gauge('gateway_video_oldest_task_seconds', 'Age of the oldest open task', ['state']),
    tickets: metrics.counter('gateway_video_tickets_total', 'Submissions by how they ended', ['outcome']),
    queueWaitSeconds: metrics.histogram('gateway_video_queue_wait_seconds', 'From admission to claim', []),
    submitUnknown: metrics.counter('gateway_video_submit_unknown_total', 'Submissions without an answer', ['vendor']),
    lostLooks: metrics.counter('gateway_video_lost_looks_total', 'Looks for such submissions', ['vendor', 'outcome']),
    disowned: metrics.counter('gateway_video_disowned_total', 'Upstream tasks that nobody pays for', ['vendor']),
    polls: metrics.counter('gateway_video_polls_total', 'Questions how a task is', ['vendor', 'outcome']),
    cancellations: metrics.counter('gateway_video_cancellations_total', 'Tries to stop a task', ['vendor', 'outcome']),
    detectionLag: metrics.histogram(
      'gateway_video_detection_lag_seconds',
      'From the end upstream to its detection',
      [],
    ),
    lostChannels: metrics.counter('gateway_video_lost_channel_looks_total', 'Looks without a channel', ['vendor']),
    ended: metrics.counter('gateway_video_ended_total', 'Tasks that ended', ['model', 'state']),
    refunds: metrics.counter('gateway_video_refunds_total', 'Holds that went back whole', ['model', 'state']),
    breakerOpen: metrics.gauge(
      'gateway_channel_breaker_open',
      'Channels with an open breaker that have answered nobody since',
      ['channel'],
    ),
    credentialsRefused: metrics.counter(
      'gateway_channel_credential_refused_total',
      'Times a vendor refused the credential of a channel',
      ['channel'],
    ),
    abandoned: metrics.counter('gateway_video_abandoned_total', 'Submissions whose worker died', ['vendor']),
    alarmsSet: metrics.counter('gateway_video_alarms_set_again_total', 'Alarms that were lost or late', ['vendor']),
  };
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

export const WORKER_METRICS = Symbol('WorkerMetrics');
