import { GatewayError } from '@gateway/contracts';
import type { Conversations, StateItem } from '@gateway/postgres';
import { describe, expect, it, jest } from '@jest/globals';
import { admittedRequest } from '../test-support/edge-fakes.js';
import { ConversationStore } from './conversations.service.js';

const MEBIBYTE = 1024 * 1024;
const { key } = admittedRequest().caller;
const ID = 'conv_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const ITEM: StateItem = { id: 'msg_a', json: '{"type":"message","role":"user","content":"hi"}' };
const PAGE = { limit: 20, order: 'asc' } as const;

/** A conversation of `bytes`, whose only item measures as much. Records what was read. */
function conversationOf(bytes: number) {
  const reads: string[] = [];
  const conversations: Partial<Conversations> = {
    find: async () =>
      ({ id: ID, metadata: {}, nextPosition: 1n, bytes: BigInt(bytes), createdAt: new Date(0) }) as never,
    measureItems: async () => bytes,
    measureItem: async (_id, itemId) => (itemId === ITEM.id ? bytes : null),
    listItems: async () => {
      reads.push('list');
      return [ITEM];
    },
    findItem: async () => {
      reads.push('item');
      return ITEM;
    },
  };
  const store = new ConversationStore(conversations as Conversations, { maySpend: async () => true });
  const taken: number[] = [];
  return { store, reads, taken, takeRoom: (size: number) => void taken.push(size) };
}

const noRoom = (): never => {
  throw new GatewayError('rate_limit_exceeded', 'no room');
};

describe('the items of a long conversation', () => {
  it('take room before they are read', async () => {
    const { store, reads, taken, takeRoom } = conversationOf(3 * MEBIBYTE);
    await expect(store.listItems(key, ID, PAGE, noRoom)).rejects.toThrow('no room');
    await expect(store.getItem(key, ID, ITEM.id, noRoom)).rejects.toThrow('no room');
    expect(reads).toEqual([]);
    expect((await store.listItems(key, ID, PAGE, takeRoom)).data).toHaveLength(1);
    expect(await store.getItem(key, ID, ITEM.id, takeRoom)).toMatchObject({ id: ITEM.id });
    expect(taken).toEqual([6 * MEBIBYTE, 6 * MEBIBYTE]);
  });

  it('take none if they are short', async () => {
    const { store, taken, takeRoom } = conversationOf(1_000);
    await store.listItems(key, ID, PAGE, takeRoom);
    await store.getItem(key, ID, ITEM.id, takeRoom);
    expect(taken).toEqual([]);
  });

  it('are listed after a known item, which is not read for it', async () => {
    const { store, reads, takeRoom } = conversationOf(1_000);
    await store.listItems(key, ID, { ...PAGE, after: ITEM.id }, takeRoom);
    expect(reads).toEqual(['list']);
    await expect(store.listItems(key, ID, { ...PAGE, after: 'msg_unknown' }, takeRoom)).rejects.toThrow("'after'");
  });
});

describe('a silent PostgreSQL', () => {
  const writeTakes = async (content: string): Promise<number> => {
    jest.useFakeTimers();
    try {
      const create = () => new Promise<never>(() => undefined);
      const store = new ConversationStore({ create } as never, { maySpend: async () => true });
      let isRefused = false;
      store.create(key, {}, [{ type: 'message', role: 'user', content }]).catch(() => {
        isRefused = true;
      });
      let seconds = 0;
      for (; !isRefused && seconds < 15; seconds += 1) await jest.advanceTimersByTimeAsync(1_000);
      return seconds;
    } finally {
      jest.useRealTimers();
    }
  };

  it('costs a short write five seconds, and a long one as long as its driver waits', async () => {
    expect(await writeTakes('hi')).toBe(5);
    expect(await writeTakes('a'.repeat(3 * MEBIBYTE))).toBe(15);
  });
});
