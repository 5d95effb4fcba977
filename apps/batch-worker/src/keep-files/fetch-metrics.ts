import type { Metrics } from '@gateway/observability';
import type { FetchedResults } from '@gateway/postgres';

export function fetchMetrics(metrics: Metrics) {
  const registered = {
    results: metrics.counter(
      'gateway_fetched_results_total',
      "Vendors' results by their end: stored, passed_on (stays at its vendor), lost (the vendor's address ended before)",
      ['outcome'],
    ),
    failures: metrics.counter('gateway_fetch_failures_total', 'Attempts to fetch a result that failed, by reason', [
      'reason',
    ]),
    differences: metrics.counter(
      'gateway_video_seconds_differ_total',
      'Videos whose length differs from the billed seconds by a second or more',
      [],
    ),
  };
  for (const outcome of ['stored', 'passed_on', 'lost']) registered.results.inc({ outcome }, 0);
  registered.differences.inc(0);
  return registered;
}

export type FetchMetrics = ReturnType<typeof fetchMetrics>;

/** Read at most once for each scrape. A database that is away leaves the last values. */
export function fetchGauges(metrics: Metrics, results: Pick<FetchedResults, 'backlog'>): void {
  const oldest = metrics.gauge(
    'gateway_oldest_unfetched_result_seconds',
    'Age of the oldest result that is still to be fetched',
    [],
  );
  metrics.gauge('gateway_unfetched_results', 'Results of vendors that are still to be fetched', [], async (gauge) => {
    const backlog = await results.backlog().catch(() => undefined);
    if (backlog === undefined) return;
    gauge.set(backlog.pending);
    oldest.set(backlog.oldestSeconds);
  });
}
