import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { exportEventLoopLag } from './event-loop-lag.js';
import { withTimeout } from './lifecycle/with-timeout.js';

/** Histogram buckets in seconds: from a cached response to long reasoning. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

/** The memory of the container, or of the machine: without a limit, `constrainedMemory` is 0 or above that. */
export function memoryLimitBytes(): number {
  const limitBytes = process.constrainedMemory();
  const machineBytes = totalmem();
  return limitBytes > 0 && limitBytes < machineBytes ? limitBytes : machineBytes;
}

/** prom-client's own timer: its samples are replaced, and an hour wakes no process. */
const NO_SAMPLES_MS = 3_600_000;

/** Well below the time of a scrape: a store that does not reply must not take the metrics of the whole process with it. */
const READ_TIMEOUT_MS = 4_000;

type Names<Label extends string> = readonly Label[];

/** The metrics of one process. Label values come from small fixed sets: never a key, an account or a request id. */
export class Metrics {
  readonly registry = new Registry();

  /** `readTimeoutMs`: the longest that a scrape waits for the value of one gauge. */
  constructor(
    service: string,
    private readonly readTimeoutMs = READ_TIMEOUT_MS,
  ) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: NO_SAMPLES_MS });
    exportEventLoopLag(this.registry);
    // Prometheus compares it with its own clock: each process compares its clock with times that others wrote.
    this.gauge('gateway_clock_timestamp_seconds', 'Unix time by the clock of this process.', [], (gauge) =>
      gauge.set(Date.now() / 1_000),
    );
    // Beside the used memory: near a limit, the kernel or V8 kills the process.
    this.gauge(
      'gateway_memory_limit_bytes',
      'Memory limit of the container, or of the machine without one.',
      [],
      (gauge) => gauge.set(memoryLimitBytes()),
    );
    this.gauge('gateway_heap_limit_bytes', 'Heap limit of V8 in this process.', [], (gauge) =>
      gauge.set(getHeapStatistics().heap_size_limit),
    );
  }

  counter<Label extends string>(name: string, help: string, labelNames: Names<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** `collect` sets the value at each scrape. If it rejects or is late, the last value stays. Readiness shows what is away. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Names<Label>,
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const timeoutMs = this.readTimeoutMs;
    return new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect !== undefined && {
        collect(this: Gauge<Label>) {
          return readAtMost(timeoutMs, async () => collect(this));
        },
      }),
    });
  }

  histogram<Label extends string>(name: string, help: string, labelNames: Names<Label>): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS_SECONDS, registers: [this.registry] });
  }
}

async function readAtMost(timeoutMs: number, read: () => Promise<void>): Promise<void> {
  await withTimeout(
    read().catch(() => undefined),
    timeoutMs,
    () => undefined,
  );
}

export const createMetrics = (service: string): Metrics => new Metrics(service);
