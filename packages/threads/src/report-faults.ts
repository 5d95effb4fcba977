import type { Logger, Metrics } from '@gateway/observability';

/** Counts and logs threads that failed, and faults of what runs in them. Call it once a process. */
export function reportFaults(metrics: Metrics, logger: Pick<Logger, 'error'>): (error: unknown) => void {
  const faults = metrics.counter(
    'gateway_thread_faults_total',
    'Faults of threads for long requests and responses',
    [],
  );
  return (error) => {
    faults.inc();
    logger.error({ err: error }, 'thread failed');
  };
}
