import { SHARD_COUNT } from '@gateway/contracts';
import type { Metrics } from '@gateway/observability';
import { type AdmissionStore, type RedisMemory, type RedisPair, totalOf } from '@gateway/redis';

/** The sources that each scrape of `/metrics` reads. */
export interface BillingGaugeSources {
  readonly store: Pick<AdmissionStore, 'readShards'>;
  readonly redisMemory: RedisPair['memory'];
  reconciliationAgeMs(nowMs: number): number;
}

interface PlainGauge {
  set(value: number): void;
  remove(): void;
}

/** Removes the value while Redis is unavailable: an old value would hide the outage. */
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
  const readings = await memory().catch(() => []);
  gauge.reset();
  for (const [store, reading] of readings) gauge.set({ store }, value(reading));
}

const ageSeconds = (atMs: number | null): number => (atMs === null ? 0 : Math.max(0, Date.now() - atMs) / 1_000);

const countOpen = async (store: Pick<AdmissionStore, 'readShards'>): Promise<number> => {
  const shards = await store.readShards(Date.now()).catch(() => []);
  return shards.filter(({ epoch }) => epoch !== null).length;
};

/** Each scrape reads the sources, so a hanging background round shows. All processes report the same values. */
export function billingGauges(metrics: Metrics, sources: BillingGaugeSources): void {
  const { store, redisMemory } = sources;
  const totals = async () => totalOf(await store.readShards(Date.now()));
  metrics.gauge(
    'gateway_settlement_lag_seconds',
    'Age of the oldest usage event that is not in the ledger, in the shard that is furthest behind',
    [],
    (gauge) =>
      fill(
        gauge,
        totals().then(({ oldestEventAtMs }) => ageSeconds(oldestEventAtMs)),
      ),
  );
  metrics.gauge('gateway_open_holds', 'Requests with a hold', [], (gauge) =>
    fill(
      gauge,
      totals().then(({ openHolds }) => openHolds),
    ),
  );
  metrics.gauge(
    'gateway_shards_without_epoch',
    'Shards of the money that admit nothing: they have no epoch, or their node does not reply',
    [],
    async (gauge) => gauge.set(SHARD_COUNT - (await countOpen(store))),
  );
  metrics.gauge(
    'gateway_reconciliation_age_seconds',
    'Time since the last round that compared Redis with the ledger. The gauges of money show its results',
    [],
    (gauge) => gauge.set(sources.reconciliationAgeMs(Date.now()) / 1_000),
  );
  metrics.gauge('gateway_redis_memory_ratio', 'How full a Redis is', ['store'], (gauge) =>
    fillByStore(gauge, redisMemory, ({ usedShare }) => usedShare),
  );
  metrics.gauge('gateway_redis_may_evict', '1 if a Redis forgets keys when it is full', ['store'], (gauge) =>
    fillByStore(gauge, redisMemory, ({ mayEvict }) => (mayEvict ? 1 : 0)),
  );
}
