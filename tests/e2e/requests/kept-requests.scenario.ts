import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { MAX_SHORT_BYTES } from '@gateway/contracts';
import {
  createPng,
  eventually,
  fullResponse,
  openResponse,
  readEvents,
  S3Server,
  startTestStack,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { type KeptRecord, KeptRequests, LATER, type Sent } from './kept-requests.js';

const store = await S3Server.start();
const stack = await startTestStack({ commonEnv: store.settings });
const receiver = await WebhookReceiver.open();
afterAll(async () => {
  await receiver.close();
  await stack.stop();
  await store.stop();
});

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const other = await stack.createCustomer({ creditUsd: '10' });
const requests = new KeptRequests(stack, customer);

const chat = (content: string, more: object = {}): Sent => ({
  body: { model: DEFAULT_MODEL, messages: [{ role: 'user', content }], ...more },
});

/** A form, as its bytes. */
async function edit(): Promise<Sent> {
  const form = new FormData();
  form.append('model', 'gp-image-1');
  form.append('prompt', 'A tree');
  form.append(
    'image',
    new File([Uint8Array.from(createPng({ width: 64, height: 64 }))], 'a.png', { type: 'image/png' }),
  );
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { path: '/v1/images/edits', body: Buffer.from(await encoded.arrayBuffer()), headers };
}

/** One of each kind of response: whole, stream, vectors, audio, images, a form, and every dialect. */
const KINDS: Readonly<Record<string, Sent>> = {
  'a chat': chat('Say something'),
  'a stream': chat('Say something', { stream: true }),
  'a message': {
    path: '/v1/messages',
    body: { model: 'cl-opus-4-7', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] },
  },
  'a Gemini response': {
    path: '/v1beta/models/gm-2.5-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
  'a stored response': { path: '/v1/responses', body: { model: DEFAULT_MODEL, input: 'Hello' } },
  'a completion': { path: '/v1/completions', body: { model: DEFAULT_MODEL, prompt: 'Hello' } },
  'a ranking': { path: '/v1/rerank', body: { model: 'rerank-2.5', query: 'a tree', documents: ['an oak', 'a car'] } },
  'an edited image': await edit(),
  vectors: { path: '/v1/embeddings', body: { model: 'text-embedding-v4', input: ['one', 'two'] } },
  speech: { path: '/v1/audio/speech', body: { model: 'qn3-tts-flash', input: 'Hello there' } },
  'an image': { path: '/v1/images/generations', body: { model: 'gp-image-1', prompt: 'A tree' } },
};

/** What the customer's kept requests take in the store. */
async function storedBytes(): Promise<number> {
  const headers = { authorization: `Bearer ${customer.token}` };
  const response = await fetch(`${stack.system.accountUrl}/account/storage`, { headers });
  return ((await response.json()) as { by_kind: { requests: number } }).by_kind.requests;
}

describe('a request whose response is taken later', () => {
  it.each(Object.entries(KINDS))('returns the very response of %s, charged once', async (_name, sent) => {
    const live = await requests.send(sent);
    expect(live.status).toBe(200);
    const record = await requests.begin(sent);
    expect(record).toMatchObject({ object: 'request', cost: { charged_usd: null }, error: null });
    const ended = await requests.until(record, 'completed');
    const result = await requests.get(record.result_url);
    expect(result.status).toBe(200);
    expect(result.headers['content-type']).toBe(live.headers['content-type']);
    expect(result.body.length).toBe(ended.response?.bytes);
    expect(Math.abs(result.body.length - live.body.length)).toBeLessThan(live.body.length / 4 + 64);
    const receipt = await eventually(() => customer.receipt<{ outcome: string; cost_usd: string }>(record.id));
    expect(receipt).toMatchObject({ outcome: 'completed', cost_usd: ended.cost.charged_usd });
    expect(Number(ended.cost.charged_usd)).toBeGreaterThan(0);
  });

  it('is kept as long as its client asks, counted, and deleted by its account only', async () => {
    const record = await requests.begin({
      ...chat('Delete this'),
      headers: { prefer: 'respond-async, retain=600' },
    });
    const ended = await requests.until(record, 'completed');
    expect(ended.expires_at - ended.created_at).toBeLessThan(2 * 3_600);
    const before = await storedBytes();
    expect(before).toBeGreaterThan(ended.response?.bytes ?? 0);
    const remove = (key: string) =>
      fullResponse(stack.baseUrl, { method: 'DELETE', path: record.status_url, key }).then(({ status }) => status);
    expect([await remove(other.apiKey), await remove(customer.apiKey), await remove(customer.apiKey)]).toEqual([
      404, 200, 404,
    ]);
    expect((await requests.get(record.result_url)).status).toBe(404);
    await eventually(async () => expect(await storedBytes()).toBeLessThan(before));
    expect(await customer.receipt(record.id)).toMatchObject({ outcome: 'completed' });
  });

  it('goes with its bytes when its time is over, and its receipt stays', async () => {
    const record = await requests.begin(chat('Forget this'));
    await requests.until(record, 'completed');
    await eventually(async () => expect(await customer.receipt(record.id)).toBeDefined());
    const before = await storedBytes();
    await stack.ledger.expireRequest(record.id);
    const answers = await Promise.all([record.status_url, record.result_url].map((path) => requests.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    await eventually(async () => expect(await stack.ledger.hasRequest(record.id)).toBe(false));
    expect(await storedBytes()).toBeLessThan(before);
    expect(await customer.receipt(record.id)).toMatchObject({ outcome: 'completed' });
  });

  it('returns an error as its endpoint would have', async () => {
    const failing = chat('{{sim status=400}} Fail');
    const live = await requests.send(failing);
    const record = await requests.begin(failing);
    const ended = await requests.until(record, 'failed');
    const result = await requests.get(record.result_url);
    expect(ended).toMatchObject({ cost: { charged_usd: '0.00' }, response: null });
    expect([result.status, result.json()]).toEqual([live.status, live.json()]);
  });

  it('ends with a webhook to its own address', async () => {
    const record = await requests.begin({ ...chat('Notify me'), headers: { 'x-webhook-url': receiver.url } });
    await receiver.until(1);
    const [hook] = receiver.received;
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({
      type: 'request.completed',
      data: { id: record.id, status: 'completed', result_url: record.result_url },
    });
  });

  it('is one request for one idempotency key', async () => {
    const keyed = { ...chat('Once'), headers: { 'idempotency-key': randomUUID() } };
    const first = await requests.begin(keyed);
    const again = await requests.send({ ...keyed, headers: { ...LATER, ...keyed.headers } });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(again.json<KeptRecord>().id).toBe(first.id);
    await requests.until(first, 'completed');
  });

  it('reports its states as events, which a client resumes', async () => {
    const record = await requests.begin(chat('{{sim delay_ms=1500}} Slow'));
    const { message } = await openResponse(stack.baseUrl, {
      method: 'GET',
      path: record.events_url,
      key: customer.apiKey,
    });
    const seen: string[] = [];
    for await (const event of readEvents(message)) if (event.kind === 'data') seen.push(JSON.parse(event.text).status);
    expect(seen.at(-1)).toBe('completed');
    const last = { 'last-event-id': '3' };
    const path = record.events_url;
    expect(
      (await fullResponse(stack.baseUrl, { method: 'GET', path, key: customer.apiKey, headers: last })).status,
    ).toBe(204);
  });

  it('answers a HEAD of its streams at once, and its connection serves the next request', async () => {
    const record = await requests.begin(chat('{{sim chunks=40 chunk_ms=250}} Long', { stream: true }));
    for (const path of [record.events_url, record.stream_url]) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = (method: string, to: string) =>
        fullResponse(stack.baseUrl, { method, path: to, key: customer.apiKey, agent });
      const head = await send('HEAD', path);
      const next = await send('GET', record.status_url);
      agent.destroy();
      expect([head.status, head.headers['content-type'], head.text]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        '',
      ]);
      expect(next.json<KeptRecord>().status).not.toBe('completed');
    }
    await requests.cancel(record);
  });
});

describe('a client that waits for some time', () => {
  it('gets the whole response if it is there by then, with its cost', async () => {
    const response = await requests.send({ ...chat('Quick'), headers: { prefer: 'wait=20' } });
    expect(response.status).toBe(200);
    expect(response.json<{ object: string }>().object).toBe('chat.completion');
    expect(response.headers['preference-applied']).toBe('wait=20');
    expect(Number(response.headers['x-cost-usd'])).toBeGreaterThan(0);
  });

  it('gets the very response again for its idempotency key, free', async () => {
    const keyed = { ...chat('Quick again'), headers: { 'idempotency-key': randomUUID(), prefer: 'wait=20' } };
    const [first, again] = [await requests.send(keyed), await requests.send(keyed)];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'idempotent-request-id': first.headers['x-request-id'],
      'preference-applied': 'wait=20',
      'x-cost-usd': '0.00',
    });
  });

  it('waits again for its idempotency key while the request runs', async () => {
    const keyed = { ...chat('{{sim delay_ms=1500}} Slow twice'), headers: { 'idempotency-key': randomUUID() } };
    const { id } = await requests.begin(keyed);
    const again = await requests.send({ ...keyed, headers: { ...keyed.headers, prefer: 'wait=20' } });
    expect([again.status, again.headers.location]).toEqual([200, `/v1/requests/${id}`]);
  });

  it('gets the record if it is not, and the response later', async () => {
    const response = await requests.send({ ...chat('{{sim delay_ms=3000}} Slow'), headers: { prefer: 'wait=1' } });
    expect(response.status).toBe(202);
    await requests.until(response.json<KeptRecord>(), 'completed');
  });
});

/** A key may have so many waits at an edge. */
const MAX_WAITS = 200;

describe('a key that waits for as many requests as it may', () => {
  const waits: { disconnect(): void }[] = [];
  const running: KeptRecord[] = [];

  beforeAll(async () => {
    running.push(await requests.begin(chat('{{sim chunks=40 hang_after=6}} Wait', { stream: true })));
    const [{ events_url: path } = { events_url: '' }] = running;
    const open = () => openResponse(stack.baseUrl, { method: 'GET', path, key: customer.apiKey });
    while (waits.length < MAX_WAITS) waits.push(...(await Promise.all(Array.from({ length: 50 }, open))));
  });
  afterAll(() => {
    for (const wait of waits) wait.disconnect();
  });

  it('gets the record of a request at once, and its response later', async () => {
    const response = await requests.send({ ...chat('No room to wait'), headers: { prefer: 'wait=20' } });
    expect(response.status).toBe(202);
    const ended = await requests.until(response.json<KeptRecord>(), 'completed');
    expect((await requests.get(ended.result_url)).json()).toMatchObject({ object: 'chat.completion' });
  });

  it('is refused a stream before that runs, free', async () => {
    const since = await stack.simulator.lastSeq();
    const attached = await requests.send({
      ...chat('No room to read', { stream: true }),
      headers: { prefer: 'resumable' },
    });
    const background = await requests.send({
      path: '/v1/responses',
      body: { model: 'gp-5.4-mini', input: 'No room to read', background: true, stream: true },
    });
    for (const { status, headers } of [attached, background]) {
      expect([status, headers['x-cost-usd'], Number(headers['retry-after']) > 0]).toEqual([429, '0.00', true]);
    }
    expect((await requests.get(`/v1/requests/${attached.headers['x-request-id']}`)).status).toBe(404);
    expect(await stack.simulator.lastSeq()).toBe(since);
  });

  it('may cancel', async () => {
    const [record] = running as [KeptRecord];
    expect((await requests.cancel(record)).json()).toMatchObject({ id: record.id, cancel_requested: true });
    await requests.until(record, 'cancelled');
  });
});

describe('a cancellation', () => {
  it('stops a stream that runs: the customer pays for what was used, and may read it', async () => {
    const record = await requests.begin(chat('{{sim chunks=40 hang_after=6}} Begin', { stream: true }));
    await requests.until(record, 'in_progress');
    const cancelled = (await requests.cancel(record)).json<KeptRecord>();
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancel_requested: true,
      error: { code: 'client_closed_request' },
    });
    await eventually(() => customer.receipt(record.id));
  });

  it('of an ended request changes nothing', async () => {
    const record = await requests.begin(chat('Done'));
    const ended = await requests.until(record, 'completed');
    expect((await requests.cancel(record)).json()).toEqual(ended);
  });
});

describe('a store that fails', () => {
  afterEach(() => store.work());

  /** Too long for the row of its request: its body, and its response. */
  const LONG = `Keep this ${'long text '.repeat(MAX_SHORT_BYTES / 10)}`;
  const LONG_RESPONSE = `completion_tokens=${MAX_SHORT_BYTES / 2}`;

  const expectUntouched = async () => {
    const response = await requests.send(chat('Keep nothing'));
    expect([response.status, Number(response.headers['x-cost-usd']) > 0]).toEqual([200, true]);
  };
  const upload = () => {
    const body = new FormData();
    body.append('purpose', 'user_data');
    body.append('file', new File(['contents'], 'a.txt'));
    const headers = { authorization: `Bearer ${customer.apiKey}` };
    return fetch(`${stack.baseUrl}/v1/files`, { method: 'POST', headers, body });
  };
  const expectOneCharge = (id: string) =>
    eventually(async () => {
      const receipts = await stack.ledger.settlements(customer.accountId);
      expect(receipts.filter(({ requestId }) => requestId === id)).toHaveLength(1);
    });

  it('because it is full refuses who asks for keeping, free, and no other request', async () => {
    const before = await requests.begin(chat(`{{sim ${LONG_RESPONSE}}} ${LONG}`));
    await requests.until(before, 'completed');
    store.fault = 'full';
    const refused = await requests.send({ ...chat(LONG), headers: LATER });
    expect([refused.status, refused.headers['x-cost-usd']]).toEqual([507, '0.00']);
    expect(refused.json()).toMatchObject({ error: { code: 'store_full' } });
    const file = await upload();
    expect([file.status, await file.json()]).toMatchObject([507, { error: { code: 'store_full' } }]);
    await expectUntouched();
    expect((await requests.get(before.result_url)).status).toBe(200);
  });

  it('is not needed for a short request', async () => {
    store.fault = 'full';
    const short = await requests.begin(chat('Keep this'));
    await requests.until(short, 'completed');
    expect((await requests.get(short.result_url)).json()).toMatchObject({ object: 'chat.completion' });
    await expectOneCharge(short.id);
  });

  it('while a response ends gets it as soon as it is there again, charged once', async () => {
    const running = await requests.begin(chat(`{{sim delay_ms=10000 ${LONG_RESPONSE}}} Keep this`));
    await requests.until(running, 'in_progress');
    store.fault = 'slow_down';
    const refused = await requests.send({ ...chat(LONG), headers: LATER });
    expect([refused.status, refused.headers['x-cost-usd']]).toEqual([503, '0.00']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await expectUntouched();
    await eventually(async () => {
      expect(store.requests).toContain(`PUT /${S3Server.bucket}/requests/${running.id}/response`);
    });
    expect((await requests.get(running.status_url)).json()).toMatchObject({ status: 'in_progress' });
    store.work();
    await requests.until(running, 'completed');
    expect((await requests.get(running.result_url)).json()).toMatchObject({ object: 'chat.completion' });
    await expectOneCharge(running.id);
  });

  it('by being slow delays no other request', async () => {
    const release = store.hold();
    const later = requests.begin(chat(LONG));
    await expectUntouched();
    release();
    const record = await later;
    await requests.until(record, 'completed');
    await expectOneCharge(record.id);
  });
});

describe('isolation and bad input', () => {
  it('hides a request from another account and from test keys', async () => {
    const record = await requests.begin(chat('Secret'));
    await requests.until(record, 'completed');
    const paths = [record.status_url, record.result_url, record.events_url, record.stream_url];
    const { key: testKey } = await customer.newKey({ test: true });
    for (const key of [other.apiKey, testKey]) {
      for (const path of paths) expect((await requests.get(path, { key })).status).toBe(404);
      expect((await requests.cancel(record, key)).status).toBe(404);
    }
  });

  it.each([
    ['a wait that is no number', { prefer: 'wait=soon' }, 'Prefer'],
    ['a webhook that is no address', { ...LATER, 'x-webhook-url': 'nowhere' }, 'X-Webhook-Url'],
  ])('refuses %s, free', async (_name, headers, param) => {
    const refused = await requests.send({ ...chat('x'), headers });
    expect([refused.status, refused.json<{ error: { param: string } }>().error.param]).toEqual([400, param]);
    expect(refused.headers['x-cost-usd']).toBe('0.00');
  });

  it('leaves consistent money', () => expectConsistentLedger(stack, [customer, other]));
});
