import { join } from 'node:path';
import { line, step } from '../infra/local/print.mjs';
import { projectRoot } from '../infra/local/project-paths.mjs';
import * as callers from './rollout/callers.mjs';
import { closeClients } from './rollout/customer-clients.mjs';
import { readBooks, upstreamNames } from './rollout/invoice.mjs';
import { keepAsking } from './rollout/keep-asking.mjs';
import { printReport } from './rollout/report.mjs';
import { rollOut } from './rollout/roll-out.mjs';
import { startSystem } from './rollout/start-system.mjs';
import { Tally } from './rollout/tally.mjs';
import { buildRevision, revisionBefore } from './rollout/version-before.mjs';

const GRACE_MS = 40_000;
const CHUNK_MS = 250;
const WEBHOOK_PATIENCE_MS = 20_000;
const { MODELS } = callers;

/** A long stream is longer than anything else that a process does here, so that each of them meets its end. */
const planOf = (isQuick) => ({ streamMs: isQuick ? 4_000 : 10_000, taskSeconds: isQuick ? 2 : 4 });

const times = (count, make) => Array.from({ length: count }, make);

/** Steady ones, ones that come back after seconds over the same connection, long and short answers, tasks, tools, accounts. */
function loadOf({ balancers, webhooks, customer, thrifty }, { streamMs, taskSeconds }) {
  const to = { baseUrl: balancers['api-edge'].url, mcpUrl: balancers['mcp-server'].url, apiKey: customer.apiKey };
  const chunks = streamMs / CHUNK_MS;
  return [
    ...times(3, () => callers.chat(to)),
    ...[700, 1_900, 4_100].map((restMs) => callers.chat(to, { restMs })),
    callers.chat({ ...to, apiKey: thrifty.apiKey }, { kind: 'chat, poor' }),
    ...times(5, () => callers.stream(to, { kind: 'long stream', chunks, chunkMs: CHUNK_MS })),
    ...times(2, () => callers.stream(to, { kind: 'short stream', chunks: 10, chunkMs: 50 })),
    callers.embeddings(to),
    callers.image(to),
    callers.askedTwice(to),
    ...times(2, () => callers.video(to, { seconds: taskSeconds, webhooks })),
    callers.tool(to),
    callers.balance(customer),
    callers.topUp(thrifty, '0.004'),
  ];
}

/** One of each model, before the load begins. */
const oneOfEach = (load) =>
  Object.entries({
    [MODELS.chat]: 'chat',
    [MODELS.stream]: 'short stream',
    [MODELS.embeddings]: 'embeddings',
    [MODELS.image]: 'image',
    [MODELS.video]: 'video task',
    [MODELS.tool]: 'tool',
  }).map(([model, kind]) => [model, load.find((caller) => caller.kind === kind)]);

/** What is rolled out, in order: the version before and then this build again; this build anew where there is no other. */
async function rolloutsOf({ isSame, from, folder, toolchain }) {
  const revision = isSame ? undefined : await revisionBefore(from);
  if (revision === undefined) {
    line(`The version before: ${isSame ? 'left out' : 'none is known here'}. Every process is replaced by its like.`);
    return [{ name: 'this build anew' }];
  }
  const root = await step(`Version before: ${revision.slice(0, 10)}`, (note) =>
    buildRevision(revision, { folder: join(folder, 'versions'), toolchain }, note),
  );
  return [
    { name: 'the version before', root, isBack: true },
    { name: 'this build again', root: projectRoot },
  ];
}

/**
 * Rolls out every service under load, in each direction, prints what came of it, and gives back whether nobody could tell:
 * no stream cut, no request failed, no task or webhook lost, nothing charged twice, the ledger equal to the invoice.
 */
export async function runRollout(setup) {
  const rollouts = await rolloutsOf(setup);
  const system = await startSystem({ ...setup, graceMs: GRACE_MS });
  setup.onStop(closeClients);
  const tally = new Tally();
  const load = loadOf(system, planOf(setup.isQuick));
  const names = await step('One of each', () => upstreamNames(system.stack, oneOfEach(load), tally));
  const enough = new AbortController();
  const asking = load.map((caller) => keepAsking(caller, tally, enough.signal));
  const ends = [];
  for (const { name, root, isBack } of rollouts) {
    await step(`Rollout of ${name}`, async (note) => {
      ends.push(
        ...(await rollOut(system, { name, root, isBack, graceMs: GRACE_MS, note, signal: setup.signal, tally })),
      );
      note(`${tally.faultCount} faults so far`);
    });
  }
  tally.moment = 'after';
  enough.abort();
  await step('Last answers', () => Promise.all(asking));
  await system.webhooks.untilAllHeard(WEBHOOK_PATIENCE_MS);
  const baseUrl = system.balancers['api-edge'].url;
  const books = await step('Books', () => readBooks(system, { names, tally, baseUrl }));
  return printReport({ ...system, tally, books, ends });
}
