import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { newApiKey } from '@gateway/contracts';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Progress } from '@modelcontextprotocol/client';
import { CHAT, COMPLETION, QUESTION, textOf, until } from '../test-support/samples.js';
import { ALL_MODELS, TestServer } from '../test-support/test-server.js';
import { TOOLS } from '../tools/all-tools.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

const ERAS = ['auto', 'legacy'] as const;

describe.each(ERAS)('a client with the handshake %s', (era) => {
  it('lists every tool that needs no request, with the models of its key', async () => {
    const { tools } = await server.using((client) => client.listTools(), era);
    expect(tools.map(({ name }) => name)).toEqual(
      TOOLS.filter(({ isOnRequest }) => isOnRequest !== true).map(({ name }) => name),
    );
    const embed = tools.find(({ name }) => name === 'embed');
    const embedding = ALL_MODELS.filter(({ endpoints }) => endpoints.includes('/v1/embeddings')).map(({ id }) => id);
    expect(embed?.inputSchema.properties?.model).toMatchObject({ enum: embedding });
  });

  it('gets the gateway response unchanged, with its facts', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION, headers: { 'x-cost-usd': '0.0001', 'x-balance-usd': '9.9999' } });
    const result = await server.call('chat', QUESTION, era, {
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    });
    const [received] = gateway.requestsTo(CHAT);
    expect(received?.json).toEqual(QUESTION);
    expect(received?.headers).toMatchObject({
      authorization: `Bearer ${server.apiKey}`,
      'x-forwarded-for': '127.0.0.1',
      traceparent: expect.stringMatching(new RegExp(`^00-${'a'.repeat(32)}-`)),
    });
    expect(received?.headers['idempotency-key']).toBeUndefined();
    expect(textOf(result)).toBe('Hello!');
    expect(result.structuredContent).toEqual({
      ...COMPLETION,
      gateway: { request_id: expect.stringMatching(/^req_/), cost_usd: '0.0001', balance_usd: '9.9999' },
    });
  });

  it('gets a stream as progress and then the whole response', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...COMPLETION, object: 'chat.completion.chunk', usage: null, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    gateway.on(`POST ${CHAT}`, (_request, raw) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_stream' });
      raw.write(chunk({ role: 'assistant', content: 'Hel' }) + chunk({ content: 'lo!' }).slice(0, 20));
      raw.write(chunk({ content: 'lo!' }).slice(20) + chunk({}, 'stop'));
      raw.write(`data: ${JSON.stringify({ ...COMPLETION, object: 'chat.completion.chunk', choices: [] })}\n\n`);
      raw.end('data: [DONE]\n\n: cost cost_usd=0.002 balance_usd=9.998\n\n');
      return undefined;
    });
    const seen: Progress[] = [];
    const result = await server.using(
      (client) =>
        client.callTool({ name: 'chat', arguments: QUESTION }, { onprogress: (progress) => void seen.push(progress) }),
      era,
    );
    expect(gateway.requestsTo(CHAT)[0]).toMatchObject({
      json: { ...QUESTION, stream: true, stream_options: { include_usage: true } },
      headers: { 'x-include-cost': 'true' },
    });
    expect(seen.map(({ progress, message }) => [progress, message])).toEqual([
      [3, 'Hel'],
      [6, 'lo!'],
    ]);
    expect(result.structuredContent).toEqual({
      ...COMPLETION,
      gateway: { request_id: 'req_stream', cost_usd: '0.002', balance_usd: '9.998' },
    });
  });

  it('cancels a call, which aborts the request to the gateway', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    await server.using(async (client) => {
      const cancel = new AbortController();
      const running = client.callTool({ name: 'chat', arguments: QUESTION }, { signal: cancel.signal });
      await until(() => gateway.requestsTo(CHAT).length === 1);
      cancel.abort();
      await expect(running).rejects.toThrow();
      await until(() => gateway.abortedCount === 1);
    }, era);
  });

  it('disconnects, which aborts the request to the gateway', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const client = await server.connect(era);
    const running = client.callTool({ name: 'chat', arguments: QUESTION }).catch((error: unknown) => error);
    await until(() => gateway.requestsTo(CHAT).length === 1);
    await client.close();
    await until(() => gateway.abortedCount === 1);
    expect(await running).toBeInstanceOf(Error);
  });

  it('gets the known tool names for an unknown one', async () => {
    await expect(server.call('imagine', {}, era)).rejects.toThrow(/imagine not found: there are chat, message/);
  });
});

describe('notifications/cancelled', () => {
  const body = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'chat', arguments: QUESTION },
  });
  const cancelled = (requestId: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });
  const session = (id: string) => ({ headers: { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' } });

  it('cancels only the call of that session and key', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const other = { headers: { ...session('a').headers, authorization: `Bearer ${newApiKey()}` } };
    const sent = [server.send(body(1), session('a')), server.send(body(1), session('b')), server.send(body(1), other)];
    await until(() => gateway.requestsTo(CHAT).length === 3);
    expect((await server.send(cancelled(2), session('a'))).status).toBe(202);
    expect((await server.send(cancelled(1), session('a'))).status).toBe(202);
    await until(() => gateway.abortedCount === 1);
    const [first] = await Promise.all(sent);
    expect(await first?.text()).toContain('client_closed_request');
    await server.send(cancelled(1), session('b'));
    await until(() => gateway.abortedCount === 2);
    await server.send(cancelled(1), other);
    await until(() => gateway.abortedCount === 3);
  });

  it('cancels nothing if two calls share the id', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const disconnect = new AbortController();
    const sent = [1, 2].map(() =>
      server.send(body(9), { signal: disconnect.signal }).then((response) => response.text()),
    );
    await until(() => gateway.requestsTo(CHAT).length === 2);
    await server.send(cancelled(9));
    expect(gateway.abortedCount).toBe(0);
    disconnect.abort();
    await Promise.allSettled(sent);
    await until(() => gateway.abortedCount === 2);
  });
});

describe('a key at MCP_CALLS_PER_KEY', () => {
  it('gets 429 for one more call, and is served again once one has ended', async () => {
    const narrow = await TestServer.start({ MCP_CALLS_PER_KEY: '2' });
    const client = await narrow.connect();
    narrow.gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const disconnect = new AbortController();
    const chat = { name: 'chat', arguments: QUESTION };
    const running = [1, 2].map(() => client.callTool(chat, { signal: disconnect.signal }).catch(String));
    await until(() => narrow.gateway.requestsTo(CHAT).length === 2);
    expect(textOf(await client.callTool(chat))).toContain('rate_limit_exceeded: This key has 2 tool calls running');
    disconnect.abort();
    await Promise.all(running);
    await until(() => narrow.gateway.abortedCount === 2);
    narrow.gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    expect(textOf(await client.callTool(chat))).toBe('Hello!');
    await client.close();
    await narrow.stop();
  });
});

describe('a client that disconnects during a stream', () => {
  it('aborts the request to the gateway', async () => {
    gateway.on(`POST ${CHAT}`, (_request, raw) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream' });
      raw.write('data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n');
      return undefined;
    });
    const disconnect = new AbortController();
    const params = { name: 'chat', arguments: QUESTION, _meta: { progressToken: 1 } };
    const response = await server.send(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { signal: disconnect.signal },
    );
    await response.body?.getReader().read();
    disconnect.abort();
    await until(() => gateway.abortedCount === 1);
  });
});

describe('the process', () => {
  it('is alive, and ready while the gateway is healthy', async () => {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    gateway.on('GET /healthz', { status: 500, json: {} });
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    gateway.on('GET /healthz', { json: {} });
  });

  it('counts calls by tool and outcome', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    await server.call('chat', QUESTION);
    await server.call('chat', { ...QUESTION, max_cost_usd: 'much' });
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    expect(text).toMatch(/gateway_mcp_tool_calls_total\{tool="chat",outcome="ok",service="mcp-server"\} [1-9]/);
    expect(text).toMatch(/gateway_mcp_tool_calls_total\{tool="chat",outcome="refused",service="mcp-server"\} [1-9]/);
    expect(text).toMatch(/gateway_mcp_tool_calls_total\{tool="chat",outcome="cancelled",service="mcp-server"\} [1-9]/);
    expect(text).toMatch(/gateway_mcp_running_calls\{service="mcp-server"\} 0/);
  });

  it('finishes running calls before it stops, and aborts the slow ones', async () => {
    const ending = await TestServer.start();
    const { promise: mayRespond, resolve: respondNow } = Promise.withResolvers<void>();
    ending.gateway.on(`POST ${CHAT}`, async ({ json }) => {
      if (json.seed === 1) await mayRespond;
      else await new Promise(() => undefined);
      return { json: COMPLETION };
    });
    const client = await ending.connect();
    const short = client.callTool({ name: 'chat', arguments: { ...QUESTION, seed: 1 } });
    const long = client.callTool({ name: 'chat', arguments: { ...QUESTION, seed: 2 } });
    await until(() => ending.gateway.requestsTo(CHAT).length === 2);
    const finished = ending.running.finishCalls(200);
    respondNow();
    expect(textOf(await short)).toBe('Hello!');
    expect(textOf(await long)).toContain('client_closed_request');
    await finished;
    await client.close();
    await ending.stop();
  });

  it('closes a kept-alive connection after its next response', async () => {
    const ending = await TestServer.start();
    ending.gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = {
      authorization: `Bearer ${ending.apiKey}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    };
    const call = async (): Promise<string | undefined> => {
      const sending = request(ending.url, { method: 'POST', agent, headers });
      const params = { name: 'chat', arguments: QUESTION };
      sending.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      expect(Buffer.concat(await response.toArray()).toString()).toContain('Hello!');
      return response.headers.connection;
    };
    expect(await call()).toBe('keep-alive');
    const finished = ending.running.finishCalls(60_000);
    expect(await call()).toBe('close');
    await finished;
    await ending.stop();
    agent.destroy();
  });
});
