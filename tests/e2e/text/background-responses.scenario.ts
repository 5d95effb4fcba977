import { randomUUID } from 'node:crypto';
import { eventually, fullResponse, nanoOf, startTestStack, WebhookReceiver } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

jest.setTimeout(180_000);

/** A claim ends 30 s after its worker. */
const RECOVERED = { withinMs: 90_000, intervalMs: 200 };

const stack = await startTestStack();
const receiver = await WebhookReceiver.open();
afterAll(async () => {
  await receiver.close();
  await stack.stop();
});

const limits = { rpm: 100_000, concurrency: 0 };
const customer = await stack.createCustomer({ creditUsd: '1000', limits });
const stranger = await stack.createCustomer({ creditUsd: '1000', limits });
const worker = stack.system.instance('sync-worker');
const edge = stack.system.instance('api-edge');

const clientOf = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);
const other = clientOf(stranger.apiKey);

const NATIVE = 'gp-5.4-mini';
const TRANSLATED = 'cl-opus-4-7';

const begin = (input: string, more: object = {}): Promise<OpenAI.Responses.Response> =>
  client.responses.create({ model: NATIVE, input, background: true, ...more, stream: false });

/** The response once it has this status. */
const until = (id: string, status: string, options = RECOVERED): Promise<OpenAI.Responses.Response> =>
  eventually(async () => {
    const response = await client.responses.retrieve(id);
    expect(response).toMatchObject({ id, status });
    return response;
  }, options);

const requestIdOf = (id: string): string => id.replace('resp_', 'req_');

/** What one response was charged. */
const chargeOf = (id: string): Promise<bigint> =>
  eventually(async () => {
    const found = await stack.ledger.settlement(customer.accountId, requestIdOf(id));
    if (found === undefined) throw new Error(`${id} is not settled`);
    return found.chargedNanoUsd;
  });

describe('a response in the background', () => {
  it.each([NATIVE, TRANSLATED])('is queued at once, and ends as a stored response (%s)', async (model) => {
    const queued = await begin('{{sim delay_ms=1500}} Later', { model, metadata: { run: '7' } });
    expect(queued).toMatchObject({ status: 'queued', background: true, store: true, output: [], model });
    expect(queued).toMatchObject({ error: null, usage: null, metadata: { run: '7' } });
    await until(queued.id, 'in_progress');
    const ended = await until(queued.id, 'completed');
    expect(ended).toMatchObject({ background: true, store: true, model });
    expect(ended.output.length).toBeGreaterThan(0);
    expect(await chargeOf(queued.id)).toBeGreaterThan(0n);
    const items = await client.responses.inputItems.list(queued.id);
    expect(items.data).toMatchObject([{ type: 'message', role: 'user' }]);
  });

  it('costs nothing to poll', async () => {
    const { id } = await begin('Poll');
    await until(id, 'completed');
    const { response } = await client.responses.retrieve(id).withResponse();
    expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBe(0n);
  });

  it('can be continued once it has ended', async () => {
    const { id } = await begin('{{sim delay_ms=2000}} First turn');
    const early = client.responses.create({ model: NATIVE, input: 'Too early', previous_response_id: id });
    await expect(early).rejects.toMatchObject({ status: 409, param: 'previous_response_id' });
    await until(id, 'completed');
    const next = await client.responses.create({ model: NATIVE, input: 'Second turn', previous_response_id: id });
    const listed = await client.responses.inputItems.list(next.id, { order: 'asc' });
    expect(listed.data.length).toBeGreaterThan(2);
  });

  it('adds its turn to its conversation', async () => {
    const { id: conversation } = await client.conversations.create({});
    const { id } = await begin('In a conversation', { conversation });
    await until(id, 'completed');
    const items = await client.conversations.items.list(conversation, { order: 'asc' });
    expect(items.data.map(({ type }) => type)).toEqual(expect.arrayContaining(['message']));
    expect(items.data.length).toBeGreaterThan(1);
  });

  it('fails with the error, free', async () => {
    const { id } = await begin('{{sim status=400}} Fail');
    const ended = await until(id, 'failed');
    expect(ended.error?.message).not.toBe('');
    expect(await chargeOf(id)).toBe(0n);
  });

  it('ends with a webhook in the names of the protocol', async () => {
    const body = { model: NATIVE, input: 'Notify me', background: true };
    const headers = { 'x-webhook-url': receiver.url };
    const sent = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body, headers });
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'response.completed',
      data: { id: sent.json<{ id: string }>().id },
    });
  });

  it('is one response for one idempotency key', async () => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const body = { model: NATIVE, input: 'Once', background: true } as const;
    const first = await client.responses.create(body, options);
    const again = await client.responses.create(body, options);
    expect([again.id, again.status]).toEqual([first.id, 'queued']);
    await until(first.id, 'completed');
  });
});

describe('a cancellation', () => {
  it('ends a queued response for free', async () => {
    await worker.stop();
    const { id } = await begin('Never');
    const cancelled = client.responses.cancel(id);
    await worker.start();
    await cancelled;
    const ended = await until(id, 'cancelled');
    expect(ended).toMatchObject({ output: [], error: null });
    expect(await chargeOf(id)).toBe(0n);
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  });

  it('leaves a response that has ended as it is', async () => {
    const { id } = await begin('Done');
    await until(id, 'completed');
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'completed' });
  });

  it('is refused for a response that was in no background', async () => {
    const { id } = await client.responses.create({ model: NATIVE, input: 'At once' });
    await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400 });
  });

  it('comes with a deletion', async () => {
    const { id } = await begin('{{sim delay_ms=1000}} Delete me');
    await client.responses.delete(id);
    await chargeOf(id);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('requests that cannot run in the background', () => {
  it.each([
    ['store', { store: false }],
    ['background', { stream: true }],
  ])('are refused with the name of the field: %s', async (param, more) => {
    const body = { model: NATIVE, input: 'x', background: true, ...more };
    const refused = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body });
    expect({ status: refused.status, ...refused.json<object>() }).toMatchObject({ status: 400, error: { param } });
  });
});

it('is 404 for every other account', async () => {
  const { id } = await begin('{{sim delay_ms=1500}} Mine');
  for (const call of [
    () => other.responses.retrieve(id),
    () => other.responses.cancel(id),
    () => other.responses.inputItems.list(id),
    () => other.responses.delete(id),
  ]) {
    await expect(call()).rejects.toMatchObject({ status: 404 });
  }
  expect((await until(id, 'completed')).output.length).toBeGreaterThan(0);
});

describe('a response whose process dies', () => {
  it('survives its worker, and is charged once', async () => {
    const queued = await Promise.all([1, 2, 3].map((index) => begin(`{{sim delay_ms=3000}} Killed ${index}`)));
    for (const { id } of queued) await until(id, 'in_progress');
    await worker.kill();
    await worker.start();
    for (const { id } of queued) {
      await until(id, 'completed');
      expect(await chargeOf(id)).toBeGreaterThan(0n);
    }
  });

  it('survives its edge', async () => {
    const { id } = await begin('{{sim delay_ms=1000}} Edge');
    await edge.kill();
    await edge.start();
    expect((await until(id, 'completed')).output.length).toBeGreaterThan(0);
  });

  it('leaves consistent money', () => expectConsistentLedger(stack, [customer, stranger]));
});
