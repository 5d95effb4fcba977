import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { line, step } from '../infra/local/print.mjs';
import { startStack } from '../infra/local/stack.mjs';
import { openAccount } from './candidates/open-account.mjs';
import { memoryOf } from './measure/memory-of-service.mjs';
import { cpuMsOf } from './measure/process-tree.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';
import { listingTimes } from './tasks/listing-times.mjs';
import { SIZES } from './tasks/sizes.mjs';
import { MODEL, submitTasks } from './tasks/submit-tasks.mjs';
import { isConsistent, readTaskTotals } from './tasks/task-totals.mjs';
import { insertWaitingTasks, startNeverEndingUpstream } from './tasks/waiting-tasks.mjs';

const AT_ONCE = 48;
/** The heap limit of the image in its container of half a GiB: without it, Node collects garbage late. */
const NODE_OPTIONS = '--max-old-space-size=384';

/** The running tasks of this benchmark; permanently waiting ones belong to another vendor. */
const STATES = `
  SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS open, count(*)::int AS all
  FROM video_task WHERE vendor = 'dashscope'`;

const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
const named = (count) => count.toLocaleString('en-US');

const channelsOf = (vendor, baseUrl, count) =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({ id: `${vendor}-${at + 1}`, apiKey: `sk-bench-${at + 1}`, baseUrl })),
  );

async function startSystem(setup, { credentials, waiting, worker: settings }) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const services = ['upstream-simulator', 'billing', 'accounts', 'api-edge'];
  const stack = await step('Gateway', () =>
    startStack({ node, record, secrets, onUnexpectedExit, databaseUrl: postgres.url, services }),
  );
  onStop(() => stack.stop());
  const client = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  onStop(() => client.end());
  const account = await openAccount(stack);
  if (waiting > 0) {
    await step(`${named(waiting)} tasks that wait`, () =>
      insertWaitingTasks(client, { accountId: account.id, credentials, count: waiting }),
    );
  }
  const worker = await stack.add('video-worker', {
    VENDORS: 'dashscope,ark',
    DASHSCOPE_CHANNELS: channelsOf('dashscope', `${stack.simulatorUrl}/dashscope`, credentials),
    ARK_CHANNELS: channelsOf('ark', await startNeverEndingUpstream(setup), credentials),
    NODE_OPTIONS,
    ...settings,
  });
  const pids = {
    'video-worker': worker.pid,
    'api-edge': stack.instance('api-edge').pid,
    billing: stack.instance('billing').pid,
    Redis: stack.redis.process.pid,
    PostgreSQL: postgres.process.pid,
  };
  return { stack, worker, pids, client, account };
}

/** Polls until no task is open. Returns the maximum of open tasks and of the worker's memory. */
async function watch({ client, worker }, { count, intervalMs, patienceMs }, signal, note) {
  const untilMs = Date.now() + patienceMs;
  let mostOpen = 0;
  let most = { resident: 0 };
  while (Date.now() < untilMs) {
    signal.throwIfAborted();
    const { rows } = await client.query(STATES);
    mostOpen = Math.max(mostOpen, rows[0].open);
    const memory = await memoryOf(worker);
    if (memory.resident > most.resident) most = memory;
    note(`${rows[0].open} open, ${rows[0].all} submitted, ${megabytes(memory.resident)} MB`);
    if (rows[0].all === count && rows[0].open === 0) return { mostOpen, most };
    await sleep(intervalMs);
  }
  throw new Error('tasks were still open when the time-out was over');
}

function sizeOf({ isLives, isMany, isQuick }) {
  if (isLives) return SIZES.lives;
  if (isMany) return SIZES.many;
  return isQuick ? SIZES.quick : SIZES.usual;
}

function report({ count, waiting }, { submittedSeconds, seconds, mostOpen, most, cpuMs, listing, totals }) {
  const [p50, p99, longest] = totals.lag.map((lag) => lag.toFixed(1));
  const rate = (of, over) => `${(of / over).toFixed(0)}/s`;
  line();
  line(`${named(count)} submitted in ${submittedSeconds.toFixed(0)} s (${rate(count, submittedSeconds)}).`);
  line(`${named(mostOpen + waiting)} open at once; the last that ends has ended after ${seconds.toFixed(0)} s.`);
  line(`Polls: ${named(totals.polls)} (${rate(totals.polls, seconds)}).`);
  line(`From its end upstream until it is known: p50 ${p50} s, p99 ${p99} s, most ${longest} s.`);
  line(
    `Memory of the worker at the most: ${megabytes(most.resident)} MB; of that JavaScript has ${megabytes(most.heap)} MB and uses ${megabytes(most.heapUsed)} MB, and ${megabytes(most.external)} MB outside its heap.`,
  );
  line(
    `Processor for each task: ${Object.entries(cpuMs)
      .map(([name, ms]) => `${name} ${(ms / count).toFixed(1)} ms`)
      .join(', ')}.`,
  );
  line(
    `A list of a customer's tasks: ${listing.latestMs.toFixed(1)} ms; of a kind that there is none of: ${listing.noneMs.toFixed(1)} ms.`,
  );
  line(`Made ${totals.made}, ended ${totals.ended}, events ${totals.ends}, receipts ${totals.receipts}.`);
  line(
    `Charged ${totals.chargedNanoUsd}, billed by the upstream ${totals.billedNanoUsd}; the ledger sums to ${totals.sum}.`,
  );
}

/**
 * Runs many concurrent tasks on one worker within the vendor's rate limit. Measures the delay until an end is known, and
 * the worker's resources. Returns whether each task has ended once, at the upstream's price.
 */
export async function runTaskBench(setup) {
  const size = sizeOf(setup);
  const { count } = size;
  const system = await startSystem(setup, size);
  const { apiKey } = system.account;
  const cpuMs = () => Object.fromEntries(Object.entries(system.pids).map(([name, pid]) => [name, cpuMsOf([pid])]));
  const before = cpuMs();
  const startedMs = Date.now();
  const watching = step(`${named(count)} tasks`, (note) => watch(system, size, setup.signal, note));
  const submitting = submitTasks({ ...size, baseUrl: system.stack.baseUrl, apiKey, atOnce: AT_ONCE });
  const [{ mostOpen, most }, submittedSeconds] = await Promise.all([watching, submitting]);
  const seconds = (Date.now() - startedMs) / 1_000;
  const used = Object.fromEntries(Object.entries(cpuMs()).map(([name, ms]) => [name, ms - before[name]]));
  const totals = await readTaskTotals({ ...system, apiKey, model: MODEL });
  const listing = await listingTimes(system.stack.baseUrl, apiKey);
  report(size, { submittedSeconds, seconds, mostOpen, most, cpuMs: used, listing, totals });
  return isConsistent(totals, count);
}
