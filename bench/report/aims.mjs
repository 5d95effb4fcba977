/** The gateway's targets, row by row: `isMet` receives its value and those of the others. */
const atMost = (limit) => ({ text: `≤ ${limit}`, isMet: ({ gateway }) => gateway <= limit });

const atLeastTimes = (factor) => ({
  text: `≥ ${factor.toFixed(2)} × Portkey`,
  isMet: ({ gateway, portkey }) => gateway >= factor * portkey,
});

const atMostTimes = (factor) => ({
  text: `≤ ${factor.toFixed(2)} × Portkey`,
  isMet: ({ gateway, portkey }) => gateway <= factor * portkey,
});

/** Where both keep the upstream's pace, they differ only by the clock's resolution. */
const SAME_PACE = atLeastTimes(0.99);

export const AIMS = {
  '128 clients / CPU ms/request': atMostTimes(0.65),
  '128 clients / requests/s': atLeastTimes(2),
  '32 clients / CPU ms/request': atMostTimes(0.8),
  '32 clients / requests/s': atLeastTimes(1.6),
  '1 client / added p50 ms': atMostTimes(2),
  '400 streams / added TTFC p50 ms': atMostTimes(0.1),
  '400 streams / chunks/s': SAME_PACE,
  '400 streams / CPU ms/1,000 chunks': atMostTimes(0.7),
  '100 streams / added TTFC p50 ms': atMostTimes(0.07),
  '100 streams / chunks/s': SAME_PACE,
  '100 streams / CPU ms/1,000 chunks': atMostTimes(0.7),
  '1 MB body, 8 clients / requests/s': atLeastTimes(1.6),
  'at rest / CPU ms/s': atMost(10),
  'memory / MB after warm-up': atMost(700),
};
