/** The gateway's targets, row by row: `isMet` receives its value and those of the others. */
const MEGABYTES_PER_1000_STREAMS = 100;
const TIMES_PORTKEY = 1.5;

/** Where both keep the upstream's pace, they differ only by the clock's resolution. */
const SAME_PACE = 0.99;

const notLess = { text: '≥ Portkey', isMet: ({ gateway, portkey }) => gateway >= SAME_PACE * portkey };
const notMore = { text: '≤ Portkey', isMet: ({ gateway, portkey }) => gateway <= portkey };

export const AIMS = {
  '1 client / added p50 ms': notMore,
  '32 clients / requests/s': {
    text: `≥ ${TIMES_PORTKEY} × Portkey`,
    isMet: ({ gateway, portkey }) => gateway >= TIMES_PORTKEY * portkey,
  },
  '100 streams / chunks/s': notLess,
  '100 streams / added TTFC p50 ms': notMore,
  '400 streams / chunks/s': notLess,
  '400 streams / added TTFC p50 ms': notMore,
  'memory / MB per 1,000 streams': {
    text: `< ${MEGABYTES_PER_1000_STREAMS}`,
    isMet: ({ gateway }) => gateway < MEGABYTES_PER_1000_STREAMS,
  },
};
