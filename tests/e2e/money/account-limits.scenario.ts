import { fullResponse, type OpenResponse, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const ACCOUNT_CONCURRENCY = 50;
/** Test keys have slots of their own. One account alone gets three quarters of a worker's slots, of these too. */
const TEST_SLOTS = 16;
const FROM_TEST_KEY = (TEST_SLOTS * 3) / 4;
const RAISED_CONCURRENCY = 60;

const stack = await startTestStack({
  env: {
    'sync-worker': {
      // Three quarters are more than any limit here, so the slots are not what bounds the account.
      WORKER_CONCURRENCY: String(RAISED_CONCURRENCY * 2),
      TEST_CONCURRENCY: String(TEST_SLOTS),
    },
  },
});
afterAll(() => stack.stop());

/** Its contract is `stops`: it ends with its client, and with it its hold and its slot. */
const endless = {
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: '{{sim hang_after=2 chunks=8}} Begin' }],
  stream: true,
  max_completion_tokens: 1_000,
};

const open: OpenResponse[] = [];

/** Each test leaves, even one that fails, or what it left open would hold money in the next. */
function leaveAll(): void {
  for (const response of open.splice(0)) response.disconnect();
}
afterEach(leaveAll);

/** The statuses of `count` streams that stay open, spread over the keys. */
async function occupy(keys: readonly string[], count: number): Promise<readonly number[]> {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      openResponse(stack.baseUrl, { key: keys[at % keys.length] as string, body: endless }),
    ),
  );
  open.push(...responses);
  return responses.map(({ status }) => status);
}

function tally(statuses: readonly number[]): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const status of statuses) sums[status] = (sums[status] ?? 0) + 1;
  return sums;
}

describe('the limits of an account', () => {
  it('count all its keys, test keys too, so that more keys bring no more requests', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10' });
    const test = await customer.newKey({ test: true });
    const others = await Promise.all([customer.newKey(), customer.newKey({ concurrency: 1_000 })]);
    const keys = [customer.apiKey, ...others.map(({ key }) => key)];
    expect(tally(await occupy([test.key], FROM_TEST_KEY))).toEqual({ 200: FROM_TEST_KEY });
    const free = ACCOUNT_CONCURRENCY - FROM_TEST_KEY;
    expect(tally(await occupy(keys, 108))).toEqual({ 200: free, 429: 108 - free });
    for (const key of [...keys, test.key]) {
      const refused = await fullResponse(stack.baseUrl, { key, body: endless });
      expect(refused.json()).toMatchObject({
        error: { code: 'rate_limit_exceeded', message: expect.stringContaining('this account') },
      });
    }
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
  });

  it.each(['rpm', 'concurrency'])('cannot be lifted by the customer: %s 0 is refused for a key', async (field) => {
    const customer = await stack.createCustomer();
    await expect(customer.newKey({ [field]: 0 })).rejects.toMatchObject({
      status: 400,
      body: { error: { param: field } },
    });
    await expect(customer.changeKey(customer.keyId, { [field]: 0 })).rejects.toMatchObject({
      status: 400,
      body: { error: { param: field } },
    });
  });

  it('are raised by an administrator, and a key still lowers its own', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { concurrency: RAISED_CONCURRENCY } });
    const low = await customer.newKey({ concurrency: 3 });
    expect(tally(await occupy([low.key], 10))).toEqual({ 200: 3, 429: 7 });
    const free = RAISED_CONCURRENCY - 3;
    expect(tally(await occupy([customer.apiKey], 70))).toEqual({ 200: free, 429: 70 - free });
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
  });
});
