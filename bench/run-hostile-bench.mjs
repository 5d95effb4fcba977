import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AccountClient, createCustomer, startTestStack } from '@gateway/testing';
import { line, PlainError, step } from '../infra/local/print.mjs';
import { TRUSTED_PROXIES } from './hostile/addresses.mjs';
import { ATTACKS } from './hostile/attacks.mjs';
import { startAttack } from './hostile/start-attack.mjs';
import { startBareServer } from './hostile/start-bare-server.mjs';
import { runVictim } from './hostile/victim.mjs';
import { residentBytesOf } from './measure/process-tree.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

/** Quiet and attacked slices take turns, so that a busy machine disturbs both alike. */
const ROUNDS = 3;
const SLICE_SECONDS = { quick: 3, usual: 6 };
/** An attack opens hundreds of connections, or sends hundreds of megabytes, at once. Beyond that time it goes on. */
const OPENING_MS = 1_500;
const CALM_MS = 1_500;
const WARM_UP_MS = 10_000;
/** The victim may send what he sends. */
const UNLIMITED = { rpm: 0, concurrency: 0 };
const SAMPLE_MS = 200;
/** The memory limit of the edge's container, in `docker-compose.yml` and `infra/k8s`. */
const EDGE_LIMIT_BYTES = 768 * 2 ** 20;
/** The heap limit of the edge's image. */
const NODE_OPTIONS = '--max-old-space-size=512';
/** What an edge in its container gives to bodies. Here it would take the memory of the whole machine. */
const BODY_ROOM_BYTES = String(Math.floor(0.4 * EDGE_LIMIT_BYTES));
const TEST_KEYS = 12;
/** As deployed. The stack of the tests sets higher ones, since all its clients have one address. */
const EDGE_LIMITS = { REFUSALS_PER_SECOND: '20', READS_PER_SECOND: '100', UNKNOWN_KEYS_PER_SECOND: '5' };

async function startSystem(setup) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const stack = await step('Gateway', () =>
    startTestStack({
      node,
      record,
      secrets,
      onUnexpectedExit,
      databaseUrl: postgres.url,
      services: ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge'],
      env: { 'api-edge': { NODE_OPTIONS, BODY_ROOM_BYTES, TRUSTED_PROXIES, ...EDGE_LIMITS } },
    }),
  );
  onStop(() => stack.stop());
  const accounts = new AccountClient(stack.system.accountUrl, stack.system.adminToken);
  const victim = await createCustomer(accounts, { creditUsd: '100', limits: UNLIMITED });
  const hostile = await createCustomer(accounts, { creditUsd: '20' });
  const poor = await createCustomer(accounts, { creditUsd: undefined });
  const newKeys = async (customer, settings) =>
    Promise.all(Array.from({ length: TEST_KEYS }, async () => (await customer.newKey(settings)).key));
  return {
    stack,
    victim,
    hostile,
    target: {
      baseUrl: stack.baseUrl,
      keys: await newKeys(hostile, {}),
      testKeys: await newKeys(poor, { test: true }),
      freeKey: poor.apiKey,
    },
  };
}

/** The greatest resident memory of the edge until the signal aborts, in bytes. */
async function watchMemory(pid, signal) {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, residentBytesOf([pid]));
    await sleep(SAMPLE_MS);
  }
  return most;
}

/** Runs the victim, and beside it the attack. */
async function measure({ stack, victim, target }, name, milliseconds, baseUrl = target.baseUrl) {
  const stop = new AbortController();
  const attack = name === undefined ? undefined : startAttack(name, { ...target, baseUrl });
  const watching = watchMemory(stack.system.instance('api-edge').pid, stop.signal);
  const running = runVictim({ baseUrl: stack.baseUrl, apiKey: victim.apiKey }, stop.signal);
  await sleep(milliseconds);
  stop.abort();
  const [result, edgeBytes, statuses = []] = await Promise.all([running, watching, attack?.stop()]);
  return { ...result, edgeBytes, statuses };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const OPTIONS = { only: { type: 'string', default: '' }, seconds: { type: 'string' } };

/** `--only histories` runs those attacks whose name has that word, `--seconds 40` one long slice of each kind. */
function readOptions(isQuick) {
  const { only, seconds } = parseArgs({ options: OPTIONS, strict: false }).values;
  const length = seconds === undefined ? SLICE_SECONDS[isQuick ? 'quick' : 'usual'] : Number(seconds);
  if (!(length * 1_000 > OPENING_MS)) throw new PlainError(`--seconds: give a number above ${OPENING_MS / 1_000}.`);
  const rounds = seconds === undefined ? ROUNDS : 1;
  return { chosen: chosenAttacks(String(only)), rounds, milliseconds: length * 1_000 };
}

function chosenAttacks(word) {
  const names = Object.keys(ATTACKS);
  const chosen = names.filter((name) => name.includes(word));
  if (chosen.length === 0) throw new PlainError(`--only: no attack has such a name. There are: ${names.join('; ')}`);
  return chosen;
}

/** All slices of one kind as one. */
function together(slices) {
  const served = slices.flatMap((slice) => slice.served).sort((one, other) => one.ms - other.ms);
  const timesMs = served.map(({ ms }) => ms);
  const laterMs = served.filter(({ atMs }) => atMs >= OPENING_MS).map(({ ms }) => ms);
  const counts = new Map();
  for (const [status, count] of slices.flatMap(({ statuses }) => statuses)) {
    counts.set(status, (counts.get(status) ?? 0) + count);
  }
  return {
    requests: timesMs.length,
    failures: slices.flatMap(({ failures }) => failures),
    p50Ms: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
    laterP99Ms: quantile(laterMs, 0.99),
    longestMs: timesMs.at(-1),
    edgeBytes: Math.max(...slices.map(({ edgeBytes }) => edgeBytes)),
    statuses: [...counts],
  };
}

/** Without requests that the end of the slice has cut. */
const answersOf = ({ statuses }) =>
  statuses.reduce((sum, [status, count]) => (status === 'closed' ? sum : sum + count), 0);

/**
 * The victim's requests without the attack, beside it, and beside the same client of the attacker with as many answers of a
 * server that does nothing, in turn. Client and gateway share the machine: the last shows what the client alone takes.
 */
async function compare(system, name, { milliseconds, rounds, signal }) {
  const [quiet, attacked, bare] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    quiet.push(await measure(system, undefined, milliseconds));
    const slice = await measure(system, name, milliseconds);
    attacked.push(slice);
    await sleep(CALM_MS);
    const baseUrl = await system.bare.paced((answersOf(slice) * 1_000) / milliseconds);
    bare.push(await measure(system, name, milliseconds, baseUrl));
    await sleep(CALM_MS);
  }
  return { name, quiet: together(quiet), attacked: together(attacked), bare: together(bare) };
}

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const shown = (statuses) => statuses.map(([status, count]) => `${count}×${status}`).join(' ');

const COLUMNS = [44, 9, 8, 7, 7, 9, 9, 12, 12, 12, 9];
const row = (cells) =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(COLUMNS[at]) : cell.padStart(COLUMNS[at] ?? 0))).join('');

function report(rows) {
  line();
  line(
    `${row(['attack', 'requests', 'failed', 'p50', 'p99', 'longest', 'later p99', 'its quiet', 'its bare', 'p99 : bare', 'edge'])}   the attacker got`,
  );
  for (const { name, quiet, attacked, bare } of rows) {
    const { requests, failures, p50Ms, p99Ms, longestMs, laterP99Ms, edgeBytes, statuses } = attacked;
    const times = [p50Ms, p99Ms, longestMs, laterP99Ms, quiet.laterP99Ms, bare.laterP99Ms].map((ms) => ms.toFixed(1));
    const ratio = (laterP99Ms / bare.laterP99Ms).toFixed(2);
    const cells = [name, String(requests), String(failures.length), ...times, ratio, megabytes(edgeBytes)];
    line(`${row(cells)}   ${shown(statuses)}`);
    for (const failure of new Set([...failures, ...quiet.failures, ...bare.failures])) line(`  failed: ${failure}`);
  }
}

/**
 * Runs each attack of a hostile customer beside another customer's short requests. Returns whether none of those failed
 * and the edge stayed inside its container's memory limit. The times depend on the machine: compare the
 * ratios. The client has no processors of its own, so `p99 : bare` of the later requests is the one about the gateway.
 */
export async function runHostileBench(setup) {
  const { chosen, ...slices } = readOptions(setup.isQuick);
  const bare = startBareServer();
  setup.onStop(() => bare.stop());
  const system = { ...(await startSystem(setup)), bare };
  await step('Warm up', () => measure(system, undefined, WARM_UP_MS));
  const rows = [];
  for (const name of chosen) {
    rows.push(await step(name, () => compare(system, name, { ...slices, signal: setup.signal })));
  }
  report(rows);
  const { balance_usd: balance } = await system.hostile.balance();
  line();
  line(`The hostile customer's $20 are now $${balance}.`);
  return (
    rows.every(({ quiet, attacked }) =>
      [quiet, attacked].every(({ failures, edgeBytes }) => failures.length === 0 && edgeBytes <= EDGE_LIMIT_BYTES),
    ) && Number(balance) >= 0
  );
}
