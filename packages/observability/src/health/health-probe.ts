import type { Metrics } from '../metrics.js';

export interface ReadinessCheck {
  readonly name: string;
  /** Rejects, or gives false, if what it looks at cannot serve. */
  check(): Promise<unknown>;
}

/** What a service tells the cluster of itself. */
export interface HealthProbe {
  /** False only where a restart would help; what other services do is none of its business. */
  readonly isAlive: () => boolean;
  readonly isDraining: () => boolean;
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
}

export const HEALTH_PROBE = Symbol('HealthProbe');
