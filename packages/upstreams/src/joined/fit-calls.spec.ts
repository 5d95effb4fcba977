import type { AssistantPart, NeutralMessage, ToolResultPart } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';
import { fitCalls } from './fit-calls.js';

const ACCEPTED = /^[\w-]{1,64}$/;

const callPart = (id: string, input = '{}'): AssistantPart => ({
  type: 'tool-call',
  id,
  name: 'w',
  kind: 'function',
  input,
  path: '',
});
const calling = (...ids: readonly string[]): NeutralMessage => ({
  role: 'assistant',
  content: ids.map((id) => callPart(id)),
});
const resultPart = (id: string, text = ''): ToolResultPart => ({
  type: 'tool-result',
  id,
  kind: 'function',
  content: [{ type: 'text', text }],
  path: '',
});
const results = (...ids: readonly string[]): NeutralMessage => ({
  role: 'tool',
  content: ids.map((id) => resultPart(id)),
});
const hi: NeutralMessage = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };

const idsOf = (messages: readonly NeutralMessage[]): readonly (readonly string[])[] =>
  messages.map(({ content }) => content.flatMap((part) => ('id' in part ? [part.id] : [])));

describe('ids of calls', () => {
  it('stay as they are where the API takes them', () => {
    const history = [hi, calling('call_1', 'toolu_2'), results('call_1', 'toolu_2'), hi];
    expect(fitCalls(history, ACCEPTED)).toEqual(history);
  });

  it('are replaced where they are too long or hold other letters, always by the same', () => {
    const history = [hi, calling('functions.w:0', 'a'.repeat(65), ''), results('functions.w:0', 'a'.repeat(65), '')];
    const [, calls = [], answers] = idsOf(fitCalls(history, ACCEPTED));
    expect(calls).toEqual([1, 2, 3].map(() => expect.stringMatching(/^call_[\w-]{24}$/)));
    expect(answers).toEqual(calls);
    expect(idsOf(fitCalls([...history, hi], ACCEPTED))[1]).toEqual(calls);
  });

  it('are unique where a client repeats them in each turn', () => {
    const turn = [calling('call_0'), results('call_0')];
    const [, first, firstResult, second, secondResult] = idsOf(fitCalls([hi, ...turn, ...turn], ACCEPTED));
    expect([first, firstResult]).toEqual([['call_0'], ['call_0']]);
    expect(second).not.toEqual(first);
    expect(secondResult).toEqual(second);
  });

  it('of results without a call stay, so that the vendor names them', () => {
    expect(idsOf(fitCalls([hi, results('x.1')], ACCEPTED))).toEqual([[], ['x.1']]);
  });
});

const word = fc.constantFrom('', 'a', 'call_1', 'functions.w:0', 'b'.repeat(70));
const turns = fc.array(
  fc.array(word, { minLength: 1, maxLength: 4 }).chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      // Results of equal ids have no other order than that of their calls.
      order: new Set(ids).size < ids.length ? fc.constant(ids) : fc.shuffledSubarray(ids, { minLength: ids.length }),
      isSplit: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 5 },
);

it('gives every call its own id and its own result, in the order of the calls', () => {
  fc.assert(
    fc.property(turns, (drawn) => {
      const history = drawn.flatMap(({ ids, order, isSplit }, turn): NeutralMessage[] => {
        const seen = new Map<string, number>();
        const answers = order.map((id) => {
          const from = seen.get(id) ?? 0;
          const at = ids.indexOf(id, from);
          seen.set(id, at + 1);
          return resultPart(id, `${turn} ${at}`);
        });
        return [
          { role: 'assistant', content: ids.map((id, at) => callPart(id, `${turn} ${at}`)) },
          ...(isSplit
            ? answers.map((answer): NeutralMessage => ({ role: 'tool', content: [answer] }))
            : [{ role: 'tool' as const, content: answers }]),
        ];
      });
      const fitted = fitCalls(history, ACCEPTED);
      const calls = fitted.flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
      );
      const answers = fitted.flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'tool-result' ? [part] : [])),
      );
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
      expect(calls.every(({ id }) => ACCEPTED.test(id))).toBe(true);
      expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
      expect(answers.map(({ content }) => content)).toEqual(calls.map(({ input }) => [{ type: 'text', text: input }]));
      expect(fitted).toHaveLength(2 * drawn.length);
    }),
  );
});

describe('a history of another vendor', () => {
  const call = (id: string, city: string) => ({
    id,
    type: 'function',
    function: { name: 'w', arguments: JSON.stringify({ city }) },
  });
  const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const sentOf = (id: 'anthropic-messages' | 'gemini-generate', model: string, messages: readonly object[]) => {
    const { body } = CHAT_ADAPTERS[id].buildRequest(callOf({ model, messages }), targetOf(model));
    return JSON.parse(String(body)) as { messages: unknown[]; contents: unknown[] };
  };

  it('reaches Gemini with the results in the order of the calls, which has no ids', () => {
    const { contents } = sentOf('gemini-generate', 'gm-2.5-flash', [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call('a', 'Paris'), call('b', 'Rome')] },
      answer('b', 'of Rome'),
      answer('a', 'of Paris'),
    ]);
    expect(contents[2]).toEqual({
      role: 'user',
      parts: ['of Paris', 'of Rome'].map((result) => ({ functionResponse: { name: 'w', response: { result } } })),
    });
  });

  it('opens with a turn of the user where Gemini refuses calls', () => {
    const { contents } = sentOf('gemini-generate', 'gm-2.5-flash', [
      { role: 'assistant', content: null, tool_calls: [call('a', 'Paris')] },
      answer('a', 'of Paris'),
    ]);
    expect(contents[0]).toEqual({ role: 'user', parts: [{ text: '...' }] });
    expect(contents).toHaveLength(3);
  });

  it('reaches Claude with ids of its letters', () => {
    const { messages } = sentOf('anthropic-messages', 'cl-sonnet-4-6', [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call('functions.w:0', 'Paris')] },
      answer('functions.w:0', 'of Paris'),
    ]);
    const id = expect.stringMatching(/^call_[\w-]{24}$/);
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'w', input: { city: 'Paris' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'of Paris' }] },
    ]);
  });
});
