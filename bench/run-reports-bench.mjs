import pg from 'pg';
import { line, step } from '../infra/local/print.mjs';
import { startStack } from '../infra/local/stack.mjs';
import { generateReceipts, openOthers } from './reports/generate-receipts.mjs';
import { AIM_MS, accountRoutes, adminRoutes } from './reports/report-routes.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

const SIZES = {
  full: { largest: 1_500_000, normal: 10_000, others: 490, ofOther: 1_000 },
  quick: { largest: 150_000, normal: 10_000, others: 40, ofOther: 1_000 },
};
const TIMES = 5;
const PASSWORD = 'correct horse battery';

async function startSystem(setup) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const services = ['billing', 'accounts'];
  const stack = await step('Redis, billing and accounts', () =>
    startStack({ node, record, secrets, onUnexpectedExit, databaseUrl: postgres.url, services }),
  );
  onStop(() => stack.stop());
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  onStop(() => client.end());
  return { stack, client };
}

/** Registers a customer over HTTP. Returns the account's id and a session. */
async function register({ accountUrl }, email) {
  const response = await fetch(`${accountUrl}/account/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const body = await response.json();
  if (response.status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`);
  return { id: body.account.id, token: body.token };
}

async function timesOf({ accountUrl }, path, token) {
  const times = [];
  for (let count = 0; count < TIMES; count += 1) {
    const startedMs = performance.now();
    const response = await fetch(`${accountUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    times.push(performance.now() - startedMs);
  }
  times.sort((left, right) => left - right);
  return { median: times[Math.floor(TIMES / 2)], most: times.at(-1) };
}

const ms = (value) => `${value.toFixed(0)} ms`.padStart(9);

/** Prints the times of each route. Returns the routes above the aim. */
async function measure(stack, routes, { token, name, aimMs }, signal) {
  line();
  line(`${name.padEnd(72)}${'median'.padStart(9)}${'most'.padStart(9)}`);
  const slow = [];
  for (const path of routes) {
    signal.throwIfAborted();
    const { median, most } = await timesOf(stack, path, token);
    line(`${path.padEnd(72)}${ms(median)}${ms(most)}${most > aimMs ? '  above the aim' : ''}`);
    if (most > aimMs) slow.push(path);
  }
  return slow;
}

/** What billing does once an hour, with the numbers of its service. */
async function keepSums(client, signal) {
  for (const statement of ['keep_usage_days(4000, 31)', 'keep_ledger_months(1)']) {
    for (let kept = -1; kept !== 0; ) {
      signal.throwIfAborted();
      const { rows } = await client.query(`SELECT ${statement} AS kept`);
      kept = rows[0].kept;
    }
  }
}

const REVENUE = `SELECT coalesce(sum(amount_nano_usd), 0)::text AS sum FROM ledger_entry
  JOIN ledger_account ON ledger_account.id = ledger_account_id
  JOIN ledger_transaction ON ledger_transaction.id = transaction_id
  WHERE ledger_account.kind = 'revenue' AND ($1::text IS NULL OR ledger_transaction.account_id = $1)`;

const nanoOf = (usd) => {
  const [whole, fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
};

async function sumOf({ accountUrl }, path, token) {
  const response = await fetch(`${accountUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = await response.json();
  return data.reduce((sum, entry) => sum + nanoOf(entry.charged_usd ?? entry.cost_usd), 0n);
}

/** Compares each sum with the ledger's revenue. Returns those that differ. */
async function compareSums({ stack, client }, people, adminToken) {
  const from = new Date(Date.now() - 200 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
  const sums = [
    ...['day', 'model', 'vendor', 'account', 'endpoint'].map((group) => [
      null,
      `/admin/margin?group_by=${group}`,
      adminToken,
    ]),
    ...people.flatMap(({ id, token }) =>
      ['day', 'model', 'key'].map((group) => [id, `/account/usage?group_by=${group}`, token]),
    ),
  ];
  const wrong = [];
  for (const [accountId, path, token] of sums) {
    const { rows } = await client.query(REVENUE, [accountId]);
    const difference = (await sumOf(stack, `${path}&from=${from}`, token)) - BigInt(rows[0].sum);
    if (difference !== 0n) wrong.push(`${path} differs from the ledger by ${difference} nano-dollars`);
  }
  return wrong;
}

/**
 * Measures every list and report with two million receipts, for a normal account, the largest and operators. Returns
 * whether each is within its aim and equal to the ledger.
 */
export async function runReportsBench(setup) {
  const { stack, client } = await startSystem(setup);
  const { largest, normal, others, ofOther } = setup.isQuick ? SIZES.quick : SIZES.full;
  const people = [await register(stack, 'largest@example.com'), await register(stack, 'normal@example.com')];
  const [large, small] = people;
  const total = largest + normal + others * ofOther;
  await step(`${total.toLocaleString('en-US')} receipts with their postings`, async () => {
    await generateReceipts(client, large.id, largest, setup.signal);
    await generateReceipts(client, small.id, normal, setup.signal);
    for (const id of await openOthers(client, others)) await generateReceipts(client, id, ofOther, setup.signal);
    await client.query('VACUUM ANALYZE');
  });
  await step('Sums of ended days and months', () => keepSums(client, setup.signal));
  const { adminToken } = stack.secrets;
  const slow = [
    ...(await measure(
      stack,
      accountRoutes(),
      { ...small, name: 'A normal account', aimMs: AIM_MS.normal },
      setup.signal,
    )),
    ...(await measure(
      stack,
      accountRoutes(),
      { ...large, name: 'The largest account', aimMs: AIM_MS.largest },
      setup.signal,
    )),
    ...(await measure(
      stack,
      adminRoutes(large.id),
      { token: adminToken, name: 'Operators', aimMs: AIM_MS.largest },
      setup.signal,
    )),
  ];
  const wrong = await step('Sums against the ledger', () => compareSums({ stack, client }, people, adminToken));
  line();
  for (const sentence of wrong) line(sentence);
  if (wrong.length === 0) line('Every report equals the ledger, difference $0.000000000.');
  return slow.length === 0 && wrong.length === 0;
}
