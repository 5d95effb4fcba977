import { line } from '../../infra/local/print.mjs';
import { FAULTS } from './tally.mjs';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

const row = (name, cells) => line(`${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(14)).join('')}`);

function printRequests(tally) {
  line();
  row('', ['sent', 'responded', ...FAULTS]);
  for (const [kind, counts] of tally.kinds)
    row(kind, [counts.sent, counts.responded, ...FAULTS.map((fault) => counts[fault])]);
}

function printEnds(ends) {
  line();
  line('From SIGTERM to the end of the process, the longest of each service:');
  for (const service of new Set(ends.map((end) => end.service))) {
    const own = ends.filter((end) => end.service === service);
    row(`  ${service}`, [seconds(Math.max(...own.map(({ drainedMs }) => drainedMs))), `${own.length} times`]);
  }
}

function printMoney({ models, calls, settlements }) {
  line();
  row('nano-USD', ['invoice', 'ledger', 'difference']);
  for (const { model, billedNanoUsd, chargedNanoUsd, differenceNanoUsd } of models)
    row(model.slice(0, 15), [billedNanoUsd, chargedNanoUsd, differenceNanoUsd]);
  line(`${calls} calls of upstreams, ${settlements} settlements.`);
}

const badEndsOf = (ends) => ends.filter(({ exit, isForced }) => isForced || exit !== 'code 0');
const refusedBy = (balancers) => Object.values(balancers).reduce((sum, balancer) => sum + balancer.refused, 0);
const namesOf = (models) => models.map(({ model }) => model);

/** Must be zero where each process is stopped in order. */
function ofRollout({ tally, money, ends, balancers }) {
  const badEnds = badEndsOf(ends);
  const differing = money.models.filter(({ differenceNanoUsd }) => differenceNanoUsd !== 0n);
  return [
    ['requests that failed', tally.faultCount, tally.faults],
    ['connections that no instance accepted', refusedBy(balancers), []],
    ['charged twice or for nothing', money.chargedForNothing.length, money.chargedForNothing],
    ['models whose ledger is not the invoice', differing.length, namesOf(differing)],
    ['processes killed or ended badly', badEnds.length, badEnds.map(({ name, exit }) => `${name}: ${exit}`)],
  ];
}

/**
 * Must be zero where each process is killed. Running work may then fail, be paid in part, or lack a response. Charges
 * never exceed the upstream's invoice or the number of requests.
 */
function ofDeaths({ tally, money }) {
  const above = money.models.filter(({ billedNanoUsd, chargedNanoUsd }) => chargedNanoUsd > billedNanoUsd);
  const unrequested = Math.max(0, money.chargedForNothing.length - tally.unnamedCount);
  return [
    ['charged twice, or unrequested', unrequested, money.chargedForNothing],
    ['models whose ledger is above the invoice', above.length, namesOf(above)],
  ];
}

/** Each check with its value, unless it is zero. */
function verdicts(run) {
  const { money, webhooks } = run;
  const unbalanced = Object.entries(money.reconciliation).filter(([, value]) => Number(value) !== 0);
  return [
    ...(run.isKill ? ofDeaths(run) : ofRollout(run)),
    ['served, not in the ledger', money.lost.length, money.lost],
    ['video tasks without an end', money.openTasks, []],
    ['findings of the audit', money.findings.length, money.findings],
    ['figures of the reconciliation', unbalanced.length, unbalanced.map(([name, value]) => `${name}: ${value}`)],
    ['webhooks missing', webhooks.missing.length, webhooks.missing],
  ];
}

function printDeaths({ tally, balancers }) {
  line();
  line('Failures by the replaced service, with their counts:');
  for (const [where, count] of tally.failedAt) row(`  ${where}`.padEnd(60), [count]);
  for (const fault of tally.faults) line(`    ${fault}`);
  line(`Connections that no instance accepted: ${refusedBy(balancers)}.`);
}

const SHOWN = 20;

/** Prints the report and returns whether every check passed. */
export function printReport(run) {
  printRequests(run.tally);
  if (run.isKill) printDeaths(run);
  else printEnds(run.ends);
  printMoney(run.money);
  line();
  const all = verdicts(run);
  for (const [what, count, details] of all) {
    line(`${count === 0 ? '✓' : '✗'} ${what}: ${count}`);
    if (count > 0) for (const detail of details.slice(0, SHOWN)) line(`    ${detail}`);
  }
  line(`Webhooks received: ${run.webhooks.receivedCount}. Processes replaced: ${run.ends.length}.`);
  return all.every(([, count]) => count === 0);
}
