import { setInterval as every } from 'node:timers/promises';
import { line, step } from '../infra/local/print.mjs';
import { startStack } from '../infra/local/stack.mjs';
import { BatchClient } from './batches/batch-client.mjs';
import { measureNeighbour } from './batches/neighbour.mjs';
import { openAccount } from './candidates/open-account.mjs';
import { residentBytesOf } from './measure/process-tree.mjs';
import { Settlements } from './measure/settlements.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

const SERVICES = ['upstream-simulator', 'billing', 'accounts', 'sync-worker', 'api-edge', 'batch-worker'];
const SIZES = {
  quick: { lines: 3_000, rounds: 1 },
  usual: { lines: 5_000, rounds: 2 },
  many: { lines: 50_000, rounds: 1 },
};
const PATIENCE_MS = 1_800_000;
const SAMPLE_MS = 500;

const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
const named = (count) => count.toLocaleString('en-US');
const isRunning = ({ status }) => !['completed', 'failed', 'expired', 'cancelled'].includes(status);

function sizeOf({ isMany, isQuick }) {
  if (isMany) return SIZES.many;
  return isQuick ? SIZES.quick : SIZES.usual;
}

async function startSystem(setup) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const stack = await step('Gateway', () =>
    startStack({ node, record, secrets, onUnexpectedExit, databaseUrl: postgres.url, services: SERVICES }),
  );
  onStop(() => stack.stop());
  const owner = await openAccount(stack);
  const other = await openAccount(stack, 'neighbour@example.com');
  const settlements = await Settlements.open(stack.databaseUrl, owner.id);
  onStop(() => settlements.close());
  return {
    worker: stack.instance('batch-worker'),
    owner: new BatchClient(stack.baseUrl, owner.apiKey),
    neighbour: new BatchClient(stack.baseUrl, other.apiKey),
    settlements,
  };
}

/** Samples the memory of batch-worker until `signal`. Returns the maximum in bytes. */
async function mostMemoryOf(worker, signal) {
  let most = 0;
  try {
    for await (const _ of every(SAMPLE_MS, undefined, { signal })) {
      if (worker.isRunning) most = Math.max(most, residentBytesOf([worker.pid]));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return most;
}

/** One neighbour without the batch, then beside it; then the worker is killed, and the batch runs to its end. */
async function runRound({ owner, neighbour, worker }, lines, waiting) {
  const alone = await measureNeighbour(neighbour, waiting);
  const startedMs = Date.now();
  const id = await owner.createBatch(lines);
  await owner.until(id, ({ request_counts: counts }) => counts.completed > 0, waiting);
  const beside = await measureNeighbour(neighbour, waiting);
  const atKill = await owner.batch(id);
  if (!isRunning(atKill)) throw new Error('the batch ended before its neighbour was measured: use more lines');
  await worker.kill();
  await worker.start();
  const ended = await owner.until(id, ({ status }) => status === 'completed', waiting);
  const seconds = (Date.now() - startedMs) / 1_000;
  const results = await owner.results(ended.output_file_id);
  return {
    alone,
    beside,
    killedAfter: atKill.request_counts.completed,
    seconds,
    counts: ended.request_counts,
    results,
  };
}

function reportRound({ alone, beside, killedAfter, seconds, results }) {
  const shown = ({ p50, p95, batchSeconds }) =>
    `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, twenty lines ${batchSeconds.toFixed(1)} s`;
  line();
  line(`Killed after ${named(killedAfter)} lines; the batch took ${seconds.toFixed(0)} s.`);
  line(`${named(results.lines)} results with ${named(results.ids)} different ids.`);
  line(`A neighbour alone: ${shown(alone)}.`);
  line(`Beside the batch: ${shown(beside)}.`);
  line(
    `Ratio: p50 ${(beside.p50 / alone.p50).toFixed(1)}, twenty lines ${(beside.batchSeconds / alone.batchSeconds).toFixed(1)}.`,
  );
}

const isWhole = (lines, { counts, results }) =>
  counts.completed === lines && results.lines === lines && results.ids === lines;

/**
 * Runs large batches, kills their worker by SIGKILL, and measures another customer with and without them. Returns whether
 * each line has one result and one receipt.
 */
export async function runBatchBench(setup) {
  const { lines, rounds } = sizeOf(setup);
  const system = await startSystem(setup);
  const waiting = { patienceMs: PATIENCE_MS, signal: setup.signal };
  const stopping = new AbortController();
  setup.onStop(() => stopping.abort());
  const memory = mostMemoryOf(system.worker, stopping.signal);
  const done = [];
  for (let round = 1; round <= rounds; round += 1) {
    done.push(await step(`Round ${round}: ${named(lines)} lines`, () => runRound(system, lines, waiting)));
  }
  stopping.abort();
  const expected = lines * rounds;
  await system.settlements.waitFor(expected, 0);
  const { settlements, completed } = await system.settlements.read();
  for (const round of done) reportRound(round);
  line();
  line(`Memory of batch-worker at the most: ${megabytes(await memory)} MB.`);
  line(`${named(settlements)} receipts, ${named(completed)} of them completed; ${named(expected)} lines.`);
  return done.every((round) => isWhole(lines, round)) && settlements === expected && completed === expected;
}
