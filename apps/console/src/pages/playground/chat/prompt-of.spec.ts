import { describe, expect, it } from '@jest/globals';
import { promptOf } from './prompt-of.js';

const user = (content: unknown) => ({ role: 'user', content });

describe('promptOf', () => {
  it.each<[string, object]>([
    ['chat', { messages: [{ role: 'system', content: 'Be brief' }, user('one'), user('two')] }],
    [
      'parts of chat',
      { messages: [{ role: 'developer', content: 'Be brief' }, user([{ type: 'text', text: 'two' }])] },
    ],
    ['messages', { system: 'Be brief', messages: [user('one'), { role: 'assistant', content: 'x' }, user('two')] }],
    ['messages with blocks', { system: [{ type: 'text', text: 'Be brief' }], messages: [user('two')] }],
    ['responses', { instructions: 'Be brief', input: 'two' }],
    ['responses with items', { instructions: 'Be brief', input: [user([{ type: 'input_text', text: 'two' }])] }],
    [
      'Google’s API',
      { systemInstruction: { parts: [{ text: 'Be brief' }] }, contents: [{ role: 'user', parts: [{ text: 'two' }] }] },
    ],
  ])('finds the instructions and the last message: %s', (_which, body) => {
    expect(promptOf(JSON.stringify(body))).toEqual({ system: 'Be brief', text: 'two' });
  });

  it('finds nothing in what is no chat', () => {
    for (const body of ['', 'not json', '[]', '{}', '{"messages":[]}', '{"messages":[{"role":"user"}]}']) {
      expect(promptOf(body)).toBeUndefined();
    }
  });
});
