import type { Metrics } from '../metrics.js';

export interface ReadinessCheck {
  readonly name: string;
  /** Rejects or resolves to false if the dependency cannot serve. */
  check(): Promise<unknown>;
}

/** A service's health, for the probes of the cluster. */
export interface HealthProbe {
  /** False only if a restart would help. It ignores dependencies. */
  readonly isAlive: () => boolean;
  readonly isDraining: () => boolean;
  readonly checks: readonly ReadinessCheck[];
  readonly metrics: Metrics;
}

export const HEALTH_PROBE = Symbol('HealthProbe');
