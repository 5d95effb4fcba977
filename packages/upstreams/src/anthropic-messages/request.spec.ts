import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const { buildRequest } = CHAT_ADAPTERS['anthropic-messages'];

function bodyOf(request: Readonly<Record<string, unknown>> & { readonly model: string }): Record<string, unknown> {
  return JSON.parse(String(buildRequest(callOf(request), targetOf(request.model)).body)) as Record<string, unknown>;
}

const hi = { role: 'user', content: 'Hi' };
const tools = [{ type: 'function', function: { name: 'w', parameters: { properties: {} } } }];
const afterTools = [
  hi,
  { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{}' } }] },
  { role: 'user', content: 'while you wait' },
  { role: 'tool', tool_call_id: 'c1', content: '' },
];

describe('buildRequest of anthropic-messages', () => {
  it('sends the key and the version as headers', () => {
    expect(buildRequest(callOf({ model: 'cl-opus-4-7', messages: [hi] }), targetOf('cl-opus-4-7')).headers).toEqual({
      'x-api-key': 'secret-credential',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('puts tool results first in a message', () => {
    expect(bodyOf({ model: 'cl-sonnet-4-6', messages: afterTools, tools }).messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '' }, { type: 'text' }] },
    ]);
  });

  it('adds the type to a tool schema', () => {
    expect(bodyOf({ model: 'cl-sonnet-4-6', messages: [hi], tools }).tools).toEqual([
      { name: 'w', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it.each([
    [
      'a mark of the whole request',
      { cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'ephemeral', ttl: '1h' },
    ],
    ['a key of a cache', { prompt_cache_key: 'k' }, { type: 'ephemeral' }],
    ['neither', {}, undefined],
  ])('caches the whole prompt by %s', (_, fields, expected) => {
    expect(bodyOf({ model: 'cl-sonnet-4-6', messages: [hi], ...fields }).cache_control).toEqual(expected);
  });

  it('caches instructions by a key too, but not by a mark of the whole request', () => {
    const messages = [{ role: 'system', content: 'Be brief' }, { role: 'developer', content: 'Be kind' }, hi];
    const system = (fields: object) => bodyOf({ model: 'cl-sonnet-4-6', messages, ...fields }).system;
    const cache_control = { type: 'ephemeral' };
    const [brief, kind] = ['Be brief', 'Be kind'].map((text) => ({ type: 'text', text }));
    expect(system({ prompt_cache_key: 'k' })).toEqual([brief, { ...kind, cache_control }]);
    expect(system({ prompt_cache_key: 'k', cache_control })).toEqual([brief, kind]);
  });

  it('leaves a prompt with marks of its own to them', () => {
    const messages = [{ ...hi, cache_control: { type: 'ephemeral' } }];
    const request = { model: 'cl-sonnet-4-6', messages, prompt_cache_key: 'k' };
    expect(bodyOf(request)).not.toHaveProperty('cache_control');
  });

  it('omits thinking with a forced tool, and still sends a named effort', () => {
    const forced = { messages: [hi], tools, tool_choice: 'required', reasoning_effort: 'low' };
    expect(bodyOf({ model: 'cl-opus-4-7', ...forced })).not.toHaveProperty('thinking');
    expect(bodyOf({ model: 'cl-opus-4-7', ...forced })).toMatchObject({ output_config: { effort: 'low' } });
    expect(bodyOf({ model: 'cl-sonnet-4-0', ...forced })).not.toHaveProperty('thinking');
  });

  it('sends the thinking that a client of chat completions returns, so that the model goes on thinking', () => {
    const [asked, calls, , result] = afterTools;
    const reasoning_details = [{ type: 'reasoning.text', text: 'Hm', signature: 'c2ln', index: 0 }];
    const request = { model: 'cl-sonnet-4-0', reasoning_effort: 'medium', tools };
    const messages = [asked, { ...calls, reasoning_details }, result];
    expect(bodyOf({ ...request, messages })).toMatchObject({
      thinking: { type: 'enabled' },
      messages: [
        { role: 'user' },
        { content: [{ type: 'thinking', thinking: 'Hm', signature: 'c2ln' }, { type: 'tool_use' }] },
        { role: 'user' },
      ],
    });
    expect(bodyOf({ ...request, messages: [asked, calls, result] })).not.toHaveProperty('thinking');
  });

  it('asks in words for a tool that the model cannot be forced to call, and reports it', () => {
    const named = { tool_choice: { type: 'function', function: { name: 'w' } }, parallel_tool_calls: false };
    const request = { model: 'cl-opus-5-5', messages: [hi], tools, ...named };
    expect(bodyOf(request)).toMatchObject({
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      system: [{ type: 'text', text: 'Respond with a call of the tool `w`, not with text.' }],
    });
    const sent = (choice: unknown) =>
      buildRequest(callOf({ ...request, tool_choice: choice }), targetOf('cl-opus-5-5')).changes?.filled;
    expect(sent(named.tool_choice)).toEqual({ tool_choice: 'auto' });
    expect(sent('required')).toEqual({ tool_choice: 'auto' });
    expect(sent('auto')).toEqual({});
  });

  it('omits budget thinking after tool calls and below the minimum budget', () => {
    const low = { model: 'cl-sonnet-4-0', reasoning_effort: 'low', tools };
    expect(bodyOf({ ...low, messages: afterTools })).not.toHaveProperty('thinking');
    expect(bodyOf({ ...low, messages: [hi], max_tokens: 1_024 })).not.toHaveProperty('thinking');
    expect(bodyOf({ ...low, messages: [hi], max_tokens: 1_025 })).toMatchObject({
      thinking: { budget_tokens: 1_024 },
    });
  });

  it('limits max_tokens to the maximum of the model', () => {
    expect(bodyOf({ model: 'cl-opus-4-7', messages: [hi], max_tokens: 999_999 }).max_tokens).toBe(128_000);
  });

  it('adds a user message after a conversation that ends with the assistant, and reports it', () => {
    const request = { model: 'cl-sonnet-4-6', messages: [hi, { role: 'assistant', content: 'Now choose one.' }] };
    expect(bodyOf(request).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Now choose one.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Continue.' }] },
    ]);
    const filled = (messages: readonly object[]) =>
      buildRequest(callOf({ ...request, messages }), targetOf(request.model)).changes?.filled;
    expect(filled(request.messages)).toEqual({ messages: 'Continue.' });
    expect(filled([hi, { role: 'assistant', content: '' }])).toEqual({});
  });
});
