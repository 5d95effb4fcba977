import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { line, step } from '../infra/local/print.mjs';
import { startStack } from '../infra/local/stack.mjs';
import { openAccount } from './candidates/open-account.mjs';
import { residentBytesOf } from './measure/process-tree.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';
import { submitTasks } from './tasks/submit-tasks.mjs';

const TASKS = { quick: 1_000, full: 10_000 };
/** A vendor lets each of its accounts ask twenty times a second: so many of them, and no more. */
const CREDENTIALS = { quick: 5, full: 50 };
const AT_ONCE = 48;
const LOOK_AGAIN_MS = 1_000;
/** The longest task, and a minute for the last ones to be seen. */
const PATIENCE_MS = 330_000;

const STATES = `SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS open, count(*)::int AS all FROM video_task`;
/** The upstream's own end, which it tells to the millisecond in the time of its own zone. */
const LAG = `
  SELECT count(*)::int AS ended, percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY greatest(0,
    extract(epoch FROM finished_at - ((upstream->'output'->>'end_time')::timestamp AT TIME ZONE 'Asia/Shanghai')))) AS lag
  FROM video_task WHERE state = 'succeeded'`;
const SOUND = `
  SELECT (SELECT coalesce(sum(amount_nano_usd), 0)::text FROM ledger_entry) AS sum,
    (SELECT count(*)::int FROM settlement WHERE endpoint = 'videos.generations' AND outcome = 'completed') AS receipts,
    (SELECT coalesce(sum(poll_number), 0)::int FROM video_task) AS looks`;

const channelsOf = (simulatorUrl, count) =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({
      id: `dashscope-${at + 1}`,
      apiKey: `sk-bench-${at + 1}`,
      baseUrl: `${simulatorUrl}/dashscope`,
    })),
  );

async function startSystem(setup, credentials) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const services = ['upstream-simulator', 'billing', 'api-edge'];
  const stack = await step('Gateway', () =>
    startStack({ node, record, secrets, onUnexpectedExit, databaseUrl: postgres.url, services }),
  );
  onStop(() => stack.stop());
  const worker = await stack.add('video-worker', {
    VENDORS: 'dashscope',
    DASHSCOPE_CHANNELS: channelsOf(stack.simulatorUrl, credentials),
  });
  const client = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  onStop(() => client.end());
  return { stack, worker, client, account: await openAccount(stack) };
}

/** Looks on until none is open. Gives the most that were open at once, and the most memory of the worker. */
async function watch({ client, worker }, count, signal, note) {
  const untilMs = Date.now() + PATIENCE_MS;
  let mostOpen = 0;
  let mostBytes = 0;
  while (Date.now() < untilMs) {
    signal.throwIfAborted();
    const { rows } = await client.query(STATES);
    mostOpen = Math.max(mostOpen, rows[0].open);
    mostBytes = Math.max(mostBytes, residentBytesOf([worker.pid]));
    note(`${rows[0].open} open`);
    if (rows[0].all === count && rows[0].open === 0) return { mostOpen, mostBytes };
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error('tasks were still open when the patience was over');
}

/**
 * Many tasks open at once on one worker, within the pace that their vendor allows: how soon an end is known, what the
 * worker needs for it. Gives back whether each task has ended once and the ledger is sound.
 */
export async function runTaskBench(setup) {
  const size = setup.isQuick ? 'quick' : 'full';
  const [count, credentials] = [TASKS[size], CREDENTIALS[size]];
  const system = await startSystem(setup, credentials);
  const { baseUrl } = system.stack;
  const startedMs = Date.now();
  const watching = step(`${count.toLocaleString('en-US')} tasks`, (note) => watch(system, count, setup.signal, note));
  const submittedSeconds = await submitTasks({ baseUrl, apiKey: system.account.apiKey, count, atOnce: AT_ONCE });
  const { mostOpen, mostBytes } = await watching;
  const seconds = (Date.now() - startedMs) / 1_000;
  const { rows: lags } = await system.client.query(LAG);
  const { rows: books } = await system.client.query(SOUND);
  const [p50, p99, most] = lags[0].lag;
  const { sum, receipts, looks } = books[0];
  line();
  line(
    `${count} submitted in ${submittedSeconds.toFixed(0)} s (${(count / submittedSeconds).toFixed(0)}/s); ${mostOpen} open at once.`,
  );
  line(
    `Looks: ${looks} in ${seconds.toFixed(0)} s (${(looks / seconds).toFixed(0)}/s of at most ${credentials * 18}/s).`,
  );
  line(
    `From its end upstream until it is known: p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s, most ${most.toFixed(1)} s.`,
  );
  line(`Memory of the worker at the most: ${(mostBytes / 2 ** 20).toFixed(0)} MB.`);
  line(`Ended: ${lags[0].ended}; receipts: ${receipts}; the ledger sums to ${sum}.`);
  return lags[0].ended === count && receipts === count && sum === '0';
}
