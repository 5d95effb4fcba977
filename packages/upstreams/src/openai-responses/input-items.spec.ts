import { describe, expect, it } from '@jest/globals';
import { promptOf } from './input-items.js';

const requestOf = (system: string, user: string) => ({
  messages: [
    { role: 'system' as const, content: [{ type: 'text' as const, text: system }] },
    { role: 'user' as const, content: [{ type: 'text' as const, text: user }] },
  ],
  settings: { format: { type: 'json' as const } },
});

describe('promptOf with json_object', () => {
  it.each([
    ['no message contains json', requestOf('Be brief.', 'A colour')],
    ['only the instructions contain json', requestOf('Answer in JSON.', 'A colour')],
  ])('adds a developer message if %s', (_when, request) => {
    const { instructions, input } = promptOf(request);
    expect(instructions).toBe(request.messages[0]?.content[0]?.text);
    expect(input).toEqual([
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Answer with one JSON object.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A colour' }] },
    ]);
  });

  it('adds nothing if a user message contains json', () => {
    expect(promptOf(requestOf('Be brief.', 'A colour as json')).input).toHaveLength(1);
  });
});

it('keeps the border of instructions that come in blocks', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words });
  const blocks = (role: 'system' | 'user', ...words: readonly string[]) => ({ role, content: words.map(text) });
  const messages = [
    blocks('system', 'You are terse.', 'You are kind.'),
    blocks('user', 'Hi'),
    blocks('system', 'A', 'B'),
  ];
  const { instructions, input } = promptOf({ messages, settings: {} });
  expect(instructions).toBe('You are terse.\nYou are kind.');
  expect(input.at(-1)).toMatchObject({ role: 'developer', content: [{ text: 'A\nB' }] });
});
