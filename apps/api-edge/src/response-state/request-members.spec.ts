import { STATE_FORMS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  joinElements,
  membersBesideInput,
  outputElements,
  readStateMembers,
  sinceCompaction,
  withMember,
  withoutRepeatedItems,
} from './request-members.js';

const read = (body: unknown) => readStateMembers(Buffer.from(JSON.stringify(body)));

describe('the members of a request', () => {
  it('are read without the prompt', () => {
    const members = read({ model: 'm', input: 'a "b" previous_response_id', previous_response_id: 'resp_a' });
    expect(members).toMatchObject({ previousId: 'resp_a', conversationId: undefined, isStored: true });
    expect(members.input?.toString()).toBe('"a \\"b\\" previous_response_id"');
  });

  it.each([
    [{ conversation: 'conv_a' }, 'conv_a'],
    [{ conversation: { id: 'conv_a' } }, 'conv_a'],
    [{ conversation: null }, undefined],
  ])('have the conversation of %j', (body, conversationId) => {
    expect(read(body).conversationId).toBe(conversationId);
  });

  it.each([
    [{ store: false }, false],
    [{ store: true }, true],
    [{ store: null }, true],
    [{}, true],
  ])('of %j say that it is stored: %s', (body, isStored) => {
    expect(read(body).isStored).toBe(isStored);
  });

  it.each([
    [{ previous_response_id: 7 }, "'previous_response_id': expected the id of a response"],
    [{ previous_response_id: '' }, "'previous_response_id': expected the id of a response"],
    [{ background: true, store: false }, "'store': expected true beside 'background'"],
    [{ conversation: {} }, "'conversation': expected the id of a conversation"],
    [{ conversation: [] }, "'conversation': expected the id of a conversation"],
    [
      { conversation: 'conv_a', previous_response_id: 'resp_a' },
      "'previous_response_id': expected no previous response",
    ],
  ])('of %j are refused', (body, message) => {
    expect(() => read(body)).toThrow(message);
  });

  it('beside the prompt are read on their own', () => {
    const body = Buffer.from(JSON.stringify({ model: 'm', input: 'a long prompt', background: true, top_p: 0.5 }));
    expect(membersBesideInput(body)).toEqual({ model: 'm', background: true, top_p: 0.5 });
  });

  it('of a body that is no JSON are left to the parser', () => {
    expect(readStateMembers(Buffer.from('{"previous_response_id": nonsense, '))).toMatchObject({
      previousId: undefined,
    });
    expect(readStateMembers(Buffer.from('nonsense'))).toMatchObject({ input: undefined });
  });

  it('count by their last value, as for a parser', () => {
    const body = Buffer.from('{"store":true,"input":"a","store":false,"input":"b"}');
    expect(readStateMembers(body)).toMatchObject({ isStored: false, input: Buffer.from('"b"') });
    expect(JSON.parse(withMember(body, 'input', Buffer.from('[]')).toString())).toMatchObject({ input: [] });
  });
});

describe('a member with another value', () => {
  it.each([
    ['{"a":1,"input":"x","b":2}', { a: 1, input: [], b: 2 }],
    ['{ "input" : null }', { input: [] }],
    ['{"a":1}', { a: 1, input: [] }],
    ['{ }', { input: [] }],
  ])('of %s leaves the other bytes', (body, expected) => {
    expect(JSON.parse(withMember(Buffer.from(body), 'input', Buffer.from('[]')).toString())).toEqual(expected);
  });
});

describe('a history', () => {
  const form = STATE_FORMS.responses;

  it('joins texts, lists and outputs in order', () => {
    const text = form.inputElements(Buffer.from('"hi"'));
    const list = form.inputElements(Buffer.from('[ {"n":[1]}, {"n":2} ]'));
    const output = outputElements('{"id":"resp_a","output":[{"id":"msg_a"}],"usage":{"output":[]}}', form);
    expect(
      JSON.parse(Buffer.concat(joinElements([text, form.inputElements(Buffer.from('[ ]')), output, list])).toString()),
    ).toEqual([{ type: 'message', role: 'user', content: 'hi' }, { id: 'msg_a' }, { n: [1] }, { n: 2 }]);
    expect(Buffer.concat(joinElements([])).toString()).toBe('[]');
  });
});

describe('a history of interactions', () => {
  const form = STATE_FORMS.interactions;
  const hi = { type: 'text', text: 'Hi' };
  const step = { type: 'user_input', content: [hi] };

  it.each<[string, unknown, unknown]>([
    ['a text', 'Hi', [step]],
    ['a content', hi, [step]],
    ['contents', [hi, { ...hi, text: 'type' }], [{ type: 'user_input', content: [hi, { ...hi, text: 'type' }] }]],
    ['steps', [step, { type: 'thought', signature: 's' }], [step, { type: 'thought', signature: 's' }]],
  ])('has %s as steps', (_, input, expected) => {
    const steps = form.inputElements(Buffer.from(JSON.stringify(input)));
    expect(JSON.parse(Buffer.concat(joinElements([steps])).toString())).toEqual(expected);
  });

  it('has the steps of each answer', () => {
    const steps = outputElements(JSON.stringify({ id: 'int_a', steps: [step] }), form);
    expect(JSON.parse(`[${steps.toString()}]`)).toEqual([step]);
  });

  it('reads what a request continues, but not what its vendor stores', () => {
    const membersOf = (id: unknown) =>
      readStateMembers(Buffer.from(JSON.stringify({ input: 'a', previous_interaction_id: id })), form).previousId;
    expect(membersOf('int_a')).toBe('int_a');
    expect(membersOf('v1_sealed')).toBeUndefined();
    expect(() => membersOf(7)).toThrow('previous_interaction_id');
  });
});

describe('a history in which a compaction was asked for', () => {
  const trigger = { type: 'compaction_trigger' };
  const compaction = { type: 'compaction', encrypted_content: 'x' };
  const says = (content: string) => ({ role: 'user', content });
  const listOf = (...items: readonly object[]) => items.map((item) => Buffer.from(JSON.stringify(item)));
  const since = (...items: readonly object[]): unknown =>
    JSON.parse(Buffer.concat(joinElements(sinceCompaction(listOf(...items)))).toString('utf8'));

  it('begins with the compaction', () => {
    expect(since(says('old'), trigger, compaction, says('new'))).toEqual([compaction, says('new')]);
  });

  it('stays whole where nothing was asked for, and without an answer', () => {
    expect(since(compaction, says('a "compaction_trigger" in a text'))).toHaveLength(2);
    expect(since(compaction, says('old'), trigger)).toEqual([compaction, says('old')]);
  });
});

describe('an input that repeats a call of the answer that it continues', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'c', output: 'rain' };
  const question = { role: 'user', content: 'Weather?' };
  const listed = (...items: readonly object[]) => Buffer.from(JSON.stringify(items));
  const elements = [listed(question), listed({ type: 'reasoning' }, call)].map((list) => list.subarray(1, -1));

  it('goes on without it, and says so', () => {
    const { input, changes } = withoutRepeatedItems(listed(question, call, result), elements);
    expect(JSON.parse(input.toString())).toEqual([result]);
    expect(changes).toEqual({ filled: {}, dropped: ['input[0]', 'input[1]'] });
  });

  it.each([
    listed(result),
    listed({ ...call, call_id: 'other' }),
    Buffer.from('"a text with a function_call"'),
    Buffer.from('[{"type":"function_call"'),
  ])('keeps its bytes if it repeats none: %s', (input) => {
    expect(withoutRepeatedItems(input, elements).input).toBe(input);
  });
});
