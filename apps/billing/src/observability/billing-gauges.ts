import type { Metrics } from '@gateway/observability';
import type { RedisMemory, RedisPair } from '@gateway/redis';

/** What of the stores is looked at when somebody asks for the metrics. */
export interface GaugeSources {
  readonly usage: { oldestAgeMs(nowMs: number): Promise<number> };
  readonly store: { countOpenHolds(): Promise<number> };
  readonly redisMemory: RedisPair['memory'];
  reconciliationAgeMs(nowMs: number): number;
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

interface StoreGauge {
  reset(): void;
  set(labels: Readonly<Record<'store', string>>, value: number): void;
}

async function fillByStore(
  gauge: StoreGauge,
  memory: RedisPair['memory'],
  value: (memory: RedisMemory) => number,
): Promise<void> {
  const told = await memory().catch(() => []);
  gauge.reset();
  for (const [store, read] of told) gauge.set({ store }, value(read));
}

/** Gauges are read at each scrape, so they are true also where a round of work behind them hangs. Each copy says the same. */
export function billingGauges(metrics: Metrics, inside: GaugeSources): void {
  const { usage, store, redisMemory } = inside;
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
  metrics.gauge(
    'gateway_reconciliation_age_seconds',
    'How long ago Redis and ledger were compared: what was found then is what the gauges of the money say',
    [],
    (gauge) => gauge.set(inside.reconciliationAgeMs(Date.now()) / 1_000),
  );
  metrics.gauge('gateway_redis_memory_ratio', 'How full a Redis is', ['store'], (gauge) =>
    fillByStore(gauge, redisMemory, ({ usedShare }) => usedShare),
  );
  metrics.gauge('gateway_redis_may_evict', '1 if a Redis forgets keys when it is full', ['store'], (gauge) =>
    fillByStore(gauge, redisMemory, ({ mayEvict }) => (mayEvict ? 1 : 0)),
  );
}
