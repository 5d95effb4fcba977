import { launchMeasurement } from './launch-measurement.mjs';
import { onRecentNode } from './on-recent-node.mjs';

await onRecentNode();

const hasOption = (name) => process.argv.includes(name);
const optionValue = (name) => (hasOption(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

await launchMeasurement('rollout', {
  load: async () => (await import('../../bench/run-rollout.mjs')).runRollout,
  options: { isSame: hasOption('--same'), isKill: hasOption('--kill'), from: optionValue('--from') },
});

// Everything is stopped. Without this, Node keeps running over sockets whose other end was in this process.
process.exit();
