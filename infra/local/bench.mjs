import { launchMeasurement } from './launch-measurement.mjs';
import { onRecentNode } from './on-recent-node.mjs';

await onRecentNode();

async function load() {
  if (process.argv.includes('--money')) return (await import('../../bench/run-money-bench.mjs')).runMoneyBench;
  if (process.argv.includes('--hostile')) return (await import('../../bench/run-hostile-bench.mjs')).runHostileBench;
  if (process.argv.includes('--reports')) return (await import('../../bench/run-reports-bench.mjs')).runReportsBench;
  if (process.argv.includes('--batches')) return (await import('../../bench/run-batch-bench.mjs')).runBatchBench;
  if (process.argv.includes('--kept')) return (await import('../../bench/run-kept-bench.mjs')).runKeptBench;
  if (process.argv.includes('--tasks')) return (await import('../../bench/run-task-bench.mjs')).runTaskBench;
  return (await import('../../bench/run-bench.mjs')).runBench;
}

await launchMeasurement('bench', {
  load,
  options: { isMany: process.argv.includes('--many'), isLives: process.argv.includes('--lives') },
});
