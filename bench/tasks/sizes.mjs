const USUAL = {
  /** Tasks that are submitted, polled and ended. */
  count: 10_000,
  /** Additional open tasks that never end. */
  waiting: 0,
  /** A vendor permits twenty polls a second for each of its accounts, which limits the number of accounts. */
  credentials: 50,
  /** The duration of a task. */
  seconds: { least: 90, most: 240 },
  /** The longest task, and a minute to poll the last ones. */
  patienceMs: 330_000,
  intervalMs: 1_000,
  worker: {},
};

/**
 * The number of tasks. `lives` is a large customer's day in one or two hours: each of a hundred thousand tasks is
 * submitted, polled, ended, reported and paid, with as much concurrency as the machine supports. `many` has a hundred
 * thousand tasks of which all but a thousand were submitted hours ago and run on. Each of those is polled twice an
 * hour, as the poll schedule does for their age.
 */
export const SIZES = {
  quick: { ...USUAL, count: 1_000, credentials: 5 },
  usual: USUAL,
  many: {
    ...USUAL,
    count: 1_000,
    waiting: 99_000,
    patienceMs: 1_200_000,
    intervalMs: 5_000,
    worker: { POLL_SLOWEST_MS: '1800000' },
  },
  lives: {
    ...USUAL,
    count: 100_000,
    credentials: 500,
    seconds: { least: 300, most: 900 },
    patienceMs: 9_000_000,
    // More often than progress is printed: otherwise a line would repeat the last value.
    intervalMs: 5_000,
  },
};
