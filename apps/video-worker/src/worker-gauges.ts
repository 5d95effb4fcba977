import type { Metrics } from '@gateway/observability';
import type { PollQueue } from '@gateway/redis';

/** What of this worker is looked at when somebody asks for its metrics. */
export interface WorkerInside {
  readonly settler: { readonly openCount: number };
  /** The alarms that this copy listens to, by vendor. */
  readonly alarms: readonly (readonly [vendor: string, alarms: Pick<PollQueue, 'counts'>])[];
}

/** Gauges are read at each scrape. The alarms are the same for every copy: dashboards take the largest answer, not the sum. */
export function workerGauges(metrics: Metrics, { settler, alarms }: WorkerInside): void {
  metrics.gauge('gateway_settlements_open', 'Settlements of this process that Redis has not taken', [], (gauge) =>
    gauge.set(settler.openCount),
  );
  metrics.gauge('gateway_video_due_alarms', 'Tasks whose look is due or under way', ['vendor'], async (gauge) => {
    const counted = await Promise.all(
      alarms.map(async ([vendor, queue]) => [vendor, (await queue.counts()).due] as const),
    ).catch(() => []);
    // Where Redis does not say, there is no value: an old one would look like a queue that stands still.
    gauge.reset();
    for (const [vendor, due] of counted) gauge.set({ vendor }, due);
  });
}
