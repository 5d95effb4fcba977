import { runClosedLoop } from './closed-loop.mjs';
import { runStreams } from './open-streams.mjs';

/** The generator of each kind of load. A round is one message in and one message out; nothing runs between rounds. */
const KINDS = { 'closed-loop': runClosedLoop, streams: runStreams };

process.on('message', async ({ kind, ...round }) => {
  try {
    process.send({ result: await KINDS[kind](round) });
  } catch (error) {
    process.send({ failure: error.stack });
  }
});
process.on('disconnect', () => process.exit(0));
