import { newConversationId, newRequestId, responseIdOf } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import type { StateAccess } from './find-response.js';
import { type ResponseState, responseStateIn } from './open-response-state.js';
import type { FinishedResponse } from './record-response.js';
import { removeExpiredState } from './remove-expired-state.js';

const MANY_BYTES = 1_000_000;
const NO_LIMITS = { maxConversations: 1_000, maxBytes: MANY_BYTES };

let test: TestDatabase;
let state: ResponseState;
let accountId: string;
let otherId: string;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  state = responseStateIn(test.database);
  accountId = await test.account();
  otherId = await test.account();
});

afterAll(() => test.close());

const reader = () => ({ accountId, onlyTest: false });
const other = () => ({ accountId: otherId, onlyTest: false });

function finished(more: Partial<FinishedResponse> = {}): FinishedResponse {
  const id = responseIdOf(newRequestId());
  return {
    id,
    accountId,
    keyId: 'key_a',
    isTest: false,
    model: 'gp-5.4',
    status: 'completed',
    previousId: null,
    input: '"hello"',
    response: JSON.stringify({ id, output: [{ id: `msg_${id}` }] }),
    outputItemIds: [`msg_${id}`],
    ...more,
  };
}

async function record(more: Partial<FinishedResponse> = {}): Promise<FinishedResponse> {
  const turn = finished(more);
  await state.responses.record(turn);
  return turn;
}

async function newConversation(items: { id: string; json: string }[] = []) {
  const id = newConversationId();
  const created = await state.conversations.create({ id, accountId, isTest: false, metadata: {}, items }, NO_LIMITS);
  if (created === null) throw new Error('the account has reached a limit');
  return id;
}

const find = (access: StateAccess, id: string) => state.responses.find(access, id, MANY_BYTES);

const itemIds = async (id: string) => {
  const items = await state.conversations.listItems(id, { limit: 100, order: 'asc' });
  return items.map((item) => item.id);
};

describe('a stored response', () => {
  it('is found by its account only, byte for byte', async () => {
    const { id, input, response } = await record({ input: '[{"a":"\\u0000é"}]' });
    expect(await find(reader(), id)).toMatchObject({ id, response });
    expect(await state.responses.readText(reader(), id, 'input')).toBe(input);
    expect(await state.responses.readText(reader(), id, 'response')).toBe(response);
    expect(await find(other(), id)).toBeNull();
    expect(await state.responses.readText(other(), id, 'response')).toBeNull();
    expect(await state.responses.readChain(other(), id, MANY_BYTES)).toBeNull();
  });

  it('is measured, and its text is left out if it is longer than its reader asks for', async () => {
    const { id, input, response } = await record({ input: '"é"' });
    const bytes = Buffer.byteLength(response);
    const measured = { id, inputBytes: Buffer.byteLength(input), responseBytes: bytes };
    expect(await state.responses.find(reader(), id, bytes)).toMatchObject({ ...measured, response });
    expect(await state.responses.find(reader(), id, bytes - 1)).toMatchObject({ ...measured, response: null });
  });

  it('of a live key is invisible to a test key, and not the other way round', async () => {
    const live = await record();
    const tested = await record({ isTest: true });
    const testKey = { accountId, onlyTest: true };
    expect(await find(testKey, live.id)).toBeNull();
    expect(await find(testKey, tested.id)).toMatchObject({ id: tested.id });
    expect(await find(reader(), tested.id)).toMatchObject({ id: tested.id });
  });

  it('is stored once: a repetition changes neither it nor its conversation', async () => {
    const conversationId = await newConversation();
    const conversation = { id: conversationId, position: 0n, newItems: [{ id: 'msg_once', json: '{}' }] };
    const turn = await record({ conversation });
    const again = { ...turn, response: '{}', conversation: { ...conversation, newItems: [{ id: 'x', json: '{}' }] } };
    await state.responses.record(again);
    expect((await find(reader(), turn.id))?.response).toBe(turn.response);
    expect(await itemIds(conversationId)).toEqual(['msg_once']);
  });

  it('is deleted by its account only', async () => {
    const { id } = await record();
    expect(await state.responses.delete(other(), id)).toBe(false);
    expect(await state.responses.delete(reader(), id)).toBe(true);
    expect(await state.responses.delete(reader(), id)).toBe(false);
    expect(await find(reader(), id)).toBeNull();
  });

  it('is found by an output item of its own, not by one of another account', async () => {
    const turn = await record();
    const references = { itemIds: turn.outputItemIds, responseIds: [] };
    expect(await state.responses.findReferenced(reader(), references)).toMatchObject([{ id: turn.id }]);
    expect(await state.responses.findReferenced(other(), references)).toEqual([]);
    const byId = { itemIds: [], responseIds: [turn.id] };
    expect(await state.responses.findReferenced(reader(), byId)).toMatchObject([{ id: turn.id }]);
    expect(await state.responses.findReferenced(other(), byId)).toEqual([]);
  });
});

describe('a chain', () => {
  it('is read from its first response to the requested one', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) ids.push((await record({ previousId: ids.at(-1) ?? null })).id);
    const fork = await record({ previousId: ids[9] as string });
    const read = async (id: string) =>
      (await state.responses.readChain(reader(), id, MANY_BYTES))?.turns.map((turn) => turn.id);
    expect(await read(ids.at(-1) as string)).toEqual(ids);
    expect(await read(fork.id)).toEqual([...ids.slice(0, 10), fork.id]);
  });

  it('ends where a response is gone', async () => {
    const first = await record();
    const second = await record({ previousId: first.id });
    const third = await record({ previousId: second.id });
    await state.responses.delete(reader(), first.id);
    const chain = await state.responses.readChain(reader(), third.id, MANY_BYTES);
    expect(chain?.turns.map((turn) => turn.id)).toEqual([second.id, third.id]);
    expect([chain?.turns[0]?.previousId, chain?.isTooLong]).toEqual([first.id, false]);
  });

  it('never continues into another account', async () => {
    const foreign = await record({ accountId: otherId });
    const own = await record({ previousId: foreign.id });
    const chain = await state.responses.readChain(reader(), own.id, MANY_BYTES);
    expect(chain?.turns.map((turn) => turn.id)).toEqual([own.id]);
  });

  it('reports that it is longer than requested', async () => {
    const long = '"'.padEnd(5_000, 'x').concat('"');
    const first = await record({ input: long });
    const second = await record({ input: long, previousId: first.id });
    const isTooLong = async (maxBytes: number) =>
      (await state.responses.readChain(reader(), second.id, maxBytes))?.isTooLong;
    expect([await isTooLong(100), await isTooLong(7_000), await isTooLong(20_000)]).toEqual([true, true, false]);
    // The text of a response that alone is too long is not read.
    expect((await state.responses.readChain(reader(), second.id, 100))?.turns).toMatchObject([{ input: '' }]);
    const measured = (maxBytes: number) => state.responses.measureChain(reader(), second.id, maxBytes);
    const [all, upTo] = [await measured(20_000), await measured(100)];
    expect([all > 10_000, upTo > 5_000 && upTo < 10_000]).toEqual([true, true]);
    expect(await state.responses.measureChain(other(), second.id, 20_000)).toBe(0);
    const references = { itemIds: [], responseIds: [first.id, second.id] };
    expect(await state.responses.measureReferenced(reader(), references)).toBe(all);
    expect(await state.responses.measureReferenced(other(), references)).toBe(0);
  });
});

describe('a conversation', () => {
  it('belongs to its account', async () => {
    const id = await newConversation([{ id: 'msg_own', json: '{"a":1}' }]);
    expect(await state.conversations.find(reader(), id)).toMatchObject({ id, nextPosition: 1n, metadata: {} });
    expect(await state.conversations.find(other(), id)).toBeNull();
    expect(await state.conversations.change(other(), id, { a: 'b' })).toBeNull();
    expect(await state.conversations.change(reader(), id, { a: 'b' })).toMatchObject({ metadata: { a: 'b' } });
    expect(await state.conversations.change(reader(), id, { a: 'x\ud800' })).toMatchObject({
      metadata: { a: 'x\uFFFD' },
    });
    expect(await state.conversations.findItems(other(), ['msg_own'])).toEqual([]);
    expect(await state.conversations.findItems(reader(), ['msg_own'])).toEqual([{ id: 'msg_own', json: '{"a":1}' }]);
    expect(await state.conversations.delete(other(), id)).toBe(false);
    expect(await state.conversations.delete(reader(), id)).toBe(true);
    expect(await itemIds(id)).toEqual([]);
  });

  it('keeps the items of concurrent responses together, each item once', async () => {
    const id = await newConversation([{ id: 'msg_first', json: '{}' }]);
    const pairs = Array.from({ length: 20 }, (_, index) => [`msg_a${index}`, `msg_b${index}`] as const);
    await Promise.all(
      pairs.map(([a, b], index) =>
        record({
          model: `m-${index % 3}`,
          conversation: {
            id,
            position: 1n,
            newItems: ['msg_first', a, b].map((itemId) => ({ id: itemId, json: '{}' })),
          },
        }),
      ),
    );
    const [first, ...rest] = await itemIds(id);
    expect(first).toBe('msg_first');
    expect(rest).toHaveLength(40);
    for (let index = 0; index < rest.length; index += 2) expect(rest[index + 1]).toBe(rest[index]?.replace('a', 'b'));
    const limited = (models: string[]) => state.conversations.find({ ...reader(), models }, id);
    expect(await limited(['m-0', 'm-1', 'm-2', 'm-3'])).toMatchObject({ id });
    for (const models of [['m-0', 'm-1'], ['m-1', 'm-2'], []]) expect(await limited(models)).toBeNull();
  });

  it('is hidden, with its items, from keys that may not use a model of its responses', async () => {
    const id = await newConversation([{ id: 'msg_asked', json: '{}' }]);
    const limited = { ...reader(), models: ['gp-5.4-mini'] };
    const seen = () => state.conversations.findItems(limited, ['msg_asked']);
    expect(await state.conversations.find(limited, id)).toMatchObject({ id });
    expect(await seen()).toHaveLength(1);
    await record({ conversation: { id, position: 1n, newItems: [{ id: 'msg_answered', json: '{}' }] } });
    expect(await state.conversations.find(limited, id)).toBeNull();
    expect(await seen()).toEqual([]);
    expect(await state.conversations.change(limited, id, {})).toBeNull();
    expect(await state.conversations.delete(limited, id)).toBe(false);
    expect(await state.conversations.find({ ...reader(), models: ['gp-5.4', 'gp-5.4-mini'] }, id)).toMatchObject({
      id,
    });
  });

  it('is listed in pages from both ends, and loses single items', async () => {
    const items = Array.from({ length: 5 }, (_, index) => ({ id: `msg_page${index}`, json: `{"n":${index}}` }));
    const id = await newConversation(items.slice(0, 2));
    await state.conversations.addItems(reader(), id, items.slice(2), {
      maxConversationBytes: 100,
      maxBytes: MANY_BYTES,
    });
    const page = async (order: 'asc' | 'desc', after?: string) =>
      (await state.conversations.listItems(id, { limit: 2, order, ...(after !== undefined && { after }) })).map(
        (item) => item.id,
      );
    expect(await page('asc')).toEqual(['msg_page0', 'msg_page1']);
    expect(await page('asc', 'msg_page1')).toEqual(['msg_page2', 'msg_page3']);
    expect(await page('desc', 'msg_page3')).toEqual(['msg_page2', 'msg_page1']);
    expect(await state.conversations.findItem(id, 'msg_page1')).toEqual(items[1]);
    const bytesOf = (json: string | undefined) => Buffer.byteLength(json ?? '');
    const before = { limit: 2, order: 'desc', after: 'msg_page2' } as const;
    const measured = await state.conversations.measureItems(id, before);
    expect(measured).toBe(bytesOf(items[0]?.json) + bytesOf(items[1]?.json));
    expect(await state.conversations.measureItems(id, { ...before, after: 'msg_page0' })).toBe(0);
    expect(await state.conversations.measureItem(id, 'msg_page1')).toBe(bytesOf(items[1]?.json));
    expect(await state.conversations.measureItem(newConversationId(), 'msg_page1')).toBeNull();
    expect(await state.conversations.findItem(newConversationId(), 'msg_page1')).toBeNull();
    expect(await state.conversations.deleteItem(id, 'msg_page1')).toBe(true);
    expect(await state.conversations.deleteItem(id, 'msg_page1')).toBe(false);
    expect(await itemIds(id)).toEqual(['msg_page0', 'msg_page2', 'msg_page3', 'msg_page4']);
    expect((await state.conversations.readItems(id, 3n)).map((item) => item.id)).toEqual(['msg_page0', 'msg_page2']);
  });

  it('has the length of its items in bytes, not in characters', async () => {
    const id = await newConversation([{ id: 'msg_wide1', json: '"价"' }]);
    const bytes = async () => (await state.conversations.find(reader(), id))?.bytes;
    expect(await bytes()).toBe(5n);
    await state.conversations.addItems(reader(), id, [{ id: 'msg_wide2', json: '"😀"' }], {
      maxConversationBytes: 100,
      maxBytes: MANY_BYTES,
    });
    expect(await bytes()).toBe(11n);
    for (const item of ['msg_wide1', 'msg_wide2']) await state.conversations.deleteItem(id, item);
    expect(await bytes()).toBe(0n);
  });

  it('is refused beyond the limits of its account', async () => {
    const accountWithOne = await test.account();
    const create = (maxConversations: number, maxBytes: number) =>
      state.conversations.create(
        {
          id: newConversationId(),
          accountId: accountWithOne,
          isTest: false,
          metadata: {},
          items: [{ id: 'a', json: '{}' }],
        },
        { maxConversations, maxBytes },
      );
    expect(await create(1, 1)).toBeNull();
    expect(await create(1, 2)).not.toBeNull();
    expect(await create(1, 100)).toBeNull();
    expect(await create(2, 3)).toBeNull();
    expect(await create(2, 4)).not.toBeNull();
  });
});

describe('items that are added to a conversation', () => {
  it('are refused beyond the limits of the conversation and of its account, also together', async () => {
    const accountId = await test.account();
    const owner = { accountId, onlyTest: false };
    const create = async () => {
      const id = newConversationId();
      await state.conversations.create({ id, accountId, isTest: false, metadata: {}, items: [] }, NO_LIMITS);
      return id;
    };
    const add = (id: string, count: number, maxBytes: number) =>
      state.conversations.addItems(owner, id, [{ id: `msg_${count}`, json: '{"a":1}' }], {
        maxConversationBytes: 21,
        maxBytes,
      });
    const [first, second] = [await create(), await create()];
    const added = await Promise.all(Array.from({ length: 9 }, (_, count) => add(first, count, 1_000)));
    expect(added.filter(({ isAdded }) => isAdded)).toHaveLength(3);
    expect(await itemIds(first)).toHaveLength(3);
    const inOrder = [await add(second, 0, 27), await add(second, 0, 28), await add(second, 1, 28)];
    expect(inOrder.map(({ isAdded }) => isAdded)).toEqual([false, true, false]);
    expect(await itemIds(second)).toEqual(['msg_0']);
  });

  it('count once for a limit, however often they are sent', async () => {
    const id = await newConversation([{ id: 'msg_kept', json: '{"a":1}' }]);
    const limits = { maxConversationBytes: 14, maxBytes: MANY_BYTES };
    const add = (...ids: string[]) =>
      state.conversations.addItems(
        reader(),
        id,
        ids.map((one) => ({ id: one, json: '{"a":1}' })),
        limits,
      );
    expect(await add('msg_kept', 'msg_new', 'msg_new')).toEqual({ isAdded: true, newBytes: 7n });
    expect(await add('msg_kept', 'msg_new')).toEqual({ isAdded: true, newBytes: 0n });
    expect(await add('msg_kept', 'msg_other')).toEqual({ isAdded: false, newBytes: 7n });
    expect(await state.conversations.find(reader(), id)).toMatchObject({ bytes: 14n });
    expect(await itemIds(id)).toEqual(['msg_kept', 'msg_new']);
  });
});

describe('after 30 days', () => {
  it('responses and unused conversations are neither shown nor kept', async () => {
    const { outputItemIds, ...old } = finished();
    const { id } = old;
    await test.database.prisma.storedResponse.create({ data: { ...old, bytes: 1, expiresAt: new Date(1_000) } });
    const young = await record({ previousId: id });
    const conversationId = await newConversation();
    await test.database.prisma.$executeRaw`
      UPDATE conversation SET expires_at = now() - interval '1 second' WHERE id = ${conversationId}`;
    expect(outputItemIds).toHaveLength(1);
    expect(await find(reader(), id)).toBeNull();
    expect(await state.conversations.find(reader(), conversationId)).toBeNull();
    const chain = await state.responses.readChain(reader(), young.id, MANY_BYTES);
    expect([chain?.turns.length, chain?.turns[0]?.previousId]).toEqual([1, id]);
    expect(await removeExpiredState(test.database, 10)).toBe(1);
    expect(await removeExpiredState(test.database, 10)).toBe(0);
    expect(await find(reader(), young.id)).not.toBeNull();
  });
});
