import { randomUUID } from 'node:crypto';
import { eventually, fullResponse, nanoOf, startTestStack, WebhookReceiver } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

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
  const expectWholeLife = async (model: string): Promise<void> => {
    // Long enough to be seen by the first requests of a busy machine.
    const queued = await begin('{{sim delay_ms=15000}} Later', { model, metadata: { run: '7' } });
    expect(queued).toMatchObject({ status: 'queued', background: true, store: true, output: [], model });
    expect(queued).toMatchObject({ error: null, usage: null, metadata: { run: '7' } });
    await until(queued.id, 'in_progress');
    const ended = await until(queued.id, 'completed');
    expect(ended).toMatchObject({ background: true, store: true, model });
    expect(ended.output.length).toBeGreaterThan(0);
    expect(await chargeOf(queued.id)).toBeGreaterThan(0n);
    const items = await client.responses.inputItems.list(queued.id);
    expect(items.data).toMatchObject([{ type: 'message', role: 'user' }]);
  };

  it('is queued at once, runs, and ends as a stored response, of a native and of a translated model', () =>
    Promise.all([NATIVE, TRANSLATED].map(expectWholeLife)));

  it('costs nothing to poll', async () => {
    const { id } = await begin('Poll');
    await until(id, 'completed');
    await waitUntilSettled(stack, [customer]);
    const before = await customer.balance();
    for (let poll = 0; poll < 3; poll += 1) {
      const { response } = await client.responses.retrieve(id).withResponse();
      expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBe(0n);
    }
    await client.responses.inputItems.list(id);
    await waitUntilSettled(stack, [customer]);
    expect(await customer.balance()).toEqual(before);
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

it('is deleted with the request that keeps it', async () => {
  const { id } = await begin('Delete me later');
  const path = `/v1/requests/${requestIdOf(id)}`;
  const read = (what = '') =>
    fullResponse(stack.baseUrl, { method: 'GET', path: `${path}${what}`, key: customer.apiKey });
  await eventually(async () => expect((await read()).json<object>()).toMatchObject({ status: 'completed' }));
  expect((await read('/result')).status).toBe(200);
  await client.responses.delete(id);
  expect([(await read()).status, (await read('/result')).status]).toEqual([404, 404]);
});

describe('a stream in the background', () => {
  type Event = OpenAI.Responses.ResponseStreamEvent;
  const numbers = (events: readonly Event[]) => events.map(({ sequence_number }) => sequence_number);
  const collect = async (stream: AsyncIterable<Event>, most = Number.POSITIVE_INFINITY): Promise<Event[]> => {
    const events: Event[] = [];
    for await (const event of stream) {
      events.push(event);
      if (events.length >= most) break;
    }
    return events;
  };
  const open = (input: string, model: string) =>
    client.responses.create({ model, input, background: true, stream: true });
  const attach = (id: string, after?: number) =>
    client.responses.retrieve(id, { stream: true, ...(after !== undefined && { starting_after: after }) });
  const idIn = ([first]: readonly Event[]): string => (first as { response: { id: string } }).response.id;

  it.each([NATIVE, TRANSLATED])('has every event, and is read again from any of them on (%s)', async (model) => {
    const events = await collect(await open('{{sim chunks=8}} Stream it', model));
    expect(numbers(events)).toEqual(events.map((_, at) => at));
    const id = idIn(events);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id, background: true } });
    const stored = await until(id, 'completed');
    expect(stored).toMatchObject((events.at(-1) as { response: object }).response);
    expect(await collect(await attach(id))).toEqual(events);
    expect(await collect(await attach(id, 3))).toEqual(events.slice(4));
    expect(await collect(await attach(id, events.length))).toEqual([]);
    expect(await chargeOf(id)).toBeGreaterThan(0n);
  });

  it('goes on without its client and its edge', async () => {
    const begun = await collect(await open('{{sim chunks=30 chunk_ms=100}} Go on', NATIVE), 6);
    const id = idIn(begun);
    await edge.kill();
    await edge.start();
    const rest = await collect(await attach(id, begun.at(-1)?.sequence_number));
    expect([...begun, ...rest]).toEqual(await collect(await attach(id)));
    expect(rest.at(-1)).toMatchObject({ type: 'response.completed' });
    await until(id, 'completed');
  });

  it('ends with a failure that is numbered like every event', async () => {
    const events = await collect(await open('{{sim chunks=8 cut_after=3}} Break', NATIVE));
    expect(numbers(events)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { id: idIn(events), status: 'failed' } });
    await until(idIn(events), 'failed');
  });

  it('is not what a response without a stream is', async () => {
    const { id } = await begin('No stream');
    await expect(attach(id)).rejects.toMatchObject({ status: 400, param: 'stream' });
    await expect(other.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 });
  });
});

it('is stored for a client that takes it later by its request', async () => {
  const body = { model: NATIVE, input: 'Read me later' };
  const headers = { prefer: 'respond-async', 'x-webhook-url': receiver.url };
  const since = receiver.received.length;
  const sent = await fullResponse(stack.baseUrl, { path: '/v1/responses', key: customer.apiKey, body, headers });
  expect([sent.status, sent.headers['x-gateway-filled']]).toEqual([202, undefined]);
  const request = sent.json<{ id: string }>();
  const id = request.id.replace('req_', 'resp_');
  expect(await until(id, 'completed')).toMatchObject({ background: false, store: true });
  const next = await client.responses.create({ model: TRANSLATED, input: 'And now?', previous_response_id: id });
  expect(next.previous_response_id).toBe(id);
  await receiver.until(since + 1);
  expect(JSON.parse(receiver.received[since]?.body ?? '')).toMatchObject({
    type: 'request.completed',
    data: { id: request.id },
  });
});

describe('requests that cannot run in the background', () => {
  it.each([['store', { store: false }]])('are refused with the name of the field: %s', async (param, more) => {
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
    const queued = await Promise.all([1, 2, 3].map((index) => begin(`{{sim delay_ms=12000}} Killed ${index}`)));
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
