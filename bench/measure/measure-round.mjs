import { setTimeout as sleep } from 'node:timers/promises';
import { canMeasureProcesses, cpuMsOf, residentBytesOf } from './process-tree.mjs';

const SAMPLE_MS = 250;

/** Runs `work` and gives back its result with the processor time and the highest memory of the candidate meanwhile. */
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
 * One round of one scenario against one candidate. Its processor time is counted until its work is really done: for
 * the gateway, until the ledger has the last request.
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
    const answered = await generator.run(round);
    stopSampling();
    await candidate.untilDone?.(answered.completedTotal, sinceMs);
    return answered;
  });
  return { ...result, cpuMs, peakBytes };
}

/** Memory and processor time of a candidate that has nothing to do. */
export async function measureIdle(candidate, forMs) {
  const pids = candidate.pids();
  if (!canMeasureProcesses || pids.length === 0) return undefined;
  const beforeMs = cpuMsOf(pids);
  await sleep(forMs);
  return { bytes: residentBytesOf(pids), cpuMsPerSecond: ((cpuMsOf(pids) - beforeMs) * 1_000) / forMs };
}
