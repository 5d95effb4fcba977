/** A turn is measured with at most this much of the turns before it. */
const SAMPLE_MS = 5;

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Measures this event loop until it is stopped: the longest turn in milliseconds of processor time of its thread. Time that
 * other processes take does not count.
 */
export function measureTurns(): { readonly stop: () => number } {
  let longestMs = 0;
  let before = usedMs();
  const sample = (): void => {
    const now = usedMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return longestMs;
    },
  };
}
