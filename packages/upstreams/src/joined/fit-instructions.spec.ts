import { expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const instructions = ['Be brief.', 'Name a river.', ' '].map((content) => ({ role: 'system', content }));

function sentOf(id: keyof typeof CHAT_ADAPTERS, model: string, messages: readonly object[]) {
  const { body, changes } = CHAT_ADAPTERS[id].buildRequest(callOf({ model, messages }), targetOf(model));
  return { body: JSON.parse(String(body)), filled: changes?.filled };
}

it('sends the last of nothing but instructions as the user, and reports it', () => {
  expect(sentOf('anthropic-messages', 'cl-sonnet-4-6', instructions)).toMatchObject({
    body: {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Name a river.' }] }],
    },
    filled: { 'messages[1].role': 'user' },
  });
  expect(sentOf('gemini-generate', 'gm-3.8-flash', instructions.slice(1, 2))).toMatchObject({
    body: { contents: [{ role: 'user', parts: [{ text: 'Name a river.' }] }] },
    filled: { 'messages[0].role': 'user' },
  });
});

it('does the same beside an empty message of the user', () => {
  for (const content of ['', ' ', [{ type: 'text', text: '' }]]) {
    const messages = [...instructions.slice(0, 2), { role: 'user', content }];
    expect(sentOf('anthropic-messages', 'cl-sonnet-4-6', messages)).toMatchObject({
      body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Name a river.' }] }] },
      filled: { 'messages[1].role': 'user' },
    });
    expect(sentOf('gemini-generate', 'gm-3.8-flash', messages).body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Name a river.' }] }],
    });
  }
});

it('leaves instructions to an API that takes them alone, and beside a message', () => {
  expect(sentOf('openai-chat', 'gp-5.4-mini', instructions).body.messages).toEqual(instructions);
  const beside = sentOf('anthropic-messages', 'cl-sonnet-4-6', [...instructions, { role: 'user', content: 'Hi' }]);
  expect(beside.body.system).toHaveLength(2);
  expect(beside.filled).toEqual({});
});
