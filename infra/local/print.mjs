const HEARTBEAT_MS = 10_000;

const seconds = (sinceMs) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/**
 * Ignores a closed stdout, so that an entry point still stops everything in order. Only entry points call it: tests
 * import this file several times in one process.
 */
export function outliveReader() {
  process.stdout.on('error', () => {});
}

export const line = (text = '') => process.stdout.write(`${text}\n`);

/**
 * Runs one named piece of work, prints its name at once, a sign of life while it is slow, and its time at the end.
 * `work` is given `note(text)`: the last note is shown with the sign of life and at the end. `isGood` says of a result
 * whether the work was in vain all the same.
 */
export async function step(name, work, { isGood = () => true } = {}) {
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
      `${isGood(result) ? '✓' : '✗'} ${name}${lastNote ? ` (${lastNote.slice(0, 120)})` : ''} ${seconds(startedMs)}`,
    );
    return result;
  } catch (error) {
    line(`✗ ${name} ${seconds(startedMs)}`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** A failure whose message is all that a person needs: it is printed without a stack. */
export class PlainError extends Error {
  name = 'PlainError';
}

/** A process could not listen on the port that it was given. */
export class PortIsTaken extends PlainError {}

export const describe = (error) => (error instanceof PlainError ? error.message : (error?.stack ?? String(error)));
