import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();
const clientFor = (apiKey: string) => new Anthropic({ apiKey, baseURL: `${url}/anthropic`, maxRetries: 0 });
const client = clientFor('channel-a');
type Params = Anthropic.MessageCreateParamsNonStreaming;

const paramsOf = (content: string, more: object = {}): Params =>
  ({ model: 'claude-opus-4-7', max_tokens: 1_000, messages: [{ role: 'user', content }], ...more }) as Params;

const refusal = (status: number, words: string) => ({ status, message: expect.stringContaining(words) });

const weather = {
  name: 'get_weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
};

const post = (body: object, headers: Record<string, string>) =>
  fetch(`${url}/anthropic/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('messages', () => {
  it('reports usage by the documented count', async () => {
    const message = await client.messages.create(paramsOf('Hello', { system: 'Be brief.' }));
    expect(message.content).toEqual([{ type: 'text', text: 'I received 14 bytes. You said: Hello' }]);
    expect(message).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 4, output_tokens: 12 } });
  });

  it.each([
    ['claude-opus-4-7', { type: 'adaptive', display: 'summarized' }, 256],
    ['claude-opus-4-7', { type: 'adaptive' }, 0],
    ['claude-sonnet-4-6', { type: 'enabled', budget_tokens: 2_000 }, 256],
  ])('lets %s think with %j', async (model, thinking, length) => {
    const params = paramsOf('Hello', { model, thinking, max_tokens: 4_000 });
    const whole = await client.messages.create(params);
    const streamed = await client.messages.stream(params).finalMessage();
    expect(whole.content[0]).toMatchObject({ type: 'thinking', signature: expect.any(String) });
    expect(whole.content[0]?.type === 'thinking' && whole.content[0].thinking).toHaveLength(length);
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage.output_tokens).toBe(64 + 11);
  });

  it('accepts its own thinking back and refuses a changed one', async () => {
    const params = paramsOf('Use the tool', {
      model: 'claude-sonnet-4-6',
      thinking: { type: 'adaptive' },
      tools: [weather],
    });
    const { content } = await client.messages.create(params);
    const call = content.find((block) => block.type === 'tool_use');
    const result = { type: 'tool_result', tool_use_id: call?.id, content: '12C' };
    const turns = (assistant: unknown) => [
      ...params.messages,
      { role: 'assistant', content: assistant },
      { role: 'user', content: [result] },
    ];
    const completion = await client.messages.create({ ...params, messages: turns(content) } as Params);
    expect(completion.content.at(-1)).toMatchObject({ type: 'text', text: 'The tool answered: 12C.' });
    const changed = content.map((block) => (block.type === 'thinking' ? { ...block, thinking: 'else' } : block));
    await expect(client.messages.create({ ...params, messages: turns(changed) } as Params)).rejects.toMatchObject(
      refusal(400, 'Invalid `signature`'),
    );
    const foreign = [{ type: 'redacted_thinking', data: 'b3RoZXI=' }, ...content];
    await expect(client.messages.create({ ...params, messages: turns(foreign) } as Params)).rejects.toMatchObject(
      refusal(400, 'Invalid `data` in `redacted_thinking` block'),
    );
  });

  it('streams text and two tool calls', async () => {
    const text = await client.messages.stream(paramsOf('{{sim chunks=5 chunk_bytes=4}}')).finalMessage();
    expect(text.content[0]).toMatchObject({ type: 'text', text: 'the river runs past ' });
    expect(text.usage.output_tokens).toBe(5);
    const called = await client.messages.stream(paramsOf('{{sim tools=2}}', { tools: [weather] })).finalMessage();
    expect(called.stop_reason).toBe('tool_use');
    expect(called.content).toMatchObject([
      { type: 'tool_use', name: 'get_weather', input: { city: 'city 1' } },
      { type: 'tool_use', name: 'get_weather', input: { city: 'city 2' } },
    ]);
  });

  it('caches a marked prefix and reads it on the next call', async () => {
    const system = [{ type: 'text', text: 'x'.repeat(400), cache_control: { type: 'ephemeral' } }];
    const usages = [];
    for (const content of ['one!', 'two!']) {
      usages.push((await client.messages.create(paramsOf(content, { system }))).usage);
    }
    expect(usages).toMatchObject([
      { input_tokens: 2, cache_creation_input_tokens: 100, cache_read_input_tokens: 0 },
      { input_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 100 },
    ]);
  });

  it.each([
    ['near', 8, true],
    ['too far away', 10, false],
  ])('reads a conversation that was cached as a whole where its end is %s', async (_, turns, isRead) => {
    const cache_control = { type: 'ephemeral' } as const;
    const first = { role: 'user', content: `${turns}`.padStart(2_000, 'x') } as const;
    const more = Array.from({ length: turns }, () => [
      { role: 'assistant', content: 'Yes.' } as const,
      { role: 'user', content: 'More' } as const,
    ]).flat();
    const usages = [];
    for (const messages of [[first], [first, ...more]]) {
      usages.push((await client.messages.create({ ...paramsOf(''), messages, cache_control })).usage);
    }
    const [written, read] = usages;
    expect(written?.cache_read_input_tokens).toBe(0);
    expect(written?.cache_creation_input_tokens).toBeGreaterThan(400);
    expect(read?.cache_read_input_tokens).toBe(isRead ? written?.cache_creation_input_tokens : 0);
  });

  it('bills one-hour cache writes and searches separately', async () => {
    const system = [{ type: 'text', text: 'y'.repeat(400), cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const params = paramsOf('{{sim searches=2}} one', { system, tools });
    const { usage, content } = await client.messages.create(params);
    expect(usage).toMatchObject({
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 100 },
      server_tool_use: { web_search_requests: 2 },
    });
    expect(content.map(({ type }) => type)).toEqual([
      'server_tool_use',
      'web_search_tool_result',
      'server_tool_use',
      'web_search_tool_result',
      'text',
    ]);
    const streamed = await client.messages.stream(paramsOf('{{sim searches=1}} two', { tools })).finalMessage();
    expect(streamed.content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text']);
    const journal = await fetch(`${url}/__journal?since=0&wait_idle=true`);
    const { entries } = (await journal.json()) as { entries: { billed: { units?: object } | null }[] };
    expect(entries.slice(-2).map(({ billed }) => billed?.units)).toEqual([
      { cache_write_1h_token: 100, web_search: 2 },
      { web_search: 1 },
    ]);
  });

  it('accepts a later system message for some models only', async () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'system', content: 'Be brief.' },
    ];
    const newer = paramsOf('', { model: 'claude-opus-5-5', messages });
    expect((await client.messages.create(newer)).usage.input_tokens).toBe(4);
    await expect(client.messages.create(paramsOf('', { messages }))).rejects.toMatchObject(
      refusal(400, "role 'system' is not supported on this model"),
    );
    const misplaced = paramsOf('', { model: 'claude-opus-5-5', messages: [...messages, ...messages.slice(1)] });
    await expect(client.messages.create(misplaced)).rejects.toMatchObject({ status: 400 });
  });

  it('accepts changes of tools in a later system message with their beta only', async () => {
    const removal = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } };
    const definition = { name: 'b', input_schema: { type: 'object' } };
    const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    const send = (block: object, beta: string) => {
      const messages = [
        { role: 'user', content: 'Hello' },
        { role: 'system', content: [block] },
      ];
      const params = paramsOf('', { model: 'claude-opus-5-5', messages });
      return client.messages.create(params, { headers: { 'anthropic-beta': beta } });
    };
    const refused = { status: 400, message: expect.stringContaining('does not match any of the expected tags') };
    await expect(send(removal, 'effort-2025-11-24')).rejects.toMatchObject(refused);
    await expect(send(addition, 'mid-conversation-tool-changes-2026-07-01')).rejects.toMatchObject(refused);
    expect(await send(removal, 'mid-conversation-tool-changes-2026-07-01')).toHaveProperty('content');
    expect(await send(addition, 'inline-tools-2026-09-15')).toHaveProperty('content');
  });

  const called = (id: string, result: object = { content: '12C' }) => [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'w', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] },
  ];

  const grammar = (schema: object) => ({ output_config: { format: { type: 'json_schema', schema } } });
  const closed = (count: number, schema: object, required?: readonly string[]) => {
    const names = Array.from({ length: count }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, schema]));
    return { type: 'object', properties, required: required ?? names, additionalProperties: false };
  };

  it.each([
    [{ model: 'claude-opus-4-70' }, 404, 'model: claude-opus-4-70'],
    [{ max_tokens: 200_000, stream: true }, 400, 'max_tokens: 200000 > 128000'],
    [{ temperature: 0.5 }, 400, 'temperature'],
    [
      { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 },
      400,
      'is not supported for this model',
    ],
    [{ model: 'claude-sonnet-4-6', output_config: { effort: 'xhigh' } }, 400, 'output_config.effort'],
    [{ model: 'claude-sonnet-4-6', thinking: { type: 'enabled', budget_tokens: 9 } }, 400, '1024'],
    [grammar({ type: 'object', properties: {} }), 400, "'additionalProperties' must be explicitly set to false"],
    [grammar({ type: 'object', additionalProperties: true }), 400, "'additionalProperties: true' is not supported"],
    [grammar({ type: 'integer', minimum: 0 }), 400, "For 'integer' type, property 'minimum' is not supported"],
    [grammar({ type: 'array', minItems: 2 }), 400, "'minItems' values other than 0 or 1"],
    [grammar({ oneOf: [{ type: 'string' }] }), 400, "'oneOf' is not supported"],
    [grammar({}), 400, "Schema must have a 'type'"],
    [grammar(closed(25, { type: 'string' }, [])), 400, 'too many optional parameters (25)'],
    [grammar(closed(17, { type: ['string', 'null'] })), 400, 'too many parameters with union types (17)'],
    [{ tools: [{ ...weather, strict: true }] }, 400, 'tools.0.custom: For'],
    [{ foo: 1 }, 400, 'foo: Extra inputs are not permitted'],
    [{ tool_choice: { type: 'any' } }, 400, 'tool_choice'],
    [{ stop_sequences: [' '] }, 400, 'non-whitespace'],
    [{ messages: [...paramsOf('a').messages, { role: 'assistant', content: 'b' }] }, 400, 'prefill'],
    [{ messages: [{ role: 'user', content: '' }] }, 400, 'non-empty'],
    [{ messages: called('functions.w:0') }, 400, "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
    [{ messages: [...called('c1'), ...called('c1')] }, 400, 'ids must be unique'],
    [{ messages: called('c1', { is_error: true, content: '' }) }, 400, 'content cannot be empty if `is_error` is true'],
  ])('refuses %j', async (wrong, status, words) => {
    await expect(client.messages.create(paramsOf('Hello', wrong))).rejects.toMatchObject(refusal(status, words));
  });

  it('accepts either credential header and requires a version', async () => {
    const body = paramsOf('Hello', { model: 'claude-sonnet-4-6', temperature: 0.5 });
    const version = { 'anthropic-version': '2023-06-01' };
    expect((await post(body, { 'x-api-key': 'k', ...version })).status).toBe(200);
    expect((await post(body, { authorization: 'Bearer k', ...version })).status).toBe(200);
    const newer = await post(body, { 'x-api-key': 'k', 'anthropic-version': '2026-10-21' });
    expect(newer.status).toBe(400);
    const none = await post(body, { 'x-api-key': 'k' });
    expect(await none.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' },
      request_id: none.headers.get('request-id'),
    });
  });

  it.each([
    ['bad-key', { status: 401, type: 'authentication_error' }],
    ['is-broke', { status: 402, type: 'billing_error' }],
  ])('refuses the credential %s', async (key, error) => {
    await expect(clientFor(key).messages.create(paramsOf('Hello'))).rejects.toMatchObject(error);
  });

  it('fails a stream with its own error event', async () => {
    const stream = client.messages.stream(paramsOf('{{sim chunks=5 error_after=2}}'));
    await expect(stream.finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' });
  });
});

it('counts tokens like a call', async () => {
  const { max_tokens: _, ...body } = paramsOf('Hello there');
  expect(await client.messages.countTokens(body)).toEqual({ input_tokens: 3 });
});

it('lists its models by page and by name', async () => {
  const page = await client.models.list({ limit: 2 });
  expect(page.data).toHaveLength(2);
  expect(page.has_more).toBe(true);
  expect(await client.models.retrieve('claude-opus-4-7')).toMatchObject({ display_name: 'Claude Opus 4.7' });
});
