import { setTimeout as sleep } from 'node:timers/promises';
import { canMeasureProcesses, cpuMsOf, residentBytesOf } from './process-tree.mjs';

const SAMPLE_MS = 250;

/** Runs `work` and returns its result with the candidate's processor time and peak memory. */
async function watched(pids, work) {
  if (!canMeasureProcesses || pids.length === 0)
    return { result: await work(() => {}), cpuMs: undefined, peakBytes: undefined };
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, residentBytesOf(pids));
  };
  const beforeMs = cpuMsOf(pids);
  const clock = setInterval(sample, SAMPLE_MS);
  try {
    const result = await work(() => clearInterval(clock));
    return { result, cpuMs: cpuMsOf(pids) - beforeMs, peakBytes };
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
    expected: scenario.expected,
    ...scenario.load,
    ...times,
  };
  const { result, cpuMs, peakBytes } = await watched(candidate.pids(), async (stopSampling) => {
    const sinceMs = Date.now();
    const result = await generator.run(round);
    stopSampling();
    await candidate.untilDone?.(result.responseCount, sinceMs);
    return result;
  });
  return { ...result, cpuMs, peakBytes };
}

/** Memory and processor time of an idle candidate. */
export async function measureIdle(candidate, forMs) {
  const pids = candidate.pids();
  if (!canMeasureProcesses || pids.length === 0) return undefined;
  const beforeMs = cpuMsOf(pids);
  await sleep(forMs);
  return { bytes: residentBytesOf(pids), cpuMsPerSecond: ((cpuMsOf(pids) - beforeMs) * 1_000) / forMs };
}
