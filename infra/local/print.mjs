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
 * Runs one named step: prints its name immediately, progress while it is slow, and its duration at the end. `work` gets
 * `note(text)`: the last note is printed with the progress and at the end. `isGood` returns false for a result that is
 * a failure.
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

/** A failure whose message suffices for a person: it is printed without a stack. */
export class PlainError extends Error {
  name = 'PlainError';
}

/** A process could not listen on the port that it was given. */
export class PortIsTaken extends PlainError {}

export const describe = (error) => (error instanceof PlainError ? error.message : (error?.stack ?? String(error)));
