import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  fullResponse,
  type OpenResponse,
  openResponse,
  readEvents,
  type SettlementRow,
  startTestStack,
} from '@gateway/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { VIDEOS_PATH } from '../videos/video-requests.js';

/* Clients that left responses which run on: what happens when a process dies meanwhile, or when a thousand leave. */

const MODEL = 'gm-2.5-flash';
const PROMPT_TOKENS = 2_000;

const SUBMISSION_SLOTS = 16;

const stack = await startTestStack({ env: { 'video-worker': { SUBMIT_CONCURRENCY: String(SUBMISSION_SLOTS) } } });
afterAll(() => stack.stop());

const edge = stack.system.instance('api-edge');
const worker = stack.system.instance('sync-worker');
const unlimited = { rpm: 0, concurrency: 0 };

/** A stream with hidden thoughts: its contract is `completes`. */
const streamOf = (directives: string) => ({
  model: MODEL,
  messages: [
    { role: 'user', content: `{{sim reasoning_tokens=900 prompt_tokens=${PROMPT_TOKENS} ${directives}}} Leave me` },
  ],
  max_completion_tokens: 4_000,
  stream: true,
});

beforeEach(async () => {
  for (const instance of [worker, edge]) if (!instance.isRunning) await instance.start();
});

/** Reads until the first event, so that the vendor has the request and its response has begun. */
async function begin(customer: Customer, directives: string, headers = {}): Promise<OpenResponse> {
  const response = await openResponse(stack.baseUrl, { key: customer.apiKey, headers, body: streamOf(directives) });
  expect(response.status).toBe(200);
  await readEvents(response.message).next();
  return response;
}

const detachedReads = async (): Promise<number> => {
  const { text } = await fullResponse(worker.url, { method: 'GET', path: '/metrics' });
  return Number(/^gateway_worker_detached_reads\S* (\d+)$/m.exec(text)?.[1] ?? 0);
};

async function leaveBehind(customer: Customer, directives: string, headers = {}): Promise<string> {
  const response = await begin(customer, directives, headers);
  response.disconnect();
  await eventually(async () => expect(await detachedReads()).toBe(1));
  return String(response.headers['x-request-id']);
}

const settlementOf = (customer: Customer, requestId: string): Promise<SettlementRow> =>
  eventually(
    async () => {
      const row = await stack.ledger.settlement(customer.accountId, requestId);
      if (row === undefined) throw new Error(`${requestId} is not settled`);
      return row;
    },
    { withinMs: 60_000 },
  );

const entryOf = async (customer: Customer): Promise<ModelEntry> =>
  (await fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/models/${MODEL}`, key: customer.apiKey })).json();

describe('a response that its client has left', () => {
  it('is settled with at least its prompt when its worker dies, and frees hold and lease', async () => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 1 } });
    const requestId = await leaveBehind(customer, 'chunks=60 chunk_ms=500');
    await worker.kill();
    const row = await settlementOf(customer, requestId);
    expect(row).toMatchObject({ abortContract: 'completes', isEstimated: true });
    expect(row.units.input_token).toBeGreaterThan(0);
    expect(row.chargedNanoUsd).toBeGreaterThan(0n);
    expect(row.chargedNanoUsd).toBeLessThanOrEqual(row.holdNanoUsd);
    await worker.start();
    // The only lease of the account is free again.
    const next = await fullResponse(stack.baseUrl, { key: customer.apiKey, body: { ...streamOf(''), stream: false } });
    expect(next.status).toBe(200);
    await expectConsistentLedger(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(2);
  });

  it.each([
    ['', {}],
    [' with an idempotency key', { 'idempotency-key': 'left-behind' }],
  ])("is read to its end when its edge dies, charged by the vendor's count, and kept%s", async (_what, headers) => {
    const customer = await stack.createCustomer({ creditUsd: '10', limits: { rpm: 0, concurrency: 1 } });
    const stranger = await stack.createCustomer({ creditUsd: '1' });
    const since = await stack.simulator.lastSeq();
    const directives = 'chunks=12 chunk_ms=200';
    const requestId = await leaveBehind(customer, directives, headers);
    await edge.kill();
    const row = await settlementOf(customer, requestId);
    await edge.start();
    const [call] = await stack.simulator.closedJournal(since);
    const entry = await entryOf(customer);
    expect(row).toMatchObject({ outcome: 'completed', abortContract: 'completes', isEstimated: false });
    expect(call?.billed).toBeTruthy();
    if (call?.billed) expect(row.chargedNanoUsd).toBe(expectedCost(entry, call.billed));
    const resultFor = ({ apiKey }: Customer) =>
      fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/requests/${requestId}/result`, key: apiKey });
    const result = await resultFor(customer);
    expect(result.status).toBe(200);
    expect(result.headers['content-type']).toMatch('text/event-stream');
    expect(result.text.match(/"content":"[^"]/g)).toHaveLength(12);
    expect(result.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect((await resultFor(stranger)).status).toBe(404);
    if ('idempotency-key' in headers) {
      const again = await fullResponse(stack.baseUrl, { key: customer.apiKey, headers, body: streamOf(directives) });
      expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-cost-usd': '0.00' });
      expect(again.text).toBe(result.text);
    }
    await expectConsistentLedger(stack, [customer]);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(1);
  });
});

describe('a thousand clients that leave at once', () => {
  it('pay together what the vendor bills, keep nothing, and do not disturb another', async () => {
    const leaving = await Promise.all(
      Array.from({ length: 20 }, () => stack.createCustomer({ creditUsd: '20', limits: unlimited })),
    );
    const other = await stack.createCustomer({ creditUsd: '1' });
    const since = await stack.simulator.lastSeq();
    const signal = new AbortController();
    const body = streamOf('chunks=20 chunk_ms=100');
    const heads: number[] = [];
    const sent = leaving.flatMap(({ apiKey }) =>
      Array.from({ length: 50 }, async () => {
        const response = await openResponse(stack.baseUrl, { key: apiKey, body }, signal.signal).catch(() => undefined);
        if (response !== undefined) heads.push(response.status);
      }),
    );
    await eventually(async () => expect(heads.length).toBeGreaterThanOrEqual(300), { withinMs: 60_000 });
    signal.abort();
    const startedAtMs = performance.now();
    const brief = { model: MODEL, messages: [{ role: 'user', content: 'Be brief' }] };
    const served = await Promise.all(
      Array.from({ length: 8 }, () => fullResponse(stack.baseUrl, { key: other.apiKey, body: brief })),
    );
    process.stdout.write(
      `${heads.length} of 1000 had begun; 8 requests of another in ${(performance.now() - startedAtMs).toFixed(0)} ms\n`,
    );
    expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
    expect([...new Set(heads)]).toEqual([200]);
    await Promise.all(sent);

    await waitUntilSettled(stack, [...leaving, other]);
    const entry = await entryOf(other);
    const calls = await stack.simulator.closedJournal(since);
    const billed = calls.reduce(
      (sum, call) => sum + (call.billed === null ? 0n : expectedCost(entry, call.billed)),
      0n,
    );
    const rows = (
      await Promise.all([...leaving, other].map(({ accountId }) => stack.ledger.settlements(accountId)))
    ).flat();
    expect(rows.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n)).toBe(billed);
    expect(await detachedReads()).toBe(0);
    await expectConsistentLedger(stack, [...leaving, other]);
  });
});

describe('an account that floods submissions of videos', () => {
  it('leaves room for the video of another account', async () => {
    const hostile = await stack.createCustomer({ creditUsd: '500', limits: unlimited });
    const other = await stack.createCustomer({ creditUsd: '5' });
    const videoOf = (prompt: string) => ({
      model: 'wn2.7-t2v',
      input: { prompt },
      resolution: '720p',
      duration: 2,
    });
    const since = await stack.simulator.lastSeq();
    const statuses: number[] = [];
    const flood = Array.from({ length: 150 }, async () => {
      const { status } = await fullResponse(stack.baseUrl, {
        path: VIDEOS_PATH,
        key: hostile.apiKey,
        body: videoOf('{{sim delay_ms=3000 task_seconds=1}} A flood'),
      });
      statuses.push(status);
    });
    await eventually(
      async () => expect((await stack.simulator.requests(since)).length).toBeGreaterThanOrEqual(SUBMISSION_SLOTS / 2),
      { withinMs: 60_000 },
    );
    const submitted = await fullResponse(stack.baseUrl, {
      path: VIDEOS_PATH,
      key: other.apiKey,
      body: videoOf('A lake'),
    });
    expect([submitted.status, submitted.text.slice(0, 300)]).toEqual([202, expect.any(String)]);
    // In the order of arrival it would be the last of 151.
    const requests = await stack.simulator.requests(since);
    const place = requests.findIndex(({ body }) => body.includes('A lake'));
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(3 * SUBMISSION_SLOTS);
    await Promise.all(flood);
    expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
    // The tasks that were accepted end, and return their holds.
    for (const customer of [other, hostile]) {
      await eventually(async () => expect(await customer.balance()).toMatchObject({ held_usd: '0.00' }), {
        withinMs: 90_000,
      });
    }
    await expectConsistentLedger(stack, [hostile, other]);
  });
});
