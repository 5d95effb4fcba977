import type { Metrics } from '@gateway/observability';

/** What of the stores is looked at when somebody asks for the metrics. */
export interface BillingInside {
  readonly usage: { oldestAgeMs(nowMs: number): Promise<number> };
  readonly store: { countOpenHolds(): Promise<number> };
}

interface PlainGauge {
  set(value: number): void;
  remove(): void;
}

/** Without an answer of Redis the gauge has no value: an old one would look well. */
async function fill(gauge: PlainGauge, value: Promise<number>): Promise<void> {
  await value.then(
    (read) => gauge.set(read),
    () => gauge.remove(),
  );
}

/** Gauges are read at each scrape, so they are true also where a round of work behind them hangs. Each copy says the same. */
export function billingGauges(metrics: Metrics, { usage, store }: BillingInside): void {
  metrics.gauge(
    'gateway_settlement_lag_seconds',
    'Age of the oldest usage event that the ledger does not have yet',
    [],
    (gauge) =>
      fill(
        gauge,
        usage.oldestAgeMs(Date.now()).then((ageMs) => ageMs / 1_000),
      ),
  );
  metrics.gauge('gateway_open_holds', 'Requests whose money is held', [], (gauge) =>
    fill(gauge, store.countOpenHolds()),
  );
}
