import { expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const model = 'cl-sonnet-4-6';
const cache_control = { type: 'ephemeral' };
const called = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x', cache_control });

/** Texts and ids of the blocks with a mark, in the order of the prompt. */
function marksOf(fields: object) {
  const adapter = CHAT_ADAPTERS['anthropic-messages'];
  const { body, changes } = adapter.buildRequest(callOf({ model, ...fields }), targetOf(model));
  const { tools = [], system = [], messages } = JSON.parse(String(body));
  const blocks = [...tools, ...system, ...messages.flatMap(({ content }: { content: object[] }) => content)];
  const marked = blocks.filter((block) => 'cache_control' in block);
  return { marks: marked.map(({ name, text, tool_use_id: id }) => id ?? text ?? name), dropped: changes?.dropped };
}

const tools = [{ type: 'function', function: { name: 'f' }, cache_control }];
const history = [
  { role: 'user', content: 'u', cache_control },
  { role: 'assistant', content: null, tool_calls: [called('c1'), called('c2')] },
];

it('sends the last four marks of a conversation that has more, and reports it', () => {
  const system = { role: 'system', content: 's', cache_control };
  const messages = [...history, result('c1'), result('c2'), system];
  expect(marksOf({ messages, tools })).toEqual({
    marks: ['s', 'u', 'c1', 'c2'],
    dropped: ['messages[].cache_control'],
  });
});

it('sends four marks as they are', () => {
  expect(marksOf({ messages: [...history, result('c1'), result('c2')], tools })).toEqual({
    marks: ['f', 'u', 'c1', 'c2'],
    dropped: [],
  });
});

it('counts the mark of the whole request', () => {
  expect(marksOf({ messages: [...history, result('c1'), result('c2')], tools, cache_control })).toEqual({
    marks: ['u', 'c1', 'c2'],
    dropped: ['messages[].cache_control'],
  });
});
