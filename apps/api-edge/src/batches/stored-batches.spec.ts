import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Batch, KeyRecord } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { BatchAccess, BatchReader } from '@gateway/postgres';
import { ObjectMissing, type ObjectStore } from '@gateway/store';
import { describe, expect, it } from '@jest/globals';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { type RequestedBatch, StoredBatches } from './stored-batches.service.js';

const logger = createLogger({ service: 'api-edge', level: 'silent' });
const BATCH = { id: `msgbatch_${'a'.repeat(26)}`, resultsRemovedAtMs: null } as Batch;
const SEGMENTS = ['one\n', 'two\n'].map((lines, number) => ({ number, object: lines, bytes: lines.length }));

/** Batches with two objects of results, read by `stream`. */
function batchesWith(stream: (key: string) => Promise<Readable>): StoredBatches {
  const reader = { segments: async () => SEGMENTS } as unknown as BatchReader;
  return new StoredBatches(reader, { stream } as unknown as ObjectStore, logger);
}

describe('results of a batch', () => {
  it('are its objects in their order', async () => {
    const { bytes, stream } = await batchesWith(async (key) => Readable.from([key])).openResults(BATCH);
    expect([bytes, await text(stream)]).toEqual([8, 'one\ntwo\n']);
  });

  it('are closed for a client that leaves before it reads', async () => {
    const head = Readable.from(['one']);
    const { stream } = await batchesWith(async () => head).openResults(BATCH);
    stream.destroy();
    await once(stream, 'close');
    expect(head.destroyed).toBe(true);
  });

  it.each([
    ['a store that is away', new Error('10.0.0.7 refused'), 'service_unavailable'],
    ['objects that are gone', new ObjectMissing('one'), 'not_found'],
  ])('are an error before the first byte for %s', async (_what, error, code) => {
    const opened = batchesWith(() => Promise.reject(error)).openResults(BATCH);
    await expect(opened).rejects.toMatchObject({ code });
    await expect(opened).rejects.not.toThrow('10.0.0.7');
  });
});

it('takes lines of an endpoint whose right the key has: completions have the right of chats', () => {
  const batches = batchesWith(async () => Readable.from([]));
  const key = keyOf({ endpoints: ['chat.completions'] });
  expect(batches.checkAllowed(key, '/v1/completions')).toBe('completions');
  expect(() => batches.checkAllowed(key, '/v1/embeddings')).toThrow('may not be used on /v1/embeddings');
});

it.each<[string, Partial<KeyRecord>, Partial<BatchAccess>]>([
  ['every key', {}, {}],
  ['the keys of its endpoint', { endpoints: ['embeddings'] }, { endpoints: ['embeddings'] }],
  ['the keys of its right', { endpoints: ['chat.completions'] }, { endpoints: ['chat.completions', 'completions'] }],
  ['keys of its models', { models: ['gp-5.4'] }, { models: ['gp-5.4'] }],
])('is shown to %s', async (_who, limits, expected) => {
  const accesses: BatchAccess[] = [];
  const find = async (access: BatchAccess): Promise<null> => {
    accesses.push(access);
    return null;
  };
  const batches = new StoredBatches({ find } as unknown as BatchReader, undefined, logger);
  await expect(batches.find(keyOf(limits), 'openai', `batch_${'a'.repeat(26)}`)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(accesses).toEqual([
    { accountId: 'acct_a', isTest: false, format: 'openai', endpoints: undefined, models: undefined, ...expected },
  ]);
});

describe('the lines of a batch', () => {
  const requested = {
    id: BATCH.id,
    endpoint: 'messages',
    total: 1,
    metadata: {},
    isNamed: false,
  } as unknown as Parameters<StoredBatches['addLines']>[2];
  const adding = (added: Batch | null) => {
    const objects = new Set<string>();
    const announced = new Set<string>();
    const store = {
      put: async (key: string) => {
        if (!announced.has(key)) throw new Error('not announced');
        objects.add(key);
      },
      delete: async (key: string) => void objects.delete(key),
    } as unknown as ObjectStore;
    const announce = async (key: string) => void announced.add(key);
    const nothing = { find: async () => null, isCursor: async () => false };
    const reader = { ...nothing, announce, add: async () => added } as unknown as BatchReader;
    const batches = new StoredBatches(reader, store, logger);
    return { objects, batch: batches.addLines(keyOf(), 'anthropic', requested, Buffer.from('{}')) };
  };

  it('are stored with it', async () => {
    const { objects, batch } = adding(BATCH);
    expect(await batch).toEqual({ batch: BATCH, isReplay: false });
    expect([...objects]).toEqual([`batches/${BATCH.id}/input`]);
  });

  it('leave nothing in the store if the account has too many batches', async () => {
    const { objects, batch } = adding(null);
    await expect(batch).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect([...objects]).toEqual([]);
  });
});

describe('an idempotency key of a batch', () => {
  const KEY = keyOf();
  const FILE = { endpoint: 'embeddings', inputObject: 'files/file-a', inputFileId: 'file-a', metadata: { a: 'b' } };
  const LINES = { endpoint: 'messages', inputFileId: null, metadata: {}, total: 1, isNamed: true };

  /** A table of batches, and a store of their lines. */
  function tables() {
    const rows = new Map<string, Batch>();
    const deleted = new Set<string>();
    const objects = new Set<string>();
    const reader = {
      announce: async () => undefined,
      // A key that is limited to models sees none here.
      find: async ({ models }: BatchAccess, id: string) =>
        deleted.has(id) || models !== undefined ? null : (rows.get(id) ?? null),
      isCursor: async ({ models }: BatchAccess, id: string) => rows.has(id) && models === undefined,
      add: async (batch: Batch) => {
        if (rows.has(batch.id)) return null;
        rows.set(batch.id, batch);
        return batch;
      },
    } as unknown as BatchReader;
    const store = {
      put: async (key: string) => void objects.add(key),
      delete: async (key: string) => void objects.delete(key),
    } as unknown as ObjectStore;
    return { batches: new StoredBatches(reader, store, logger), rows, deleted, objects };
  }
  type Tables = ReturnType<typeof tables>;

  const addFile = ({ batches }: Tables, more: object = {}, key = KEY, name: string | undefined = 'once') =>
    batches.add(key, 'openai', {
      id: batches.idOf(key, 'openai', name),
      ...FILE,
      ...more,
    } as unknown as RequestedBatch);
  const addLines = ({ batches }: Tables, lines: string, more: object = {}) => {
    const requested = { id: batches.idOf(KEY, 'anthropic', 'once'), ...LINES, ...more };
    return batches.addLines(
      KEY,
      'anthropic',
      requested as unknown as Parameters<typeof batches.addLines>[2],
      Buffer.from(lines),
    );
  };

  it('returns its batch to each repetition', async () => {
    const all = tables();
    const { batch } = await addFile(all, { maxCostUsd: '5', outputSeconds: 3_600 });
    expect(await addFile(all, { maxCostUsd: 5, outputSeconds: 3_600 })).toEqual({ batch, isReplay: true });
    expect(all.rows.size).toBe(1);
  });

  it.each([
    ['another file', { inputObject: 'files/file-b', inputFileId: 'file-b' }],
    ['another endpoint', { endpoint: 'rerank' }],
    ['other metadata', { metadata: {} }],
    ['a budget', { maxCostUsd: '1' }],
    ['another time of its files', { outputSeconds: 3_600 }],
  ])('refuses %s', async (_what, more) => {
    const all = tables();
    await addFile(all);
    await expect(addFile(all, more)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('is refused to a key that may not see its batch', async () => {
    const all = tables();
    await addFile(all);
    const limited = keyOf({ keyId: 'key_b' as KeyRecord['keyId'], models: ['gp-5.4'] });
    await expect(addFile(all, {}, limited)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('is one of its account and mode, and none is another batch each time', async () => {
    const all = tables();
    const others = [{ accountId: 'acct_b' }, { isTest: true }].map((other) => ({ ...KEY, ...other }) as KeyRecord);
    for (const key of [KEY, ...others]) expect(await addFile(all, {}, key)).toMatchObject({ isReplay: false });
    const { batches } = all;
    expect(new Set([1, 2].map(() => batches.idOf(KEY, 'openai', undefined))).size).toBe(2);
    expect(batches.idOf(KEY, 'anthropic', 'once')).toMatch(/^msgbatch_[a-z2-7]{26}$/);
  });

  it('refuses a repetition of a batch that was deleted', async () => {
    const all = tables();
    const { batch } = await addFile(all);
    all.deleted.add(batch.id);
    await expect(addFile(all)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('stores its lines once, whether its repetitions come later or at once', async () => {
    const all = tables();
    const added = await Promise.all([addLines(all, '{}'), addLines(all, '{}'), addLines(all, '{}')]);
    expect(added.map(({ isReplay }) => isReplay).toSorted()).toEqual([false, true, true]);
    expect(await addLines(all, '{}')).toMatchObject({ isReplay: true });
    await expect(addLines(all, '{ }')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect([...all.objects]).toEqual([...all.rows.values()].map(({ inputObject }) => inputObject));
  });
});

describe('a list of batches', () => {
  const listOf = (found: readonly Batch[], isCursor: boolean) => {
    const reader = { list: async () => found, isCursor: async () => isCursor } as unknown as BatchReader;
    return new StoredBatches(reader, undefined, createLogger({ service: 'api-edge', level: 'silent' }));
  };

  it.each([
    ['openai', 'after', 'after'],
    ['anthropic', 'after', 'after_id'],
    ['anthropic', 'before', 'before_id'],
  ] as const)('refuses an unknown cursor in the format of %s and names %s as %s', async (format, name, param) => {
    const listed = listOf([], false).list(keyOf(), format, { limit: 1, [name]: 'nope' });
    await expect(listed).rejects.toMatchObject({ code: 'invalid_request', details: { param } });
  });

  it('may end with an empty page', async () => {
    expect(await listOf([], true).list(keyOf(), 'openai', { limit: 1, after: BATCH.id })).toEqual([]);
    expect(await listOf([], false).list(keyOf(), 'openai', { limit: 1 })).toEqual([]);
  });
});
