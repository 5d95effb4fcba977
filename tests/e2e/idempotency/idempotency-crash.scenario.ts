import { eventually, type OpenResponse, openResponse, readEvents, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { expectReplay, IdempotentRequests, newKey, requestIdOf, withKey } from './idempotency-requests.js';

/** Short, so that a key of a dead edge is free soon. */
const LEASE_MS = 3_000;

const stack = await startTestStack({
  env: { 'api-edge': { IDEMPOTENCY_LEASE_MS: String(LEASE_MS), LEASE_MS: String(LEASE_MS) } },
});
const otherEdge = await stack.system.add('api-edge');
afterAll(() => stack.stop());

const edge = stack.system.instance('api-edge');
const worker = stack.system.instance('sync-worker');
const { redis } = stack.system;

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const requests = new IdempotentRequests(stack, customer);

const chat = (content: string, more: object = {}): object => ({
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content }],
  ...more,
});
/** Sends its first words and then stalls. */
const stalled = () => chat('{{sim chunks=20 hang_after=6}} Begin', { stream: true });

/** Starts a stream and reads `bytes` of its text. */
async function beginStream(
  headers: Record<string, string>,
  { body = stalled(), textBytes = 40 } = {},
): Promise<OpenResponse> {
  const response = await openResponse(stack.baseUrl, { key: customer.apiKey, body, headers });
  expect(response.status).toBe(200);
  const events = readEvents(response.message);
  for (let bytes = 0; bytes < textBytes; ) {
    const { value, done } = await events.next();
    if (done) throw new Error('the stream ended');
    if (value.kind === 'data') bytes += JSON.parse(value.text).choices[0]?.delta.content?.length ?? 0;
  }
  return response;
}

/** The first response of an edge that is final: neither `idempotency_in_progress` nor of a Redis that is not back yet. */
const settledResponse = (body: object, headers: Record<string, string>) =>
  eventually(
    async () => {
      const response = await requests.send({ body, headers }, otherEdge.url);
      expect({ status: response.status, text: response.text }).not.toMatchObject({
        text: expect.stringMatching(/"code":"(idempotency_in_progress|service_unavailable)"/),
      });
      return response;
    },
    { withinMs: 60_000, intervalMs: 100 },
  );

/** A key whose request was charged never runs again: the customer sees the conflict and decides. */
async function expectChargedOnce(body: object, headers: Record<string, string>, requestId: string): Promise<void> {
  expectLost(await settledResponse(body, headers), requestId);
}

function expectLost(again: Awaited<ReturnType<typeof settledResponse>>, requestId: string): void {
  expect({ status: again.status, error: again.json<{ error: object }>().error }).toMatchObject({
    status: 409,
    error: { code: 'idempotency_answer_lost', message: expect.stringContaining(requestId) },
  });
  expect(again.headers['x-should-retry']).toBe('false');
}

describe('a client that disconnects', () => {
  it('leaves nothing of a spilled response in Postgres', async () => {
    const headers = withKey(newKey());
    const body = chat('{{sim completion_tokens=10000 reasoning_tokens=0 chunk_bytes=4 hang_after=9000}}', {
      stream: true,
      max_completion_tokens: 20_000,
    });
    const response = await beginStream(headers, { body, textBytes: 36_000 });
    const requestId = requestIdOf(response);
    await eventually(async () => (await stack.ledger.storedChunks(requestId)) > 0);
    response.message.destroy();
    await expectChargedOnce(body, headers, requestId);
    await eventually(async () => (await stack.ledger.storedChunks(requestId)) === 0);
  });

  it('pays for its part of a stream and is not charged again under the same key', async () => {
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      const response = await beginStream(headers);
      response.disconnect();
      await expectChargedOnce(stalled(), headers, requestIdOf(response));
      expect((await requests.send({ body: chat('Other'), headers })).json()).toMatchObject({
        error: { code: 'idempotency_conflict' },
      });
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toMatchObject([{ outcome: 'aborted' }]);
    expect(money.settlements[0]?.chargedNanoUsd).toBeGreaterThan(0n);
  });

  it('before the response gets it under the same key, charged once', async () => {
    const headers = withKey(newKey());
    const body = chat('{{sim delay_ms=5000}} Slow');
    const money = await requests.moneyOf(async () => {
      const since = await stack.simulator.lastSeq();
      const leaving = new AbortController();
      const pending = openResponse(stack.baseUrl, { key: customer.apiKey, body, headers }, leaving.signal);
      await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
      expect((await requests.send({ body, headers })).json()).toMatchObject({
        error: { code: 'idempotency_in_progress' },
      });
      leaving.abort();
      await expect(pending).rejects.toThrow();
      const response = await settledResponse(body, headers);
      expect(response.status).toBe(200);
      const again = await requests.send({ body, headers });
      for (const replay of [response, again]) expect(replay.headers).toMatchObject({ 'idempotent-replayed': 'true' });
      expect(again.text).toBe(response.text);
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements.filter(({ chargedNanoUsd }) => chargedNanoUsd > 0n)).toHaveLength(1);
  });
});

describe('a killed edge', () => {
  it('frees the key of a request without a response at the end of its lease; another edge serves it', async () => {
    const headers = withKey(newKey());
    const body = chat('{{sim delay_ms=5000}} Slow');
    const money = await requests.moneyOf(async () => {
      const since = await stack.simulator.lastSeq();
      const pending = requests.send({ body, headers });
      const broken = expect(pending).rejects.toThrow();
      await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
      await edge.kill();
      await broken;
      const rejected = await requests.send({ body, headers }, otherEdge.url);
      expect(rejected.json()).toMatchObject({ error: { code: 'idempotency_in_progress' } });
      const response = await settledResponse(body, headers);
      expect(response.status).toBe(200);
      await edge.start();
      expectReplay(response, await requests.send({ body, headers }));
    });
    expect(money.calls).toHaveLength(2);
    expect(money.settlements.filter(({ chargedNanoUsd }) => chargedNanoUsd > 0n)).toHaveLength(1);
  });

  it('blocks the key of a charged stream on every edge', async () => {
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      const response = await beginStream(headers);
      await edge.kill();
      await expectChargedOnce(stalled(), headers, requestIdOf(response));
      await edge.start();
      await expectChargedOnce(stalled(), headers, requestIdOf(response));
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toHaveLength(1);
    expect(money.settlements[0]?.chargedNanoUsd).toBeGreaterThan(0n);
  });
});

describe('a killed worker', () => {
  it('blocks the key of a charged stream', async () => {
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      const body = chat('{{sim chunks=400 chunk_ms=20}} Go on', { stream: true });
      // By then the worker has reported usage several times, which the edge can charge.
      const response = await beginStream(headers, { body, textBytes: 1_000 });
      await worker.kill();
      await worker.start();
      await expectChargedOnce(body, headers, requestIdOf(response));
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toHaveLength(1);
  });
});

describe('an edge and a worker that are killed together', () => {
  it('leave a key that is free long before the hold expires, and the request is charged once', async () => {
    const headers = withKey(newKey());
    const body = chat('{{sim delay_ms=5000}} Slow');
    const money = await requests.moneyOf(async () => {
      const since = await stack.simulator.lastSeq();
      const broken = expect(requests.send({ body, headers })).rejects.toThrow();
      await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
      await Promise.all([edge.kill(), worker.kill()]);
      await broken;
      const rejected = await requests.send({ body, headers }, otherEdge.url);
      expect([rejected.status, Number(rejected.headers['retry-after']) <= (3 * LEASE_MS) / 1_000]).toEqual([409, true]);
      await Promise.all([worker.start(), edge.start()]);
      const response = await settledResponse(body, headers);
      expect(response.status).toBe(200);
      expectReplay(response, await requests.send({ body, headers }));
    });
    // The worker may live long enough to see its edge go.
    const [lost, served] = money.settlements.map(({ errorCode }) => errorCode).sort((a) => (a === null ? 1 : -1));
    expect([money.settlements.length, served]).toEqual([2, null]);
    expect(['worker_lost', 'client_closed_request']).toContain(lost);
    expect(money.settlements.filter(({ chargedNanoUsd }) => chargedNanoUsd > 0n)).toHaveLength(1);
  });
});

describe('an unavailable Redis', () => {
  it('rejects a new request', async () => {
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      // The edge has cached the API key: only the lookup of the idempotency key fails.
      expect((await requests.send({ body: chat('Before') })).status).toBe(200);
      const since = await stack.simulator.lastSeq();
      redis.suspend();
      const response = await requests.send({ body: chat('Hello'), headers });
      expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
      expect(await stack.simulator.journal(since)).toEqual([]);
      redis.resume();
      expect((await settledResponse(chat('Hello'), headers)).status).toBe(200);
    });
    expect(money.settlements).toHaveLength(2);
  });

  it('does not hold up a response that cannot be stored; the request is charged once', async () => {
    const headers = withKey(newKey());
    const body = chat('{{sim delay_ms=800}} Not stored');
    const money = await requests.moneyOf(async () => {
      const since = await stack.simulator.lastSeq();
      const pending = requests.send({ body, headers });
      await eventually(async () => expect(await stack.simulator.journal(since)).toHaveLength(1));
      redis.suspend();
      const response = await pending;
      expect([response.status, response.json<{ choices: unknown[] }>().choices.length]).toEqual([200, 1]);
      redis.resume();
      const again = await settledResponse(body, headers);
      // Redis may still run an abandoned command once it is back.
      if (again.status === 200) expectReplay(response, again);
      else expectLost(again, requestIdOf(response));
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toHaveLength(1);
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
