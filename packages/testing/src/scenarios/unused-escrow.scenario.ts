import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { Customer } from '../account/customer.js';
import { wholeAnswer } from '../http/open-answer.js';
import { startTestStack } from '../stack/start-test-stack.js';
import { eventually } from '../wait/eventually.js';
import { USUAL_MODEL } from './chat-fields.js';
import { expectSoundBooks, untilQuiet } from './expect-sound-books.js';

jest.setTimeout(60_000);

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'api-edge'],
  env: { billing: { ESCROW_IDLE_SECONDS: '1' } },
});
afterAll(() => stack.stop());

const body = { model: USUAL_MODEL, messages: [{ role: 'user', content: 'Hello' }] };
const ask = async ({ apiKey }: Customer): Promise<number> =>
  (await wholeAnswer(stack.baseUrl, { key: apiKey, body })).status;

const escrowOf = async ({ accountId }: Customer): Promise<bigint> =>
  (await stack.books.escrows()).find((one) => one.accountId === accountId)?.escrowNanoUsd ?? 0n;

const untilGivenBack = (customer: Customer): Promise<void> =>
  eventually(async () => expect(await escrowOf(customer)).toBe(0n), { lookAgainMs: 50 });

describe('a customer who has not asked for a while', () => {
  it('has nothing in escrow, the balance as before, and the next answer at once', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    expect(await ask(customer)).toBe(200);
    await untilQuiet(stack, [customer]);
    const balance = await customer.balance();
    await untilGivenBack(customer);
    expect(await stack.redisSide.moneyOf(customer.accountId)).toBe(0n);
    expect(await customer.balance()).toEqual(balance);
    await expectSoundBooks(stack, [customer]);
    expect(await ask(customer)).toBe(200);
    await untilQuiet(stack, [customer]);
    await untilGivenBack(customer);
    await expectSoundBooks(stack, [customer]);
  });

  it('is served as before, however often it goes back and forth', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    for (let round = 0; round < 3; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 8 }, () => ask(customer)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      await untilQuiet(stack, [customer]);
      await untilGivenBack(customer);
    }
    await expectSoundBooks(stack, [customer]);
  });

  it('gets it back also from the copy of billing that comes after one that was killed', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5' });
    expect(await ask(customer)).toBe(200);
    await stack.system.instance('billing').kill();
    await stack.system.instance('billing').start();
    await untilQuiet(stack, [customer]);
    await untilGivenBack(customer);
    await expectSoundBooks(stack, [customer]);
  });
});
