import { launchMeasurement } from './launch-measurement.mjs';
import { onRecentNode } from './on-recent-node.mjs';

await onRecentNode();

const given = (name) => process.argv.includes(name);
const wordAfter = (name) => (given(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

await launchMeasurement('rollout', {
  load: async () => (await import('../../bench/run-rollout.mjs')).runRollout,
  options: { isSame: given('--same'), isKill: given('--kill'), from: wordAfter('--from') },
});

// All is stopped by now. Left to itself, Node spins in its own end over sockets whose other side was in this process too.
process.exit();
