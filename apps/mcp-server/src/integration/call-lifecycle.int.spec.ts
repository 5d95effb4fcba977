import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { newApiKey } from '@gateway/contracts';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Progress } from '@modelcontextprotocol/client';
import { CHAT, COMPLETION, QUESTION, textOf, until } from './test-support/samples.js';
import { ALL_MODELS, TestServer } from './test-support/test-server.js';
import { TOOLS } from './tools/all-tools.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.asked.length = 0;
  gateway.left = 0;
});

const ERAS = ['auto', 'legacy'] as const;

describe.each(ERAS)('a client of the era %s', (era) => {
  it('finds every tool, with a schema that names the models of its key', async () => {
    const { tools } = await server.using((client) => client.listTools(), era);
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const embed = tools.find(({ name }) => name === 'embed');
    const embedding = ALL_MODELS.filter(({ endpoints }) => endpoints.includes('/v1/embeddings')).map(({ id }) => id);
    expect(embed?.inputSchema.properties?.model).toMatchObject({ enum: embedding });
  });

  it('gets an answer as the gateway gave it, with its facts', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION, headers: { 'x-cost-usd': '0.0001', 'x-balance-usd': '9.9999' } });
    const result = await server.call('chat', QUESTION, era, {
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    });
    const [asked] = gateway.to(CHAT);
    expect(asked?.json).toEqual(QUESTION);
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${server.apiKey}`,
      'x-forwarded-for': '127.0.0.1',
      traceparent: expect.stringMatching(new RegExp(`^00-${'a'.repeat(32)}-`)),
    });
    expect(asked?.headers['idempotency-key']).toBeUndefined();
    expect(textOf(result)).toBe('Hello!');
    expect(result.structuredContent).toEqual({
      ...COMPLETION,
      gateway: { request_id: expect.stringMatching(/^req_/), cost_usd: '0.0001', balance_usd: '9.9999' },
    });
  });

  it('sees a stream as progress and gets the whole answer', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...COMPLETION, object: 'chat.completion.chunk', usage: null, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    gateway.on(`POST ${CHAT}`, (_asked, raw) => {
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
    expect(gateway.to(CHAT)[0]).toMatchObject({
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

  it('cancels, and the request at the gateway ends', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    await server.using(async (client) => {
      const cancel = new AbortController();
      const running = client.callTool({ name: 'chat', arguments: QUESTION }, { signal: cancel.signal });
      await until(() => gateway.to(CHAT).length === 1);
      cancel.abort();
      await expect(running).rejects.toThrow();
      await until(() => gateway.left === 1);
    }, era);
  });

  it('leaves, and the request at the gateway ends', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const client = await server.connect(era);
    const running = client.callTool({ name: 'chat', arguments: QUESTION }).catch((error: unknown) => error);
    await until(() => gateway.to(CHAT).length === 1);
    await client.close();
    await until(() => gateway.left === 1);
    expect(await running).toBeInstanceOf(Error);
  });

  it('is told of a tool that there is none of, and which there are', async () => {
    await expect(server.call('imagine', {}, era)).rejects.toThrow(/imagine not found: there are chat, message/);
  });
});

describe('cancelling by name', () => {
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

  it('ends the call of that session, not one of the same number of another client or another key', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const other = { headers: { ...session('a').headers, authorization: `Bearer ${newApiKey()}` } };
    const sent = [server.send(body(1), session('a')), server.send(body(1), session('b')), server.send(body(1), other)];
    await until(() => gateway.to(CHAT).length === 3);
    expect((await server.send(cancelled(2), session('a'))).status).toBe(202);
    expect((await server.send(cancelled(1), session('a'))).status).toBe(202);
    await until(() => gateway.left === 1);
    const [first] = await Promise.all(sent);
    expect(await first?.text()).toContain('client_closed_request');
    await server.send(cancelled(1), session('b'));
    await until(() => gateway.left === 2);
    await server.send(cancelled(1), other);
    await until(() => gateway.left === 3);
  });

  it('ends nothing where two calls have that name', async () => {
    gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const leave = new AbortController();
    const sent = [1, 2].map(() => server.send(body(9), { signal: leave.signal }).then((answer) => answer.text()));
    await until(() => gateway.to(CHAT).length === 2);
    await server.send(cancelled(9));
    expect(gateway.left).toBe(0);
    leave.abort();
    await Promise.allSettled(sent);
    await until(() => gateway.left === 2);
  });
});

describe('a key with as many calls as it may have at once', () => {
  it('is refused one more, and served again when one has ended', async () => {
    const narrow = await TestServer.start({ MCP_CALLS_PER_KEY: '2' });
    const client = await narrow.connect();
    narrow.gateway.on(`POST ${CHAT}`, () => new Promise(() => undefined));
    const leave = new AbortController();
    const chat = { name: 'chat', arguments: QUESTION };
    const running = [1, 2].map(() => client.callTool(chat, { signal: leave.signal }).catch(String));
    await until(() => narrow.gateway.to(CHAT).length === 2);
    expect(textOf(await client.callTool(chat))).toContain('rate_limit_exceeded: This key has 2 tool calls running');
    leave.abort();
    await Promise.all(running);
    await until(() => narrow.gateway.left === 2);
    narrow.gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    expect(textOf(await client.callTool(chat))).toBe('Hello!');
    await client.close();
    await narrow.stop();
  });
});

describe('a client that reads nothing of what it asked for', () => {
  it('is let go when its socket closes in the middle of a stream', async () => {
    gateway.on(`POST ${CHAT}`, (_asked, raw) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream' });
      raw.write('data: {"choices":[{"delta":{"content":"Hal"}}]}\n\n');
      return undefined;
    });
    const leave = new AbortController();
    const params = { name: 'chat', arguments: QUESTION, _meta: { progressToken: 1 } };
    const answer = await server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { signal: leave.signal });
    await answer.body?.getReader().read();
    leave.abort();
    await until(() => gateway.left === 1);
  });
});
describe('the process', () => {
  it('says that it is alive, and ready while a gateway answers', async () => {
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

  it('finishes the calls in hand before it ends, and breaks off what takes too long', async () => {
    const ending = await TestServer.start();
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    ending.gateway.on(`POST ${CHAT}`, async ({ json }) => {
      if (json.seed === 1) await mayAnswer;
      else await new Promise(() => undefined);
      return { json: COMPLETION };
    });
    const client = await ending.connect();
    const short = client.callTool({ name: 'chat', arguments: { ...QUESTION, seed: 1 } });
    const long = client.callTool({ name: 'chat', arguments: { ...QUESTION, seed: 2 } });
    await until(() => ending.gateway.to(CHAT).length === 2);
    const finished = ending.running.finishCalls(200);
    answerNow();
    expect(textOf(await short)).toBe('Hello!');
    expect(textOf(await long)).toContain('client_closed_request');
    await finished;
    await client.close();
    await ending.stop();
  });

  it('tells a client that keeps its connection which answer is the last on it, and then ends', async () => {
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
      const asking = request(ending.url, { method: 'POST', agent, headers });
      const params = { name: 'chat', arguments: QUESTION };
      asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      expect(Buffer.concat(await answer.toArray()).toString()).toContain('Hello!');
      return answer.headers.connection;
    };
    expect(await call()).toBe('keep-alive');
    const finished = ending.running.finishCalls(60_000);
    expect(await call()).toBe('close');
    await finished;
    await ending.stop();
    agent.destroy();
  });
});
