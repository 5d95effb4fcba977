import { setTimeout as sleep } from 'node:timers/promises';
import { canMeasureProcesses, cpuMsOf, residentBytesOf } from './process-tree.mjs';

const SAMPLE_MS = 250;

const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** Processor time since the start of each part of a candidate, in milliseconds. */
const cpuMsByPart = (parts) => Object.fromEntries(Object.entries(parts).map(([part, pid]) => [part, cpuMsOf([pid])]));

const since = (before, now) => Object.fromEntries(Object.entries(now).map(([part, ms]) => [part, ms - before[part]]));

/** Runs `work` and returns its result with the processor time of each part of the candidate, and the peak memory. */
async function watched(parts, work) {
  const pids = Object.values(parts);
  if (!canMeasureProcesses || pids.length === 0)
    return { result: await work(() => {}), cpuMs: undefined, peakBytes: undefined };
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, residentBytesOf(pids));
  };
  const before = cpuMsByPart(parts);
  const clock = setInterval(sample, SAMPLE_MS);
  try {
    const result = await work(() => clearInterval(clock));
    const partsCpuMs = since(before, cpuMsByPart(parts));
    return { result, cpuMs: sumOf(Object.values(partsCpuMs)), partsCpuMs, peakBytes };
  } finally {
    clearInterval(clock);
  }
}

/**
 * One round of one scenario against one candidate. Processor time counts until the work is complete: for the gateway,
 * until the ledger has the last request.
 */
export async function measureRound({ generator, candidate, scenario, times, model = candidate.model }) {
  const round = {
    kind: scenario.kind,
    target: candidate.target,
    body: scenario.bodyFor(model),
    expected: { ...scenario.expected, ...candidate.expected },
    ...scenario.load,
    ...times,
  };
  const { result, ...used } = await watched(candidate.parts(), async (stopSampling) => {
    const sinceMs = Date.now();
    const result = await generator.run(round);
    stopSampling();
    await candidate.untilDone?.(result.responseCount, sinceMs);
    return result;
  });
  return { ...result, ...used };
}

/** Memory and processor time of an idle candidate. */
export async function measureIdle(candidate, forMs) {
  const parts = candidate.parts();
  const pids = Object.values(parts);
  if (!canMeasureProcesses || pids.length === 0) return undefined;
  const before = cpuMsByPart(parts);
  await sleep(forMs);
  const used = since(before, cpuMsByPart(parts));
  const partsCpuMsPerSecond = Object.fromEntries(
    Object.entries(used).map(([part, cpuMs]) => [part, (cpuMs * 1_000) / forMs]),
  );
  const partsBytes = Object.fromEntries(Object.entries(parts).map(([part, pid]) => [part, residentBytesOf([pid])]));
  return {
    bytes: residentBytesOf(pids),
    cpuMsPerSecond: sumOf(Object.values(partsCpuMsPerSecond)),
    partsBytes,
    partsCpuMsPerSecond,
  };
}
