import { expect, it } from '@jest/globals';
import { NO_ANSWER } from './conversation.js';
import { FIRST_CHAT } from './draft.js';
import { turnOf } from './turn-of.js';

const draft = { ...FIRST_CHAT, text: 'Hello', dialect: 'messages' as const };
const output = {
  ...NO_ANSWER,
  text: 'Hi',
  calls: [{ id: 'c', name: 'f', arguments: '{' }],
  native: [{ type: 'text' }],
};

it('keeps a whole answer in its own form', () => {
  expect(turnOf({ draft, output, state: 'succeeded' })).toEqual([
    { input: draft, answer: output, dialect: 'messages' },
  ]);
});

it.each(['stopped', 'cut'] as const)('keeps the text of an answer that was %s, without its calls', (state) => {
  const [turn] = turnOf({ draft, output, state });
  expect(turn).toMatchObject({ dialect: 'chat.completions', answer: { text: 'Hi', calls: [], native: [] } });
  expect(turnOf({ draft, output: NO_ANSWER, state })).toEqual([]);
});

it('forgets a failed request, which can be sent again', () => {
  expect(turnOf({ draft, output, state: 'failed' })).toEqual([]);
});
