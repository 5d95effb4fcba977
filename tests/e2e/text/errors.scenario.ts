import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { newApiKey } from '@gateway/contracts';
import { eventually, type FullResponse, fullResponse, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI, { APIError, AuthenticationError, BadRequestError, InternalServerError, RateLimitError } from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { CHAT_FIELDS, type ChatField, DEFAULT_MODEL, REASONING_MODELS } from './chat-fields.js';
import { chatModels } from './chat-models.js';

interface StyleA {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param: string | null;
  };
}

const UPSTREAM_SILENCE_MS = 2_000;

const stack = await startTestStack({
  env: {
    'sync-worker': {
      UPSTREAM_HEADERS_TIMEOUT_MS: String(UPSTREAM_SILENCE_MS),
      STREAM_IDLE_TIMEOUT_MS: String(UPSTREAM_SILENCE_MS),
    },
  },
});
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '10000', limits: { rpm: 0, concurrency: 0 } });
const customers = [customer];
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const models = (await chatModels(stack.baseUrl, customer.apiKey)).map(({ id }) => id);

const userMessages = (text: string) => [{ role: 'user' as const, content: text }];
const post = (body: object | string | undefined, more: object = {}): Promise<FullResponse> =>
  fullResponse(stack.baseUrl, { key: customer.apiKey, ...(body !== undefined && { body }), ...more });
const chat = (more: object): Promise<FullResponse> =>
  post({ model: DEFAULT_MODEL, messages: userMessages('Hello'), ...more });
const create = (text: string, model = DEFAULT_MODEL) =>
  client.chat.completions.create({ model, messages: userMessages(text) });

/** A chat request with that value in one field; undefined leaves the field out. */
const withField = ({ field, companions }: ChatField, value: unknown, model: string): object => ({
  model,
  messages: userMessages('A word in json'),
  ...companions,
  [field]: value,
});

const titleOf = (value: unknown): string => JSON.stringify(value)?.slice(0, 90) ?? 'left out';

describe('a field of the chat request', () => {
  const invalidValues = CHAT_FIELDS.flatMap((row) =>
    row.invalid.map(([value, param = row.field]) => ({ row, value, param, title: `${row.field} ${titleOf(value)}` })),
  );

  it('is accepted at its bounds', async () => {
    for (const row of CHAT_FIELDS) {
      for (const model of models.filter((id) => row.appliesTo(id))) {
        for (const value of row.valid) {
          const response = await post(withField(row, value, model));
          expect({
            model,
            field: row.field,
            value,
            status: response.status,
            error: response.status === 200 ? '' : response.text,
          }).toEqual({
            model,
            field: row.field,
            value,
            status: 200,
            error: '',
          });
        }
      }
    }
  });

  it.each(invalidValues)('is rejected by name just beyond its bounds: $title', async ({ row, value, param }) => {
    for (const model of models.filter((id) => row.appliesTo(id))) {
      const response = await post(withField(row, value, model));
      expect({ model, status: response.status, text: response.text }).toMatchObject({ model, status: 400 });
      const { error } = response.json<StyleA>();
      expect(error).toMatchObject({ type: 'invalid_request_error', code: expect.any(String) });
      expect(error.param).toBe(param);
      expect(error.message).toContain(row.field);
    }
  });

  it('costs nothing when it is rejected', async () => {
    await waitUntilSettled(stack);
    const before = {
      balance: await customer.balance(),
      settlements: await stack.ledger.settlementCount(customer.accountId),
    };
    const since = await stack.simulator.lastSeq();
    for (const { row, value } of invalidValues)
      await post(withField(row, value, models.find(row.appliesTo) ?? DEFAULT_MODEL));
    await waitUntilSettled(stack);
    expect(await stack.simulator.journal(since)).toEqual([]);
    expect(await customer.balance()).toEqual(before.balance);
    expect(await stack.ledger.settlementCount(customer.accountId)).toBe(before.settlements);
  });
});

describe('a model', () => {
  it.each([
    ['that does not exist', 'no-such-model', 'model_not_found'],
    ['that is a number', 5, 'invalid_request'],
    ['that is empty', '', 'invalid_request'],
    ['that is missing', undefined, 'invalid_request'],
  ])('%s is rejected', async (_what, model, code) => {
    const response = await chat({ model });
    expect(response.status).toBe(400);
    expect(response.json<StyleA>().error).toMatchObject({ code, param: 'model', type: 'invalid_request_error' });
  });

  it.each([
    ['/v1/completions', { prompt: 'Hello' }],
    ['/v1/responses/input_tokens', { input: 'Hello' }],
    ['/v1/messages/count_tokens', { messages: userMessages('Hello') }],
    ['/v1/videos', { prompt: 'A boat' }],
  ])('that %s does not serve is refused with that path', async (path, body) => {
    const response = await post({ model: 'gp-image-2', ...body }, { path });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(`is not served on ${path}.`)]);
  });
});

describe('a body', () => {
  it.each([
    ['that is truncated', '{"model":'],
    ['that is empty', ''],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is not JSON', 'model=x'],
  ])('%s is rejected with 400', async (_what, body) => {
    const response = await post(body, { headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(400);
    expect(response.json<StyleA>().error).toMatchObject({ code: 'invalid_json', type: 'invalid_request_error' });
    expect(response.headers['x-request-id']).toMatch(/^req_/);
  });

  it.each([
    ['/v1/chat/completions', { model: DEFAULT_MODEL, messages: userMessages('Hello') }],
    ['/v1/embeddings', { model: 'vg-4', input: 'Hello' }],
    ['/v1/messages', { model: 'cl-sonnet-4-6', max_tokens: 9, messages: userMessages('Hello') }],
  ])('for %s may begin with a byte order mark, as some editors write it', async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    expect((await post(`\ufeff${JSON.stringify(body)}`, { path, headers })).status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s is rejected with 415',
    async (type) => {
      const response = await post('{}', { headers: { 'content-type': type } });
      expect(response.status).toBe(415);
      expect(response.json<StyleA>().error).toMatchObject({ code: 'unsupported_media_type' });
    },
  );

  it.each(['gzip', 'br', 'GZIP, identity'])(
    'with content encoding %s is rejected with 415 that names it',
    async (encoding) => {
      const response = await post(gzipSync('{}'), {
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      });
      expect(response.status).toBe(415);
      expect(response.json<StyleA>().error).toMatchObject({ code: 'unsupported_media_type' });
      expect(response.json<StyleA>().error.message).toContain(encoding.toLowerCase());
    },
  );

  it('may declare the identity encoding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    const body = JSON.stringify({ model: DEFAULT_MODEL, messages: userMessages('Hello') });
    expect((await post(body, { headers })).status).toBe(200);
  });

  it('is accepted up to the size limit and rejected above it', async () => {
    const limit = 32 * 1024 * 1024;
    const sized = (bytes: number): string => {
      const body = (text: string): string => JSON.stringify({ model: 'no-such-model', messages: userMessages(text) });
      return body('x'.repeat(bytes - body('').length));
    };
    expect((await post(sized(limit), { headers: { 'content-type': 'application/json' } })).status).toBe(400);
    // The declared size is rejected before the body is sent.
    const larger = await openResponse(stack.baseUrl, {
      key: customer.apiKey,
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-length': String(limit + 1) },
    });
    larger.disconnect();
    expect(larger.status).toBe(413);
  });
});

describe('an excessive body', () => {
  const parameters = (levels: number): string => `${'{"properties":'.repeat(levels)}{}${'}'.repeat(levels)}`;

  it.each([DEFAULT_MODEL, 'gp-5-pro', 'cl-sonnet-4-6', 'gm-2.5-pro'])(
    'nested too deep is rejected by name, without a call or a charge: %s',
    async (model) => {
      const since = await stack.simulator.lastSeq();
      const tools = `[{"type":"function","function":{"name":"f","parameters":${parameters(8_000)}}}]`;
      const body = `{"model":"${model}","messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`;
      const response = await post(body, { headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(400);
      expect(response.json<StyleA>().error).toMatchObject({
        code: 'invalid_request',
        param: 'tools[0].function.parameters',
      });
      expect(await stack.simulator.journal(since)).toEqual([]);
    },
  );

  it.each([
    ['a model name', { model: 'x'.repeat(100_000) }],
    ['a field', { ['x'.repeat(100_000)]: 1, model: DEFAULT_MODEL, messages: [{ role: 'robot' }] }],
    ['a reasoning effort', { model: 'gp-5-pro', messages: userMessages('Hi'), reasoning_effort: 'x'.repeat(100_000) }],
    [
      'a content part',
      { model: DEFAULT_MODEL, messages: [{ role: 'user', content: [{ type: 'x'.repeat(100_000) }] }] },
    ],
  ])('is not repeated whole in the error: %s', async (_what, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.text.length).toBeLessThan(2_000);
  });
});

describe('the list of models', () => {
  it.each([['br'], ['gzip']])('is compressed for a client that accepts %s', async (encoding) => {
    const list = (accept: string) =>
      fetch(`${stack.baseUrl}/v1/models`, {
        headers: { authorization: `Bearer ${customer.apiKey}`, 'accept-encoding': accept },
      });
    const [plain, compressed] = [await list('identity'), await list(encoding)];
    expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([
      null,
      encoding,
    ]);
    const text = await plain.text();
    // `fetch` decompresses by itself.
    expect(await compressed.text()).toBe(text);
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(text.length / 4);
  });
});

describe('a route', () => {
  it.each([
    ['/v1/chat/completions/', 'a trailing slash'],
    ['//v1//chat/completions', 'double slashes'],
    ['/chat/completions', 'a missing /v1'],
    ['/v1/v1/chat/completions', 'a doubled /v1'],
  ])('is served as what was meant: %s with %s', async (path) => {
    const response = await post({ model: DEFAULT_MODEL, messages: userMessages('Hi') }, { path });
    expect(response.status).toBe(200);
    expect((await post({ model: 'none' }, { path })).json<StyleA>().error.code).toBe('model_not_found');
  });

  it('of the native format is served below a base URL that ends in /v1, with errors in its own style', async () => {
    const { status, json } = await post({ model: 'none' }, { path: '/v1/v1/messages' });
    expect([status, json()]).toMatchObject([400, { type: 'error' }]);
  });

  it.each([
    [
      'below another base URL names the right one',
      '/v2/chat/completions',
      `The base URL is ${stack.baseUrl}/v1 for OpenAI`,
    ],
    ['that does not exist says so', '/v1/nothing', `This gateway does not serve this endpoint. ${stack.baseUrl}/docs`],
  ])('%s', async (_name, path, said) => {
    const { status, json } = await post({}, { path });
    expect(status).toBe(404);
    expect(json<StyleA>().error.message).toContain(said);
  });

  it.each(['//metrics', '/v1/v1/metrics', '/v1/metrics', '//healthz'])(
    'of the operator has no other spelling: %s',
    async (path) => {
      expect((await post(undefined, { method: 'GET', path })).status).toBe(404);
    },
  );

  it('with two Host headers returns 400', async () => {
    const { hostname, port } = new URL(stack.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write('GET /v1/models HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    expect((await text(socket)).split('\r\n', 1)[0]).toBe('HTTP/1.1 400 Bad Request');
  });

  it.each(['/v1/nothing', '/v1/chat/completions/more', '/nothing'])(
    'that does not exist returns 404: %s',
    async (path) => {
      const response = await post({}, { path });
      expect(response.status).toBe(404);
      expect(response.json<StyleA>().error).toMatchObject({ code: 'not_found', type: 'invalid_request_error' });
      expect(response.json<StyleA>().error.message).toContain(`There is no such route: POST ${path}.`);
    },
  );

  it.each(['text/plain', 'multipart/form-data; boundary=x'])(
    'that does not exist returns 404 for any body: %s',
    async (contentType) => {
      const response = await post('x', { path: '/v1/images/variations', headers: { 'content-type': contentType } });
      expect([response.status, response.json<StyleA>().error.code]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['DELETE', '/v1/embeddings', 'POST'],
    ['PUT', '/v1/images/edits', 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['POST', `/v1/models/${DEFAULT_MODEL}?a=b`, 'GET, HEAD'],
  ])('with another method returns 405 and the allowed one: %s %s', async (method, path, allow) => {
    const response = await post(method === 'GET' ? undefined : '{', {
      method,
      path,
      headers: { 'content-type': 'text/plain' },
    });
    expect([response.status, response.headers.allow]).toEqual([405, allow]);
    expect(response.headers['x-should-retry']).toBe('false');
    expect(response.json<StyleA>().error).toMatchObject({ code: 'method_not_allowed', type: 'invalid_request_error' });
    expect(response.json<StyleA>().error.message).toContain(method);
  });

  it('with another method returns 405 in its own style', async () => {
    const messages = await post(undefined, { method: 'GET', path: '/v1/messages' });
    expect([messages.status, messages.json()]).toMatchObject([
      405,
      { type: 'error', error: { type: 'invalid_request_error' } },
    ]);
    const speech = await post(undefined, { method: 'GET', path: '/v1/audio/speech' });
    expect([speech.status, speech.json()]).toMatchObject([405, { code: 'MethodNotAllowed' }]);
  });

  it('with a long id needs a key like any other, and returns 404 in its own style', async () => {
    const path = `/v1/models/${'x'.repeat(2_000)}`;
    expect((await fetch(`${stack.baseUrl}${path}`)).status).toBe(401);
    const response = await post(undefined, { method: 'GET', path });
    expect([response.status, response.headers['x-request-id']]).toEqual([404, expect.stringMatching(/^req_/)]);
    expect(response.json<StyleA>().error).toMatchObject({ code: 'not_found', type: 'invalid_request_error' });
  });

  it('with an invalid address returns 404 in its own style', async () => {
    const response = await fetch(`${stack.baseUrl}/v1/models/%ff`);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await response.json()).toMatchObject({ error: { code: 'not_found', type: 'invalid_request_error' } });
  });

  it('with oversized headers returns 431 in its own style', async () => {
    const response = await fetch(`${stack.baseUrl}/v1/models`, { headers: { 'x-large': 'x'.repeat(8_192) } });
    expect(response.status).toBe(431);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await response.json()).toMatchObject({ error: { code: 'headers_too_large' } });
  });
});

describe('a page in a browser', () => {
  const origin = 'https://app.example';

  it.each([
    ['/v1/chat/completions', 'POST', 'POST'],
    ['/v1/messages', 'POST', 'POST'],
    ['/v1/models', 'GET', 'GET, HEAD'],
  ])('may call %s after a preflight without a key', async (path, method, allow) => {
    const requestedHeaders = 'authorization,content-type,x-stainless-os';
    const { status, headers } = await fullResponse(stack.baseUrl, {
      method: 'OPTIONS',
      path,
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': requestedHeaders },
    });
    expect([status, headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': allow,
        'access-control-allow-headers': requestedHeaders,
      },
    ]);
  });

  it('reads responses, streams, errors and their headers', async () => {
    const request = { model: DEFAULT_MODEL, messages: userMessages('Hello') };
    const responses = [
      await post(request, { headers: { origin } }),
      await post({ ...request, stream: true }, { headers: { origin } }),
      await post({ ...request, messages: 5 }, { headers: { origin } }),
      await fullResponse(stack.baseUrl, { method: 'GET', path: '/v1/models', headers: { origin } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400, 401]);
    for (const { headers } of responses) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toBe('*');
    }
  });

  it('reads the 404 of an unknown route, which the browser hides without a preflight', async () => {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const unknown = { path: '/v1/nothing' };
    const allowed = await fullResponse(stack.baseUrl, { ...unknown, method: 'OPTIONS', headers: preflight });
    expect([allowed.status, allowed.headers['access-control-allow-methods']]).toEqual([204, 'POST']);
    const response = await post({}, { ...unknown, headers: { origin } });
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([404, '*']);
  });

  it('gets no CORS headers without an origin', async () => {
    expect((await chat({})).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('cost headers', () => {
  it.each([
    ['an invalid field', () => chat({ messages: 5 }), 400],
    ['an unknown model', () => chat({ model: 'no-such-model' }), 400],
    ['a wrong method', () => post(undefined, { method: 'PUT' }), 405],
    ['a compressed body', () => post('{}', { headers: { 'content-encoding': 'gzip' } }), 415],
    ['the list of models', () => post(undefined, { method: 'GET', path: '/v1/models' }), 200],
    ['a model that does not exist', () => post(undefined, { method: 'GET', path: '/v1/models/none' }), 404],
    ['a path that does not exist', () => post({}, { path: '/v1/none' }), 404],
  ])('show zero cost and the balance: %s', async (_what, send, status) => {
    const response = await send();
    expect([response.status, response.headers['x-cost-usd']]).toEqual([status, '0.00']);
    expect(Number(response.headers['x-balance-usd'])).toBeGreaterThan(9_000);
  });

  it('show cost and balance, also where the upstream failed', async () => {
    const { status, headers } = await chat({ messages: userMessages('{{sim status=400}}') });
    expect(status).toBe(400);
    expect(headers['x-cost-usd']).toBe('0.00');
    expect(Number(headers['x-balance-usd'])).toBeGreaterThan(9_000);
    const whole = await chat({});
    expect(Number(whole.headers['x-cost-usd'])).toBeGreaterThan(0);
  });

  it('show the balance on rejected requests', async () => {
    const body = { model: DEFAULT_MODEL, messages: userMessages('Hello') };
    const own = await stack.createCustomer({ creditUsd: '1' });
    customers.push(own);
    const { key } = await own.newKey({ rpm: 1 });
    const headers = { 'idempotency-key': 'left' };
    const send = (more: object) => fullResponse(stack.baseUrl, { key, body, headers, ...more });
    const left = (await send({})).headers['x-balance-usd'];
    expect(Number(left)).toBeLessThan(1);
    const { key: poor } = await own.newKey({ spend_cap_usd: '0' });
    for (const [more, status] of [
      [{}, 200],
      [{ body: { ...body, user: 'another' } }, 409],
      [{ headers: {} }, 429],
      [{ headers: {}, key: poor }, 402],
      [{ headers: {}, key: poor, body: { ...body, stream: true } }, 402],
    ] as const) {
      const response = await send(more);
      expect([response.status, response.headers['x-cost-usd'], response.headers['x-balance-usd']]).toEqual([
        status,
        '0.00',
        left,
      ]);
    }
    const spent = await stack.createCustomer({ creditUsd: '0.000001' });
    customers.push(spent);
    const { status, headers: shown } = await fullResponse(stack.baseUrl, { key: spent.apiKey, body });
    expect([status, shown['x-balance-usd']]).toEqual([402, '0.000001']);
  });

  it('are absent without a key and in the head of a stream', async () => {
    const stranger = await fullResponse(stack.baseUrl, { method: 'GET', path: '/v1/models' });
    expect([stranger.status, stranger.headers['x-cost-usd']]).toEqual([401, undefined]);
    const stream = await chat({ stream: true });
    expect([stream.status, stream.headers['x-cost-usd']]).toEqual([200, undefined]);
  });
});

describe('a key', () => {
  it.each([
    ['missing', {}],
    ['of another kind', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['misspelt', { authorization: `Bearer ${customer.apiKey.slice(0, -1)}` }],
    ['unknown', { authorization: `Bearer ${newApiKey()}` }],
  ])('that is %s is rejected with 401', async (_what, headers) => {
    for (const raw of [
      { body: { model: DEFAULT_MODEL, messages: userMessages('Hello') } },
      { method: 'GET', path: '/v1/models' },
    ]) {
      const response = await fullResponse(stack.baseUrl, { ...raw, headers });
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.json<StyleA>().error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
      expect(response.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('that was revoked is rejected within five seconds', async () => {
    const { id, key } = await customer.newKey();
    const revoked = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: key, maxRetries: 0 });
    await revoked.models.list();
    await customer.revokeKey(id);
    await eventually(() => expect(revoked.models.list()).rejects.toBeInstanceOf(AuthenticationError), {
      withinMs: 5_000,
    });
  });
});

describe('a limit', () => {
  it('of money returns 402 without an upstream call', async () => {
    const poor = await stack.createCustomer();
    const since = await stack.simulator.lastSeq();
    const response = await fullResponse(stack.baseUrl, {
      key: poor.apiKey,
      body: { model: DEFAULT_MODEL, messages: userMessages('Hello') },
    });
    expect(response.status).toBe(402);
    expect(response.json<StyleA>().error).toMatchObject({ type: 'insufficient_balance', code: 'insufficient_balance' });
    expect(response.json<StyleA>().error.message).not.toBe('');
    const library = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: poor.apiKey });
    const rejected = library.chat.completions.create({ model: DEFAULT_MODEL, messages: userMessages('Hello') });
    await expect(rejected).rejects.toMatchObject({ status: 402, code: 'insufficient_balance' });
    expect(await stack.simulator.journal(since)).toEqual([]);
    expect(await stack.ledger.settlementCount(poor.accountId)).toBe(0);
  });

  it('of rate returns 429 in both styles, with the time to wait', async () => {
    const { key } = await customer.newKey({ rpm: 2 });
    const send = () =>
      fullResponse(stack.baseUrl, { key, body: { model: DEFAULT_MODEL, messages: userMessages('Hello') } });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const response = await send();
    expectThrottled(response);
    expect(response.headers).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '0',
    });
    expect(response.headers['x-ratelimit-reset-requests']).toMatch(/^\d+(\.\d+)?s$/);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(30);
    const library = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: key, maxRetries: 0 });
    const rejected = library.chat.completions.create({ model: DEFAULT_MODEL, messages: userMessages('Hello') });
    await expect(rejected).rejects.toBeInstanceOf(RateLimitError);
  });

  it('of concurrency returns 429 until the running request ends', async () => {
    const { key } = await customer.newKey({ concurrency: 1 });
    const send = (text: string) =>
      openResponse(stack.baseUrl, { key, body: { model: DEFAULT_MODEL, messages: userMessages(text), stream: true } });
    const first = await send('{{sim hang_after=1 chunks=4}}');
    expect(first.status).toBe(200);
    expectThrottled(
      await fullResponse(stack.baseUrl, { key, body: { model: DEFAULT_MODEL, messages: userMessages('Hello') } }),
    );
    first.disconnect();
    await eventually(async () => {
      const next = await send('Hello');
      next.disconnect();
      expect(next.status).toBe(200);
    });
  });
});

function expectThrottled(response: FullResponse): void {
  expect(response.status).toBe(429);
  expect(response.json()).toMatchObject({
    error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: expect.any(String) },
    code: 'Throttling.RateQuota',
    message: expect.any(String),
    request_id: response.headers['x-request-id'],
  });
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

describe('an upstream', () => {
  it.each(models)('of %s: its 400 is returned whole, after one call, for free', async (model) => {
    const since = await stack.simulator.lastSeq();
    const response = await post({ model, messages: userMessages('{{sim status=400}}') });
    expect(response.status).toBe(400);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
    const [call, ...others] = await stack.simulator.closedJournal(since);
    expect(others).toEqual([]);
    const theirs = withoutRequestId(await simulatorError(call?.path ?? '', call?.seq ?? 0));
    const { error } = response.json<StyleA & { error: { upstream: object } }>();
    expect(JSON.parse(withoutRequestId(JSON.stringify(error.upstream)))).toEqual(JSON.parse(theirs));
    expect(error).toMatchObject({ message: expect.any(String), type: expect.any(String), code: expect.any(String) });
    await expect(create('{{sim status=400}}', model)).rejects.toBeInstanceOf(BadRequestError);
  });

  it('with a brief failure is retried, and the client sees no error', async () => {
    const since = await stack.simulator.lastSeq();
    const response = await create('{{sim status=503 times=2}} Again');
    expect(response.choices[0]?.message.content).toContain('Again');
    expect((await stack.simulator.closedJournal(since)).map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  it.each([
    [500, [502, 503]],
    [503, [502, 503]],
    [429, [429]],
  ])('that keeps failing with %i is tried three times and returns %j', async (status, shown) => {
    await waitUntilHealthy('gm-2.5-flash');
    const since = await stack.simulator.lastSeq();
    const failed = create(`{{sim status=${status}}}`, 'gm-2.5-flash');
    const error = (await failed.catch((reason: unknown) => reason)) as APIError;
    expect(shown).toContain(error.status);
    expect(error).toBeInstanceOf(status === 429 ? RateLimitError : InternalServerError);
    expect(error.headers?.get('x-should-retry')).toBe('true');
    expect((await stack.simulator.closedJournal(since)).map((call) => call.status)).toEqual([status, status, status]);
  });

  it('that limits one model serves its others', async () => {
    await waitUntilHealthy('gm-2.5-flash');
    const send = (model: string, text: string) => post({ model, messages: userMessages(text) });
    expect((await send('gm-2.5-flash', '{{sim status=429 retry_after=4}}')).status).toBe(429);
    expect((await send('gm-3.5-flash-lite', 'Hello')).status).toBe(200);
    await waitUntilHealthy('gm-2.5-flash');
  });

  it("that fails for one customer's prompts still serves the others", async () => {
    const other = await stack.createCustomer({ creditUsd: '10' });
    customers.push(other);
    await waitUntilHealthy(DEFAULT_MODEL);
    const failing = () => chat({ messages: userMessages('{{sim status=500}}') });
    const isRejected = async () => {
      const since = await stack.simulator.lastSeq();
      const { status } = await failing();
      expect([502, 503]).toContain(status);
      return (await stack.simulator.closedJournal(since)).length === 0;
    };
    await eventually(isRejected);
    const sendAsOther = () => post({ model: DEFAULT_MODEL, messages: userMessages('Hello') }, { key: other.apiKey });
    expect((await sendAsOther()).status).toBe(200);
    await Promise.all(Array.from({ length: 20 }, failing));
    expect((await sendAsOther()).status).toBe(200);
  });

  it('that stalls is given up in time and not called twice', async () => {
    await waitUntilHealthy('cl-sonnet-4-6');
    const since = await stack.simulator.lastSeq();
    const startedAtMs = Date.now();
    await expect(create('{{sim hang}}', 'cl-sonnet-4-6')).rejects.toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    });
    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(UPSTREAM_SILENCE_MS - 100);
    const calls = await stack.simulator.closedJournal(since);
    expect(calls).toMatchObject([{ client_aborted: true, billed: null }]);
  });

  it('that drops the connection is not called twice: it may have run the request', async () => {
    await waitUntilHealthy('cl-sonnet-4-6');
    await stack.simulator.fault({ vendor: 'anthropic', drop: true });
    const since = await stack.simulator.lastSeq();
    await expect(create('Hello', 'cl-sonnet-4-6')).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
    expect(await stack.simulator.closedJournal(since)).toHaveLength(1);
  });

  it.each(models)('of %s that returns an invalid response causes a 502', async (model) => {
    await waitUntilHealthy(model);
    await expect(create('{{sim garbage}}', model)).rejects.toMatchObject({ status: 502, type: 'upstream_error' });
  });

  it.each(
    models
      .filter((id) => !REASONING_MODELS.includes(id))
      .flatMap((id) => ['cut_after=3', 'error_after=3', 'hang_after=3'].map((fault) => [id, fault] as const)),
  )('of %s whose stream breaks off (%s) is never ended as complete', async (model, fault) => {
    await waitUntilHealthy(model);
    const body = { model, messages: userMessages(`{{sim chunks=9 reasoning_tokens=1 ${fault}}}`), stream: true };
    const { status, text } = await post(body);
    expect(status).toBe(200);
    expect(text).not.toContain('[DONE]');
    const last = text.trimEnd().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace(/^data: /, ''))).toMatchObject({
      error: { type: 'upstream_error', code: expect.any(String) },
    });
    const read = async (): Promise<void> => {
      for await (const _chunk of await client.chat.completions.create({ ...body, stream: true }));
    };
    await waitUntilHealthy(model);
    await expect(read()).rejects.toBeInstanceOf(APIError);
  });

  it('whose stream breaks off causes an error in the client library', async () => {
    await waitUntilHealthy(DEFAULT_MODEL);
    const read = async (): Promise<void> => {
      const messages = userMessages('{{sim chunks=9 error_after=3}}');
      for await (const _ of await client.chat.completions.create({ model: DEFAULT_MODEL, messages, stream: true }));
    };
    await expect(read()).rejects.toBeInstanceOf(APIError);
  });

  it("that rejects the gateway's credential never causes a client error", async () => {
    const status = 401;
    // A rejected credential has a cooldown of a minute: this case comes after all others.
    const model = 'qn3.8-omni-flash';
    await waitUntilHealthy(model);
    const response = await post({ model, messages: userMessages(`{{sim status=${status}}}`) });
    expect([502, 503]).toContain(response.status);
    expect(response.headers['www-authenticate']).toBeUndefined();
    expect(response.text).not.toMatch(/api.?key|credential|simulator/i);
    // The only credential cools down for a minute: the first request and all during it get this error.
    const later = await post({ model, messages: userMessages('Are you well?') });
    expect([response.status, later.status]).toEqual([503, 503]);
    for (const { headers } of [response, later]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(30);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    await eventually(() => {
      const shown = rejectedCredentials().filter(({ vendor }) => vendor === 'dashscope');
      expect(shown).toEqual([expect.objectContaining({ level: 50, status, channel: expect.any(String) })]);
    });
  });
});

/** Lines of the worker's log about rejected credentials. */
const rejectedCredentials = (): readonly Record<string, unknown>[] =>
  stack.system
    .instance('sync-worker')
    .log()
    .split('\n')
    .filter((line) => line.includes('vendor rejected a credential'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The body of the simulator's error for the exact bytes that the gateway had sent. */
async function simulatorError(path: string, seq: number): Promise<string> {
  const [sent] = await stack.simulator.requests(seq - 1);
  if (sent === undefined) throw new Error(`the simulator has dropped ${path}`);
  const { host: _, connection: _c, 'content-length': _l, 'transfer-encoding': _t, ...headers } = sent.headers;
  const response = await fetch(`${stack.system.simulatorUrl}${sent.path}`, {
    method: 'POST',
    headers,
    body: sent.body,
  });
  expect(response.status).toBe(400);
  return response.text();
}

/** Drops the vendor's own request id, which differs in each call. */
const withoutRequestId = (body: string): string => body.replace(/"request_id":"[^"]+"/, '"request_id":"…"');

/** Waits until a vendor responds: open breakers and cooldowns of earlier faults are over. */
async function waitUntilHealthy(model: string): Promise<void> {
  await eventually(() => create('Are you well?', model), { intervalMs: 100 });
}

describe('afterwards', () => {
  it('leaves a consistent ledger', async () => {
    await expectConsistentLedger(stack, customers);
  });
});
