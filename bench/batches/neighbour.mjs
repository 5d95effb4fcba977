const CHATS = 100;
const SMALL_BATCH = 20;

const isCompleted = ({ status }) => status === 'completed';
const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** What another customer sees: quantiles of requests one after another, and seconds of a batch of twenty lines. */
export async function measureNeighbour(client, waiting) {
  const times = [];
  for (let count = 0; count < CHATS; count += 1) times.push(await client.timeChat());
  times.sort((a, b) => a - b);
  const startedMs = performance.now();
  await client.until(await client.createBatch(SMALL_BATCH), isCompleted, waiting);
  const batchSeconds = (performance.now() - startedMs) / 1_000;
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), batchSeconds };
}
