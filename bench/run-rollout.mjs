import { join } from 'node:path';
import { line, step } from '../infra/local/print.mjs';
import { projectRoot } from '../infra/local/project-paths.mjs';
import { closeClients } from './rollout/customer-clients.mjs';
import { readBooks, upstreamNames } from './rollout/invoice.mjs';
import { loadOf, oneOfEach, planOf } from './rollout/load.mjs';
import { printReport } from './rollout/report.mjs';
import { rollOut } from './rollout/roll-out.mjs';
import { runCaller } from './rollout/run-caller.mjs';
import { startSystem } from './rollout/start-system.mjs';
import { Tally } from './rollout/tally.mjs';
import { buildRevision, revisionBefore } from './rollout/version-before.mjs';

const GRACE_MS = 40_000;
const WEBHOOK_TIMEOUT_MS = 20_000;

/** What is rolled out, in order: the version before and then this build again; this build anew where there is no other. */
async function rolloutsOf({ isSame, isKill, from, folder, toolchain }) {
  if (isKill) return [{ name: 'deaths', isKill }];
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
 * Rolls out every service under load, in each direction, prints what came of it, and returns whether no client noticed:
 * no stream cut, no request failed, no task or webhook lost, nothing charged twice, the ledger equal to the invoice. With
 * `isKill` each process dies instead: what it had in hand may fail, and nothing else.
 */
export async function runRollout(setup) {
  const rollouts = await rolloutsOf(setup);
  const system = await startSystem({ ...setup, graceMs: GRACE_MS });
  setup.onStop(closeClients);
  const tally = new Tally();
  const load = loadOf(system, planOf(setup.isQuick));
  const names = await step('One of each', () => upstreamNames(system.stack, oneOfEach(load), tally));
  const enough = new AbortController();
  const asking = load.map((caller) => runCaller(caller, tally, enough.signal));
  const ends = [];
  for (const rollout of rollouts) {
    await step(`Rollout of ${rollout.name}`, async (note) => {
      ends.push(...(await rollOut(system, { ...rollout, graceMs: GRACE_MS, note, signal: setup.signal, tally })));
      note(`${tally.faultCount} faults so far`);
    });
  }
  tally.moment = 'after';
  enough.abort();
  await step('Last answers', () => Promise.all(asking));
  await system.webhooks.untilAllReceived(WEBHOOK_TIMEOUT_MS);
  const baseUrl = system.balancers['api-edge'].url;
  const books = await step('Books', () => readBooks(system, { names, tally, baseUrl }));
  return printReport({ ...system, tally, books, ends, isKill: setup.isKill });
}
