/** The most events of one read and one commit. */
export const BATCH_SIZE = 500;

const PER_EVENT_MS = 50;
const MOST_MS = 250;

/**
 * How long to wait after a batch, in milliseconds, so that the next one fills: a commit for each request would cost more
 * than the requests. A lone request hardly waits, and a busy system makes a few commits a second. A batch that was half
 * full fills without a pause.
 */
export const pauseAfterMs = (count: number): number =>
  count >= BATCH_SIZE / 2 ? 0 : Math.min(count * PER_EVENT_MS, MOST_MS);
