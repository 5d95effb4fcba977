import { MOST_STREAMS } from '../rounds.mjs';

const MEGABYTE = 1_000_000;

const difference = (value, base) => (value === undefined || base === undefined ? undefined : value - base);

/** The rows of a scenario: a name, and how to read a candidate's value from its summary and that of `direct`. */
const CALLER_ROWS = [
  ['requests/s', (own) => own.perSecond],
  ['p50 ms', (own) => own.p50Ms],
  ['p99 ms', (own) => own.p99Ms],
  ['added p50 ms', (own, direct) => difference(own.p50Ms, direct.p50Ms)],
  ['CPU ms/request', (own) => own.cpuMsPerRequest],
];

const STREAM_ROWS = [
  ['chunks/s', (own) => own.chunksPerSecond],
  ['TTFC p50 ms', (own) => own.firstChunkP50Ms],
  ['TTFC p99 ms', (own) => own.firstChunkP99Ms],
  ['added TTFC p50 ms', (own, direct) => difference(own.firstChunkP50Ms, direct.firstChunkP50Ms)],
  ['CPU ms/1,000 chunks', (own) => own.cpuMsPer1000Chunks],
];

const megabytes = (bytes) => (bytes === undefined ? undefined : bytes / MEGABYTE);

function rowsOfScenario({ scenario }, results, names) {
  const rows = scenario.kind === 'streams' ? STREAM_ROWS : CALLER_ROWS;
  const direct = results.of(scenario.name, 'direct');
  return rows.map(([measure, valueFor]) => ({
    group: scenario.name,
    measure,
    values: names.map((name) =>
      measure.startsWith('added') && name === 'direct' ? undefined : valueFor(results.of(scenario.name, name), direct),
    ),
  }));
}

function memoryRows(results, idle, names) {
  const open = (name) => results.of(`${MOST_STREAMS} streams`, name)?.peakBytes;
  const perThousand = (name) => {
    const grown = difference(open(name), idle.get(name)?.bytes);
    return grown === undefined ? undefined : (grown * 1_000) / MOST_STREAMS;
  };
  const row = (measure, valueFor) => ({ group: 'memory', measure, values: names.map(valueFor) });
  return [
    row('MB after warm-up', (name) => megabytes(idle.get(name)?.bytes)),
    row(`MB with ${MOST_STREAMS} streams`, (name) => megabytes(open(name))),
    row('MB per 1,000 streams', (name) => megabytes(perThousand(name))),
    { group: 'at rest', measure: 'CPU ms/s', values: names.map((name) => idle.get(name)?.cpuMsPerSecond) },
  ];
}

/** All measurements as rows with one value for each candidate. */
export const rowsOf = ({ plan, results, idle, names }) => [
  ...plan.measured.flatMap((part) => rowsOfScenario(part, results, names)),
  ...memoryRows(results, idle, names),
];

/** What each process of a candidate takes: `{ group, measure, parts }`, one row for each scenario, at rest, and in memory. */
export function sharesOf({ plan, results, idle, name }) {
  const rows = plan.measured.map(({ scenario }) => {
    const summary = results.of(scenario.name, name);
    return scenario.kind === 'streams'
      ? { group: scenario.name, measure: 'CPU ms/1,000 chunks', parts: summary.partsCpuMsPer1000Chunks }
      : { group: scenario.name, measure: 'CPU ms/request', parts: summary.partsCpuMsPerRequest };
  });
  const { partsCpuMsPerSecond, partsBytes = {} } = idle.get(name) ?? {};
  const partsMegabytes = Object.fromEntries(
    Object.entries(partsBytes).map(([part, bytes]) => [part, megabytes(bytes)]),
  );
  return [
    ...rows,
    { group: 'at rest', measure: 'CPU ms/s', parts: partsCpuMsPerSecond },
    { group: 'at rest', measure: 'MB', parts: partsMegabytes },
  ].filter(({ parts }) => parts !== undefined);
}
