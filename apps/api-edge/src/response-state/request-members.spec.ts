import { describe, expect, it } from '@jest/globals';
import {
  elementsOf,
  joinElements,
  membersBesideInput,
  outputElements,
  readStateMembers,
  sinceCompaction,
  withMember,
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
  it('joins texts, lists and outputs in order', () => {
    const text = elementsOf(Buffer.from('"hi"'));
    const list = elementsOf(Buffer.from('[ {"n":[1]}, {"n":2} ]'));
    const output = outputElements('{"id":"resp_a","output":[{"id":"msg_a"}],"usage":{"output":[]}}');
    expect(
      JSON.parse(Buffer.concat(joinElements([text, elementsOf(Buffer.from('[ ]')), output, list])).toString()),
    ).toEqual([{ type: 'message', role: 'user', content: 'hi' }, { id: 'msg_a' }, { n: [1] }, { n: 2 }]);
    expect(Buffer.concat(joinElements([])).toString()).toBe('[]');
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
