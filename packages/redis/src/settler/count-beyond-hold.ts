import type { Metrics } from '@gateway/observability';
import { beyondHold } from './beyond-hold.js';
import type { Settler } from './settler.js';

/** Counts the debt of settlements that cost more than was held. `models`: all public ids. */
export function countBeyondHold(
  metrics: Metrics,
  settler: Pick<Settler, 'onSettled'>,
  models: readonly { readonly id: string }[],
): void {
  const counter = metrics.counter(
    'gateway_beyond_hold_nano_usd_total',
    'Nano-USD of debt by settlements that cost more than was held',
    ['model'],
  );
  // At 0 from the start, so that `increase()` counts the first debt.
  for (const { id } of models) counter.inc({ model: id }, 0);
  settler.onSettled((event, settlement) => {
    const debt = beyondHold(event, settlement);
    if (debt > 0n) counter.inc({ model: event.model }, Number(debt));
  });
}
