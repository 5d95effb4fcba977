import { eventually, type FullResponse, fullResponse, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const LEASE_MS = 5_000;

const stack = await startTestStack({ env: { 'api-edge': { LEASE_MS: String(LEASE_MS) } } });
afterAll(() => stack.stop());

const worker = stack.system.instance('sync-worker');
const newCustomer = () => stack.createCustomer({ creditUsd: '1', limits: { rpm: 0, concurrency: 1 } });
const chatBody = (content: string) => ({ model: DEFAULT_MODEL, messages: [{ role: 'user', content }] });
const send = (key: string): Promise<FullResponse> => fullResponse(stack.baseUrl, { key, body: chatBody('Hello') });

/** When the only lease of an account ends, in Unix milliseconds. */
const leaseEndMs = (accountId: string): Promise<number> => stack.redisMoney.lastLeaseEndMs(accountId);

describe('a concurrency lease of an account', () => {
  it('expires after its edge was killed', async () => {
    const { apiKey, accountId } = await newCustomer();
    const doomed = await stack.system.add('api-edge');
    // No process that could release it may live: no worker claims the ticket, and its edge is dead.
    worker.suspend();
    const lost = fullResponse(doomed.url, { key: apiKey, body: chatBody('Never answered') }).catch(() => 'lost');
    const endsAtMs = await eventually(async () => {
      const ends = await leaseEndMs(accountId);
      expect(ends).toBeGreaterThan(0);
      return ends;
    });
    await doomed.kill();
    worker.resume();
    expect(await lost).toBe('lost');
    const statuses: number[] = [];
    await eventually(async () => {
      const { status } = await send(apiKey);
      statuses.push(status);
      expect(status).toBe(200);
    });
    expect(statuses.slice(0, -1).every((status) => status === 429)).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAtMs);
  });

  it('lives as long as its request', async () => {
    const { apiKey, accountId } = await newCustomer();
    const body = { ...chatBody('{{sim hang_after=2 chunks=8}} Begin'), stream: true, max_completion_tokens: 100 };
    const running = await openResponse(stack.baseUrl, { key: apiKey, body });
    const firstEndMs = await leaseEndMs(accountId);
    await eventually(() => Date.now() > firstEndMs);
    expect(await leaseEndMs(accountId)).toBeGreaterThan(firstEndMs);
    expect((await send(apiKey)).status).toBe(429);
    running.disconnect();
    await eventually(async () => expect((await send(apiKey)).status).toBe(200));
  });
});
