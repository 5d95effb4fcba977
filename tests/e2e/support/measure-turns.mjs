import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/*
 * A service loads this by NODE_OPTIONS. At SIGUSR2 it writes the longest turn of its event loop since the last time, in
 * milliseconds of processor time of the loop's thread: time that other processes take does not count.
 */

/** A turn is measured with at most this much of the turns before it. */
const SAMPLE_MS = 5;

if (isMainThread) {
  let longestMs = 0;
  let before = usedMs();
  setInterval(() => {
    const now = usedMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, SAMPLE_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(`${process.env.LONGEST_TURN_FILE}.${process.pid}`, String(longestMs));
    longestMs = 0;
    before = usedMs();
  });
}

function usedMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
