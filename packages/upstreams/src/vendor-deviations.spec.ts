import { DIALECTS } from '@gateway/dialects';
import { describe, expect, it } from '@jest/globals';
import { adapterOf } from './adapter-of.js';
import { messagesPassThrough } from './anthropic-messages/pass-through/index.js';
import { CHAT_ADAPTERS, MESSAGES_ADAPTERS } from './conformance/adapters.js';
import { callOf } from './conformance/calls.js';
import { errorOf } from './conformance/thrown-error.js';
import { BilledFailure } from './failures/billed-failure.js';
import type { StreamReader } from './protocol.js';
import { IMAGE_PROTOCOLS } from './registry.js';
import { readStatus } from './xai-video/response.js';

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const sse = (...events: readonly object[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
const named = (...events: readonly { type: string }[]): Buffer =>
  Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const hello = (model: string, more: object = {}) =>
  callOf({ model, messages: [{ role: 'user', content: 'Hello' }], ...more });

describe('Gemini responses that failed', () => {
  const gemini = CHAT_ADAPTERS['gemini-generate'];
  const usageMetadata = { promptTokenCount: 7, thoughtsTokenCount: 40, totalTokenCount: 47 };
  const reply = (finishReason: string, parts: readonly object[] = []) => ({
    candidates: [{ content: { parts, role: 'model' }, finishReason }],
    usageMetadata,
    responseId: 'r1',
  });
  const REASONS = [
    ...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'],
    ...['NO_IMAGE', 'IMAGE_OTHER', 'MISSING_THOUGHT_SIGNATURE', 'CONTINUATION', 'OTHER'],
  ];

  it.each(REASONS)('are errors that may be retried, and billed as the vendor does: %s', (reason) => {
    const error = errorOf(() => gemini.readReply(json(reply(reason)), hello('gm-2.5-pro')));
    expect([error.code, error.row.status, error.row.canRetry]).toEqual(['upstream_error', 502, true]);
    expect((error as BilledFailure).usage).toMatchObject({ units: { output_token: 40 }, isEstimated: false });
  });

  it.each(REASONS)('are errors before the first byte of a stream: %s', (reason) => {
    const reader = gemini.openReader(hello('gm-2.5-pro', { stream: true }));
    expect(errorOf(() => reader.read(sse(reply(reason)))).code).toBe('upstream_error');
    expect(reader.isBilledFailure).toBe(true);
    expect(reader.usage()).toMatchObject({ units: { input_token: 7, output_token: 40 }, isEstimated: false });
  });

  it('end a stream that has begun with an error, never with [DONE]', () => {
    const reader = gemini.openReader(hello('gm-2.5-pro', { stream: true }));
    const begun = { candidates: [{ content: { parts: [{ text: 'I call' }] } }], responseId: 'r1' };
    expect(textOf(reader.read(sse(begun)))).toContain('I call');
    const counts = { ...usageMetadata, candidatesTokenCount: 2, totalTokenCount: 49 };
    const failed = { ...reply('MALFORMED_FUNCTION_CALL'), usageMetadata: counts };
    expect(errorOf(() => reader.read(sse(failed))).code).toBe('upstream_error');
    expect([reader.isFinal, reader.isBilledFailure]).toEqual([false, true]);
    expect(errorOf(() => reader.end()).code).toBe('upstream_error');
  });

  it('are read so over the native messages format, too', () => {
    const protocol = MESSAGES_ADAPTERS['gemini-generate'];
    const { traits } = hello('gm-2.5-pro');
    const request = { model: 'gm-2.5-pro', max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const call = { request, publicModel: 'gm-2.5-pro', traits, requestId: 'req_1', createdSeconds: 1 };
    const error = errorOf(() => protocol.readReply(json(reply('UNEXPECTED_TOOL_CALL')), call));
    expect(error).toBeInstanceOf(BilledFailure);
    const reader = protocol.openReader({ ...call, request: { ...request, stream: true } });
    errorOf(() => reader.read(sse(reply('UNEXPECTED_TOOL_CALL'))));
    expect(reader.isBilledFailure).toBe(true);
  });

  it('are not confused with an answer: text with an unknown reason, or an empty STOP', () => {
    const whole = (reason: string, parts: readonly object[]) =>
      JSON.parse(textOf(gemini.readReply(json(reply(reason, parts)), hello('gm-2.5-pro')).body)).choices[0];
    expect(whole('STOP', [])).toMatchObject({ finish_reason: 'stop' });
    expect(whole('SOMETHING_NEW', [{ text: 'Hi' }])).toMatchObject({ finish_reason: 'stop' });
    expect(whole('SAFETY', [])).toMatchObject({ finish_reason: 'content_filter' });
  });
});

describe('Responses with items of unknown kinds', () => {
  const responses = CHAT_ADAPTERS['openai-responses'];
  const search = { type: 'tool_search_call', id: 't1', call_id: null, name: null, arguments: { query: 'x' } };
  const output = [search, { type: 'message', content: [{ type: 'output_text', text: 'Hi', refusal: null }] }];
  const response = { id: 'resp_1', status: 'completed', output, usage: { input_tokens: 3, output_tokens: 2 } };

  it('are read, whole and streamed', () => {
    const { body } = responses.readReply(json(response), hello('gp-5.4-pro'));
    expect(JSON.parse(textOf(body)).choices[0].message.content).toBe('Hi');
    const reader = responses.openReader(hello('gp-5.4-pro', { stream: true }));
    const text = textOf(
      reader.read(
        sse(
          { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
          { type: 'response.output_item.added', output_index: 0, item: search },
          { type: 'response.output_text.delta', delta: 'Hi' },
          { type: 'response.completed', response },
        ),
      ),
    );
    expect(text + textOf(reader.end())).toMatch(/"content":"Hi"[\s\S]*\[DONE\]/);
  });

  it('are refused where a function call lacks its name', () => {
    const broken = { ...response, output: [{ type: 'function_call', call_id: 'c', name: null, arguments: '{}' }] };
    expect(errorOf(() => responses.readReply(json(broken), hello('gp-5.4-pro'))).code).toBe('upstream_error');
  });
});

describe('a chat delta', () => {
  it('may have a tool call without a function', () => {
    const reader = CHAT_ADAPTERS['openai-chat'].openReader(hello('gp-5.4-mini', { stream: true }));
    const chunk = { id: 'c', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: null }] } }] };
    expect(textOf(reader.read(sse(chunk)))).toContain('"function":null');
  });
});

describe('a repeated message_start', () => {
  const start = (id: string) => ({
    type: 'message_start',
    message: { id, model: 'claude', role: 'assistant', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
  });
  const readers: readonly (readonly [string, () => StreamReader])[] = [
    ['translated', () => CHAT_ADAPTERS['anthropic-messages'].openReader(hello('cl-sonnet-4-6', { stream: true }))],
    [
      'passed through',
      () =>
        messagesPassThrough.create.openReader({
          body: json({ model: 'cl-sonnet-4-6', messages: [] }),
          streams: true,
          publicModel: 'cl-sonnet-4-6',
          forward: { headers: {}, query: '' },
        }),
    ],
  ];

  it.each(readers)('of the open message is tolerated, of another one is not: %s', (_, open) => {
    const reader = open();
    const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } };
    reader.read(named(start('msg_1'), start('msg_1'), delta, { type: 'message_stop' }));
    reader.end();
    expect(reader.usage()).toMatchObject({ units: { input_token: 3, output_token: 2 } });
    const mixed = open();
    mixed.read(named(start('msg_1')));
    expect(errorOf(() => mixed.read(named(start('msg_2')))).code).toBe('upstream_error');
  });
});

describe('xAI', () => {
  const images = (...data: readonly object[]) =>
    IMAGE_PROTOCOLS['xai-images'].readReply(json({ data }), {
      request: { model: 'grok-imagine-image', prompt: 'x' },
      publicModel: 'grok-imagine-image',
      traits: { qualities: [] },
      requestId: 'req_1',
      createdSeconds: 1,
    } as unknown as Parameters<(typeof IMAGE_PROTOCOLS)['xai-images']['readReply']>[1]).usage.units;

  it('does not charge images that moderation kept back', () => {
    const kept = [
      { url: '', respect_moderation: false },
      { b64_json: '' },
      { url: 'https://x/1', respect_moderation: false },
    ];
    expect(images(...kept)).toEqual({});
    expect(images(...kept, { url: 'https://x/2', respect_moderation: true })).toEqual({ image_1k_medium: 1 });
  });

  it.each([
    ['{"progress":5}', 'running'],
    ['not JSON', 'running'],
    ['', 'running'],
  ])('reads a video that is answered with 202 as pending: %s', (body, state) => {
    expect(readStatus(Buffer.from(body), 202).state).toBe(state);
  });

  it('reads a record without a status by its video', () => {
    expect(readStatus(json({ video: { url: 'https://x/1.mp4' } }), 200).state).toBe('succeeded');
    expect(readStatus(json({}), 200).state).toBe('running');
    expect(errorOf(() => readStatus(json({ error: 'x' }), 200)).code).toBe('upstream_error');
  });
});

describe('a model with a protocol for tools and reasoning', () => {
  const protocol = adapterOf(DIALECTS['openai-chat'], {
    protocol: 'openai-chat',
    toolReasoningProtocol: 'openai-responses',
  });
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
  const target = { baseUrl: 'https://vendor', credential: 'k', upstreamModel: 'gpt-5.4-mini' };
  const sent = (more: object) => protocol.buildRequest(hello('gp-5.4-mini', more), target);

  it.each([
    [{}, '/v1/chat/completions'],
    [{ tools }, '/v1/chat/completions'],
    [{ reasoning_effort: 'high' }, '/v1/chat/completions'],
    [{ tools, reasoning_effort: 'none' }, '/v1/chat/completions'],
    [{ tools: [], reasoning_effort: 'high' }, '/v1/chat/completions'],
    [{ tools, reasoning_effort: 'low' }, '/v1/responses'],
  ])('sends %j to %s', (more, path) => {
    expect(sent(more).url).toBe(`https://vendor${path}`);
  });

  it('keeps what the request asks for', () => {
    const body = JSON.parse(
      String(
        sent({
          tools,
          reasoning_effort: 'high',
          stream: true,
          parallel_tool_calls: false,
          max_tokens: 100,
          prompt_cache_key: 'k',
          response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' } } },
        }).body,
      ),
    );
    expect(body).toMatchObject({
      model: 'gpt-5.4-mini',
      reasoning: { effort: 'high' },
      parallel_tool_calls: false,
      max_output_tokens: 100,
      prompt_cache_key: 'k',
      stream: true,
      text: { format: { type: 'json_schema', name: 's' } },
      store: false,
    });
  });

  it('refuses a cap below the least of that protocol, and never raises it', () => {
    const error = errorOf(() => sent({ tools, reasoning_effort: 'high', max_tokens: 15 }));
    expect([error.code, error.details.param]).toEqual(['unsupported_value', 'max_completion_tokens']);
  });
});
