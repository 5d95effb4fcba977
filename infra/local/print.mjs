const HEARTBEAT_MS = 10_000;

const seconds = (sinceMs) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/**
 * Ignores a closed stdout, so that an entry point still stops everything in order. Only entry points call it, since tests
 * import this file several times in one process.
 */
export function ignoreClosedStdout() {
  process.stdout.on('error', () => {});
}

export const line = (text = '') => process.stdout.write(`${text}\n`);

/**
 * Runs one named step. Prints its name at the start, its progress every ten seconds, and its duration at the end.
 * `work` receives `note(text)`; the progress and the last line show the latest note. `isPassed(result)` decides between ✓
 * and ✗.
 */
export async function step(name, work, { isPassed = () => true } = {}) {
  const startedMs = Date.now();
  let lastNote = '';
  line(`… ${name}`);
  const heartbeat = setInterval(() => {
    line(`  ${name}: ${seconds(startedMs)}${lastNote ? `, ${lastNote.slice(0, 100)}` : ''}`);
  }, HEARTBEAT_MS);
  try {
    const result = await work((note) => {
      lastNote = note;
    });
    line(
      `${isPassed(result) ? '✓' : '✗'} ${name}${lastNote ? ` (${lastNote.slice(0, 120)})` : ''} ${seconds(startedMs)}`,
    );
    return result;
  } catch (error) {
    line(`✗ ${name} ${seconds(startedMs)}`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** An error whose message suffices for the user. It is printed without a stack. */
export class PlainError extends Error {
  name = 'PlainError';
}

/** Thrown if a process cannot listen on its port. */
export class PortTakenError extends PlainError {}

export const formatError = (error) => (error instanceof PlainError ? error.message : (error?.stack ?? String(error)));
