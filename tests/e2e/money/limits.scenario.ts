import {
  type Customer,
  eventually,
  type FullResponse,
  fullResponse,
  type OpenResponse,
  openResponse,
  startTestStack,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

/** Starts a response that never ends: its hold stays until the client leaves. */
const endless = {
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: '{{sim hang_after=2 chunks=8}} Begin' }],
  stream: true,
  max_completion_tokens: 1_000,
};
const brief = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Be brief' }] };

const open: OpenResponse[] = [];
const leaveAll = (): void => {
  for (const response of open.splice(0)) response.disconnect();
};
afterEach(leaveAll);

const begin = async (key: string, baseUrl = stack.baseUrl): Promise<OpenResponse> => {
  const response = await openResponse(baseUrl, { key, body: endless });
  open.push(response);
  return response;
};

const burst = (size: number, key: string, baseUrls = [stack.baseUrl]): Promise<OpenResponse[]> =>
  Promise.all(Array.from({ length: size }, (_, at) => begin(key, baseUrls[at % baseUrls.length])));

const withStatus = (responses: readonly OpenResponse[], status: number): readonly OpenResponse[] =>
  responses.filter((response) => response.status === status);

/** The hold of one `endless` request, from its receipt. */
async function holdOf(customer: Customer): Promise<bigint> {
  (await begin(customer.apiKey)).disconnect();
  return eventually(async () => {
    const [row] = await stack.ledger.settlements(customer.accountId);
    if (row === undefined) throw new Error('not settled yet');
    return row.holdNanoUsd;
  });
}

const usdOf = (nano: bigint): string => `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;
const unlimited = { rpm: 0, concurrency: 0 };

describe('a balance for exactly ten requests', () => {
  it('admits ten of two hundred requests and rejects the others with 402', async () => {
    const funded = await stack.createCustomer({ creditUsd: '10', limits: unlimited });
    const hold = await holdOf(funded);
    const customer = await stack.createCustomer({ creditUsd: usdOf(10n * hold), limits: unlimited });
    const since = await stack.simulator.lastSeq();

    const responses = await burst(200, customer.apiKey);

    expect(withStatus(responses, 200)).toHaveLength(10);
    expect(withStatus(responses, 402)).toHaveLength(190);
    expect(await stack.simulator.journal(since)).toHaveLength(10);
    expect(await customer.balance()).toMatchObject({ held_usd: expect.stringMatching(/./), available_usd: '0.00' });
    const rejected = await fullResponse(stack.baseUrl, { key: customer.apiKey, body: endless });
    expect(rejected.json()).toMatchObject({ error: { type: 'insufficient_balance', code: 'insufficient_balance' } });

    leaveAll();
    await expectConsistentLedger(stack, [funded, customer]);
    const settlements = await stack.ledger.settlements(customer.accountId);
    expect(settlements).toHaveLength(10);
    for (const row of settlements) expect(row).toMatchObject({ outcome: 'aborted', holdNanoUsd: hold });
  });

  it('admits more as soon as credit arrives', async () => {
    const customer = await stack.createCustomer({ limits: unlimited });
    const send = (): Promise<FullResponse> => fullResponse(stack.baseUrl, { key: customer.apiKey, body: brief });
    expect((await send()).status).toBe(402);
    await customer.topUp('1');
    expect((await send()).status).toBe(200);
  });
});

describe('a spend cap of a key for exactly ten requests', () => {
  it('admits ten of forty over all edges, more once it is raised, and counts a rotated key with its successor', async () => {
    const second = await stack.system.add('api-edge');
    const funded = await stack.createCustomer({ creditUsd: '10', limits: unlimited });
    const hold = await holdOf(funded);
    const customer = await stack.createCustomer({ creditUsd: '10', limits: unlimited });
    const key = await customer.newKey({ spend_cap_usd: usdOf(10n * hold) });

    const responses = await burst(40, key.key, [stack.baseUrl, second.url]);
    expect(withStatus(responses, 200)).toHaveLength(10);
    expect(withStatus(responses, 402)).toHaveLength(30);
    const rejected = await fullResponse(stack.baseUrl, { key: key.key, body: endless });
    expect(rejected.json()).toMatchObject({
      error: { code: 'insufficient_balance', message: expect.stringContaining('spend cap of this key') },
    });
    expect((await begin(customer.apiKey)).status).toBe(200);

    await customer.changeKey(key.id, { spend_cap_usd: usdOf(12n * hold) });
    const admittedBy = (at: string): Promise<OpenResponse> =>
      eventually(
        async () => {
          const response = await begin(key.key, at);
          expect(response.status).toBe(200);
          return response;
        },
        { withinMs: 5_000 },
      );
    await Promise.all([admittedBy(stack.baseUrl), admittedBy(second.url)]);

    const successor = await customer.rotateKey(key.id, 60);
    for (const one of [key.key, successor.key]) expect((await begin(one)).status).toBe(402);

    leaveAll();
    await expectConsistentLedger(stack, [funded, customer]);
    // Both keys can use again what was held and not spent.
    expect(withStatus(await burst(40, successor.key), 200).length).toBeGreaterThan(0);
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
    await second.stop();
  });

  it('stays full once it is spent, also after Redis lost everything', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: unlimited });
    const key = await customer.newKey({ spend_cap_usd: '0.002' });
    const send = (): Promise<FullResponse> =>
      fullResponse(stack.baseUrl, { key: key.key, body: { ...brief, max_completion_tokens: 100 } });
    let response = await send();
    expect(response.status).toBe(200);
    while (response.status === 200) response = await send();
    expect(response.status).toBe(402);
    await expectConsistentLedger(stack, [customer]);
    await stack.system.redis.flush();
    // Rejected first while balances are rebuilt, then for the cap: never admitted.
    await eventually(async () => {
      const { status } = await send();
      if (status === 200) throw new Error('a request was admitted above the cap');
      expect(status).toBe(402);
    });
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a concurrency limit', () => {
  const cap = 7;

  it('is exact under a burst and frees a lease when its request ends', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: cap } });
    const responses = await burst(60, customer.apiKey);
    expect(withStatus(responses, 200)).toHaveLength(cap);
    expect(withStatus(responses, 429)).toHaveLength(60 - cap);

    leaveAll();
    await waitUntilSettled(stack);
    expect(withStatus(await burst(60, customer.apiKey), 200)).toHaveLength(cap);
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
  });

  it('is shared by all edges', async () => {
    const second = await stack.system.add('api-edge');
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: cap } });
    const responses = await burst(60, customer.apiKey, [stack.baseUrl, second.url]);
    expect(withStatus(responses, 200)).toHaveLength(cap);
    expect(withStatus(responses, 429)).toHaveLength(60 - cap);
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
    await second.stop();
  });

  it('takes nothing from the rate or the balance of rejected requests', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 600, concurrency: 1 } });
    const first = await begin(customer.apiKey);
    const { available_usd } = await customer.balance();
    const rejected = await burst(20, customer.apiKey);
    expect(withStatus(rejected, 429)).toHaveLength(20);
    expect((await customer.balance()).available_usd).toBe(available_usd);
    first.disconnect();
    const next = await eventually(async () => {
      const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, body: brief });
      expect(response.status).toBe(200);
      return response;
    });
    expect(Number(next.headers['x-ratelimit-remaining-requests'])).toBeGreaterThanOrEqual(597);
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a rate limit', () => {
  it('admits a burst of one minute and no more', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 30, concurrency: 0 } });
    const startedAtMs = Date.now();
    const responses = await burst(80, customer.apiKey);
    // The limit refills one request every two seconds, also while the burst is decided.
    const freed = Math.floor((Date.now() - startedAtMs) / 2_000);
    const admitted = withStatus(responses, 200).length;
    expect(admitted).toBeGreaterThanOrEqual(30);
    expect(admitted).toBeLessThanOrEqual(30 + freed);
    expect(withStatus(responses, 429)).toHaveLength(80 - admitted);
    leaveAll();
    await expectConsistentLedger(stack, [customer]);
  });
});
