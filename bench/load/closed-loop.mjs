import { responseFault } from './check-responses.mjs';
import { openConnections } from './connections.mjs';
import { ErrorTally } from './error-tally.mjs';

/**
 * Runs `clients` callers for `durationMs`; each sends its next request after its last response. One request warms each
 * connection before the clock starts. Responses are checked after it stops.
 */
export async function runClosedLoop({ target, body, clients, durationMs, expected }) {
  const connections = openConnections(target, clients);
  const responses = [];
  const errors = new ErrorTally();
  const send = async () => {
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
    await Promise.all(Array.from({ length: clients }, send));
    const warmResponses = responses.length;
    const startedMs = performance.now();
    const client = async () => {
      while (performance.now() - startedMs < durationMs) await send();
    };
    await Promise.all(Array.from({ length: clients }, client));
    const elapsedMs = performance.now() - startedMs;
    for (const { status, chunks } of responses) {
      const fault = responseFault(status, Buffer.concat(chunks), expected);
      if (fault !== undefined) errors.add(fault);
    }
    const timed = responses.slice(warmResponses);
    return {
      elapsedMs,
      answered: timed.length,
      responseCount: responses.length,
      latenciesMs: Float64Array.from(timed, ({ tookMs }) => tookMs),
      errors: errors.counts,
    };
  } finally {
    await connections.close();
  }
}
