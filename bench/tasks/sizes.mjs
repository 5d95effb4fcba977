const USUAL = {
  /** Tasks that run from submission to end. */
  count: 10_000,
  /** Further open tasks that never end. */
  waiting: 0,
  /** Vendor credentials. Each allows twenty polls a second. */
  credentials: 50,
  /** Duration of a task. */
  seconds: { least: 90, most: 240 },
  /** The longest task and some time to detect its end. */
  timeoutMs: 330_000,
  intervalMs: 1_000,
  worker: {},
};

/**
 * `lives` submits, polls, ends, reports and charges 100,000 tasks, as fast as the machine allows. `many` has 100,000 open
 * tasks. All but 1,000 were submitted hours ago, never end, and are polled twice an hour.
 */
export const SIZES = {
  quick: { ...USUAL, count: 1_000, credentials: 5 },
  usual: USUAL,
  many: {
    ...USUAL,
    count: 1_000,
    waiting: 99_000,
    timeoutMs: 1_200_000,
    intervalMs: 5_000,
    worker: { POLL_SLOWEST_MS: '1800000' },
  },
  lives: {
    ...USUAL,
    count: 100_000,
    credentials: 500,
    seconds: { least: 300, most: 900 },
    timeoutMs: 9_000_000,
    // Shorter than the progress interval, so that each progress line has a new note.
    intervalMs: 5_000,
  },
};
