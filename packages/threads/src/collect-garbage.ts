import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A shorter text leaves little garbage. A stream has thousands of them. */
const LONG_BYTES = 1024 * 1024;
/** A thread that goes on collects once it has handled so much: a collection takes as long as parsing some megabytes. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** A thread that has handled less collects after this rest. */
const PAUSE_MS = 5_000;

let collect: (() => void) | undefined;

/** V8's own collection, which a program may only call after this flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Makes the collector of a thread that handles long texts. A thread that then rests allocates nothing, so V8 would keep its
 * garbage: five times the bytes of a request, for as long as the thread lives. It collects between two calls.
 */
export function garbageCollector(): (handledBytes: number) => void {
  let sinceLast = 0;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  const run = (): void => {
    sinceLast = 0;
    timer = undefined;
    collect ??= collector();
    collect();
  };
  return (handledBytes) => {
    if (handledBytes < LONG_BYTES) return;
    const wasFull = sinceLast >= KEPT_BYTES;
    sinceLast += handledBytes;
    if (wasFull) return;
    clearTimeout(timer as NodeJS.Timeout | undefined);
    timer = sinceLast >= KEPT_BYTES ? setImmediate(run) : setTimeout(run, PAUSE_MS).unref();
  };
}
