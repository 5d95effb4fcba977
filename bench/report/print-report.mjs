import { line } from '../../infra/local/print.mjs';
import { AIMS } from './aims.mjs';

const WIDTHS = { group: 21, measure: 20, value: 13 };

const shown = (value) => {
  if (value === undefined || Number.isNaN(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

const ratio = (value, base) => (value === undefined || !base ? '-' : `${(value / base).toFixed(2)}×`);

const printLine = (group, measure, cells, aim = '') =>
  line(
    `${group.padEnd(WIDTHS.group)}${measure.padEnd(WIDTHS.measure)}${cells.map((cell) => cell.padStart(WIDTHS.value)).join('')}   ${aim}`.trimEnd(),
  );

function verdictOf({ group, measure }, valueFor) {
  const aim = AIMS[`${group} / ${measure}`];
  if (aim === undefined || valueFor('gateway') === undefined) return '';
  const isMet = aim.isMet({ gateway: valueFor('gateway'), portkey: valueFor('Portkey') });
  return `${aim.text} ${isMet ? '✓' : '✗'}`;
}

/** The table: one line for each measure, one column for each candidate, the gateway's ratios, the target. */
export function printTable(rows, names) {
  line();
  printLine('', '', [...names, 'gw/Portkey', 'gw/pass-thr.'], 'aim');
  let lastGroup = '';
  for (const row of rows) {
    const valueFor = (name) => row.values[names.indexOf(name)];
    const ratios = ['Portkey', 'pass-through'].map((name) => ratio(valueFor('gateway'), valueFor(name)));
    const group = row.group === lastGroup ? '' : row.group;
    if (group !== '' && lastGroup !== '') line();
    lastGroup = row.group;
    printLine(group, row.measure, [...row.values.map(shown), ...ratios], verdictOf(row, valueFor));
  }
}

/** What each process of the gateway takes. Processes share memory, which counts for each of them here. */
export function printShares(rows) {
  const [first] = rows;
  if (first === undefined) return;
  line();
  const parts = Object.keys(first.parts);
  printLine('The gateway’s processes', '', parts);
  for (const { group, measure, parts: values } of rows) {
    printLine(
      group,
      measure,
      parts.map((part) => shown(values[part])),
    );
  }
}

export function printOtherAdapters(adapters) {
  line();
  line('The gateway’s other adapters, 32 clients, once:');
  for (const { adapter, model, summary } of adapters) {
    line(
      `  ${adapter.padEnd(20)}${model.padEnd(18)}${shown(summary.perSecond).padStart(8)} requests/s   p50 ${shown(summary.p50Ms)} ms   CPU ${shown(summary.cpuMsPerRequest)} ms/request`,
    );
  }
}

/** Checks for one settlement a request and a revenue that equals their costs. Returns whether both hold. */
export function printLedger({ settlements, completed, costNanoUsd, revenueNanoUsd }, requests) {
  const isExact = settlements === requests && completed === requests && costNanoUsd === revenueNanoUsd;
  line();
  line(
    `Ledger: ${requests.toLocaleString('en-US')} requests, ${settlements.toLocaleString('en-US')} settlements, ${completed.toLocaleString('en-US')} completed; costs ${costNanoUsd} nano-USD, revenue ${revenueNanoUsd} ${isExact ? '✓' : '✗'}`,
  );
  return isExact;
}

export function printErrors(errors) {
  line();
  line('Errors: this run does not count.');
  for (const [text, count] of Object.entries(errors)) line(`  ${count} × ${text}`);
}
