import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a cached answer to a long reasoning one. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

/** Zero, or more than there is, where nothing limits the process. */
function memoryLimitBytes(): number {
  const limitBytes = process.constrainedMemory();
  const machineBytes = totalmem();
  return limitBytes > 0 && limitBytes < machineBytes ? limitBytes : machineBytes;
}

type Names<Label extends string> = readonly Label[];

/** The metrics of one process. Labels are from small fixed sets: never a key, an account or a request id. */
export class Metrics {
  readonly registry = new Registry();

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    // What the process may take, beside what it takes: who nears it is killed by the kernel, or by V8.
    this.gauge(
      'gateway_memory_limit_bytes',
      'What the container, or else the machine, has for this process',
      [],
      (gauge) => gauge.set(memoryLimitBytes()),
    );
    this.gauge('gateway_heap_limit_bytes', 'What V8 lets the heap of this process take', [], (gauge) =>
      gauge.set(getHeapStatistics().heap_size_limit),
    );
  }

  counter<Label extends string>(name: string, help: string, labelNames: Names<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** `collect` is called at each scrape to set the value then. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Names<Label>,
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    return new Gauge<Label>({
      name,
      help,
      labelNames,
      registers: [this.registry],
      ...(collect !== undefined && {
        collect(this: Gauge<Label>) {
          return collect(this);
        },
      }),
    });
  }

  histogram<Label extends string>(name: string, help: string, labelNames: Names<Label>): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}

export const createMetrics = (service: string): Metrics => new Metrics(service);
