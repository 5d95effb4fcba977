import { clientToolId } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const model = 'gp-5.4-mini';
const sent = (messages: readonly object[]) => {
  const call = callOf({ model, messages });
  return JSON.parse(String(CHAT_ADAPTERS['openai-chat'].buildRequest(call, targetOf(model)).body)).messages;
};

it('sends nothing that another vendor’s model has left in a conversation', () => {
  const id = clientToolId('call_1', { protocol: 'gemini-generate', data: { thoughtSignature: 's' } });
  const called = { type: 'function', function: { name: 'f', arguments: '{}' } };
  const parsed = { ...called, function: { ...called.function, parsed_arguments: {} } };
  const extra = { extra_content: { google: { thought_signature: 's' } }, index: 0 };
  const text = { type: 'text', text: 'The "index" of \\"cache_control\\"' };
  expect(
    sent([
      { role: 'user', content: [{ ...text, cache_control: { type: 'ephemeral' } }] },
      {
        ...{ role: 'assistant', content: null, reasoning_content: 'Hm', parsed: null },
        tool_calls: [{ ...parsed, id, ...extra }],
      },
      { role: 'tool', tool_call_id: id, content: 'x', cache_control: { type: 'ephemeral' } },
    ]),
  ).toEqual([
    { role: 'user', content: [text] },
    { role: 'assistant', content: null, tool_calls: [{ ...called, id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'x' },
  ]);
});

// OpenAI's Agents SDK sends its history of chat completions so.
it('sends the text of an answer without the fields of its message', () => {
  const text = { type: 'text', text: 'Hm' };
  const copied = { ...text, role: 'assistant', refusal: null, annotations: [], reasoning_content: 'Why' };
  const refused = { type: 'refusal', refusal: 'No' };
  const question = { role: 'user', content: 'And?' };
  expect(sent([{ role: 'assistant', content: [copied, refused] }, question])).toEqual([
    { role: 'assistant', content: [text, refused] },
    question,
  ]);
});

it('sends all other messages as the client wrote them', () => {
  const messages = [
    { role: 'user', name: 'bob', content: 'Hi' },
    { role: 'assistant', content: 'Hm', refusal: null, annotations: [] },
    { role: 'user', content: 'An "index"' },
  ];
  expect(sent(messages)).toEqual(messages);
});
