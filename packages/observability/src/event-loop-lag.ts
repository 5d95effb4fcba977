import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * How often V8's loop is asked whether it is late. prom-client's 10 ms wakes a process a hundred times a second. The
 * exported lags contain this interval: alerts and dashboards subtract it.
 */
const SAMPLE_MS = 100;
/** Nothing is sampled once the last scrape is so long ago: a scraper comes more often. */
const READ_WITHIN_MS = 120_000;

type Lags = ReturnType<typeof monitorEventLoopDelay>;

const VALUES = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (lags) => lags.percentile(50),
  p90: (lags) => lags.percentile(90),
  p99: (lags) => lags.percentile(99),
} satisfies Record<string, (lags: Lags) => number>;

/** Samples the lag while a scraper reads it. Each sample wakes the process, which a process that is not watched saves. */
class LagSampler {
  /** Undefined while nothing reads. A histogram that continues after a rest would record the rest as a lag. */
  lags: Lags | undefined;
  readonly #rest = setTimeout(() => this.#stop(), READ_WITHIN_MS).unref();

  /** Call it at each scrape, after its values are read. */
  beginAnew(): void {
    this.lags ??= monitorEventLoopDelay({ resolution: SAMPLE_MS });
    this.lags.enable();
    this.lags.reset();
    this.#rest.refresh();
  }

  #stop(): void {
    this.lags?.disable();
    this.lags = undefined;
  }
}

/** One for all registries of a process. */
let sampler: LagSampler | undefined;

/** Exports the lag of the event loop under prom-client's names. Each scrape begins anew. */
export function exportEventLoopLag(registry: Registry): void {
  sampler ??= new LagSampler();
  const own = sampler;
  const gauges = new Map<keyof typeof VALUES, Gauge>();
  // The registry reads its metrics in this order, so the first one sets all.
  const collect = () => {
    const { lags } = own;
    const hasSamples = lags !== undefined && lags.count > 0;
    for (const [name, gauge] of gauges) gauge.set(hasSamples ? VALUES[name](lags) / 1e9 : SAMPLE_MS / 1_000);
    own.beginAnew();
  };
  for (const key of Object.keys(VALUES)) {
    const value = key as keyof typeof VALUES;
    const name = `nodejs_eventloop_lag_${value}_seconds`;
    const help = `Lag of the event loop since the last scrape, with the interval of its samples: ${value}.`;
    registry.removeSingleMetric(name);
    gauges.set(value, new Gauge({ name, help, registers: [registry], ...(gauges.size === 0 && { collect }) }));
  }
}
