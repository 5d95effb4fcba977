import { type Customer, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge'],
  env: { billing: { ESCROW_IDLE_SECONDS: '1' } },
});
afterAll(() => stack.stop());

const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }] };
const send = async ({ apiKey }: Customer): Promise<number> =>
  (await fullResponse(stack.baseUrl, { key: apiKey, body })).status;

const escrowOf = async ({ accountId }: Customer): Promise<bigint> =>
  (await stack.ledger.escrows()).find((one) => one.accountId === accountId)?.escrowNanoUsd ?? 0n;

const waitUntilReturned = (customer: Customer): Promise<void> =>
  eventually(async () => expect(await escrowOf(customer)).toBe(0n), { intervalMs: 50 });

describe('an idle customer', () => {
  it('has nothing in escrow, the same balance, and an immediate next response', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    expect(await send(customer)).toBe(200);
    await waitUntilSettled(stack, [customer]);
    const balance = await customer.balance();
    await waitUntilReturned(customer);
    expect(await stack.redisMoney.moneyOf(customer.accountId)).toBe(0n);
    expect(await customer.balance()).toEqual(balance);
    await expectConsistentLedger(stack, [customer]);
    expect(await send(customer)).toBe(200);
    await waitUntilSettled(stack, [customer]);
    await waitUntilReturned(customer);
    await expectConsistentLedger(stack, [customer]);
  });

  it('is served normally after repeated returns of escrow', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    for (let round = 0; round < 3; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 8 }, () => send(customer)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      await waitUntilSettled(stack, [customer]);
      await waitUntilReturned(customer);
    }
    await expectConsistentLedger(stack, [customer]);
  });

  it('gets the escrow back from the next billing instance after a kill', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    expect(await send(customer)).toBe(200);
    await stack.system.instance('billing').kill();
    await stack.system.instance('billing').start();
    await waitUntilSettled(stack, [customer]);
    await waitUntilReturned(customer);
    await expectConsistentLedger(stack, [customer]);
  });
});
