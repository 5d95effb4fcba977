import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ModelEntry, newApiKey } from '@gateway/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QUESTION, refusal } from '../test-support/samples.js';
import { ALL_MODELS, TestServer } from '../test-support/test-server.js';

const server = await TestServer.start({ MCP_BODY_LIMIT_BYTES: '200000' });
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

describe('a caller', () => {
  it.each([
    ['no key', undefined],
    ['no bearer', 'Basic abc'],
    ['a malformed key', 'Bearer sk-123'],
    ['a mistyped key', `Bearer ${newApiKey().slice(0, -1)}?`],
  ])('with %s gets 401 before any other check', async (_, authorization) => {
    const headers = {
      'content-type': 'text/plain',
      origin: 'https://evil.example',
      ...(authorization && { authorization }),
    };
    const response = await fetch(server.url, { method: 'POST', headers, body: 'x'.repeat(300_000) });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="gateway", error="invalid_token"');
    expect(await response.json()).toMatchObject({ error: { data: { code: 'invalid_api_key' } } });
    expect(gateway.requests).toEqual([]);
  });

  it('with an unknown key gets 401, from one request to the gateway for three tries', async () => {
    const apiKey = newApiKey();
    const known = { json: { object: 'list', data: ALL_MODELS } };
    gateway.on('GET /v1/models', ({ headers }) =>
      headers.authorization === `Bearer ${apiKey}` ? refusal(401, 'invalid_api_key', 'No.') : known,
    );
    const tries = await Promise.all(
      [1, 2, 3].map(() => server.send({}, { headers: { authorization: `Bearer ${apiKey}` } })),
    );
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(tries[0]?.headers.get('www-authenticate')).toContain('Bearer');
    expect(gateway.requestsTo('/v1/models')).toHaveLength(1);
  });

  it('with a refused account gets 403, and 503 with retry-after while the gateway is unavailable', async () => {
    const models = { json: { object: 'list', data: [...ALL_MODELS] } };
    gateway.on('GET /v1/models', refusal(403, 'permission_denied', 'This account is suspended.'));
    const forbidden = await server.send({}, { headers: { authorization: `Bearer ${newApiKey()}` } });
    expect([forbidden.status, await forbidden.text()]).toEqual([
      403,
      expect.stringContaining('This account is suspended.'),
    ]);
    gateway.on('GET /v1/models', refusal(503, 'service_unavailable', 'Later.'));
    const later = await server.send({}, { headers: { authorization: `Bearer ${newApiKey()}` } });
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '1']);
    gateway.on('GET /v1/models', models);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page with a null origin', { origin: 'null' }, 403],
    ['a page of this machine', { origin: 'http://localhost:5173' }, 200],
    ['a program', {}, 200],
  ])('that is %s gets the right status', async (_, headers, status) => {
    const response = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers });
    expect(response.status).toBe(status);
    await response.text();
  });

  it('may add a trailing slash and still needs a key', async () => {
    const init = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) };
    const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const list = (headers: object) => fetch(`${server.url}/`, { ...init, headers: { ...accept, ...headers } });
    expect((await list({})).status).toBe(401);
    expect((await list({ authorization: `Bearer ${server.apiKey}` })).status).toBe(200);
  });

  it.each([
    ['every type', '*/*', 200],
    ['JSON or every type', 'application/json, */*;q=0.5', 200],
    ['only JSON', 'application/json', 406],
  ])('that accepts %s gets the right status', async (_, accept, status) => {
    const response = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers: { accept } });
    expect(response.status).toBe(status);
    await response.text();
  });

  it('that is a browser gets CORS headers', async () => {
    const response = await fetch(server.url, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    expect((await fetch(server.url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
  });

  it.each([
    ['GET', undefined, {}, 405, -32_000],
    ['DELETE', undefined, {}, 405, -32_000],
    ['POST', '{"jsonrpc":', {}, 400, -32_700],
    ['POST', undefined, {}, 400, -32_700],
    ['POST', '[]', {}, 400, -32_600],
    ['POST', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, {}, 400, -32_600],
    ['POST', 'hello', { 'content-type': 'text/plain' }, 415, -32_000],
    ['POST', '{}', { 'content-encoding': 'gzip' }, 415, -32_000],
    ['POST', `"${'x'.repeat(200_001)}"`, {}, 413, -32_000],
  ])('that sends %s with %p gets a JSON-RPC error', async (method, body, headers, status, code) => {
    const response = await server.send(body?.slice(0, 300_000), { method, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', '400 Bad Request', 'invalid_request'],
    [
      'longer headers than are read',
      `GET /mcp HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headers_too_large',
    ],
  ])('that sends %s gets the error of every address, with an id', async (_, sent, status, code) => {
    const { hostname, port } = server.url;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(sent);
    const [head, body = ''] = String((await once(socket, 'data'))[0]).split('\r\n\r\n');
    socket.destroy();
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\\r\\nx-request-id: req_`));
    expect(JSON.parse(body)).toMatchObject({ error: { code } });
  });
});

describe('the list of tools', () => {
  const keyWith = (models: readonly ModelEntry[]): string => {
    const apiKey = newApiKey();
    gateway.on('GET /v1/models', ({ headers }) => ({
      json: { object: 'list', data: headers.authorization === `Bearer ${apiKey}` ? models : ALL_MODELS },
    }));
    return apiKey;
  };
  const namesFor = (...how: Parameters<TestServer['connect']>): Promise<string[]> =>
    server.using(async (client) => (await client.listTools()).tools.map(({ name }) => name), ...how);
  const FREE = ['list_models', 'quote', 'get_balance', 'get_result', 'cancel_request'];

  it('depends on the models that the key may use', async () => {
    const speaking = keyWith(ALL_MODELS.filter(({ endpoints }) => endpoints.includes('/v1/audio/speech')));
    expect(await namesFor('auto', {}, speaking)).toEqual(['speak', ...FREE]);
    await expect(server.call('chat', QUESTION, 'auto', {}, speaking)).rejects.toThrow(
      /chat is not offered to this key/,
    );
    expect(await namesFor('auto', {}, keyWith([]))).toEqual(FREE);
  });

  it('has the tool that makes keys only where x-mcp-tools names it', async () => {
    const apiKey = keyWith(ALL_MODELS);
    expect(await namesFor('auto', {}, apiKey)).not.toContain('create_child_key');
    await expect(server.call('create_child_key', { budget_usd: '1' }, 'auto', {}, apiKey)).rejects.toThrow(
      /offered only where the header x-mcp-tools names it/,
    );
    expect(await namesFor('auto', { 'x-mcp-tools': 'create_child_key' }, apiKey)).toEqual(['create_child_key']);
  });

  it('is filtered by x-mcp-tools, for lists and calls', async () => {
    const narrow = { 'x-mcp-tools': 'embed, chat' };
    expect(await namesFor('auto', narrow, keyWith(ALL_MODELS))).toEqual(['chat', 'embed']);
    await expect(server.call('get_balance', {}, 'legacy', narrow)).rejects.toThrow(/not offered/);
    expect(gateway.requestsTo('/account/balance')).toEqual([]);
  });

  it.each(['chat,imagine', ''])('is refused for the header %p', async (header) => {
    const response = await server.send({}, { headers: { 'x-mcp-tools': header } });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('x-mcp-tools')]);
  });

  it('is filtered by MCP_TOOLS', async () => {
    const narrow = await TestServer.start({ MCP_TOOLS: 'chat,quote' });
    try {
      const client = await narrow.connect();
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['chat', 'quote']);
      await client.close();
    } finally {
      await narrow.stop();
    }
  });
});

describe('requests without a valid key', () => {
  it.each([
    ['without a key', 401, '/mcp', undefined],
    ['with one unknown key', 401, '/mcp', newApiKey()],
    ['to unknown paths', 404, '/none', undefined],
    ['to paths that do not decode', 400, '/%E0%A4%A', undefined],
  ])('%s end in 429 for their address, and another key passes', async (_name, status, path, apiKey) => {
    const flooded = await TestServer.start();
    const { origin } = flooded;
    flooded.gateway.on('GET /v1/models', ({ headers }) =>
      headers.authorization === `Bearer ${apiKey}`
        ? refusal(401, 'invalid_api_key', 'No.')
        : { json: { object: 'list', data: ALL_MODELS } },
    );
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const statuses = new Set<number>();
    while (!statuses.has(429)) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${origin}${path}`, { method: 'POST', headers })),
      );
      for (const answer of answers) statuses.add(answer.status);
    }
    expect([...statuses].sort()).toEqual([status, 429]);
    expect((await flooded.send({})).status).toBe(400);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await flooded.stop();
  });
});

describe('long messages of one account', () => {
  const MEBIBYTE = 1024 * 1024;
  const LONG = `Content-Length: ${40 * MEBIBYTE}`;
  const opened: Socket[] = [];
  let roomy: TestServer;
  beforeAll(async () => {
    roomy = await TestServer.start();
  });
  afterAll(async () => {
    for (const socket of opened) socket.destroy();
    await roomy.stop();
  });

  /** Begins a message of that length, whose bytes do not come. */
  function begin(length: string, type = 'application/json'): Socket {
    const { hostname, port, host } = roomy.url;
    const socket = connect(Number(port), hostname);
    opened.push(socket);
    socket.on('error', () => undefined);
    const lines = [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${roomy.apiKey}`,
      `Content-Type: ${type}`,
      length,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  const answerOf = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

  /** Repeats a long message of a type that is refused with 415 unread, until it gets this status. */
  async function until(status: number): Promise<string> {
    for (;;) {
      const answer = await answerOf(begin(LONG, 'text/plain'));
      if (answer.startsWith(`HTTP/1.1 ${status}`)) return answer;
    }
  }

  it('have a share of the memory, and the next ones are refused until one has ended', async () => {
    const held = [begin(LONG), begin(LONG)];
    expect((await until(429)).toLowerCase()).toContain('retry-after: 2');
    const chunked = begin('Transfer-Encoding: chunked');
    chunked.write(`${(20 * MEBIBYTE).toString(16)}\r\n`);
    chunked.write(Buffer.alloc(20 * MEBIBYTE, ' '));
    expect(await answerOf(chunked)).toMatch(/^HTTP\/1\.1 429/);
    const short = await roomy.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(short.status).toBe(200);
    await short.text();
    for (const socket of held) socket.destroy();
    expect(await until(415)).toContain('415');
  });
});

describe('a key that sends too many messages', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const many = Array.from({ length: 90 }, (_, id) => id);

  it('gets 429 after one batch, and another key passes', async () => {
    const flooded = await TestServer.start({ MESSAGES_PER_SECOND: '1' });
    expect((await flooded.send(many.map(ping))).status).toBe(200);
    const refused = await flooded.send(ping(1));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${newApiKey()}` };
    expect((await flooded.send(ping(1), { headers })).status).toBe(200);
    await flooded.stop();
  });

  it('gets 429 once the keys of its account have sent too many together', async () => {
    const flooded = await TestServer.start({ ACCOUNT_MESSAGES_PER_SECOND: '1' });
    const json = { object: 'list', data: [] };
    const ofAccount = (accountId: string) =>
      flooded.gateway.on('GET /v1/models', { json, headers: { 'openai-organization': accountId } });
    const send = (message: object) =>
      flooded.send(message, { headers: { authorization: `Bearer ${newApiKey()}` } }).then(({ status }) => status);
    ofAccount('acct_a');
    expect([await send(many.map(ping)), await send(ping(1))]).toEqual([200, 429]);
    ofAccount('acct_b');
    expect(await send(ping(1))).toBe(200);
    await flooded.stop();
  });

  it('gets 402 for a long message while its account has nothing to spend', async () => {
    const poor = await TestServer.start();
    const json = { object: 'list', data: [] };
    const send = (bytes: number) =>
      poor.send(
        { ...ping(1), params: { padding: 'x'.repeat(bytes) } },
        { headers: { authorization: `Bearer ${newApiKey()}` } },
      );
    poor.gateway.on('GET /v1/models', { json, headers: { 'x-may-spend': 'false' } });
    const refused = await send(300 * 1024);
    expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('Add credit before')]);
    expect((await send(100 * 1024)).status).toBe(200);
    poor.gateway.on('GET /v1/models', { json });
    expect((await send(300 * 1024)).status).toBe(200);
    await poor.stop();
  });

  it('gets 429 for requests that have no message', async () => {
    const flooded = await TestServer.start({ MESSAGES_PER_SECOND: '1' });
    const headers = { authorization: `Bearer ${flooded.apiKey}` };
    const answers = await Promise.all(many.map(() => fetch(flooded.url, { headers })));
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([405, 429]);
    await flooded.stop();
  });
});
