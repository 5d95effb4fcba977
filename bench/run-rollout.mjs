import { join } from 'node:path';
import { line, step } from '../infra/local/print.mjs';
import { projectRoot } from '../infra/local/project-paths.mjs';
import { closeClients } from './rollout/customer-clients.mjs';
import { readMoney, upstreamNames } from './rollout/invoice.mjs';
import { loadOf, oneOfEach, planOf } from './rollout/load.mjs';
import { printReport } from './rollout/report.mjs';
import { rollOut } from './rollout/roll-out.mjs';
import { runCaller } from './rollout/run-caller.mjs';
import { startSystem } from './rollout/start-system.mjs';
import { Tally } from './rollout/tally.mjs';
import { buildRevision, revisionBefore } from './rollout/version-before.mjs';

const GRACE_MS = 40_000;
const WEBHOOK_TIMEOUT_MS = 20_000;

/** The rollouts in order: the previous version, then this build again. Without a previous version, this build only. */
async function rolloutsOf({ isSame, isKill, from, folder, toolchain }) {
  if (isKill) return [{ name: 'kills', isKill }];
  const revision = isSame ? undefined : await revisionBefore(from);
  if (revision === undefined) {
    line(`The previous version: ${isSame ? 'skipped' : 'unknown here'}. Every process is replaced by the same build.`);
    return [{ name: 'this build' }];
  }
  const root = await step(`Previous version: ${revision.slice(0, 10)}`, (note) =>
    buildRevision(revision, { folder: join(folder, 'versions'), toolchain }, note),
  );
  return [
    { name: 'the previous version', root, isBack: true },
    { name: 'this build again', root: projectRoot },
  ];
}

/**
 * Rolls out every service under load in each direction and prints a report. Returns whether no stream was cut and no
 * request failed. No task or webhook may be lost, nothing charged twice, and the ledger must equal the invoice. With
 * `isKill` each process is killed instead: only its running work may fail.
 */
export async function runRollout(setup) {
  const rollouts = await rolloutsOf(setup);
  const system = await startSystem({ ...setup, graceMs: GRACE_MS });
  setup.onStop(closeClients);
  const tally = new Tally();
  const load = loadOf(system, planOf(setup.isQuick));
  const names = await step('One of each', () => upstreamNames(system.stack, oneOfEach(load), tally));
  const stop = new AbortController();
  const running = load.map((caller) => runCaller(caller, tally, stop.signal));
  const ends = [];
  for (const rollout of rollouts) {
    await step(`Rollout of ${rollout.name}`, async (note) => {
      ends.push(...(await rollOut(system, { ...rollout, graceMs: GRACE_MS, note, signal: setup.signal, tally })));
      note(`${tally.faultCount} faults so far`);
    });
  }
  tally.moment = 'after';
  stop.abort();
  await step('Last responses', () => Promise.all(running));
  await system.webhooks.untilAllReceived(WEBHOOK_TIMEOUT_MS);
  const baseUrl = system.balancers['api-edge'].url;
  const money = await step('Money', () => readMoney(system, { names, tally, baseUrl }));
  return printReport({ ...system, tally, money, ends, isKill: setup.isKill });
}
