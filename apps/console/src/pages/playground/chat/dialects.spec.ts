import { GatewayError } from '@gateway/client';
import { describe, expect, it } from '@jest/globals';
import type { Model } from '../../../api/models.js';
import { type ChatAnswer, type ChatPrompt, type DialectId, NO_ANSWER, type Turn } from './conversation.js';
import { DIALECTS } from './dialects.js';

const model = (id: string, ownedBy: string, thinking = 'budget'): Model => ({
  id,
  display_name: id,
  owned_by: ownedBy,
  family: 'x',
  endpoints: [],
  limits: { max_output_tokens: 64_000 },
  capabilities: { chat: { inputs: ['image'], efforts: ['low'], thinking, temperature_max: 2, streams: true } },
  pricing: { version: 'v', per_million: {} },
  aliases: [],
  shutdown_date: null,
  successor: null,
});

const GM = model('gm-2.5-flash', 'google');
const PNG = { name: 'a.png', mediaType: 'image/png', base64: 'AAAA' };
const TOOL = { name: 'get_weather', description: 'Weather', parameters: { type: 'object' } };
const message = (text: string) => ({ text, attachments: [], results: [] });

const prompt = (more: Partial<ChatPrompt> = {}): ChatPrompt => ({
  model: GM,
  system: '',
  tools: [],
  settings: { maxTokens: null, temperature: null, effort: null },
  turns: [],
  input: message('Hello'),
  ...more,
});

const bodyOf = (id: DialectId, more: Partial<ChatPrompt> = {}): Record<string, unknown> => {
  const { body } = DIALECTS[id].build(prompt(more));
  if (!('json' in body)) throw new Error('a chat has a JSON body');
  return body.json as Record<string, unknown>;
};

const answerOf = (id: DialectId, events: readonly unknown[]): ChatAnswer =>
  events.reduce<ChatAnswer>(DIALECTS[id].read, NO_ANSWER);

/** One answer in the events of each format: thinking, text in two parts, and a call in two parts. */
const STREAMS: Readonly<Record<DialectId, readonly unknown[]>> = {
  'chat.completions': [
    { choices: [{ delta: { role: 'assistant', reasoning_content: 'Hm.' }, finish_reason: null }] },
    { choices: [{ delta: { content: 'Hel' }, finish_reason: null }], usage: null },
    { choices: [{ delta: { content: 'lo' }, finish_reason: null }] },
    {
      choices: [
        { delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'get_weather', arguments: '{"ci' } }] } },
      ],
    },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: 'ty":"Rome"}' } }] } }] },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    {
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
    },
  ],
  messages: [
    {
      type: 'message_start',
      message: {
        usage: { input_tokens: 6, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"ci' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: 'ty":"Rome"}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: { status: 'in_progress' } },
    { type: 'response.reasoning_summary_text.delta', delta: 'Hm.' },
    { type: 'response.output_text.delta', delta: 'Hel' },
    { type: 'response.output_text.delta', delta: 'lo' },
    {
      type: 'response.output_item.added',
      item: { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"city":' },
    {
      type: 'response.output_item.done',
      item: { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' },
    },
    {
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [{ type: 'reasoning', encrypted_content: 'sig' }],
        usage: { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } },
      },
    },
  ],
  generate_content: [
    { candidates: [{ content: { parts: [{ text: 'Hm.', thought: true }] } }] },
    { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
    { candidates: [{ content: { parts: [{ text: 'lo' }] } }] },
    {
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Rome' } }, thoughtSignature: 'sig' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
        cachedContentTokenCount: 4,
      },
    },
  ],
};

const IDS = Object.keys(STREAMS) as readonly DialectId[];

describe.each(IDS)('%s', (id) => {
  const answer = answerOf(id, STREAMS[id]);

  it('reads thinking, text, calls, counts and the end', () => {
    expect(answer).toMatchObject({
      thinking: 'Hm.',
      text: 'Hello',
      calls: [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' }],
      usage: { input: 10, cached: 4, output: 5 },
      finish: expect.stringMatching(/./),
    });
  });

  it('has no end while the answer comes', () => {
    expect(answerOf(id, STREAMS[id].slice(0, 3)).finish).toBeNull();
  });

  it('reads text in pieces as it comes', () => {
    const texts = STREAMS[id].map((_, index) => answerOf(id, STREAMS[id].slice(0, index + 1)).text);
    expect(new Set(texts)).toEqual(new Set(['', 'Hel', 'Hello']));
  });

  it('sends the answer of a function back with its call', () => {
    const turn: Turn = { input: message('The weather?'), answer, dialect: id };
    const results = [{ callId: 'c1', name: 'get_weather', content: 'sunny' }];
    const sent = JSON.stringify(bodyOf(id, { turns: [turn], tools: [TOOL], input: { ...message(''), results } }));
    for (const part of ['The weather?', 'c1', 'get_weather', 'sunny']) expect(sent).toContain(part);
    // What the vendor wants back unchanged: chat completions carry it in the ids of calls.
    if (id !== 'chat.completions') expect(sent).toContain('sig');
  });

  it('writes an answer of another format again', () => {
    const other = IDS.find((one) => one !== id) ?? id;
    const turn: Turn = { input: message('Before'), answer, dialect: other };
    const sent = JSON.stringify(bodyOf(id, { turns: [turn] }));
    for (const part of ['Before', 'Hello', 'get_weather', 'Rome']) expect(sent).toContain(part);
    expect(sent).not.toContain('Hm.');
  });

  it('quotes what it sends', () => {
    const request = DIALECTS[id].build(prompt());
    expect(request.quote.body).toMatchObject({ ...bodyOf(id), model: 'gm-2.5-flash' });
    expect(request).toMatchObject({ method: 'POST', answer: 'events' });
  });

  it('sends a system text, an image and the settings', () => {
    const settings = { maxTokens: 77, temperature: 0.25, effort: null };
    const input = { ...message('What is it?'), attachments: [PNG] };
    const sent = JSON.stringify(bodyOf(id, { system: 'Be brief.', settings, input, tools: [TOOL] }));
    for (const part of ['Be brief.', '77', '0.25', 'AAAA', 'image/png', 'What is it?', 'Weather']) {
      expect(sent).toContain(part);
    }
  });
});

describe('thinking', () => {
  const settings = { maxTokens: null, temperature: null, effort: 'low' };
  it.each([
    ['chat.completions', GM, { reasoning_effort: 'low' }],
    ['responses', GM, { reasoning: { effort: 'low', summary: 'auto' } }],
    ['messages', GM, { output_config: { effort: 'low' }, max_tokens: 4_096 }],
    [
      'messages',
      model('cl-haiku-4-5', 'anthropic'),
      { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 5_120 },
    ],
    ['messages', model('cl-opus-4-7', 'anthropic', 'adaptive'), { output_config: { effort: 'low' } }],
    [
      'generate_content',
      GM,
      { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } } },
    ],
    [
      'generate_content',
      model('gm-3.8-flash', 'google', 'always'),
      { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
    ],
  ] as const)('is asked for in the words of %s', (id, asked, expected) => {
    expect(bodyOf(id, { model: asked, settings })).toMatchObject(expected);
  });
});

describe('a stream that reports a failure', () => {
  it.each([
    ['chat.completions', { error: { message: 'Overloaded', code: 'overloaded' } }],
    ['messages', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    ['responses', { type: 'response.failed', response: { error: { code: 'server_error', message: 'Overloaded' } } }],
    ['generate_content', { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
  ] as const)('of %s is an error in its words', (id, event) => {
    expect(() => answerOf(id, [event])).toThrow(GatewayError);
    expect(() => answerOf(id, [event])).toThrow('Overloaded');
  });
});

it('reads an answer that is only a refusal', () => {
  const events = [{ choices: [{ delta: { refusal: 'I cannot.' }, finish_reason: 'stop' }] }];
  expect(answerOf('chat.completions', events)).toMatchObject({ text: 'I cannot.', finish: 'stop' });
});
