import { text } from 'node:stream/consumers';
import Anthropic, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type { ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, fullResponse, nanoOf, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { CITY, PIXEL_PNG } from '../support/samples.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 100_000, concurrency: 0 } });

/** The official client: only its address and its key are changed. */
const clientOf = (apiKey: string): Anthropic => new Anthropic({ baseURL: stack.baseUrl, apiKey, maxRetries: 0 });
const client = clientOf(customer.apiKey);

const { data: entries } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
  token: customer.apiKey,
});
const models = entries.filter(({ endpoints }) => endpoints.includes('/v1/messages'));
const entryOf = (id: string): ModelEntry => models.find((model) => model.id === id) as ModelEntry;
const ids = models.map(({ id }) => id);
/** Models whose vendor uses this format. */
const native = ids.filter((id) => id.startsWith('cl-'));
const translated = ids.filter((id) => !id.startsWith('cl-'));
const REASONING = ['gp-5.4-pro', 'gp-5-pro'];
const streaming = ids.filter((id) => !REASONING.includes(id));
/** They reason unseen by default, so a text stream of theirs `completes`. One of any other model `stops`. */
const completing = streaming.filter((id) => id.startsWith('gm-'));
const stopping = streaming.filter((id) => !completing.includes(id));

const userMessages = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];
const bodyOf = (model: string, content: string) => ({ model, max_tokens: 2_000, messages: userMessages(content) });

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** The ledger's charges and the upstream's invoice for `act`. */
async function moneyOf(act: () => Promise<unknown>) {
  await waitUntilSettled(stack, [customer]);
  const since = await stack.simulator.lastSeq();
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act();
  await waitUntilSettled(stack, [customer]);
  const calls = await stack.simulator.closedJournal(since);
  const all = await stack.ledger.settlements(customer.accountId);
  return { calls, settlements: all.filter(({ requestId }) => !before.has(requestId)) };
}

/** Expects one call and one charge that equals its invoice at the published price. */
async function expectExactCharge(model: string, act: () => Promise<unknown>) {
  const { calls, settlements } = await moneyOf(act);
  expect(calls).toHaveLength(1);
  expect(settlements).toHaveLength(1);
  const [billed] = calls.map((call) => call.billed);
  if (billed == null) throw new Error('the upstream billed nothing');
  expect(settlements[0]).toMatchObject({ model, outcome: 'completed', isEstimated: false });
  expect(settlements[0]?.costNanoUsd).toBe(expectedCost(entryOf(model), billed));
  expect(settlements[0]?.chargedNanoUsd).toBe(settlements[0]?.costNanoUsd);
  return billed;
}

describe('the models of a key in the Anthropic client', () => {
  it("are those with this endpoint, each under its public id and its vendor's name", async () => {
    const listed: string[] = [];
    for await (const model of client.models.list({ limit: 3 })) {
      expect(model).toMatchObject({ type: 'model', display_name: expect.any(String), created_at: expect.any(String) });
      listed.push(model.id);
    }
    const names = models.flatMap(({ id, aliases }) => [id, ...aliases.filter((alias) => alias.startsWith('claude-'))]);
    expect(listed).toEqual(names);
    const page = await client.models.list({ limit: 2, after_id: names[1] as string });
    expect(page).toMatchObject({ has_more: true, first_id: names[2], last_id: names[3] });
    const backwards = await client.models.list({ limit: 2, before_id: names[3] as string });
    expect(backwards.data.map(({ id }) => id)).toEqual(names.slice(1, 3));
  });

  it('are found one by one', async () => {
    expect(await client.models.retrieve('claude-opus-4-7')).toMatchObject({
      id: 'claude-opus-4-7',
      display_name: 'Claude Opus 4.7',
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      lifecycle: 'active',
      retires_at: null,
      line: 'opus',
    });
    await expect(client.models.retrieve('cl-nothing')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('are readable from the other shape of the list too', () => {
    for (const entry of entries) {
      expect(entry).toMatchObject({ object: 'model', type: 'model', display_name: expect.any(String) });
      expect(Date.parse(entry.created_at) / 1_000).toBe(entry.created);
    }
  });
});

describe.each(ids)('%s', (model) => {
  it('responds with usage and cost', async () => {
    let message: Anthropic.Message | undefined;
    const billed = await expectExactCharge(model, async () => {
      const { data, response, request_id } = await client.messages
        .create(bodyOf(model, 'Greetings from the harbour'))
        .withResponse();
      message = data;
      expect(request_id).toMatch(/^req_\d{6}[a-z2-7]{20}$/);
      expect(response.headers.get('x-request-id')).toBe(request_id);
      expect(nanoOf(response.headers.get('x-cost-usd') ?? '')).toBeGreaterThan(0n);
      expect(response.headers.get('anthropic-organization-id')).toBeNull();
      expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBeNull();
    });
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(message?.id).toMatch(/^msg_/);
    expect(textOf(message as Anthropic.Message)).toContain('Greetings from the harbour');
    expect(message?.usage.input_tokens).toBe(billed.input_tokens);
    expect(message?.usage.output_tokens).toBe(billed.output_tokens);
  });

  it('accepts its aliases and responds under its own name', async () => {
    for (const alias of entryOf(model).aliases) {
      expect((await client.messages.create(bodyOf(alias, 'Hello'))).model).toBe(model);
    }
  });

  it('calls a tool and responds with its result', async () => {
    const tools = [weather];
    const request = bodyOf(model, `What is the weather in ${CITY}? Use the tool.`);
    const first = await client.messages.create({
      ...request,
      system: 'Be brief.',
      tools,
      tool_choice: { type: 'auto' },
    });
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ name: 'get_weather', input: { city: expect.any(String) } });
    const result: Anthropic.ToolResultBlockParam = {
      type: 'tool_result',
      tool_use_id: call?.id ?? '',
      content: [{ type: 'text', text: 'a clear sky' }],
    };
    const second = await client.messages.create({
      ...request,
      tools,
      messages: [
        ...request.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result, { type: 'text', text: 'And now?' }] },
      ],
    });
    expect(second.stop_reason).toBe('end_turn');
    expect(textOf(second)).toContain('a clear sky');
  });

  it('calls several tools at once, each with its own id', async () => {
    const request = bodyOf(model, '{{sim tools=3}} Use the tool for three cities.');
    const { content } = await client.messages.create({ ...request, tools: [weather] });
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(new Set(calls).size).toBe(3);
  });

  it('responds by a schema', async () => {
    const schema = {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number' } },
      required: ['x', 'y'],
      additionalProperties: false,
    };
    const response = await client.messages.create({
      ...bodyOf(model, 'A point as json'),
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(JSON.parse(textOf(response))).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
  });

  it('accepts an image', async () => {
    const data = PIXEL_PNG.slice(PIXEL_PNG.indexOf(',') + 1);
    const response = await client.messages.create({
      ...bodyOf(model, ''),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          ],
        },
      ],
    });
    expect(textOf(response)).toContain('1 image');
  });

  it('respects the output limit and rejects one above its maximum', async () => {
    const response = await client.messages.create({
      ...bodyOf(model, '{{sim completion_tokens=400 reasoning_tokens=4}} Write a lot'),
      max_tokens: 40,
    });
    expect(response.stop_reason).toBe('max_tokens');
    const limit = entryOf(model).limits.max_output_tokens ?? 0;
    const rejected = client.messages.create({ ...bodyOf(model, 'Hello'), max_tokens: limit + 1 }, { timeout: 60_000 });
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
    await expect(rejected).rejects.toThrow('max_tokens');
  });

  it('counts tokens for free', async () => {
    const { calls, settlements } = await moneyOf(async () => {
      const { input_tokens: count } = await client.messages.countTokens({
        model,
        messages: userMessages('Hello there'),
      });
      expect(count).toBe(3);
    });
    expect(calls).toHaveLength(native.includes(model) ? 1 : 0);
    expect(settlements).toMatchObject([{ model, outcome: 'completed', holdNanoUsd: 0n, costNanoUsd: 0n }]);
  });
});

describe.each(streaming)('%s', (model) => {
  it("streams its response, which the client's helper assembles", async () => {
    const deltas: string[] = [];
    const billed = await expectExactCharge(model, async () => {
      const stream = client.messages.stream(bodyOf(model, '{{sim chunks=12 reasoning_tokens=0}} Stream'));
      stream.on('text', (delta) => deltas.push(delta));
      const message = await stream.finalMessage();
      expect(message).toMatchObject({ model, stop_reason: 'end_turn' });
      expect(textOf(message)).toMatch(/^the river runs past the old mill/);
      expect(stream.request_id).toMatch(/^req_/);
    });
    expect(deltas.length).toBeGreaterThanOrEqual(12);
    expect(billed.output_tokens).toBeGreaterThan(0);
  });

  it('returns the same text and usage in a stream and in a whole response', async () => {
    const request = bodyOf(model, 'The same words, umlauts äöü and 漢字, either way');
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage.input_tokens).toBe(whole.usage.input_tokens);
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
  });

  it('streams several tool calls, each in its own block', async () => {
    const request = bodyOf(model, '{{sim tools=2}} Use the tool for two cities.');
    const message = await client.messages.stream({ ...request, tools: [weather] }).finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    const calls = message.content.filter((block) => block.type === 'tool_use');
    expect(calls).toHaveLength(2);
    for (const { input } of calls) expect(input).toMatchObject({ city: expect.any(String) });
  });
});

/** Leaves once the text of ten chunks has arrived. */
async function leaveEarly(model: string, directives: string): Promise<void> {
  const stream = client.messages.stream(bodyOf(model, `{{sim chunks=40 reasoning_tokens=0 ${directives}}} Leave`));
  let bytes = 0;
  stream.on('text', (delta) => {
    bytes += Buffer.byteLength(delta);
    if (bytes >= 160) stream.abort();
  });
  await expect(stream.finalMessage()).rejects.toBeInstanceOf(APIUserAbortError);
}

describe.each(stopping)('%s', (model) => {
  it('charges a client that leaves an estimate of what had arrived', async () => {
    const { calls, settlements } = await moneyOf(() => leaveEarly(model, 'hang_after=10'));
    expect(calls).toMatchObject([{ client_aborted: true }]);
    const [billed] = calls.map((call) => call.billed);
    expect(settlements).toMatchObject([{ outcome: 'aborted', isEstimated: true, abortContract: 'stops' }]);
    expect(settlements[0]?.units).toMatchObject({ output_token: billed?.output_tokens });
    expect(settlements[0]?.costNanoUsd).toBe(billed && expectedCost(entryOf(model), billed));
  });
});

describe.each(completing)('%s', (model) => {
  it("charges a client that leaves the vendor's count of the whole response", async () => {
    const { calls, settlements } = await moneyOf(() => leaveEarly(model, 'chunk_ms=20'));
    expect(calls).toMatchObject([{ client_aborted: false }]);
    const [billed] = calls.map((call) => call.billed);
    expect(settlements).toMatchObject([{ outcome: 'completed', isEstimated: false, abortContract: 'completes' }]);
    expect(settlements[0]?.units).toMatchObject({ output_token: billed?.output_tokens });
    expect(settlements[0]?.costNanoUsd).toBe(billed && expectedCost(entryOf(model), billed));
    expect(settlements[0]?.chargedNanoUsd).toBe(settlements[0]?.costNanoUsd);
    const whole = bodyOf(model, '{{sim chunks=40 reasoning_tokens=0 chunk_ms=20}} Leave');
    const { usage } = await client.messages.stream(whole).finalMessage();
    expect(billed).toMatchObject({ input_tokens: usage.input_tokens, output_tokens: usage.output_tokens });
  });
});

describe.each(REASONING)('%s', (model) => {
  it('streams its whole answer', async () => {
    const message = await client.messages.stream(bodyOf(model, 'Hello there')).finalMessage();
    expect(message).toMatchObject({ model, stop_reason: 'end_turn' });
    expect(JSON.stringify(message.content)).toContain('Hello there');
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });
});

describe('a model whose vendor uses this format', () => {
  const model = 'cl-opus-4-7';

  it('reasons, signs its reasoning, and accepts it again after a tool call', async () => {
    const thinking = { type: 'adaptive', display: 'summarized' } as const;
    const request = {
      ...bodyOf(model, 'Use the tool'),
      tools: [weather],
      thinking,
      output_config: { effort: 'low' } as const,
    };
    const first = await client.messages.stream(request).finalMessage();
    expect(first.content[0]).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/./) });
    const call = first.content.find((block) => block.type === 'tool_use');
    const second = await client.messages.create({
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: '12C' }] },
      ],
    });
    expect(textOf(second)).toContain('12C');
  });

  it.each([
    ['5m', 'cache_write_tokens'],
    ['1h', undefined],
  ] as const)('writes a cache for %s and reads it, each at its price', async (ttl, field) => {
    const cache_control = { type: 'ephemeral', ttl } as const;
    const system: Anthropic.TextBlockParam[] = [{ type: 'text', text: `${ttl} ${'x'.repeat(4_000)}`, cache_control }];
    const written = await expectExactCharge(model, () => client.messages.create({ ...bodyOf(model, 'one'), system }));
    if (field === undefined) expect(written.units?.cache_write_1h_token).toBeGreaterThan(1_000);
    else expect(written[field]).toBeGreaterThan(1_000);
    const read = await expectExactCharge(model, () =>
      client.messages.stream({ ...bodyOf(model, 'two'), system }).done(),
    );
    expect(read.cached_input_tokens).toBeGreaterThan(1_000);
  });

  it('searches the web by itself, and the searches are charged', async () => {
    const tools: Anthropic.ToolUnion[] = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }];
    const request = { ...bodyOf(model, '{{sim searches=2}} What is new?'), tools };
    let types: string[] = [];
    const billed = await expectExactCharge(model, async () => {
      types = (await client.messages.create(request)).content.map(({ type }) => type);
    });
    expect(billed.units).toEqual({ web_search: 2 });
    expect(types).toContain('web_search_tool_result');
    await expectExactCharge(model, () => client.messages.stream(request).done());
  });

  it("returns the vendor's own rejection", async () => {
    const withoutSuchField = { ...bodyOf(model, 'Hello'), top_k: 5 };
    const rejected = client.messages.create(withoutSuchField);
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
    await expect(rejected).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining('top_k: Extra inputs are not permitted'),
    });
  });

  it.each([
    ['speed', 'fast'],
    ['inference_geo', 'us'],
  ])('rejects %s: %s, which would cost more than its price', async (field, value) => {
    const rejected = client.messages.create({ ...bodyOf(model, 'Hello'), [field]: value });
    await expect(rejected).rejects.toThrow(field);
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
  });

  it('fills its cache without any output', async () => {
    const { settlements } = await moneyOf(() => client.messages.create({ ...bodyOf(model, 'Warm'), max_tokens: 0 }));
    expect(settlements).toMatchObject([{ outcome: 'completed' }]);
  });

  it("ends a broken stream with the vendor's error event", async () => {
    const body = { ...bodyOf(model, '{{sim chunks=9 error_after=3}} Break'), stream: true };
    const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, path: '/v1/messages', body });
    const end = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    expect(response.text.endsWith(end)).toBe(true);
    expect(response.text.match(/event: error/g)).toHaveLength(1);
    const stream = client.messages.stream(bodyOf(model, '{{sim chunks=9 error_after=3}} Break'));
    await expect(stream.finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' });
  });
});

describe('passed-through bytes', () => {
  /** Spaces, escapes, an unusual order and beta headers: serializing the JSON again would change them. */
  const written = (model: string, more = ''): string =>
    `{ "max_tokens":1000 ,\n "messages":[{"role":"user","content":"{{sim chunks=4}} \\u00e9\\/ é"}],${more}` +
    `  "metadata" : {"user_id":"u-\\u0031"},"context_management":{"edits":[ ]},\t"model" : "${model}" }\n`;
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'context-management-2025-06-27,unheard-of-2026-11-01',
    'x-claude-code-session-id': 'session-1',
    'x-claude-code-agent-id': 'agent-1',
    'x-stainless-lang': 'js',
    cookie: 'private=1',
  };
  const send = (body: string, path = '/v1/messages?beta=true', more: object = {}) =>
    fullResponse(stack.baseUrl, { key: customer.apiKey, path, body, headers: { ...headers, ...more } });

  it.each(['claude-opus-4-7', 'cl-opus-4-7'])(
    'of a request for %s are the client’s, except the model name and unknown betas',
    async (name) => {
      const since = await stack.simulator.lastSeq();
      const response = await send(written(name));
      expect(response.status).toBe(200);
      expect(response.headers['x-gateway-dropped']).toBe('anthropic-beta:unheard-of-2026-11-01');
      const [received] = await stack.simulator.requests(since);
      expect(received?.body).toBe(written('claude-opus-4-7'));
      expect(received?.path).toBe('/anthropic/v1/messages?beta=true');
      expect(received?.headers).toMatchObject({
        'anthropic-version': headers['anthropic-version'],
        'anthropic-beta': 'context-management-2025-06-27',
        'x-claude-code-session-id': 'session-1',
        'x-claude-code-agent-id': 'agent-1',
      });
      expect(received?.headers).not.toHaveProperty('cookie');
      expect(JSON.stringify(received?.headers)).not.toContain(customer.apiKey);
    },
  );

  it('of a token count are the client’s too', async () => {
    const since = await stack.simulator.lastSeq();
    const body = written('cl-opus-4-7');
    const response = await send(body, '/v1/messages/count_tokens?beta=true');
    expect(response.json()).toEqual({ input_tokens: expect.any(Number) });
    expect(response.headers['request-id']).toBe(response.headers['x-request-id']);
    const [received] = await stack.simulator.requests(since);
    expect(received).toMatchObject({
      path: '/anthropic/v1/messages/count_tokens?beta=true',
      body: written('claude-opus-4-7'),
    });
  });

  it.each(['', '"stream":true,'])('of a response are the vendor’s, except the model name (%s)', async (more) => {
    const ours = await send(written('cl-opus-4-7', more));
    const theirs = await fullResponse(`${stack.system.simulatorUrl}/anthropic`, {
      path: '/v1/messages?beta=true',
      key: 'channel-a',
      body: written('claude-opus-4-7', more),
      headers,
    });
    const withoutIds = (text: string): string => text.replaceAll(/msg_01\w+/g, 'msg_01');
    expect(ours.status).toBe(200);
    expect(withoutIds(ours.text)).toBe(withoutIds(theirs.text).replace('claude-opus-4-7', 'cl-opus-4-7'));
    expect(ours.headers['content-type']).toContain(more === '' ? 'application/json' : 'text/event-stream');
  });

  it('of a rejection are the vendor’s', async () => {
    const rejected = await send(written('cl-opus-4-7', '"unheard_of":1,'));
    expect(rejected.status).toBe(400);
    expect(rejected.text).toMatch(
      /^\{"type":"error","error":\{"type":"invalid_request_error","message":"unheard_of: Extra/,
    );
    expect(rejected.headers['request-id']).toMatch(/^req_\d{6}[a-z2-7]{20}$/);
  });

  it('with repeated or escaped fields reach the vendor exactly as admitted', async () => {
    const since = await stack.simulator.lastSeq();
    const body = written('cl-sonnet-4-6')
      .replace('{', '{"model":"cl-opus-4-7","mod\\u0065l":"cl-haiku-4-5",')
      .replace('"role":"user",', '"role":"user","content":"not admitted",');
    expect((await send(body)).json()).toMatchObject({ model: 'cl-sonnet-4-6' });
    const [received] = await stack.simulator.requests(since);
    expect(received?.body).toBe(
      JSON.stringify({ ...JSON.parse(written('claude-sonnet-4-6')), model: undefined }).replace(
        '{',
        '{"model":"claude-sonnet-4-6",',
      ),
    );
  });

  it('are the same with the key in either header', async () => {
    const body = written('cl-opus-4-7');
    const response = await fullResponse(stack.baseUrl, {
      path: '/v1/messages',
      body,
      headers: {
        'content-type': 'application/json',
        'x-api-key': customer.apiKey,
        'anthropic-beta': headers['anthropic-beta'],
      },
    });
    expect(response.status).toBe(200);
  });
});

describe('a conversation that the vendor would store', () => {
  const tool = betaTool({
    name: 'get_weather',
    description: 'The weather in a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: () => 'It is sunny.',
  });

  it.each(streaming)("%s: the client's tool runner works without it", async (model) => {
    const response = await client.beta.messages.toolRunner({
      ...bodyOf(model, 'Use the tool'),
      tools: [tool],
      max_iterations: 4,
    });
    expect(response.content.at(-1)).toMatchObject({
      type: 'text',
      text: expect.stringContaining('The tool answered: It is sunny.'),
    });
  });

  it('is rejected without a call or a charge, with an error code that clients handle', async () => {
    for (const model of ['cl-sonnet-4-6', 'gm-2.5-flash']) {
      const money = await moneyOf(async () => {
        const thread = client.beta.messages.thread({ model, max_tokens: 100 });
        const rejected = thread.send({ role: 'user', content: 'Hello' });
        await expect(rejected).rejects.toBeInstanceOf(Anthropic.ThreadUnsupportedRequestError);
        await expect(rejected).rejects.toMatchObject({
          status: 400,
          details: { error_code: 'thread_unsupported_request' },
        });
      });
      expect(money).toMatchObject({ calls: [], settlements: [] });
    }
  });
});

describe('a model of another format', () => {
  it.each(translated)('%s receives the whole request', async (model) => {
    const since = await stack.simulator.lastSeq();
    const response = await client.messages.create({
      ...bodyOf(model, 'And now?'),
      system: [
        { type: 'text', text: 'You are terse.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'You are kind.' },
      ],
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      metadata: { user_id: 'customer@example.com' },
      tools: [weather, { type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'none' },
    });
    expect(response.stop_reason).toBe('end_turn');
    const [received] = await stack.simulator.requests(since);
    expect(received?.body).toContain('You are terse.');
    expect(received?.body).toContain('You are kind.');
    expect(received?.body).not.toMatch(/customer|web_search|cache_control/);
  });

  it('returns its reasoning unless the client opts out', async () => {
    const request = bodyOf('qn3.8-omni-flash', '{{sim reasoning_tokens=12}} Think first');
    const shown = await client.messages.create(request);
    expect(shown.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(shown.content);
    const hidden = await client.messages.create({ ...request, thinking: { type: 'adaptive', display: 'omitted' } });
    expect(hidden.content.map(({ type }) => type)).toEqual(['text']);
    expect(hidden.usage.output_tokens).toBe(shown.usage.output_tokens);
  });

  it.each(translated)('%s rejects in this format', async (model) => {
    const rejected = client.messages.create(bodyOf(model, '{{sim status=400}} Refuse'));
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
    await expect(rejected).rejects.toMatchObject({ type: 'invalid_request_error', requestID: expect.any(String) });
  });

  it.each([
    ['an unknown kind of block', { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['a tool without a schema', { tools: [{ name: 'bare' }] }],
    ['a missing output limit', { max_tokens: undefined }],
    ['a document of an unknown kind', documentOf('base64', { media_type: 'image/tiff', data: 'AAAA' })],
  ])('rejects %s', async (_what, more) => {
    const rejected = client.messages.create({ ...bodyOf('gm-2.5-flash', 'Hello'), ...(more as object) });
    await expect(rejected).rejects.toBeInstanceOf(BadRequestError);
    await expect(rejected).rejects.toMatchObject({ type: 'invalid_request_error' });
  });
});

function documentOf(type: string, source: object) {
  return { messages: [{ role: 'user', content: [{ type: 'document', source: { type, ...source } }] }] };
}

describe("an error has the client's class for", () => {
  const hello = bodyOf('cl-sonnet-4-6', 'Hello');

  it('a missing or wrong key', async () => {
    const rejected = clientOf('sk-wrong').messages.create(hello);
    await expect(rejected).rejects.toBeInstanceOf(AuthenticationError);
    await expect(rejected).rejects.toMatchObject({
      type: 'authentication_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  it('an unknown model and one of another endpoint', async () => {
    for (const model of ['claude-nothing', 'vg-4']) {
      await expect(client.messages.create(bodyOf(model, 'Hello'))).rejects.toBeInstanceOf(BadRequestError);
    }
  });

  it('a model that the key may not use', async () => {
    const { key } = await customer.newKey({ models: ['cl-opus-4-7'] });
    await expect(clientOf(key).messages.create(hello)).rejects.toBeInstanceOf(PermissionDeniedError);
    const listed = await clientOf(key).models.list();
    expect(listed.data.map(({ id }) => id)).toEqual(['cl-opus-4-7', 'claude-opus-4-7']);
  });

  it('an empty balance, which still permits token counts', async () => {
    const poor = await stack.createCustomer();
    const rejected = clientOf(poor.apiKey).messages.create(hello);
    await expect(rejected).rejects.toMatchObject({ status: 402, type: 'billing_error' });
    const { messages, model } = hello;
    expect(await clientOf(poor.apiKey).messages.countTokens({ messages, model })).toEqual({ input_tokens: 2 });
  });

  it('too many requests, token counts included', async () => {
    const { key } = await customer.newKey({ rpm: 2 });
    const { messages, model } = hello;
    await clientOf(key).messages.countTokens({ messages, model });
    await clientOf(key).messages.create(hello);
    for (const send of [
      () => clientOf(key).messages.create(hello),
      () => clientOf(key).messages.countTokens({ messages, model }),
    ]) {
      const rejected = send();
      await expect(rejected).rejects.toBeInstanceOf(RateLimitError);
      await expect(rejected).rejects.toMatchObject({ type: 'rate_limit_error' });
    }
  });

  it('invalid JSON, an oversized body, and an overloaded vendor', async () => {
    const post = (body: string) =>
      fullResponse(stack.baseUrl, {
        key: customer.apiKey,
        path: '/v1/messages',
        body,
        headers: { 'content-type': 'application/json' },
      });
    expect((await post('{')).json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    // The declared size is rejected before the body is sent.
    const long = await openResponse(stack.baseUrl, {
      key: customer.apiKey,
      path: '/v1/messages',
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-length': String(32 * 1024 * 1024 + 1) },
    });
    expect(long.status).toBe(413);
    expect(JSON.parse(await text(long.message))).toMatchObject({ error: { type: 'request_too_large' } });
    long.disconnect();
    await stack.simulator.fault({ vendor: 'anthropic', status: 529 });
    await expect(client.messages.create(hello)).rejects.toMatchObject({ status: 503, type: 'overloaded_error' });
  });
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
