import { line } from '../../infra/local/print.mjs';
import { FAULTS } from './tally.mjs';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

const row = (name, cells) => line(`${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(14)).join('')}`);

function printRequests(tally) {
  line();
  row('', ['sent', 'answered', ...FAULTS]);
  for (const [kind, counts] of tally.kinds)
    row(kind, [counts.sent, counts.answered, ...FAULTS.map((fault) => counts[fault])]);
}

function printEnds(ends) {
  line();
  line('Longest time from SIGTERM to exit, by service:');
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
  line(`${calls} upstream calls, ${settlements} settlements.`);
}

const badEndsOf = (ends) => ends.filter(({ exit, isForced }) => isForced || exit !== 'code 0');
const refusedBy = (balancers) => Object.values(balancers).reduce((sum, balancer) => sum + balancer.refused, 0);
const namesOf = (models) => models.map(({ model }) => model);

/** Counts that must be zero if every process stops gracefully. */
function rolloutVerdicts({ tally, books, ends, balancers }) {
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
 * Counts that must be zero if every process is killed. Running requests may fail and be charged in part. The ledger must
 * not exceed the upstream's invoice, and no request is charged that no client sent.
 */
function crashVerdicts({ tally, books }) {
  const above = books.models.filter(({ billedNanoUsd, chargedNanoUsd }) => chargedNanoUsd > billedNanoUsd);
  const unexpected = Math.max(0, books.chargedForNothing.length - tally.unnamedCount);
  return [
    ['charged twice or never sent', unexpected, books.chargedForNothing],
    ['models whose ledger is above the invoice', above.length, namesOf(above)],
  ];
}

/** All counts that must be zero, each with its details. */
function verdicts(run) {
  const { money, webhooks } = run;
  const unbalanced = Object.entries(money.reconciliation).filter(([, value]) => Number(value) !== 0);
  return [
    ...(run.isKill ? crashVerdicts(run) : rolloutVerdicts(run)),
    ['answered but not in the ledger', books.lost.length, books.lost],
    ['video tasks without an end', books.openTasks, []],
    ['findings of the auditor', books.findings.length, books.findings],
    ['figures of the reconciliation', unbalanced.length, unbalanced.map(([name, value]) => `${name}: ${value}`)],
    ['webhooks missing', webhooks.missing.length, webhooks.missing],
  ];
}

function printFailures({ tally, balancers }) {
  line();
  line('Failures by killed process and kind:');
  for (const [where, count] of tally.failedAt) row(`  ${where}`.padEnd(60), [count]);
  for (const fault of tally.faults) line(`    ${fault}`);
  line(`Connections that no instance accepted: ${refusedBy(balancers)}.`);
}

const SHOWN = 20;

/** Prints the report. Returns true if every count is zero. */
export function printReport(run) {
  printRequests(run.tally);
  if (run.isKill) printFailures(run);
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
