import type { Metrics } from '@gateway/observability';

export function sweepMetrics(metrics: Metrics) {
  const swept = metrics.counter(
    'gateway_swept_files_total',
    'Files by the step of the sweep: expired (hidden), deleted (bytes are gone), failed (bytes remain)',
    ['step'],
  );
  for (const step of ['expired', 'deleted', 'failed']) swept.inc({ step }, 0);
  return { swept };
}

export type SweepMetrics = ReturnType<typeof sweepMetrics>;
