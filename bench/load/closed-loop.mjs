import { wholeAnswerFault } from './check-answers.mjs';
import { openConnections } from './connections.mjs';
import { ErrorTally } from './error-tally.mjs';

/**
 * `clients` callers, each sending its next request when the answer to its last is whole, for `durationMs`. Every
 * connection is warmed by one request before the clock starts. Answers are checked after it has stopped.
 */
export async function runClosedLoop({ target, body, clients, durationMs, expected }) {
  const connections = openConnections(target, clients);
  const answers = [];
  const errors = new ErrorTally();
  const ask = async () => {
    const chunks = [];
    const startedMs = performance.now();
    try {
      const status = await connections.send(body, (chunk) => chunks.push(chunk));
      answers.push({ status, chunks, tookMs: performance.now() - startedMs });
    } catch (error) {
      errors.add(error.message);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, ask));
    const warmAnswers = answers.length;
    const startedMs = performance.now();
    const client = async () => {
      while (performance.now() - startedMs < durationMs) await ask();
    };
    await Promise.all(Array.from({ length: clients }, client));
    const elapsedMs = performance.now() - startedMs;
    for (const { status, chunks } of answers) {
      const fault = wholeAnswerFault(status, Buffer.concat(chunks), expected);
      if (fault !== undefined) errors.add(fault);
    }
    const timed = answers.slice(warmAnswers);
    return {
      elapsedMs,
      answered: timed.length,
      answeredInAll: answers.length,
      latenciesMs: Float64Array.from(timed, ({ tookMs }) => tookMs),
      errors: errors.counts,
    };
  } finally {
    await connections.close();
  }
}
