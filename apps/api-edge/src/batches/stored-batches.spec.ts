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
  ['its own key, if that is limited to models', { models: ['gp-5.4'] }, { keyId: 'key_a' }],
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
    { accountId: 'acct_a', isTest: false, format: 'openai', endpoints: undefined, keyId: undefined, ...expected },
  ]);
});

describe('the lines of a batch', () => {
  const requested = { id: BATCH.id, inputObject: 'batches/input', total: 1, metadata: {} } as unknown as RequestedBatch;
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
    const reader = { announce, add: async () => added } as unknown as BatchReader;
    const batches = new StoredBatches(reader, store, logger);
    return { objects, batch: batches.addLines(keyOf(), 'anthropic', requested, Buffer.from('{}')) };
  };

  it('are stored with it', async () => {
    const { objects, batch } = adding(BATCH);
    expect(await batch).toBe(BATCH);
    expect([...objects]).toEqual(['batches/input']);
  });

  it('leave nothing in the store if the account has too many batches', async () => {
    const { objects, batch } = adding(null);
    await expect(batch).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect([...objects]).toEqual([]);
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
