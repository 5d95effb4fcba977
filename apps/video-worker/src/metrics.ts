import type { Metrics } from '@gateway/observability';
import type { PollQueue } from '@gateway/redis';

/** The metrics of video tasks. Dashboards and alerts rely on the names. */
export function workerMetrics(metrics: Metrics) {
  return {
    openTasks: metrics.gauge('gateway_video_open_tasks', 'Open tasks', ['state', 'model']),
    oldestTaskSeconds: metrics.gauge('gateway_video_oldest_task_seconds', 'Age of the oldest open task', ['state']),
    tickets: metrics.counter('gateway_video_tickets_total', 'Submissions by outcome', ['outcome']),
    queueWaitSeconds: metrics.histogram('gateway_video_queue_wait_seconds', 'From admission to claim', []),
    submitUnknown: metrics.counter('gateway_video_submit_unknown_total', 'Submissions without a response', ['vendor']),
    lookups: metrics.counter('gateway_video_lost_looks_total', 'Searches for such submissions', ['vendor', 'outcome']),
    orphans: metrics.counter('gateway_video_disowned_total', 'Upstream tasks without a customer', ['vendor']),
    polls: metrics.counter('gateway_video_polls_total', 'Status polls', ['vendor', 'outcome']),
    cancellations: metrics.counter('gateway_video_cancellations_total', 'Cancel requests', ['vendor', 'outcome']),
    detectionLag: metrics.histogram(
      'gateway_video_detection_lag_seconds',
      'From the end upstream to its detection',
      [],
    ),
    lostChannels: metrics.counter('gateway_video_lost_channel_looks_total', 'Polls without a channel', ['vendor']),
    ended: metrics.counter('gateway_video_ended_total', 'Ended tasks', ['model', 'state']),
    refunds: metrics.counter('gateway_video_refunds_total', 'Holds released in full', ['model', 'state']),
    abandoned: metrics.counter('gateway_video_abandoned_total', 'Submissions whose worker died', ['vendor']),
    unpricedUsage: metrics.counter(
      'gateway_unpriced_usage_total',
      "Fields of an upstream's usage that may be billed and have no price here",
      ['protocol', 'field'],
    ),
    jobsRescheduled: metrics.counter('gateway_video_alarms_set_again_total', 'Lost or late poll jobs', ['vendor']),
  };
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

/** The parts of this process that gauges read at each scrape. */
export interface GaugeSources {
  readonly settler: { readonly openCount: number };
  readonly room: { readonly usedBytes: number; readonly limitBytes: number; readonly waiting: number };
  /** The poll queues that this copy consumes, by vendor. */
  readonly pollQueues: readonly (readonly [vendor: string, queue: Pick<PollQueue, 'counts'>])[];
}

/** Every copy reports the same poll queues: dashboards take the maximum, not the sum. */
export function workerGauges(metrics: Metrics, { settler, room, pollQueues }: GaugeSources): void {
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not confirmed', [], (gauge) =>
    gauge.set(settler.openCount),
  );
  metrics.gauge('gateway_submission_bytes', 'Bytes of long submissions that this worker has', [], (gauge) =>
    gauge.set(room.usedBytes),
  );
  metrics.gauge('gateway_submission_room_bytes', 'Room of this worker for long submissions', [], (gauge) =>
    gauge.set(room.limitBytes),
  );
  metrics.gauge('gateway_submissions_waiting', 'Long submissions that wait for room in this worker', [], (gauge) =>
    gauge.set(room.waiting),
  );
  metrics.gauge('gateway_video_due_alarms', 'Poll jobs that are due or running', ['vendor'], async (gauge) => {
    const counted = await Promise.all(
      pollQueues.map(async ([vendor, queue]) => [vendor, (await queue.counts()).due] as const),
    ).catch(() => []);
    // Without Redis there is no value: a stale one would suggest a stuck queue.
    gauge.reset();
    for (const [vendor, due] of counted) gauge.set({ vendor }, due);
  });
}
