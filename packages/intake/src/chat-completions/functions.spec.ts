import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const MODELS = ['gp-5.4-mini', 'gp-5.4-pro', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];
const sky = { name: 'sky', description: 'The sky', parameters: { type: 'object', properties: {} } };
const user = { role: 'user', content: 'How is the sky?' };
const turns = [
  user,
  { role: 'assistant', content: null, function_call: { name: 'sky', arguments: '{"city":"Rome"}' } },
  { role: 'function', name: 'sky', content: 'clear' },
  { role: 'assistant', content: 'Again', function_call: { name: 'sky', arguments: '{}' } },
  { role: 'function', name: 'sky', content: null },
];
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'sky', arguments: args } });
const publishedTurns = [
  user,
  { role: 'assistant', content: null, tool_calls: [call('call_1', '{"city":"Rome"}')] },
  { role: 'tool', tool_call_id: 'call_1', content: 'clear' },
  { role: 'assistant', content: 'Again', tool_calls: [call('call_3', '{}')] },
  { role: 'tool', tool_call_id: 'call_3', content: '' },
];

function validate(fields: object, id = 'gp-5.4-mini') {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, messages: [user], ...fields }, model);
}

function paramOf(fields: object): string | undefined {
  try {
    validate(fields);
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
  }
  throw new Error(`accepted ${JSON.stringify(fields)}`);
}

describe('a chat with functions', () => {
  it.each(MODELS)('becomes one with tools, is held as it, and is reported: %s', (id) => {
    const older = { messages: turns, functions: [sky], function_call: { name: 'sky' }, stream: true };
    const published = {
      model: id,
      messages: publishedTurns,
      stream: true,
      tools: [{ type: 'function', function: sky }],
      tool_choice: { type: 'function', function: { name: 'sky' } },
      parallel_tool_calls: false,
    };
    const { rewritten, changes, ...held } = validate(older, id);
    expect(rewritten).toEqual({ ...published, functions: true });
    const { changes: others, ...same } = validate(published, id);
    expect(held).toEqual(same);
    expect(changes?.dropped).toEqual(others?.dropped);
    expect(changes?.filled).toEqual({
      ...others?.filled,
      messages: 'function_call',
      tools: 'functions',
      tool_choice: 'function_call',
      // Google has no such field: it is reported as dropped.
      ...(!id.startsWith('gm-') && { parallel_tool_calls: 'false' }),
    });
  });

  it.each(['auto', 'none'])('keeps the choice %s', (choice) => {
    expect(validate({ functions: [sky], function_call: choice }).rewritten).toMatchObject({ tool_choice: choice });
  });

  it('gets an answer in the published form, where only its history is older', () => {
    const { rewritten } = validate({ messages: turns, tools: [{ type: 'function', function: sky }] });
    expect(rewritten).toMatchObject({ messages: publishedTurns });
    expect(rewritten).not.toHaveProperty('functions');
    expect(rewritten).not.toHaveProperty('parallel_tool_calls');
  });

  it('matches results with calls of the same name in their order', () => {
    const [question, one, result] = turns;
    const { rewritten } = validate({ messages: [question, one, one, result, result] });
    const { messages } = rewritten as { messages: { tool_call_id?: string }[] };
    expect(messages.map(({ tool_call_id: id }) => id)).toEqual([undefined, undefined, undefined, 'call_1', 'call_2']);
  });

  it('keeps the bytes of a body whose older fields are null', () => {
    const answered = { role: 'assistant', content: 'clear', function_call: null };
    const messages = [user, answered, user];
    expect(validate({ messages, functions: null, function_call: null })).not.toHaveProperty('rewritten');
  });

  it.each([
    [{ functions: [] }, 'functions'],
    [{ functions: true }, 'functions'],
    [{ functions: [{ description: 'no name' }] }, 'functions[0].name'],
    [{ function_call: 'auto' }, 'functions'],
    [{ functions: [sky], function_call: 'required' }, 'function_call'],
    [{ functions: [sky], tools: [{ type: 'function', function: sky }] }, 'functions'],
    [{ functions: [sky], tool_choice: 'auto' }, 'functions'],
    [{ messages: [user, { role: 'function', name: 'sky', content: 'clear' }] }, 'messages[1].name'],
    [
      { messages: [user, { role: 'assistant', function_call: { name: 'sky' } }] },
      'messages[1].function_call.arguments',
    ],
  ])('with %j is refused by name', (fields, param) => {
    expect(paramOf(fields)).toBe(param);
  });
});
