const HOLD_NANO_USD = 2_000n;
const COST_NANO_USD = '1000';
const DAY_MS = 86_400_000;

const requestOf = (accountId, number, run) => ({
  requestId: `req_bench_${run}_${number}`,
  accountId,
  keyId: `key_${accountId}`,
  accountLimits: { requestsPerMinute: 100_000_000, concurrency: 10_000_000 },
  keyLimits: { requestsPerMinute: 0, concurrency: 0 },
  holdNanoUsd: HOLD_NANO_USD,
  holdMs: DAY_MS,
  about: { endpoint: 'chat.completions', model: 'bench', priceVersion: 'bench@2026-01-01', admittedAtMs: Date.now() },
});

const eventOf = ({ requestId, accountId, keyId, about }) => ({
  schemaVersion: 1,
  requestId,
  accountId,
  keyId,
  endpoint: about.endpoint,
  model: about.model,
  outcome: 'completed',
  holdNanoUsd: '0',
  costNanoUsd: COST_NANO_USD,
  priceVersion: about.priceVersion,
  unitPrices: { output_token: '1' },
  units: { output_token: 1 },
  isEstimated: false,
  attempts: [],
  admittedAtMs: about.admittedAtMs,
  settledAtMs: Date.now(),
});

/** Runs `work` on every item with limited concurrency and returns the items per second. */
export async function timed(items, atOnce, work) {
  const left = items.values();
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
  return items.length / ((performance.now() - startedMs) / 1_000);
}

/** Requests spread evenly over the accounts, with the usual leases, rates and holds. */
export const requestsFor = (accountIds, count, run) =>
  Array.from({ length: count }, (_, number) => requestOf(accountIds[number % accountIds.length], number, run));

export async function admit(store, request) {
  const { outcome } = await store.admit(request);
  if (outcome !== 'admitted') throw new Error(`${request.requestId} was not admitted: ${outcome}`);
}

export async function settle(store, request) {
  const { applied } = await store.settle(eventOf(request));
  if (!applied) throw new Error(`${request.requestId} was settled before`);
}
