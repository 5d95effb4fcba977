import type { Metrics } from '../metrics.js';
import type { ReadinessCheck } from './health-probe.js';
import { passes } from './passes.js';

export const READY_METRIC = 'gateway_ready';

/**
 * Exports the readiness checks as a metric. If no copy is ready, load balancers send no requests and no error is counted:
 * only this metric shows the outage.
 */
export function readinessGauge(metrics: Metrics, checks: readonly ReadinessCheck[]): void {
  metrics.gauge(READY_METRIC, 'Readiness check: 1 if it passes.', ['check'], async (gauge) => {
    const results = await Promise.all(checks.map(async (check) => [check.name, await passes(check)] as const));
    for (const [check, isReady] of results) gauge.set({ check }, isReady ? 1 : 0);
  });
}
