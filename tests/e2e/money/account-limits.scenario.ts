import { fullResponse, type OpenResponse, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

jest.setTimeout(60_000);

const stack = await startTestStack();
afterAll(() => stack.stop());

const endless = {
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: '{{sim hang_after=2 chunks=8}} Begin' }],
  stream: true,
  max_completion_tokens: 1_000,
};

const countOf = (responses: readonly OpenResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const disconnectAll = (responses: readonly OpenResponse[]): void => {
  for (const response of responses) response.disconnect();
};

describe('the limits of an account', () => {
  it('count all its keys, test keys too, so that more keys bring no more requests', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10' });
    const others = await Promise.all([
      customer.newKey(),
      customer.newKey({ concurrency: 1_000 }),
      customer.newKey({ test: true }),
    ]);
    const keys = [customer.apiKey, ...others.map(({ key }) => key)];
    const responses = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        openResponse(stack.baseUrl, { key: keys[at % keys.length] as string, body: endless }),
      ),
    );
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([50, 70]);
    const refused = await fullResponse(stack.baseUrl, { key: customer.apiKey, body: endless });
    expect(refused.json()).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: expect.stringContaining('this account') },
    });
    disconnectAll(responses);
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
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { concurrency: 60 } });
    const low = await customer.newKey({ concurrency: 3 });
    const ofLow = await Promise.all(
      Array.from({ length: 10 }, () => openResponse(stack.baseUrl, { key: low.key, body: endless })),
    );
    expect(countOf(ofLow, 200)).toBe(3);
    const ofFirst = await Promise.all(
      Array.from({ length: 70 }, () => openResponse(stack.baseUrl, { key: customer.apiKey, body: endless })),
    );
    expect(countOf(ofFirst, 200)).toBe(57);
    disconnectAll([...ofLow, ...ofFirst]);
    await expectConsistentLedger(stack, [customer]);
  });
});
