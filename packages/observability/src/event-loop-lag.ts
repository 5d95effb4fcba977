import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * How often V8's loop is asked whether it is late. prom-client's 10 ms wakes a process a hundred times a second. The
 * exported lags contain this interval: alerts and dashboards subtract it.
 */
const SAMPLE_MS = 100;
/** How often an idle process is asked whether it has work. */
const CHECK_MS = 1_000;
/** A loop that is busy for less of the time is not late. */
const IDLE_BELOW = 0.05;

const VALUES = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (lags) => lags.percentile(50),
  p90: (lags) => lags.percentile(90),
  p99: (lags) => lags.percentile(99),
} satisfies Record<string, (lags: ReturnType<typeof monitorEventLoopDelay>) => number>;

/** Samples the lag while the loop has work. While it rests, each sample would be a wake-up, and the lag is the interval. */
class LagSampler {
  readonly lags = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  #utilization = performance.eventLoopUtilization();

  constructor() {
    setInterval(() => this.#check(), CHECK_MS).unref();
  }

  #check(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#utilization);
    this.#utilization = now;
    if (utilization < IDLE_BELOW) this.lags.disable();
    else this.lags.enable();
  }
}

/** One for all registries of a process. */
let sampler: LagSampler | undefined;

/** Exports the lag of the event loop under prom-client's names. Each scrape begins anew. */
export function exportEventLoopLag(registry: Registry): void {
  sampler ??= new LagSampler();
  const { lags } = sampler;
  const gauges = new Map<keyof typeof VALUES, Gauge>();
  // The registry reads its metrics in this order, so the first one sets all.
  const collect = () => {
    for (const [name, gauge] of gauges) gauge.set(lags.count === 0 ? SAMPLE_MS / 1_000 : VALUES[name](lags) / 1e9);
    lags.reset();
  };
  for (const key of Object.keys(VALUES)) {
    const value = key as keyof typeof VALUES;
    const name = `nodejs_eventloop_lag_${value}_seconds`;
    const help = `Lag of the event loop since the last scrape, with the interval of its samples: ${value}.`;
    registry.removeSingleMetric(name);
    gauges.set(value, new Gauge({ name, help, registers: [registry], ...(gauges.size === 0 && { collect }) }));
  }
}
