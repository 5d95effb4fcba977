import { type Customer, fullResponse, seededRandom, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

jest.setTimeout(300_000);

const SEEDS = 50;
const CLIENTS = 200;

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'billing', 'sync-worker', 'accounts', 'api-edge', 'api-edge'],
});
afterAll(() => stack.stop());

const edges = [stack.baseUrl, stack.system.instance('api-edge-2').url];

/** Its charge equals its hold, so an admitted request is always paid. */
const image = { model: 'grok-imagine-image', prompt: 'A kite' };

const usdOf = (nano: bigint): string => `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;

const send = async ({ apiKey }: Customer, edge: number): Promise<number> =>
  (await fullResponse(edges[edge] as string, { path: '/v1/images/generations', key: apiKey, body: image })).status;

async function priceOfOne(): Promise<bigint> {
  const customer = await stack.createCustomer({ creditUsd: '1' });
  expect(await send(customer, 0)).toBe(200);
  await waitUntilSettled(stack, [customer]);
  const [row] = await stack.ledger.settlements(customer.accountId);
  expect(row?.holdNanoUsd).toBe(row?.costNanoUsd);
  return row?.costNanoUsd as bigint;
}

const price = await priceOfOne();
const customers: Customer[] = [];

describe(`${CLIENTS} concurrent clients with one balance on two edges`, () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'are served exactly as often as the balance pays for (seed %d)',
    async (seed) => {
      const random = seededRandom(seed);
      const affordable = random.whole(0, 40);
      const rest = BigInt(random.whole(0, Number(price) - 1));
      const balance = BigInt(affordable) * price + rest;
      const limits = { rpm: 0, concurrency: 0 };
      const customer = await stack.createCustomer({ ...(balance > 0n && { creditUsd: usdOf(balance) }), limits });
      customers.push(customer);

      const statuses = await Promise.all(
        Array.from({ length: CLIENTS }, () => send(customer, random.whole(0, edges.length - 1))),
      );

      const served = statuses.filter((status) => status === 200).length;
      expect([served, statuses.filter((status) => status === 402).length]).toEqual([affordable, CLIENTS - affordable]);
      await waitUntilSettled(stack, [customer]);
      const settlements = await stack.ledger.settlements(customer.accountId);
      expect(settlements.map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual(Array(affordable).fill(price));
    },
  );

  it('leaves a consistent ledger', () => expectConsistentLedger(stack, customers));
});
