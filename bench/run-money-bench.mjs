import { setTimeout as sleep } from 'node:timers/promises';
import { AdmissionStore, closeRedis, connectRedis, withReady } from '@gateway/redis';
import pg from 'pg';
import { line, step } from '../infra/local/print.mjs';
import { startStack } from '../infra/local/stack.mjs';
import { admit, requestsFor, settle, timed } from './money/holds-and-settlements.mjs';
import { openManyAccounts } from './money/many-accounts.mjs';
import { measureOneRow } from './money/one-row-balance.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

const ACCOUNTS = 10_000;
const AT_ONCE = 64;
const REQUESTS = { quick: 10_000, full: 40_000 };
const CALM = { perTurn: 20, everyMs: 50, turns: 100 };

const RECORDED = "SELECT count(*)::int AS count FROM settlement WHERE request_id LIKE 'req_bench_' || $1 || '_%'";
const LAG = `
  SELECT percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (
    ORDER BY extract(epoch FROM recorded_at - settled_at) * 1000) AS lag
  FROM settlement WHERE request_id LIKE 'req_bench_calm_%'`;
const TOTALS = 'SELECT coalesce(sum(amount_nano_usd), 0)::text AS sum FROM ledger_entry';

async function untilRecorded(client, run, count) {
  for (;;) {
    const { rows } = await client.query(RECORDED, [run]);
    if (rows[0].count === count) return;
    await sleep(20);
  }
}

/** Admissions and settlements in Redis separately, and the rate at which billing copies them into the ledger. */
async function measureRun({ store, client }, accountIds, count, run) {
  const requests = requestsFor(accountIds, count, run);
  const admissions = await timed(requests, AT_ONCE, (request) => admit(store, request));
  const startedMs = performance.now();
  const settlements = await timed(requests, AT_ONCE, (request) => settle(store, request));
  await untilRecorded(client, run, count);
  const intoLedger = count / ((performance.now() - startedMs) / 1_000);
  return { admissions, settlements, intoLedger };
}

/** The settlement lag at a moderate load of 400 settlements a second. */
async function measureLag({ store, client }, accountIds) {
  const requests = requestsFor(accountIds, CALM.perTurn * CALM.turns, 'calm');
  for (let turn = 0; turn < CALM.turns; turn += 1) {
    const these = requests.slice(turn * CALM.perTurn, (turn + 1) * CALM.perTurn);
    await Promise.all(these.map((request) => admit(store, request).then(() => settle(store, request))));
    await sleep(CALM.everyMs);
  }
  await untilRecorded(client, 'calm', requests.length);
  const { rows } = await client.query(LAG);
  return rows[0].lag;
}

const perSecond = (value) => `${Math.round(value).toLocaleString('en-US').padStart(9)}/s`;
const printRow = (name, value, base) =>
  line(`${name.padEnd(46)}${perSecond(value)}${`${(value / base).toFixed(1)}×`.padStart(9)}`);

function printRates(oneRow, runs) {
  line();
  line(`${''.padEnd(46)}${''.padStart(11)}${'one row'.padStart(9)}`);
  printRow('a balance that is one row of PostgreSQL', oneRow, oneRow);
  for (const [name, { admissions, settlements, intoLedger }] of runs) {
    printRow(`${name}: admissions`, admissions, oneRow);
    printRow(`${name}: settlements in Redis`, settlements, oneRow);
    printRow(`${name}: settlements into the ledger`, intoLedger, oneRow);
  }
}

async function startStores(setup) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const services = ['billing'];
  const stack = await step('Redis and billing', () =>
    startStack({ node, record, secrets, onUnexpectedExit, databaseUrl: postgres.url, services }),
  );
  onStop(() => stack.stop());
  const client = new pg.Pool({ connectionString: stack.databaseUrl, max: AT_ONCE });
  onStop(() => client.end());
  const redis = connectRedis(stack.redisUrl, 'commands', onUnexpectedExit);
  onStop(() => closeRedis(redis));
  await withReady(redis);
  return { stack, client, store: new AdmissionStore(redis) };
}

/**
 * Measures money operations without HTTP: holds and settlements on one busy account and on 10,000. Also measures the rate
 * and the lag of one billing process. Returns whether the ledger is consistent and has each settlement once.
 */
export async function runMoneyBench(setup) {
  const stores = await startStores(setup);
  const count = setup.isQuick ? REQUESTS.quick : REQUESTS.full;
  const accountIds = await step(`${ACCOUNTS.toLocaleString('en-US')} accounts with credit`, () =>
    openManyAccounts({ ...stores, count: ACCOUNTS }),
  );
  const oneRow = await step('One row', () => measureOneRow(stores.client, count / 10, AT_ONCE));
  const runs = [];
  for (const [name, ids, run] of [
    ['one busy account', accountIds.slice(0, 1), 'one'],
    ['10,000 accounts', accountIds, 'many'],
  ]) {
    setup.signal.throwIfAborted();
    runs.push([name, await step(name, () => measureRun(stores, ids, count, run))]);
  }
  const [p50, p99, most] = await step('Lag', () => measureLag(stores, accountIds));
  printRates(oneRow, runs);
  line();
  line(
    `From settled to in the ledger, at 400/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms.`,
  );
  const { rows } = await stores.client.query(TOTALS);
  line(`The ledger sums to ${rows[0].sum}; each of ${(2 * count).toLocaleString('en-US')} requests is in it once.`);
  return rows[0].sum === '0';
}
