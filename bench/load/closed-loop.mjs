import { completionFault } from './check-responses.mjs';
import { openConnections } from './connections.mjs';
import { ErrorTally } from './error-tally.mjs';

/**
 * `clients` callers. Each sends its next request when its last response is complete, for `durationMs`. Every
 * connection is warmed by one request before the clock starts. Responses are checked after it has stopped.
 */
export async function runClosedLoop({ target, body, clients, durationMs, expected }) {
  const connections = openConnections(target, clients);
  const responses = [];
  const errors = new ErrorTally();
  const sendOne = async () => {
    const chunks = [];
    const startedMs = performance.now();
    try {
      const status = await connections.send(body, (chunk) => chunks.push(chunk));
      responses.push({ status, chunks, tookMs: performance.now() - startedMs });
    } catch (error) {
      errors.add(error.message);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, sendOne));
    const warmUpCount = responses.length;
    const startedMs = performance.now();
    const client = async () => {
      while (performance.now() - startedMs < durationMs) await sendOne();
    };
    await Promise.all(Array.from({ length: clients }, client));
    const elapsedMs = performance.now() - startedMs;
    for (const { status, chunks } of responses) {
      const fault = completionFault(status, Buffer.concat(chunks), expected);
      if (fault !== undefined) errors.add(fault);
    }
    const timed = responses.slice(warmUpCount);
    return {
      elapsedMs,
      answered: timed.length,
      completedTotal: responses.length,
      latenciesMs: Float64Array.from(timed, ({ tookMs }) => tookMs),
      errors: errors.counts,
    };
  } finally {
    await connections.close();
  }
}
