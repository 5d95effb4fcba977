import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a collection costs less than: some milliseconds, outside the event loop of the process. */
export const LONG_BYTES = 1024 * 1024;

let collect: (() => void) | undefined;

/** V8's own collection, which a program may only call after this flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Makes the collector of a thread that handles long texts. A thread that then rests allocates nothing, so V8 would keep its
 * garbage: five times the bytes of a request, for as long as the thread lives. It collects once the thread has nothing to do.
 */
export function garbageCollector(): (handledBytes: number) => void {
  let isDue = false;
  return (handledBytes) => {
    if (handledBytes < LONG_BYTES || isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      collect ??= collector();
      collect();
    });
  };
}
