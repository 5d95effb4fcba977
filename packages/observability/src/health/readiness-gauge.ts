import type { Metrics } from '../metrics.js';
import type { ReadinessCheck } from './health-probe.js';
import { passes } from './passes.js';

/**
 * The checks of readiness as a metric: where no copy is ready, load balancers send nothing, nothing fails that is counted,
 * and no other number tells that nobody is served.
 */
export function readinessGauge(metrics: Metrics, checks: readonly ReadinessCheck[]): void {
  metrics.gauge('gateway_ready', 'What a service needs to be sent work: 1 if it answers', ['check'], async (gauge) => {
    const told = await Promise.all(checks.map(async (check) => [check.name, await passes(check)] as const));
    for (const [check, isReady] of told) gauge.set({ check }, isReady ? 1 : 0);
  });
}
