import type { Metrics } from '@gateway/observability';
import { STORE_OPERATIONS, STORE_OUTCOMES, type StoreOperation } from './object-store.js';

/**
 * Registers `gateway_store_seconds` and returns what observes an operation. Each series starts at zero: an alert counts
 * the first failure.
 */
export function measureOperations(metrics: Metrics): (operation: StoreOperation) => void {
  const histogram = metrics.histogram('gateway_store_seconds', 'Operations of the store of results', [
    'operation',
    'outcome',
  ]);
  for (const operation of STORE_OPERATIONS) {
    for (const outcome of STORE_OUTCOMES) histogram.zero({ operation, outcome });
  }
  return ({ operation, outcome, seconds }) => histogram.observe({ operation, outcome }, seconds);
}
