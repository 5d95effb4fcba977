import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ModelEntry, newApiKey } from '@gateway/contracts';
import {
  callJson,
  eventually,
  expectedCost,
  type InvoiceUsage,
  MCP_CLIENTS,
  type McpClient,
  type McpConnection,
  nanoOf,
  openResponse,
  type SettlementRow,
  startTestStack,
  textOf,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { MCP_CALLS, type McpCall } from './mcp-calls.js';

const stack = await startTestStack();
await stack.system.add('mcp-server');
const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
const mcpUrl = stack.system.mcpUrl as string;
const to: McpConnection = { url: mcpUrl, apiKey: customer.apiKey };

const opened: McpClient[] = [];
async function connect(kind: keyof typeof MCP_CLIENTS, more: Partial<McpConnection> = {}): Promise<McpClient> {
  const client = await MCP_CLIENTS[kind]({ ...to, ...more });
  opened.push(client);
  return client;
}
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await stack.simulator.clearFaults();
});
afterAll(() => stack.stop());

const KINDS = Object.keys(MCP_CLIENTS) as (keyof typeof MCP_CLIENTS)[];
const KIND = 'current release';
/** Its streams of text stop when they are left. */
const CANCELLED = 'cl-sonnet-4-6';
const entryOf = (id: string) => callJson<ModelEntry>(`${stack.baseUrl}/v1/models/${id}`, { token: customer.apiKey });

/** The settlements that an act caused. */
async function settledBy(act: () => Promise<unknown>): Promise<readonly SettlementRow[]> {
  await waitUntilSettled(stack, [customer]);
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act();
  await waitUntilSettled(stack, [customer]);
  const all = await stack.ledger.settlements(customer.accountId);
  return all.filter(({ requestId }) => !before.has(requestId));
}

/** Decimal USD of nano-dollars. */
const formatNano = (nano: bigint): string =>
  `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;

const chargeOf = ([row]: readonly SettlementRow[]) =>
  row && { model: row.model, units: row.units, chargedNanoUsd: row.chargedNanoUsd, outcome: row.outcome };

async function overHttp({ path, given, body = given }: McpCall): Promise<void> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.apiKey}`, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  const bytes = await response.arrayBuffer();
  if (!response.ok) throw new Error(Buffer.from(bytes).toString());
}

describe.each(KINDS)('the official client in its %s', (kind) => {
  it('lists the tools with descriptions and input schemas', async () => {
    const tools = await (await connect(kind)).listTools();
    expect(tools.length).toBeGreaterThanOrEqual(14);
    for (const { description, inputSchema } of tools)
      expect([description, inputSchema]).toEqual([expect.any(String), expect.objectContaining({ type: 'object' })]);
  });

  it.each(MCP_CALLS.map((call) => [call.what, call] as const))('%s costs what it costs over HTTP', async (_, call) => {
    const client = await connect(kind);
    const overHttpCharge = await settledBy(() => overHttp(call));
    let result: Awaited<ReturnType<McpClient['call']>> | undefined;
    const settled = await settledBy(async () => {
      result = await client.call(call.tool, call.given);
    });
    expect([result?.isError ?? false, result?.content[0]?.type]).toEqual([false, call.content]);
    expect(settled).toHaveLength(1);
    expect(chargeOf(settled)).toEqual(chargeOf(overHttpCharge));
    expect(result?.structuredContent).toMatchObject({ gateway: { request_id: settled[0]?.requestId } });
  });

  it.each([
    ['chat', 'gm-2.5-flash'],
    ['chat', 'cl-sonnet-4-6'],
    ['message', 'cl-sonnet-4-6'],
    ['message', 'gm-2.5-flash'],
  ])('streams %s of %s as progress and pays the price of a whole response', async (tool, model) => {
    const client = await connect(kind);
    const given = { model, max_tokens: 200, messages: [{ role: 'user', content: '{{sim chunks=5 words=30}} Go' }] };
    const overHttpCharge = await settledBy(() => client.call(tool, given));
    const messages: string[] = [];
    let text = '';
    const settled = await settledBy(async () => {
      const options = { onprogress: ({ message = '' }) => void messages.push(message) };
      text = textOf(await client.call(tool, given, options));
    });
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.join('')).toBe(text);
    expect(chargeOf(settled)).toEqual(chargeOf(overHttpCharge));
  });

  it('reads the result of a long call later, and pays for it once', async () => {
    const client = await connect(kind);
    const given = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: '{{sim words=30}} Go' }] };
    const settled = await settledBy(async () => {
      const begun = await client.call('chat', { ...given, wait_seconds: 0 });
      const { request } = begun.structuredContent as { request: { id: string; status: string } };
      expect(request.status).toBe('queued');
      const args = { request_id: request.id };
      const [result, again] = [await client.call('get_result', args), await client.call('get_result', args)];
      expect(result.structuredContent).toMatchObject({
        choices: [{}],
        request: { id: request.id, status: 'completed' },
      });
      expect(textOf(again)).toBe(textOf(result));
    });
    expect(settled).toMatchObject([{ outcome: 'completed' }]);
  });

  it("receives the gateway's own error messages for free", async () => {
    const client = await connect(kind);
    const settled = await settledBy(async () => {
      const wrong = await client.call('chat', { model: 'gm-2.5-flash', messages: [], temperature: 3 });
      expect([wrong.isError, textOf(wrong)]).toEqual([
        true,
        expect.stringMatching(/^invalid_request: '(messages|temperature)'.* \(request req_\w+\)$/),
      ]);
      const unknown = await client.call('speak', { model: 'tts-9', input: 'Hello' });
      expect(textOf(unknown)).toContain('tts-9');
      const mismatch = await client.call('embed', { model: 'gm-2.5-flash', input: 'x' });
      expect(textOf(mismatch)).toContain('/v1/chat/completions');
    });
    expect(settled).toEqual([]);
  });

  it('reads the models of the key and its balance', async () => {
    const client = await connect(kind);
    const models = (await client.call('list_models', { endpoint: '/v1/audio/speech' })).structuredContent as {
      data: object[];
    };
    expect(models.data).toHaveLength(2);
    const { structuredContent } = await client.call('get_balance');
    expect(structuredContent).toMatchObject(await customer.balance());
  });

  it.each([
    // A call that the vendor has is cancelled with its first bytes. On a busy machine the vendor needs time to notice.
    ['before the first chunk', 'chunk_ms=1000 delay_ms=600'],
    // The vendor has sent exactly what passed.
    ['during the stream', 'hang_after=3'],
  ])("cancels %s: the upstream call is aborted, and charged at least the vendor's bill", async (moment, directive) => {
    const client = await connect(kind);
    const since = await stack.simulator.lastSeq();
    const given = { model: CANCELLED, messages: [{ role: 'user', content: `{{sim chunks=200 ${directive}}} Go` }] };
    const cancel = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const running = client.call('chat', given, { signal: cancel.signal, onprogress: () => begin() }).catch(String);
    if (moment === 'during the stream') await begun;
    else await eventually(async () => (await stack.simulator.journal(since)).length === 1);
    cancel.abort();
    expect(await running).toMatch(/abort/i);
    const [call] = await eventually(async () => {
      const calls = await stack.simulator.closedJournal(since);
      expect(calls).toHaveLength(1);
      return calls;
    });
    expect(call).toMatchObject({ client_aborted: true });
    await waitUntilSettled(stack, [customer]);
    const settlement = (await stack.ledger.settlements(customer.accountId)).at(-1);
    expect(settlement).toMatchObject({ outcome: 'aborted' });
    const billedNanoUsd = expectedCost(await entryOf(CANCELLED), call?.billed as InvoiceUsage);
    expect(billedNanoUsd).toBeGreaterThan(0n);
    expect(settlement?.chargedNanoUsd).toBeGreaterThanOrEqual(billedNanoUsd);
  });
});

describe('a key', () => {
  it.each([
    ['missing', undefined],
    ['mistyped', 'sk-nonsense'],
    ['unknown', newApiKey()],
  ])('that is %s is rejected with a challenge', async (_, apiKey) => {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await fetch(mcpUrl, { method: 'POST', headers, body: '{}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    await expect(MCP_CLIENTS['previous release']({ url: mcpUrl, apiKey: apiKey ?? '' })).rejects.toThrow();
  });

  it('that is revoked is rejected within five seconds', async () => {
    const { id, key } = await customer.newKey();
    const client = await connect(KIND, { apiKey: key });
    await client.call('get_balance');
    await customer.revokeKey(id);
    await eventually(() => expect(client.call('list_models')).rejects.toThrow(), { withinMs: 5_000 });
  });

  it('lists the tools of its models and endpoints and rejects the others', async () => {
    const { key } = await customer.newKey({
      models: ['vg-4-lite', 'cl-sonnet-4-6'],
      endpoints: ['embeddings', 'messages'],
    });
    const client = await connect(KIND, { apiKey: key });
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual(['message', 'embed', 'list_models', 'quote', 'get_balance', 'get_result', 'cancel_request']);
    await expect(client.call('chat', { model: 'cl-sonnet-4-6', messages: [] })).rejects.toThrow(
      /not offered to this key/,
    );
  });

  it('makes a key for another agent, with a budget of its own', async () => {
    const { key: parent } = await customer.newKey({ scopes: ['keys:children'], spend_cap_usd: '5' });
    const headers = { 'x-mcp-tools': 'create_child_key' };
    const client = await connect(KIND, { apiKey: parent, headers });
    const budget = { name: 'researcher', budget_usd: '0.50', minutes: 5, models: ['gm-2.5-flash'] };
    const made = await client.call('create_child_key', budget);
    expect([made.isError, textOf(made)]).toEqual([undefined, expect.stringContaining('sk-')]);
    const child = made.structuredContent as { readonly key: string; readonly models: readonly string[] };
    expect(child).toMatchObject({ spend_cap_usd: '0.50', models: ['gm-2.5-flash'] });
    const agent = await connect(KIND, { apiKey: child.key });
    expect((await agent.call('list_models')).structuredContent).toMatchObject({ data: [{ id: 'gm-2.5-flash' }] });
    const { key: other } = await customer.newKey();
    const refused = await (await connect(KIND, { apiKey: other, headers })).call('create_child_key', budget);
    expect(textOf(refused)).toContain('keys:children');
  });

  it('is restricted further by a request header', async () => {
    const client = await connect('previous release', { headers: { 'x-mcp-tools': 'embed,get_balance' } });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['embed', 'get_balance']);
  });
});

describe('the cost limit of a call', () => {
  it.each(MCP_CALLS.map((call) => [call.what, call] as const))(
    '%s: accepts its exact hold and rejects one nano-dollar less',
    async (_, call) => {
      const client = await connect(KIND);
      const { structuredContent } = await client.call('quote', { tool: call.tool, arguments: call.given });
      const quote = structuredContent as { valid: boolean; hold_usd: string };
      expect(quote).toMatchObject({ valid: true, hold_usd: expect.any(String) });
      const below = formatNano(nanoOf(quote.hold_usd) - 1n);
      const rejected = await settledBy(async () => {
        const result = await client.call(call.tool, { ...call.given, max_cost_usd: below });
        expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^max_cost_exceeded: /)]);
      });
      expect(rejected).toEqual([]);
      const settled = await settledBy(async () => {
        const result = await client.call(call.tool, { ...call.given, max_cost_usd: quote.hold_usd });
        expect(result.isError ?? false).toBe(false);
      });
      expect(settled[0]?.holdNanoUsd).toBe(nanoOf(quote.hold_usd));
      expect(settled[0]?.chargedNanoUsd).toBeLessThanOrEqual(nanoOf(quote.hold_usd));
    },
  );

  it("applies a client's header to all its calls", async () => {
    const client = await connect('previous release', { headers: { 'x-max-cost-usd': '0' } });
    const settled = await settledBy(async () => {
      for (const { tool, given } of MCP_CALLS) {
        expect(textOf(await client.call(tool, given))).toMatch(/^max_cost_exceeded: /);
        expect(textOf(await client.call(tool, { ...given, max_cost_usd: 100 }))).toMatch(/^max_cost_exceeded: /);
      }
    });
    expect(settled).toEqual([]);
  });

  it('does not replace the error of an invalid call', async () => {
    const client = await connect(KIND);
    const given = { model: 'gp-image-2', prompt: 'x', size: '17x17' };
    expect(textOf(await client.call('generate_image', { ...given, max_cost_usd: 100 }))).toContain("'size'");
    expect((await client.call('quote', { tool: 'generate_image', arguments: given })).structuredContent).toMatchObject({
      valid: false,
    });
  });

  it.each(MCP_CALLS.map((call) => [call.what, call] as const))(
    '%s is charged once under one idempotency key',
    async (_, call) => {
      const given = { ...call.given, idempotency_key: randomUUID() };
      const [one, two] = [await connect(KIND), await connect('previous release')];
      const settled = await settledBy(async () => {
        const first = await one.call(call.tool, given);
        const second = await two.call(call.tool, given);
        expect(first.isError ?? false).toBe(false);
        expect(isDeepStrictEqual(second.content[0], first.content[0])).toBe(true);
      });
      expect(settled).toHaveLength(1);
      const other = await one.call(call.tool, { ...given, ...call.another });
      expect(textOf(other)).toMatch(/idempotency/i);
    },
  );
});

describe('two servers', () => {
  it('serve one client alternately without shared state', async () => {
    const second = await stack.system.add('mcp-server');
    const origins = [new URL(mcpUrl).origin, second.url];
    const called = new Set<string>();
    const alternating: typeof fetch = (_input, init) => {
      const origin = origins.shift() as string;
      origins.push(origin);
      called.add(origin);
      return fetch(`${origin}/mcp`, init);
    };
    for (const kind of KINDS) {
      called.clear();
      const client = await connect(kind, { fetch: alternating });
      for (const word of ['one', 'two', 'three']) {
        const given = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: `Say ${word}` }] };
        expect(textOf(await client.call('chat', given))).toContain(word);
      }
      expect(called.size).toBe(2);
      await client.close();
    }
    await second.stop();
  });

  it('finish the running call before they stop', async () => {
    const third = await stack.system.add('mcp-server');
    const client = await connect(KIND, { url: `${third.url}/mcp` });
    const since = await stack.simulator.lastSeq();
    const given = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: '{{sim delay_ms=1500}} Go' }] };
    const running = client.call('chat', given);
    await eventually(async () => (await stack.simulator.journal(since)).length === 1);
    const stopped = third.stop();
    expect(textOf(await running)).toContain('Go');
    expect(await stopped).toEqual({ exit: 'code 0', isForced: false });
  });

  it('abort their upstream calls when they are killed', async () => {
    const doomed = await stack.system.add('mcp-server');
    const client = await connect(KIND, { url: `${doomed.url}/mcp` });
    const since = await stack.simulator.lastSeq();
    const content = '{{sim delay_ms=600 chunks=200 chunk_ms=50}} Go';
    const given = { model: 'cl-sonnet-4-6', messages: [{ role: 'user', content }] };
    // With progress the call streams: without, a client that leaves changes nothing.
    const running = client.call('chat', given, { onprogress: () => undefined }).catch(String);
    await eventually(async () => (await stack.simulator.journal(since)).length === 1);
    await doomed.kill();
    const [call] = await eventually(() => stack.simulator.closedJournal(since));
    expect(call).toMatchObject({ client_aborted: true });
    expect(typeof (await running)).toBe('string');
  });
});

describe('a client without a library', () => {
  it('that disconnects during a call aborts the upstream call', async () => {
    const since = await stack.simulator.lastSeq();
    const messages = [{ role: 'user', content: '{{sim chunks=200 chunk_ms=50 words=400}} Go' }];
    const params = { name: 'chat', arguments: { model: 'cl-sonnet-4-6', messages }, _meta: { progressToken: 'p' } };
    const response = await openResponse(new URL(mcpUrl).origin, {
      path: '/mcp',
      key: customer.apiKey,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    for await (const _ of response.message) break;
    response.disconnect();
    const [call] = await eventually(() => stack.simulator.closedJournal(since));
    expect(call).toMatchObject({ client_aborted: true });
  });

  it('that reads slowly keeps its call', async () => {
    const messages = [{ role: 'user', content: '{{sim chunks=20 words=100}} Go' }];
    const params = { name: 'chat', arguments: { model: 'gm-2.5-flash', messages }, _meta: { progressToken: 'p' } };
    const response = await openResponse(new URL(mcpUrl).origin, {
      path: '/mcp',
      key: customer.apiKey,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    let text = '';
    for await (const bytes of response.message) {
      text += String(bytes);
      await pause(5);
    }
    expect(text).toContain('"structuredContent"');
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
