interface Counter<Label extends string> {
  inc(labels: Readonly<Partial<Record<Label, string>>>, value?: number): void;
}

interface Gauge<Label extends string> {
  set(labels: Readonly<Partial<Record<Label, string>>>, value: number): void;
}

/** Registers counters and gauges of a process, as `Metrics` of `packages/observability` does. */
export interface MetricRegistry {
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label>;
  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label>;
}
