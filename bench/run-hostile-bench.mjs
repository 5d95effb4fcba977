import { setTimeout as sleep } from 'node:timers/promises';
import { AccountClient, createCustomer, startTestStack } from '@gateway/testing';
import { line, step } from '../infra/local/print.mjs';
import { ATTACKS } from './hostile/attacks.mjs';
import { startAttack } from './hostile/start-attack.mjs';
import { runVictim } from './hostile/victim.mjs';
import { residentBytesOf } from './measure/process-tree.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

const SECONDS = { quick: 6, usual: 15 };
const CALM_MS = 3_000;
const SAMPLE_MS = 200;
/** The memory limit of the edge's container, in `docker-compose.yml` and `infra/k8s`. */
const EDGE_LIMIT_BYTES = 768 * 2 ** 20;
/** The heap limit of the edge's image. */
const NODE_OPTIONS = '--max-old-space-size=512';
/** What an edge in its container gives to bodies. Here it would take the memory of the whole machine. */
const BODY_ROOM_BYTES = String(Math.floor(0.4 * EDGE_LIMIT_BYTES));
const TEST_KEYS = 12;

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
      env: { 'api-edge': { NODE_OPTIONS, BODY_ROOM_BYTES } },
    }),
  );
  onStop(() => stack.stop());
  const accounts = new AccountClient(stack.system.accountUrl, stack.system.adminToken);
  const victim = await createCustomer(accounts, { creditUsd: '100' });
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
async function measure({ stack, victim, target }, name, milliseconds) {
  const stop = new AbortController();
  const attack = name === undefined ? undefined : startAttack(name, target);
  const watching = watchMemory(stack.system.instance('api-edge').pid, stop.signal);
  const running = runVictim({ baseUrl: stack.baseUrl, apiKey: victim.apiKey }, stop.signal);
  await sleep(milliseconds);
  stop.abort();
  const [result, edgeBytes, statuses = []] = await Promise.all([running, watching, attack?.stop()]);
  return { ...result, edgeBytes, statuses };
}

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const shown = (statuses) => statuses.map(([status, count]) => `${count}×${status}`).join(' ');

function report(rows, [, quiet]) {
  line();
  line(
    `${'attack'.padEnd(40)}${'requests'.padStart(9)}${'failed'.padStart(8)}${'p50'.padStart(9)}${'p99'.padStart(9)}${'p99 : quiet'.padStart(13)}${'edge'.padStart(9)}   the attacker got`,
  );
  for (const [name, { requests, failures, p50Ms, p99Ms, edgeBytes, statuses }] of rows) {
    const ratio = (p99Ms / quiet.p99Ms).toFixed(2);
    line(
      `${name.padEnd(40)}${String(requests).padStart(9)}${String(failures.length).padStart(8)}${p50Ms.toFixed(1).padStart(9)}${p99Ms.toFixed(1).padStart(9)}${ratio.padStart(13)}${megabytes(edgeBytes).padStart(9)}   ${shown(statuses)}`,
    );
    for (const failure of new Set(failures)) line(`  failed: ${failure}`);
  }
}

/**
 * Runs each attack of a hostile customer beside another customer's short requests. Returns whether none of those failed
 * and the edge stayed inside its container's memory limit. The times depend on the machine: compare the ratios.
 */
export async function runHostileBench(setup) {
  const system = await startSystem(setup);
  const milliseconds = SECONDS[setup.isQuick ? 'quick' : 'usual'] * 1_000;
  await step('Warm up', () => measure(system, undefined, milliseconds));
  const quiet = ['quiet', await step('Quiet', () => measure(system, undefined, milliseconds))];
  const rows = [quiet];
  for (const name of Object.keys(ATTACKS)) {
    setup.signal.throwIfAborted();
    rows.push([name, await step(name, () => measure(system, name, milliseconds))]);
    await sleep(CALM_MS);
  }
  report(rows, quiet);
  const { balance_usd: balance } = await system.hostile.balance();
  line();
  line(`The hostile customer's $20 are now $${balance}.`);
  return (
    rows.every(([, { failures, edgeBytes }]) => failures.length === 0 && edgeBytes <= EDGE_LIMIT_BYTES) &&
    Number(balance) >= 0
  );
}
