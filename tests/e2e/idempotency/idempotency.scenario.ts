import Anthropic from '@anthropic-ai/sdk';
import { createPng, encodedForm, type RawRequest, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { expectReplay, IdempotentRequests, newKey, requestIdOf, withKey } from './idempotency-requests.js';

const stack = await startTestStack();
const otherEdge = await stack.system.add('api-edge');
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const requests = new IdempotentRequests(stack, customer);

const chat = (content: string, more: object = {}): object => ({
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content }],
  ...more,
});
const message = { model: 'cl-sonnet-4-6', max_tokens: 50, messages: [{ role: 'user', content: 'Once' }] };
const speech = { model: 'qn3-tts-flash', input: 'Once is enough.' };
const interaction = { model: 'gm-3.1-flash-image-preview', input: 'A kite' };

/** A form as a client library sends it: each has a new boundary. */
async function edit(fields: Readonly<Record<string, string>>, image: Buffer, name = 'a.png'): Promise<RawRequest> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('image', new File([Uint8Array.from(image)], name, { type: 'image/png' }));
  return { path: '/v1/images/edits', ...(await encodedForm(form)) };
}

const editFields = { model: 'de-2', prompt: 'A hat', size: '256x256', response_format: 'url' };
const image = createPng({ width: 64, height: 64 });

const PAID: readonly (readonly [string, () => RawRequest | Promise<RawRequest>])[] = [
  ['a chat', () => ({ body: chat('Once') })],
  ['a stream', () => ({ body: chat('{{sim chunks=20}} Once', { stream: true }) })],
  ['a stream with its cost', () => ({ body: chat('Once', { stream: true }), headers: { 'x-include-cost': 'true' } })],
  ['a message', () => ({ path: '/v1/messages', body: message })],
  ['a stream of messages', () => ({ path: '/v1/messages', body: { ...message, stream: true } })],
  ['embeddings', () => ({ path: '/v1/embeddings', body: { model: 'text-embedding-v4', input: ['a', 'b'] } })],
  ['speech', () => ({ path: '/v1/audio/speech', body: speech })],
  ['images', () => ({ path: '/v1/images/generations', body: { model: 'seedream-4.5', prompt: 'Once' } })],
  ['an edit with another boundary', () => edit(editFields, image)],
];

describe('the same key with the same request', () => {
  it.each(PAID)('replays %s byte for byte on any edge for one charge', async (_what, request) => {
    const key = newKey();
    const money = await requests.moneyOf(async () => {
      const send = async (baseUrl?: string) => {
        const raw = await request();
        return requests.send({ ...raw, headers: withKey(key, raw.headers) }, baseUrl);
      };
      const first = await send();
      expect({ status: first.status, text: first.status === 200 ? '' : first.text }).toEqual({ status: 200, text: '' });
      // Immediately and on another edge: the response is stored before its end is sent.
      expectReplay(first, await send(otherEdge.url));
      expectReplay(first, await send());
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toHaveLength(1);
  });

  it('makes one call and one charge for fifty concurrent requests', async () => {
    const key = newKey();
    const money = await requests.moneyOf(async () => {
      const raw = { body: chat('{{sim delay_ms=500}} Once'), headers: withKey(key) };
      const urls = [stack.baseUrl, otherEdge.url];
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) => requests.send(raw, urls[index % 2])),
      );
      const [first, ...more] = responses.filter(({ status }) => status === 200);
      const rejected = responses.filter(({ status }) => status !== 200);
      expect(rejected.length).toBeGreaterThan(0);
      for (const response of rejected) {
        expect(response.status).toBe(409);
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(response.headers['x-should-retry']).toBe('true');
        expect(response.json()).toMatchObject({ error: { code: 'idempotency_in_progress', param: 'Idempotency-Key' } });
      }
      expect(new Set([first, ...more].map((response) => response?.text)).size).toBe(1);
    });
    expect(money.calls).toHaveLength(1);
    expect(money.settlements).toHaveLength(1);
  });

  it('replays for every key of the account, not for other accounts or test keys', async () => {
    const key = newKey();
    const raw = { body: chat('Mine'), headers: withKey(key) };
    const first = await requests.send(raw);
    const { key: sibling } = await customer.newKey();
    expectReplay(first, await requests.send({ ...raw, key: sibling }));
    const stranger = await stack.createCustomer({ creditUsd: '1' });
    const { key: test } = await customer.newKey({ test: true });
    for (const apart of [stranger.apiKey, test]) {
      const response = await requests.send({ ...raw, key: apart });
      expect([response.status, response.headers['idempotent-replayed']]).toEqual([200, undefined]);
      expectReplay(response, await requests.send({ ...raw, key: apart }));
    }
  });

  it('replays without limits and money', async () => {
    const poor = await stack.createCustomer({ creditUsd: '0.01', limits: { rpm: 1 } });
    const raw = { key: poor.apiKey, body: chat('Once', { max_completion_tokens: 5 }), headers: withKey(newKey()) };
    const first = await requests.send(raw);
    expect(first.status).toBe(200);
    expectReplay(first, await requests.send(raw));
    expect((await requests.send({ ...raw, headers: {} })).status).toBe(429);
  });

  it('counts each outcome in the metrics', async () => {
    const metrics = await (await fetch(`${stack.baseUrl}/metrics`)).text();
    for (const outcome of ['began', 'answered', 'in_progress']) {
      expect(metrics).toMatch(
        new RegExp(`gateway_idempotent_requests_total\\{[^}]*outcome="${outcome}"[^}]*\\} [1-9]`),
      );
    }
  });
});

describe('official clients', () => {
  /** The client library has the option and leaves the header's name to its subclasses. */
  class IdempotentOpenAI extends OpenAI {
    protected override idempotencyHeader = 'Idempotency-Key';
  }
  const openai = new IdempotentOpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 10 });
  const anthropic = new Anthropic({ baseURL: stack.baseUrl, apiKey: customer.apiKey, maxRetries: 10 });

  it('get one response for five concurrent requests', async () => {
    const key = newKey();
    const money = await requests.moneyOf(async () => {
      const body = {
        model: DEFAULT_MODEL,
        messages: [{ role: 'user' as const, content: '{{sim delay_ms=300}} Five' }],
      };
      const options = { idempotencyKey: key };
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => openai.chat.completions.create(body, options)),
      );
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
    });
    expect([money.calls.length, money.settlements.length]).toEqual([1, 1]);
  });

  it('read a replayed stream', async () => {
    const key = newKey();
    const money = await requests.moneyOf(async () => {
      const read = async () => {
        const stream = anthropic.messages.stream(
          { ...message, messages: [{ role: 'user', content: 'Again' }] },
          {
            headers: withKey(key),
          },
        );
        return stream.finalMessage();
      };
      expect(await read()).toEqual(await read());
    });
    expect([money.calls.length, money.settlements.length]).toEqual([1, 1]);
  });

  it('receive a conflict', async () => {
    const key = newKey();
    const send = (content: string) =>
      openai.chat.completions.create(
        { model: DEFAULT_MODEL, messages: [{ role: 'user', content }] },
        { idempotencyKey: key },
      );
    await send('This');
    await expect(send('That')).rejects.toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });
});

describe('the same key with another request', () => {
  const formats: readonly (readonly [string, RawRequest, object])[] = [
    [
      'of chat completions',
      { body: chat('Other') },
      { error: { type: 'invalid_request_error', code: 'idempotency_conflict', param: 'Idempotency-Key' } },
    ],
    [
      'of Anthropic messages',
      { path: '/v1/messages', body: message },
      { type: 'error', error: { type: 'conflict_error' }, request_id: expect.stringMatching(/^req_/) },
    ],
    ['of Style B', { path: '/v1/audio/speech', body: speech }, { code: 'IdempotencyConflict' }],
    [
      'of interactions',
      { path: '/v1/images/generations', body: interaction },
      { error: { code: 'idempotency_conflict', message: expect.any(String) } },
    ],
  ];

  it.each(formats)('returns a conflict in the format %s', async (_words, other, error) => {
    const headers = withKey(newKey());
    expect((await requests.send({ body: chat('First'), headers })).status).toBe(200);
    const money = await requests.moneyOf(async () => {
      const response = await requests.send({ ...other, headers });
      expect([response.status, response.headers['x-should-retry']]).toEqual([409, 'false']);
      expect(response.json()).toMatchObject(error);
    });
    expect(money).toEqual({ calls: [], settlements: [] });
  });

  it('returns a conflict for one other byte of a file, not for another file name', async () => {
    const key = newKey();
    const send = async (raw: RawRequest) => requests.send({ ...raw, headers: withKey(key, raw.headers) });
    const first = await send(await edit(editFields, image));
    expectReplay(first, await send(await edit(editFields, image, 'b.png')));
    const changed = Buffer.from(image);
    changed.writeUInt8(changed.readUInt8(50) ^ 1, 50);
    expect((await send(await edit(editFields, changed))).status).toBe(409);
    expect((await send(await edit({ ...editFields, prompt: 'A cap' }, image))).status).toBe(409);
  });

  it('returns a conflict for another version of the protocol', async () => {
    const raw = { path: '/v1/messages', body: message };
    const key = newKey();
    await requests.send({ ...raw, headers: withKey(key, { 'anthropic-version': '2023-06-01' }) });
    const other = await requests.send({ ...raw, headers: withKey(key, { 'anthropic-version': '2023-01-01' }) });
    expect(other.status).toBe(409);
  });
});

describe('requests without a stored response', () => {
  const raw = { body: chat('Twice') };

  it.each(['', 'x'.repeat(256), 'a\tb'])('rejects %j as a key', async (key) => {
    const response = await requests.send({ ...raw, headers: withKey(key) });
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'Idempotency-Key' } });
  });

  it('ignores keys of free token counts', async () => {
    const counting = { path: '/v1/messages/count_tokens', body: { model: message.model, messages: message.messages } };
    for (const key of ['', 'k', 'k']) {
      const response = await requests.send({ ...counting, headers: withKey(key) });
      expect([response.status, response.headers['idempotent-replayed']]).toEqual([200, undefined]);
    }
  });

  it('frees the key of an invalid request', async () => {
    const headers = withKey(newKey());
    expect((await requests.send({ body: chat('x', { temperature: 9 }), headers })).status).toBe(400);
    expect((await requests.send({ ...raw, headers })).status).toBe(200);
  });

  it.each([
    ["an upstream's rejection", '{{sim status=400 times=1}} Refused', 400],
    ["an upstream's failure", '{{sim status=500 times=9}} Failed', 502],
  ])('%s frees the key at once', async (_what, content, status) => {
    const headers = withKey(newKey());
    expect((await requests.send({ body: chat(content), headers })).status).toBe(status);
    const money = await requests.moneyOf(async () => {
      expect((await requests.send({ body: chat('Now it works'), headers })).status).toBe(200);
    });
    expect(money.settlements).toHaveLength(1);
  });

  it('frees the key of a request that lacks money', async () => {
    const poor = await stack.createCustomer();
    const request = { ...raw, key: poor.apiKey, headers: withKey(newKey()) };
    expect((await requests.send(request)).status).toBe(402);
    expect((await requests.send(request)).status).toBe(402);
    await poor.topUp('1');
    const paid = await requests.send(request);
    expect([paid.status, paid.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });
});

/** Responses above one megabyte are stored in Postgres. */
const LARGE: readonly (readonly [string, RawRequest])[] = [
  [
    'a stream',
    {
      body: chat('{{sim completion_tokens=10000 reasoning_tokens=0 chunk_bytes=4}}', {
        stream: true,
        max_completion_tokens: 20_000,
      }),
    },
  ],
  [
    'images',
    {
      path: '/v1/images/generations',
      body: { model: 'gp-image-1.5', prompt: '{{sim picture_bytes=3000000}} Once', n: 3 },
    },
  ],
];

describe('a large response', () => {
  it.each(LARGE)('of %s is replayed on any edge for one charge', async (_what, raw) => {
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      const first = await requests.send({ ...raw, headers });
      expect({ status: first.status, text: first.status === 200 ? '' : first.text }).toEqual({ status: 200, text: '' });
      expect(first.body.length).toBeGreaterThan(1024 * 1024);
      const again = await requests.send({ ...raw, headers }, otherEdge.url);
      expectReplay(first, again);
      expect(again.headers['content-length']).toBe(String(first.body.length));
      expectReplay(first, await requests.send({ ...raw, headers }));
      expect(await stack.ledger.storedChunks(requestIdOf(first))).toBe(Math.ceil(first.body.length / (1024 * 1024)));
    });
    expect([money.calls.length, money.settlements.length]).toEqual([1, 1]);
  });

  it('that was lost is not run again: the error names its receipt', async () => {
    const [, raw] = LARGE[0] as (typeof LARGE)[number];
    const headers = withKey(newKey());
    const money = await requests.moneyOf(async () => {
      const first = await requests.send({ ...raw, headers });
      await stack.ledger.dropStoredResponse(requestIdOf(first));
      const second = await requests.send({ ...raw, headers }, otherEdge.url);
      expect([second.status, second.headers['x-should-retry']]).toEqual([409, 'false']);
      const { error } = second.json<{ error: { code: string; message: string } }>();
      expect(error.code).toBe('idempotency_answer_lost');
      expect(error.message).toContain(requestIdOf(first));
    });
    expect([money.calls.length, money.settlements.length]).toEqual([1, 1]);
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
