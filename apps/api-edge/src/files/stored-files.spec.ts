import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { GatewayError, KeyRecord, StorageLimits, StoredObject } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { StoredObjects } from '@gateway/postgres';
import { ObjectMissing, type ObjectStore, StoreFull } from '@gateway/store';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StoredFiles } from './stored-files.service.js';

const KEY = { accountId: 'acct_a', keyId: 'key_a', isTest: false } as KeyRecord;
const ID = `file-${'a'.repeat(26)}`;
const LIMITS = { bytes: 100, objects: 10 };

let folder: string;
let file: { path: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-files-'));
  file = { path: join(folder, 'upload') };
  await writeFile(file.path, 'abc');
});
afterAll(() => rm(folder, { recursive: true }));

/** Files over a store and rows that record their calls, in order. */
function filesOver(world: {
  readonly store?: Partial<ObjectStore> | null;
  readonly rows?: Partial<StoredObjects>;
  readonly limits?: StorageLimits;
  readonly maySpend?: boolean;
}) {
  const calls: string[] = [];
  const record =
    <Result>(name: string, result: Result) =>
    async (): Promise<Result> => {
      calls.push(name);
      return result;
    };
  const rows = {
    reserve: record('reserve', true),
    complete: record('complete', { id: ID } as unknown as StoredObject),
    release: record('release', undefined),
    delete: record('hide', true),
    remove: record('remove', 1),
    findAs: record('find', null),
    findSource: record('find source', null),
    ...world.rows,
  } as unknown as StoredObjects;
  const store =
    world.store === null
      ? undefined
      : ({
          put: async (_key: string, contents: { stream: Readable }) => {
            calls.push(`put ${(await contents.stream.toArray()).join('')}`);
          },
          delete: record('delete bytes', undefined),
          ...world.store,
        } as unknown as ObjectStore);
  const files = new StoredFiles(
    rows,
    store,
    { storageLimits: world.limits ?? LIMITS },
    { maySpend: async () => world.maySpend ?? true },
    createLogger({ service: 'api-edge', level: 'silent' }),
  );
  const add = () =>
    files.add(KEY, {
      path: file.path,
      bytes: 3,
      sha256: 'ab',
      filename: 'a',
      contentType: 'text/plain',
      purpose: 'user_data',
      expiresInMs: null,
    });
  return { files, add, calls };
}

const codeOf = (error: unknown) => (error as GatewayError).code;
const away = () => Promise.reject(new Error('internal address 10.0.0.1'));

describe('an upload', () => {
  it('is counted, then written, then shown', async () => {
    const { add, calls } = filesOver({});
    expect(await add()).toEqual({ id: ID });
    expect(calls).toEqual(['reserve', 'put abc', 'complete']);
  });

  it('beyond the limit of its account writes nothing', async () => {
    const { add, calls } = filesOver({ rows: { reserve: async () => false } });
    expect(codeOf(await add().catch((error: unknown) => error))).toBe('storage_limit_exceeded');
    expect(calls).toEqual([]);
  });

  it.each([
    [true, { bytes: 10 ** 10, objects: 10_000 }],
    [false, { bytes: 32 * 1024 ** 2, objects: 100 }],
  ])('has the limits of an account whose credit is %s', async (maySpend, expected) => {
    const asked: StorageLimits[] = [];
    const reserve: StoredObjects['reserve'] = async (_object, limits) => {
      asked.push(limits);
      return true;
    };
    await filesOver({ rows: { reserve }, limits: { bytes: 10 ** 10, objects: 10_000 }, maySpend }).add();
    expect(asked).toEqual([expected]);
  });

  it.each([
    ['store_full', () => Promise.reject(new StoreFull())],
    ['service_unavailable', away],
  ])('that the store refuses is released: %s', async (code, put) => {
    const { add, calls } = filesOver({ store: { put } });
    const failure = (await add().catch((error: unknown) => error)) as GatewayError;
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain('10.0.0.1');
    expect(calls).toEqual(['reserve', 'release']);
  });

  it('fails also if nothing can be released, or if the sweep was faster', async () => {
    const stuck = filesOver({ store: { put: away }, rows: { release: away } });
    expect(codeOf(await stuck.add().catch((error: unknown) => error))).toBe('service_unavailable');
    const late = filesOver({ rows: { complete: async () => null } });
    expect(codeOf(await late.add().catch((error: unknown) => error))).toBe('service_unavailable');
    // The row may be gone, so no sweep would find the bytes.
    expect(late.calls).toEqual(['reserve', 'put abc', 'delete bytes', 'release']);
  });

  it('is refused by a deployment without a store', () => {
    expect(() => filesOver({ store: null }).files.checkEnabled()).toThrow('keeps no files');
  });
});

describe('a deletion', () => {
  it('hides the file, then deletes its bytes, then its row', async () => {
    const { files, calls } = filesOver({});
    await files.delete(KEY, ID);
    expect(calls).toEqual(['hide', 'delete bytes', 'remove']);
  });

  it('succeeds while the store is away: the sweep deletes the bytes', async () => {
    const { files, calls } = filesOver({ store: { delete: away } });
    await files.delete(KEY, ID);
    expect(calls).toEqual(['hide']);
  });

  it('of a file that its account does not have is a 404', async () => {
    const { files } = filesOver({ rows: { delete: async () => false } });
    expect(codeOf(await files.delete(KEY, ID).catch((error: unknown) => error))).toBe('not_found');
  });
});

describe('a file', () => {
  it('of a malformed id is a 404 without a query', async () => {
    const { files, calls } = filesOver({});
    for (const id of ['file-A', '../x', `${ID}a`]) {
      expect(codeOf(await files.find(KEY, id).catch((error: unknown) => error))).toBe('not_found');
    }
    expect(calls).toEqual([]);
  });

  it('is not available after three seconds of silence from PostgreSQL', async () => {
    jest.useFakeTimers();
    const silent = () => new Promise<never>(() => undefined);
    const { files } = filesOver({ rows: { findAs: silent, list: silent } });
    const reads = [files.find(KEY, ID), files.locate(null, ID), files.list(KEY, { limit: 1, order: 'asc' })];
    const refused = Promise.all(
      reads.map((read) => expect(read).rejects.toMatchObject({ code: 'service_unavailable' })),
    );
    await jest.advanceTimersByTimeAsync(3_000);
    await refused;
    jest.useRealTimers();
  });

  it('whose bytes are gone is a 404, and one of a store that is away a 503', async () => {
    const object = { id: ID } as unknown as StoredObject;
    const gone = filesOver({ store: { stream: () => Promise.reject(new ObjectMissing('x')) } });
    expect(codeOf(await gone.files.open(object).catch((error: unknown) => error))).toBe('not_found');
    const slow = filesOver({ store: { stream: away } });
    expect(codeOf(await slow.files.open(object).catch((error: unknown) => error))).toBe('service_unavailable');
  });
});

describe('reading', () => {
  const readAll = async (store: Partial<ObjectStore>): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of filesOver({ store }).files.read({ id: ID } as StoredObject)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('ab');
    throw new Error('10.0.0.7 reset the connection');
  }

  it('returns the bytes', async () => {
    expect(await readAll({ stream: async () => Readable.from([Buffer.from('ab'), Buffer.from('c')]) })).toBe('abc');
  });

  it.each([
    ['away', () => Promise.reject(new Error('10.0.0.7 refused'))],
    ['lost between two chunks', async () => Readable.from(broken())],
  ])('says that files are not available if the store is %s', async (_when, stream) => {
    const read = readAll({ stream });
    await expect(read).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(read).rejects.not.toThrow('10.0.0.7');
  });
});

it('is read by its length, whole and in parts', async () => {
  const asked: unknown[] = [];
  const stream = async (_key: string, part: unknown) => {
    asked.push(part);
    return Readable.from([]);
  };
  const { files } = filesOver({ store: { stream } });
  const object = { id: ID, bytes: 3 } as unknown as StoredObject;
  await files.open(object);
  await files.open(object, { start: 1, end: 2 });
  expect(asked).toEqual([{ bytes: 3 }, { start: 1, end: 2 }]);
});
