import { callJson, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });

type Json = Readonly<Record<string, unknown>>;

/** Models of each vendor that think, one of each protocol. */
const MODELS = ['gp-5.4-mini', 'gp-5.4-pro', 'cl-sonnet-4-6', 'cl-haiku-4-5', 'gm-3.8-flash', 'qn3.8-omni-flash'];
const PAIRS = MODELS.flatMap((first) =>
  MODELS.filter((model) => model !== first).map((next) => [first, next] as const),
);
const ASK = 'What is the weather in Rome? Use the tool.';
const RESULT = 'a clear sky';
/** As Claude Code names the tools of plugins: longer than most vendors take. */
const MCP_NAME = 'mcp__plugin_everything-about-weather_weather__get_current_weather_of_city';
const parameters = { type: 'object', properties: { city: { type: 'string' } } };

/** Throws for any status but 2xx. */
const post = (path: string, body: Json): Promise<Json> =>
  callJson(`${stack.baseUrl}${path}`, { method: 'POST', token: customer.apiKey, body });

/** A format of clients: its first request, and the request that brings the result of the tool that an answer calls. */
interface Format {
  readonly path: (model: string) => string;
  readonly first: (model: string) => Json;
  readonly next: (model: string, first: Json, answer: Json) => Json;
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
/** The only one of a list of choices or candidates. */
const onlyOf = (value: unknown, name: string): Json => listOf(value)[0]?.[name] as Json;

const FORMATS: Readonly<Record<string, Format>> = {
  'chat completions, with all that an answer has': {
    path: () => '/v1/chat/completions',
    first: (model) => ({
      model,
      messages: [{ role: 'user', content: ASK }],
      reasoning_effort: 'high',
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
    }),
    next: (model, first, answer) => {
      const message = onlyOf(answer.choices, 'message');
      const results = listOf(message.tool_calls).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT }));
      return { ...first, model, messages: [...listOf(first.messages), message, ...results] };
    },
  },
  'chat completions, with ids, names and arguments only': {
    path: () => '/v1/chat/completions',
    first: (model) => FORMATS['chat completions, with all that an answer has']?.first(model) ?? {},
    next: (model, first, answer) => {
      const calls = listOf(onlyOf(answer.choices, 'message').tool_calls).map(({ id, function: called }) => ({
        id,
        type: 'function',
        function: called,
      }));
      const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT }));
      const message = { role: 'assistant', content: null, tool_calls: calls };
      return { ...first, model, messages: [...listOf(first.messages), message, ...results] };
    },
  },
  'chat completions, with ids of a vendor that is not here': {
    path: () => '/v1/chat/completions',
    first: (model) => FORMATS['chat completions, with all that an answer has']?.first(model) ?? {},
    next: (model, first, answer) => {
      const calls = listOf(onlyOf(answer.choices, 'message').tool_calls).map(({ function: called }, at) => ({
        id: `functions.weather:${at}`,
        type: 'function',
        function: called,
      }));
      const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT }));
      const turn = [{ role: 'assistant', content: null, tool_calls: calls }, ...results];
      // The same ids again, as that vendor gives them in each turn.
      return { ...first, model, messages: [...listOf(first.messages), ...turn, ...turn] };
    },
  },
  messages: {
    path: () => '/v1/messages',
    first: (model) => ({
      model,
      max_tokens: 6_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      messages: [{ role: 'user', content: ASK }],
      tools: [{ name: 'weather', input_schema: parameters }],
    }),
    next: (model, first, answer) => {
      const content = listOf(answer.content);
      const results = content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT }));
      const turns = [
        { role: 'assistant', content },
        { role: 'user', content: results },
      ];
      return { ...first, model, messages: [...listOf(first.messages), ...turns] };
    },
  },
  'messages, with the long name of an MCP tool': {
    path: () => '/v1/messages',
    first: (model) => ({ ...FORMATS.messages?.first(model), tools: [{ name: MCP_NAME, input_schema: parameters }] }),
    next: (model, first, answer) => {
      const names = listOf(answer.content).flatMap(({ type, name }) => (type === 'tool_use' ? [name] : []));
      expect(new Set(names)).toEqual(new Set([MCP_NAME]));
      return FORMATS.messages?.next(model, first, answer) ?? {};
    },
  },
  responses: {
    path: () => '/v1/responses',
    first: (model) => ({
      model,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high' },
      input: [{ role: 'user', content: ASK }],
      tools: [{ type: 'function', name: 'weather', parameters }],
    }),
    next: (model, first, answer) => {
      const output = listOf(answer.output);
      const results = output
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: RESULT }));
      return { ...first, model, input: [...listOf(first.input), ...output, ...results] };
    },
  },
  "Google's native format": {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    first: () => ({
      contents: [{ role: 'user', parts: [{ text: ASK }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: parameters }] }],
    }),
    next: (_model, first, answer) => {
      const content = onlyOf(answer.candidates, 'content');
      const results = listOf(content.parts).flatMap(({ functionCall }) =>
        functionCall == null
          ? []
          : [{ functionResponse: { ...(functionCall as Json), args: undefined, response: { sky: RESULT } } }],
      );
      return { ...first, contents: [...listOf(first.contents), content, { role: 'user', parts: results }] };
    },
  },
};

describe.each(Object.entries(FORMATS))('a loop of tools in %s', (_name, format) => {
  it.each(PAIRS)('that %s began goes on by %s', async (beginner, successor) => {
    const first = format.first(beginner);
    const answer = await post(format.path(beginner), first);
    const last = await post(format.path(successor), format.next(successor, first, answer));
    expect(JSON.stringify(last)).toContain(RESULT);
  });

  it.each(MODELS)('goes on by %s itself', async (model) => {
    const first = format.first(model);
    const answer = await post(format.path(model), first);
    const last = await post(format.path(model), format.next(model, first, answer));
    expect(JSON.stringify(last)).toContain(RESULT);
  });
});

describe('thoughts that a client of chat completions returns', () => {
  const CHAT = '/v1/chat/completions';
  const thought = (model: string) => FORMATS['chat completions, with all that an answer has']?.first(model) ?? {};

  it.each([
    ['cl-sonnet-4-6', '"type":"thinking"'],
    ['cl-haiku-4-5', '"type":"thinking"'],
    ['gp-5.4-pro', '"encrypted_content":'],
  ])('reach %s again', async (model, sent) => {
    const first = { ...thought(model), ...(model === 'cl-haiku-4-5' && { reasoning_effort: 'medium' }) };
    const answer = await post(CHAT, first);
    expect(onlyOf(answer.choices, 'message')).toHaveProperty('reasoning_details');
    const since = await stack.simulator.lastSeq();
    await post(CHAT, FORMATS['chat completions, with all that an answer has']?.next(model, first, answer) ?? {});
    const [request] = await stack.simulator.requests(since);
    expect(request?.body).toContain(sent);
  });

  it('are pieces of a stream as well', async () => {
    const model = 'cl-sonnet-4-6';
    const first = thought(model);
    const response = await fetch(`${stack.baseUrl}${CHAT}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...first, stream: true }),
    });
    const chunks = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map(
      ([, json = '']) => JSON.parse(json) as Json,
    );
    const deltas = chunks.map(({ choices }) => onlyOf(choices, 'delta')).filter((delta) => delta != null);
    const details = deltas.flatMap(({ reasoning_details: pieces }) => listOf(pieces));
    expect(details.at(-1)).toMatchObject({ type: 'reasoning.text', signature: expect.any(String), index: 0 });
    const calls = deltas.flatMap(({ tool_calls: pieces }) => listOf(pieces));
    const args = calls.map((piece) => (piece.function as Json).arguments ?? '').join('');
    const called = { id: calls[0]?.id, type: 'function', function: { name: 'weather', arguments: args } };
    const message = { role: 'assistant', content: null, reasoning_details: details, tool_calls: [called] };
    const result = { role: 'tool', tool_call_id: called.id, content: RESULT };
    const since = await stack.simulator.lastSeq();
    await post(CHAT, { ...first, messages: [...listOf(first.messages), message, result] });
    const [request] = await stack.simulator.requests(since);
    expect(request?.body).toContain('"type":"thinking"');
  });
});

describe('a prompt to a model that caches what is marked', () => {
  const model = 'cl-sonnet-4-6';
  const cache_control = { type: 'ephemeral' };
  const instructions = (name: string) => `${name}: ${'Answer in one word. '.repeat(200)}`;
  const turn = { role: 'assistant', content: 'Yes.' };
  const [first, next] = [
    { role: 'user', content: 'Begin' },
    { role: 'user', content: 'Go on' },
  ];

  it.each([
    ['a mark of the whole request', { cache_control }],
    ['a key of a cache', { prompt_cache_key: 'session' }],
  ])('is read from the cache in the next turn of chat completions, by %s', async (name, fields) => {
    const system = { role: 'system', content: instructions(name) };
    const cached = async (messages: readonly object[]) =>
      (await post('/v1/chat/completions', { model, messages, ...fields })).usage as Json;
    expect(await cached([system, first])).toMatchObject({ prompt_tokens_details: { cached_tokens: 0 } });
    const { prompt_tokens_details: read } = await cached([system, first, turn, next]);
    expect((read as { cached_tokens: number }).cached_tokens).toBeGreaterThan(900);
  });

  it('is read from the cache in the next turn of responses, by a key of a cache', async () => {
    const cached = async (input: readonly object[]) => {
      const body = { model, input, instructions: instructions('responses'), prompt_cache_key: 'session', store: false };
      const { usage } = await post('/v1/responses', body);
      return (usage as { input_tokens_details: { cached_tokens: number } }).input_tokens_details.cached_tokens;
    };
    expect(await cached([first])).toBe(0);
    expect(await cached([first, turn, next])).toBeGreaterThan(900);
    // Its history was shortened: the instructions are read.
    expect(await cached([next])).toBeGreaterThan(900);
  });
});

it('keeps the ledger consistent', () => expectConsistentLedger(stack, [customer]));
