import { type Customer, eventually, type TestStack } from '@gateway/testing';
import { expect } from '@jest/globals';

/** Waits until every hold has ended and every settlement is in the ledger. */
export async function waitUntilSettled(
  stack: TestStack,
  customers: readonly Customer[] = [],
  withinMs = 60_000,
): Promise<void> {
  await eventually(
    async () => {
      expect({
        openHolds: await stack.redisMoney.openHolds(),
        unbookedEvents: await stack.redisMoney.unbookedEvents(),
      }).toEqual({ openHolds: 0, unbookedEvents: 0 });
    },
    { withinMs, intervalMs: 50 },
  );
  for (const customer of customers) expect(await customer.balance()).toMatchObject({ held_usd: '0.00' });
}

/**
 * The check at the end of every scenario: the ledger sums to zero with one charge for each settlement. Redis holds what
 * the ledger moved to it. A repair counts as a difference. The system's own reconciliation must agree.
 */
export async function expectConsistentLedger(stack: TestStack, customers: readonly Customer[]): Promise<void> {
  await waitUntilSettled(stack, customers);
  expect(await stack.audit()).toEqual([]);
  // A call may return a reconciliation that began before the system had settled.
  await eventually(
    async () => {
      expect(await stack.accounts.reconciliation()).toMatchObject({
        orphan_holds: 0,
        unsettled_events: 0,
        drift_nano_usd: '0',
        task_hold_drift_nano_usd: '0',
        tasks_without_receipt: 0,
      });
    },
    { withinMs: 60_000, intervalMs: 100 },
  );
}
