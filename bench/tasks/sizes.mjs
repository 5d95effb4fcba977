const USUAL = {
  /** That live their whole lives: submitted, looked at, ended. */
  count: 10_000,
  /** That are open besides and never end. */
  waiting: 0,
  /** A vendor lets each of its accounts ask twenty times a second: so many of them, and no more. */
  credentials: 50,
  /** How long a task takes. */
  seconds: { least: 90, most: 240 },
  /** The longest task, and a minute for the last ones to be seen. */
  timeoutMs: 330_000,
  intervalMs: 1_000,
  worker: {},
};

/**
 * How many tasks. `lives` is a day of a large customer in an hour or two: each of a hundred thousand is submitted, looked at,
 * ended, reported and paid, as many at once as the machine bears. Of the hundred thousand of `many`, all but one thousand were submitted hours ago and run on: each is looked
 * at twice an hour, as the pace has it for tasks of that age once the pace allows it.
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
    // More often than a sign of life is given: one that came in between said the last one again, as if nothing went on.
    intervalMs: 5_000,
  },
};
