import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const { buildRequest } = CHAT_ADAPTERS['gemini-generate'];

function sentOf(model: string, messages: readonly object[]) {
  const { body, changes } = buildRequest(callOf({ model, messages }), targetOf(model));
  return { contents: JSON.parse(String(body)).contents, filled: changes?.filled };
}

const hi = { role: 'user', content: 'Hi' };
const said = { role: 'assistant', content: 'Now choose one.' };
const called = {
  role: 'assistant',
  content: 'One moment.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{}' } }],
};

describe('a conversation that ends with the assistant', () => {
  it('gets a last turn of the user, which is reported', () => {
    expect(sentOf('gm-3.8-flash', [hi, said])).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Now choose one.' }] },
        { role: 'user', parts: [{ text: 'Continue.' }] },
      ],
      filled: { messages: 'Continue.' },
    });
  });

  it.each([
    ['a model that takes it', 'gm-2.5-flash', [hi, said], ['user', 'model']],
    ['a call, whose result is missing', 'gm-3.8-flash', [hi, called], ['user', 'model']],
    ['an empty message', 'gm-3.8-flash', [hi, { role: 'assistant', content: '' }], ['user']],
  ])('stays as it is with %s', (_name, model, messages, roles) => {
    const { contents, filled } = sentOf(model, messages);
    expect(contents.map(({ role }: { role: string }) => role)).toEqual(roles);
    expect(filled).toEqual({});
  });
});
