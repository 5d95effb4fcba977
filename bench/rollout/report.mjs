import { line } from '../../infra/local/print.mjs';
import { FAULTS } from './tally.mjs';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

const row = (name, cells) => line(`${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(12)).join('')}`);

function printRequests(tally) {
  line();
  row('', ['asked', 'answered', ...FAULTS]);
  for (const [kind, counts] of tally.kinds)
    row(kind, [counts.asked, counts.answered, ...FAULTS.map((fault) => counts[fault])]);
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

/** What must be nothing, each with what it is if it is not. */
function verdicts({ tally, books, webhooks, ends, balancers }) {
  const badEnds = ends.filter(({ exit, isForced }) => isForced || exit !== 'code 0');
  const refused = Object.values(balancers).reduce((sum, balancer) => sum + balancer.refused, 0);
  const differing = books.models.filter(({ differenceNanoUsd }) => differenceNanoUsd !== 0n);
  const unbalanced = Object.entries(books.reconciliation).filter(([, value]) => Number(value) !== 0);
  return [
    ['requests that failed', tally.faultCount, tally.faults],
    ['connections that no copy took', refused, []],
    ['answered, not in the ledger', books.lost.length, books.lost],
    ['charged twice or for nothing', books.chargedForNothing.length, books.chargedForNothing],
    ['models whose ledger is not the invoice', differing.length, differing.map(({ model }) => model)],
    ['findings of the auditor', books.findings.length, books.findings],
    ['figures of the reconciliation', unbalanced.length, unbalanced.map(([name, value]) => `${name}: ${value}`)],
    ['webhooks missing', webhooks.missing.length, webhooks.missing],
    ['processes killed or ended badly', badEnds.length, badEnds.map(({ name, exit }) => `${name}: ${exit}`)],
  ];
}

const SHOWN = 20;

/** Prints all of it and gives back whether there was no scratch. */
export function printReport(run) {
  printRequests(run.tally);
  printEnds(run.ends);
  printMoney(run.books);
  line();
  const all = verdicts(run);
  for (const [what, count, details] of all) {
    line(`${count === 0 ? '✓' : '✗'} ${what}: ${count}`);
    for (const detail of details.slice(0, SHOWN)) line(`    ${detail}`);
  }
  line(`Webhooks heard: ${run.webhooks.heardCount}. Processes replaced: ${run.ends.length}.`);
  return all.every(([, count]) => count === 0);
}
