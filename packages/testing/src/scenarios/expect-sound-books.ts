import { expect } from '@jest/globals';
import type { Customer } from '../account/customer.js';
import type { TestStack } from '../stack/start-test-stack.js';
import { eventually } from '../wait/eventually.js';

/** Waits until nothing is on its way any more: every hold ended, every usage event in the ledger. */
export async function untilQuiet(stack: TestStack, customers: readonly Customer[], withinMs = 20_000): Promise<void> {
  await eventually(
    async () => {
      for (const customer of customers) expect(await customer.balance()).toMatchObject({ held_usd: '0.00' });
      const { unsettled_events, orphan_holds } = await stack.accounts.reconciliation();
      expect({ unsettled_events, orphan_holds }).toEqual({ unsettled_events: 0, orphan_holds: 0 });
    },
    { withinMs, lookAgainMs: 300 },
  );
}

/** A difference counts once this many looks in a row have seen it. */
const LOOKS = 3;

/**
 * The money checked at the end of every story: quiet, summing to zero, one settlement for each request, and Redis holding
 * what the ledger handed over. A repair is as bad as a difference: it is a finding of the books.
 */
export async function expectSoundBooks(stack: TestStack, customers: readonly Customer[]): Promise<void> {
  await untilQuiet(stack, customers);
  const drifts: string[] = [];
  for (let look = 0; look < LOOKS; look += 1) drifts.push((await stack.accounts.reconciliation()).drift_nano_usd);
  expect(drifts).toEqual(drifts.map(() => '0'));
  expect(await stack.books.findings()).toEqual([]);
}
