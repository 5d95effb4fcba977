import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  type FullResponse,
  fullResponse,
  type JournalEntry,
  nanoOf,
  type OpenResponse,
  openResponse,
  readEvents,
  type SettlementRow,
  startTestStack,
} from '@gateway/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { chatModels } from '../text/chat-models.js';

const SLOW_CLIENT_MS = 2_000;
/** An immediate reaction on a busy machine: below every time-out that could end the request instead. */
const IMMEDIATE_MS = 5_000;
/** Two attempts of the edge, well below all its attempts together. */
const SUSPENDED_MS = 6_000;
/** Three times the promised three seconds after Redis is back, for a busy machine. */
const REDIS_BACK_MS = 3 * 3_000;

const stack = await startTestStack({
  restrictServices: true,
  env: { 'api-edge': { SLOW_CLIENT_TIMEOUT_MS: String(SLOW_CLIENT_MS) } },
});
afterAll(() => stack.stop());

const edge = stack.system.instance('api-edge');
const worker = stack.system.instance('sync-worker');
const billing = stack.system.instance('billing');
const { redis } = stack.system;

const unlimited = { rpm: 0, concurrency: 0 };
const probe = await stack.createCustomer({ creditUsd: '100', limits: unlimited });
const models = await chatModels(stack.baseUrl, probe.apiKey);
const model = models.find(({ id }) => id === DEFAULT_MODEL) as ModelEntry;

const body = (text: string, more: object = {}): object => ({
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: text }],
  ...more,
});
const CHUNKS = 6;
const CHUNK_BYTES = 16;
const stalls = body(`{{sim chunks=20 hang_after=${CHUNKS}}} Begin`, { stream: true });

let customer: Customer;
let since: number;
const open: OpenResponse[] = [];

beforeEach(async () => {
  // Every scenario starts with all processes up, also after one that failed half-way.
  for (const instance of [billing, worker, edge]) if (!instance.isRunning) await instance.start();
  customer = await stack.createCustomer({ creditUsd: '100', limits: unlimited });
  since = await stack.simulator.lastSeq();
});

afterEach(() => {
  for (const response of open.splice(0)) response.disconnect();
});

const send = (content: object, signal?: AbortSignal): Promise<FullResponse> =>
  fullResponse(stack.baseUrl, { key: customer.apiKey, body: content }, signal);

async function begin(content: object, headers: Record<string, string> = {}): Promise<OpenResponse> {
  const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body: content, headers });
  open.push(response);
  expect(response.status).toBe(200);
  return response;
}

const requestIdOf = ({ headers }: OpenResponse | FullResponse): string => String(headers['x-request-id']);

/** Reads `bytes` of generated text; the iterator then continues after them. */
async function readText(events: AsyncGenerator<{ kind: string; text: string }>, bytes: number): Promise<void> {
  for (let received = 0; received < bytes; ) {
    const { value, done } = await events.next();
    if (done) throw new Error(`the stream ended after ${received} bytes of text`);
    if (value.kind === 'data') received += JSON.parse(value.text).choices[0]?.delta.content?.length ?? 0;
  }
}

async function beginAndStall(): Promise<{ response: OpenResponse; events: ReturnType<typeof readEvents> }> {
  const response = await begin(stalls);
  const events = readEvents(response.message);
  await readText(events, CHUNKS * CHUNK_BYTES);
  return { response, events };
}

const onlyCall = async (): Promise<JournalEntry> => {
  const calls = await stack.simulator.closedJournal(since);
  expect(calls).toHaveLength(1);
  return calls[0] as JournalEntry;
};

const settlementOf = (requestId: string): Promise<SettlementRow> =>
  eventually(async () => {
    const row = await stack.ledger.settlement(customer.accountId, requestId);
    if (row === undefined) throw new Error(`${requestId} is not settled`);
    return row;
  });

/** Settled once, by an estimate of at most what the upstream billed for the aborted call. */
async function expectPartialCharge(requestId: string): Promise<SettlementRow> {
  const row = await settlementOf(requestId);
  const { billed } = await onlyCall();
  expect(billed).not.toBeNull();
  expect(row.isEstimated).toBe(true);
  expect(row.chargedNanoUsd).toBeGreaterThan(0n);
  expect(row.chargedNanoUsd).toBeLessThanOrEqual(expectedCost(model, billed as NonNullable<typeof billed>));
  expect(await stack.ledger.settlementCount(customer.accountId)).toBe(1);
  return row;
}

describe('a killed worker', () => {
  it('during a stream: the client gets an error at once and pays for what it received', async () => {
    const response = await begin(body('{{sim chunks=400 chunk_ms=20}} Go on', { stream: true }));
    const events = readEvents(response.message);
    // By then the worker has reported usage several times, which the edge can charge.
    await readText(events, 50 * CHUNK_BYTES);
    const killedAtMs = Date.now();
    await worker.kill();
    const last = await lastEventOf(events);
    expect(Date.now() - killedAtMs).toBeLessThan(IMMEDIATE_MS);
    expect(JSON.parse(last)).toMatchObject({ error: { code: 'worker_lost', type: 'upstream_error' } });
    expect(await expectPartialCharge(requestIdOf(response))).toMatchObject({
      outcome: 'interrupted',
      errorCode: 'worker_lost',
    });
    await expectConsistentLedger(stack, [customer]);
  });

  it('before the first byte: the client gets a 502 at once and pays nothing', async () => {
    const waiting = send(body('{{sim hang}} Wait'));
    await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
    const killedAtMs = Date.now();
    await worker.kill();
    const response = await waiting;
    expect(Date.now() - killedAtMs).toBeLessThan(IMMEDIATE_MS);
    expect(response.status).toBe(502);
    expect(response.json()).toMatchObject({ error: { code: 'worker_lost', type: 'upstream_error' } });
    expect(await settlementOf(requestIdOf(response))).toMatchObject({ outcome: 'failed', costNanoUsd: 0n });
    await expectConsistentLedger(stack, [customer]);
  });

  it('leaves new requests to its successor', async () => {
    await worker.kill();
    const waiting = send(body('Anyone there?'));
    await worker.start();
    expect((await waiting).status).toBe(200);
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a killed edge', () => {
  it('aborts its upstream calls, each settled once for what had arrived', async () => {
    const { response } = await beginAndStall();
    await edge.kill();
    expect(await onlyCall()).toMatchObject({ client_aborted: true });
    expect(await expectPartialCharge(requestIdOf(response))).toMatchObject({ outcome: 'aborted' });
    await edge.start();
    expect((await send(body('Back again'))).status).toBe(200);
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a killed billing', () => {
  it('loses and repeats no settlement', async () => {
    const REQUESTS = 160;
    const responses: FullResponse[] = [];
    const client = async (): Promise<void> => {
      while (responses.length < REQUESTS) responses.push(await send(body('{{sim words=20}} Keep going')));
    };
    const traffic = Promise.all(Array.from({ length: 8 }, client));
    await eventually(() => responses.length > REQUESTS / 4);
    await billing.kill();
    const whenKilled = responses.length;
    await eventually(() => responses.length > Math.min(whenKilled + 30, REQUESTS - 10));
    await billing.start();
    await traffic;
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    await expectConsistentLedger(stack, [customer]);
    const settled = await stack.ledger.settlements(customer.accountId);
    expect(settled.map(({ requestId }) => requestId).sort()).toEqual(responses.map(requestIdOf).sort());
    const billed = (await stack.simulator.closedJournal(since)).map(({ billed: usage }) => usage);
    const invoice = billed.reduce((sum, usage) => sum + (usage === null ? 0n : expectedCost(model, usage)), 0n);
    expect(settled.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n)).toBe(invoice);
  });
});

describe('a suspended billing', () => {
  it("is retried by requests that need a new block of balance, beyond one call's time-out", async () => {
    billing.suspend();
    const responses = Array.from({ length: 5 }, () => send(body('The first of this account')));
    await pause(SUSPENDED_MS);
    billing.resume();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 200));
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a killed Redis', () => {
  it('serves again within seconds of its restart, with every request accounted for', async () => {
    const responses: FullResponse[] = [];
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        responses.push(await send(body('{{sim words=20}} Keep going'), AbortSignal.timeout(30_000)));
        if (responses.at(-1)?.status !== 200) await pause(100);
      }
    };
    const traffic = Promise.all(Array.from({ length: 6 }, client));
    await eventually(() => responses.length > 40);
    await redis.kill();
    await eventually(() => responses.some(({ status }) => status === 503));
    await redis.start();
    const before = responses.length;
    await eventually(() => responses.slice(before).some(({ status }) => status === 200), { withinMs: REDIS_BACK_MS });
    isOver = true;
    await traffic;

    expect(new Set(responses.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
    for (const response of responses) expect([200, 503]).toContain(response.status);
    await expectConsistentLedger(stack, [customer]);
    const settled = await stack.ledger.settlements(customer.accountId);
    const ids = new Set(settled.map(({ requestId }) => requestId));
    for (const response of responses.filter(({ status }) => status === 200))
      expect(ids).toContain(requestIdOf(response));
    for (const call of await stack.simulator.closedJournal(since)) {
      const row = settled.find(({ attempts }) => attempts.some(({ upstreamId }) => upstreamId === call.upstream_id));
      expect(row?.chargedNanoUsd).toBe(call.billed === null ? 0n : expectedCost(model, call.billed));
    }
  });
});

describe('a suspended Redis', () => {
  it('cuts no stream, and each is charged once although its settlement timed out', async () => {
    const steady = body('{{sim chunks=30 chunk_ms=30}} Go on', { stream: true });
    // A hold that Redis places late must not hold anything of a customer without money.
    const withoutMoney = await stack.createCustomer({ limits: unlimited });
    const responses = await Promise.all(Array.from({ length: 5 }, () => begin(steady)));
    const streams = responses.map(({ message }) => readEvents(message));
    await Promise.all(streams.map((events) => readText(events, 2 * CHUNK_BYTES)));
    redis.suspend();
    try {
      expect(await Promise.all(streams.map(lastEventOf))).toEqual(responses.map(() => '[DONE]'));
      // Sent after the streams ended: once it is rejected, their settlements have timed out too and are retried.
      const rejected = await fullResponse(stack.baseUrl, { key: withoutMoney.apiKey, body: body('Anyone there?') });
      expect(rejected.status).toBe(503);
    } finally {
      redis.resume();
    }
    await eventually(async () => expect((await send(body('Back again'))).status).toBe(200), {
      withinMs: REDIS_BACK_MS,
    });
    await expectConsistentLedger(stack, [customer]);
    const settled = await stack.ledger.settlements(customer.accountId);
    const calls = await stack.simulator.closedJournal(since);
    for (const call of calls) {
      const row = settled.find(({ attempts }) => attempts.some(({ upstreamId }) => upstreamId === call.upstream_id));
      expect(row?.chargedNanoUsd).toBe(expectedCost(model, call.billed as NonNullable<typeof call.billed>));
    }
    for (const response of responses)
      expect(await settlementOf(requestIdOf(response))).toMatchObject({ outcome: 'completed' });
  });
});

describe('a flushed Redis', () => {
  it('rejects requests until the balances are rebuilt, unchanged', async () => {
    expect((await send(body('Spend a little'))).status).toBe(200);
    await waitUntilSettled(stack);
    const before = await customer.balance();
    billing.suspend();
    await redis.flush();
    const rejected = await send(body('Spend nothing'));
    billing.resume();
    expect(rejected.status).toBe(503);
    expect(rejected.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const response = await eventually(
      async () => {
        const next = await send(body('Spend a little more'));
        expect([200, 503]).toContain(next.status);
        if (next.status !== 200) throw new Error('the balances are not rebuilt');
        return next;
      },
      { withinMs: 60_000 },
    );
    await expectConsistentLedger(stack, [customer]);
    const cost = nanoOf(String(response.headers['x-cost-usd']));
    expect(nanoOf((await customer.balance()).balance_usd)).toBe(nanoOf(before.balance_usd) - cost);
  });

  it('during a stream: the response is whole and paid', async () => {
    const response = await begin(body('{{sim chunks=30 chunk_ms=40}} Go on', { stream: true }));
    const events = readEvents(response.message);
    await readText(events, 3 * CHUNK_BYTES);
    await redis.flush();
    expect(await lastEventOf(events)).toBe('[DONE]');
    const row = await settlementOf(requestIdOf(response));
    const { billed } = await onlyCall();
    expect(row.chargedNanoUsd).toBe(expectedCost(model, billed as NonNullable<typeof billed>));
    await eventually(async () => expect((await send(body('And on'))).status).toBe(200), { withinMs: 60_000 });
    await expectConsistentLedger(stack, [customer]);
  });
});

/** The last event of a stream. */
async function lastEventOf(events: AsyncGenerator<{ kind: string; text: string }>): Promise<string> {
  let last = '';
  for await (const { kind, text } of events) if (kind === 'data') last = text;
  return last;
}

describe('a rollout', () => {
  const steady = body('{{sim chunks=40 chunk_ms=50}} Take your time', { stream: true });

  async function streamDuring(stop: () => Promise<{ isForced: boolean }>): Promise<void> {
    const responses = await Promise.all(Array.from({ length: 5 }, () => begin(steady)));
    const streams = responses.map(({ message }) => readEvents(message));
    await Promise.all(streams.map((events) => readText(events, 2 * CHUNK_BYTES)));
    const stopped = stop();
    expect(await Promise.all(streams.map(lastEventOf))).toEqual(responses.map(() => '[DONE]'));
    expect(await stopped).toMatchObject({ isForced: false });
    await expectConsistentLedger(stack, [customer]);
    for (const response of responses) {
      expect(await settlementOf(requestIdOf(response))).toMatchObject({ outcome: 'completed', isEstimated: false });
    }
  }

  it('of the worker cuts no stream, and the other worker serves new requests', async () => {
    const other = await stack.system.add('sync-worker');
    const newcomers: number[] = [];
    await streamDuring(async () => {
      const stopping = worker.stop();
      for (let count = 0; count < 5; count += 1) newcomers.push((await send(body('New here'))).status);
      return stopping;
    });
    expect(newcomers).toEqual([200, 200, 200, 200, 200]);
    await worker.start();
    await other.stop();
  });

  it('of the edge cuts no stream, and the other edge serves new requests', async () => {
    const other = await stack.system.add('api-edge');
    await streamDuring(() => edge.stop());
    const response = await fullResponse(other.url, { key: customer.apiKey, body: body('New here') });
    expect(response.status).toBe(200);
    await edge.start();
    await other.stop();
  });

  it('of billing fails no request', async () => {
    // Redis has a block of the balance from then on.
    expect((await send(body('Begin'))).status).toBe(200);
    const stopping = billing.stop();
    for (let count = 0; count < 5; count += 1) expect((await send(body('Go on'))).status).toBe(200);
    expect(await stopping).toMatchObject({ isForced: false });
    await billing.start();
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('clients that read nothing', () => {
  const MEBIBYTE = 1024 * 1024;
  const CLIENTS = 10;
  /** Each response is about 30 MiB: buffering them would show. */
  const huge = body('{{sim completion_tokens=120000 reasoning_tokens=0 chunk_bytes=4}}', {
    stream: true,
    max_completion_tokens: 128_000,
  });

  const residentBytes = (pid: number): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024;
  const memory = (): readonly number[] => [edge, worker].map(({ pid }) => residentBytes(pid ?? 0));

  it('slow no other client, use no memory, and are cut after their time-out', async () => {
    for (let count = 0; count < 20; count += 1) await send(body('Warm up'));
    const before = memory();
    const slow = await Promise.all(Array.from({ length: CLIENTS }, () => begin(huge)));
    const others: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const askedAtMs = Date.now();
      expect((await send(body('Quick one'))).status).toBe(200);
      others.push(Date.now() - askedAtMs);
    }
    // Other clients are served before the slow ones are cut.
    expect(others.sort((a, b) => a - b)[10]).toBeLessThan(SLOW_CLIENT_MS);
    for (const [at, bytes] of memory().entries()) expect((bytes - (before[at] ?? 0)) / MEBIBYTE).toBeLessThan(120);

    const rows = await Promise.all(slow.map((response) => settlementOf(requestIdOf(response))));
    for (const row of rows) expect(row).toMatchObject({ outcome: 'aborted', isEstimated: true });
    const calls = await stack.simulator.closedJournal(since);
    expect(calls.filter(({ client_aborted }) => client_aborted)).toHaveLength(CLIENTS);
    await expectConsistentLedger(stack, [customer]);
  });
});
