import { launchMeasurement } from './launch-measurement.mjs';
import { onRecentNode } from './on-recent-node.mjs';

await onRecentNode();

const given = (name) => process.argv.includes(name);
const wordAfter = (name) => (given(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

await launchMeasurement('rollout', {
  load: async () => (await import('../../bench/run-rollout.mjs')).runRollout,
  options: { isSame: given('--same'), isKill: given('--kill'), from: wordAfter('--from') },
});

// Everything has stopped. Node would otherwise spin at its exit over sockets with both ends in this process.
process.exit();
