import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newFileId, type StoredObject } from '@gateway/contracts';
import { HttpPools } from '@gateway/http';
import { createLogger, createMetrics } from '@gateway/observability';
import type { ClaimedResult, FetchedResults, NewObject, ResultEnd, StoredObjects } from '@gateway/postgres';
import { isObjectMissing, type ObjectStore, openStore, StoreFull } from '@gateway/store';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FetchFolder } from './fetch-folder.js';
import { type FetchMetrics, fetchMetrics } from './fetch-metrics.js';
import { FetchResults } from './fetch-results.service.js';
import { StoreResult } from './store-result.service.js';

const LIMIT_BYTES = 1_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Addresses of a vendor, by path. */
const VENDOR: Readonly<Record<string, RequestListener>> = {
  '/image': (_request, response) => response.end(PNG),
  '/moved': (_request, response) => response.writeHead(302, { location: '/image' }).end(),
  '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/gone': (_request, response) => response.writeHead(404).end(),
  '/large': (_request, response) => response.writeHead(200, { 'content-length': '5000' }).end(Buffer.alloc(5_000)),
  '/growing': (_request, response) => {
    response.write(Buffer.alloc(800));
    response.end(Buffer.alloc(800));
  },
  '/short': (_request, response) => {
    response.writeHead(200, { 'content-length': '900' });
    response.write(PNG, () => response.destroy());
  },
  '/silent': () => undefined,
  '/drip': (_request, response) => {
    const drip = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(drip));
  },
  '/empty': (_request, response) => response.end(),
  '/other': (_request, response) => response.end('no image'),
};

let server: Server;
let base: string;
let folder: string;
let store: ObjectStore;

beforeAll(async () => {
  server = createServer((request, response) => VENDOR[request.url ?? '']?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'gateway-fetch-'));
  store = await openStore({ kind: 'directory', path: join(folder, 'store') }, { onOperation: () => undefined });
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const result = (path: string, more: Partial<ClaimedResult> = {}): ClaimedResult => ({
  fileId: newFileId(),
  taskId: 'task_a',
  part: 'last_frame',
  accountId: 'acct_a',
  keyId: 'key_a',
  isTest: false,
  sourceUrl: path.startsWith('/') ? base + path : path,
  billedSeconds: null,
  retainMs: null,
  attempts: 1,
  ...more,
});

interface World {
  readonly objects?: Partial<StoredObjects>;
  readonly put?: ObjectStore['put'];
  readonly allowInsecure?: boolean;
  readonly timeoutMs?: number;
  /** Vendors' addresses end before a further attempt. */
  readonly isLast?: boolean;
}

/** A fetcher over real connections and a real store, with rows in memory. */
async function fetching({ objects, put, allowInsecure = true, timeoutMs = 5_000, isLast = false }: World = {}) {
  const reserved: NewObject[] = [];
  const ends: ResultEnd[] = [];
  const retries: { reason: string; inMs: number }[] = [];
  const discarded: string[] = [];
  const rows = {
    findAs: async () => null,
    reserve: async (object: NewObject) => reserved.push(object) > 0,
    complete: async (id: string) => ({ id }) as unknown as StoredObject,
    discard: async (id: string) => void discarded.push(id),
    ...objects,
  } as unknown as StoredObjects;
  const results = {
    renew: async () => [],
    end: async (_claim: unknown, end: ResultEnd) => void ends.push(end),
    return: async (_claim: unknown, reason: string) => void retries.push({ reason, inMs: 0 }),
    retry: async (_claim: unknown, reason: string, inMs: number) => retries.push({ reason, inMs }) > 0 && !isLast,
  } as unknown as FetchedResults;
  const config = {
    storageLimits: { bytes: 1, objects: 1 },
    results: {
      limitBytes: LIMIT_BYTES,
      timeoutMs,
      allowInsecure,
      concurrency: 1,
      retentionMs: 1,
      directory: undefined,
    },
  };
  const pools = new HttpPools({ allowedAddresses: allowInsecure ? 'anywhere' : 'public' });
  const incoming = await FetchFolder.open(folder, 'incoming');
  const metrics = fetchMetrics(createMetrics('batch-worker'));
  const logger = createLogger({ service: 'batch-worker', level: 'silent' });
  const target = put === undefined ? store : ({ put, delete: (key) => store.delete(key) } as ObjectStore);
  const storeResult = new StoreResult(rows, target, pools, incoming, config);
  const fetcher = new FetchResults(results, storeResult, target, config, metrics, logger);
  const fetch = async (claimed: ClaimedResult) => {
    await fetcher.fetch(claimed);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    await pools.destroy();
  };
  return { fetch, fetcher, reserved, ends, retries, discarded, metrics };
}

const lostOf = async ({ results }: FetchMetrics): Promise<number | undefined> =>
  (await results.get()).values.find(({ labels }) => labels.outcome === 'lost')?.value;

describe('a result of a vendor', () => {
  it.each(['/image', '/moved'])('becomes a file with its hash, type and size: %s', async (path) => {
    const { fetch, reserved, ends } = await fetching();
    const claimed = result(path);
    await fetch(claimed);
    expect(ends).toEqual([{ status: 'stored', media: { contentType: 'image/png', width: 1, height: 1 } }]);
    expect(reserved).toMatchObject([
      {
        id: claimed.fileId,
        accountId: 'acct_a',
        purpose: 'generation',
        filename: 'task_a-last-frame.png',
        contentType: 'image/png',
        bytes: PNG.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect((await store.read(`files/${claimed.fileId}`)).equals(PNG)).toBe(true);
  });

  it('is kept as long as its client asked, or as its account says', async () => {
    const { fetch, reserved } = await fetching();
    await fetch(result('/image', { retainMs: 600_000 }));
    const usual = await fetching();
    await usual.fetch(result('/image'));
    expect([reserved, usual.reserved]).toMatchObject([
      [{ expiresInMs: 600_000, isResult: false }],
      [{ expiresInMs: 1, isResult: true }],
    ]);
  });

  it('of an unknown format is kept as bytes, once further attempts have brought no other', async () => {
    const { fetch, reserved, ends } = await fetching();
    await fetch(result('/other', { part: 'video', attempts: 3 }));
    expect(ends).toEqual([{ status: 'stored', media: null }]);
    expect(reserved).toMatchObject([{ contentType: 'application/octet-stream', filename: 'task_a.bin' }]);
  });

  it.each(['/large', '/growing'])('beyond the limit stays at its vendor: %s', async (path) => {
    const { fetch, ends, retries } = await fetching();
    await fetch(result(path));
    expect([ends, retries]).toEqual([[{ status: 'passed_on', reason: 'too_large' }], []]);
  });

  it.each([
    ['/gone', 'status'],
    ['/empty', 'cut_off'],
    ['/other', 'no_media'],
    ['/short', 'connection'],
    ['/circle', 'too_many_redirects'],
    ['http://127.0.0.1:1/', 'connection'],
    ['ftp://127.0.0.1/', 'address_refused'],
  ])('that cannot be fetched is tried again: %s, %s', async (path, reason) => {
    const { fetch, ends, retries, reserved } = await fetching();
    await fetch(result(path));
    expect([ends, retries, reserved]).toEqual([[], [{ reason, inMs: 5_000 }], []]);
  });

  it.each(['/silent', '/drip'])('that never ends is given up at the time-out: %s', async (path) => {
    const { fetch, retries } = await fetching({ timeoutMs: 100 });
    await fetch(result(path));
    expect(retries).toMatchObject([{ reason: 'timeout' }]);
  });

  it.each(['http://127.0.0.1/', 'https://localhost/', 'https://10.0.0.1/', 'https://[::1]/'])(
    'is never fetched from an address of ours: %s',
    async (url) => {
      const { fetch, retries } = await fetching({ allowInsecure: false });
      await fetch(result(url));
      expect(retries).toMatchObject([{ reason: 'address_refused' }]);
    },
  );

  it('is tried after ever longer pauses, until its address ends', async () => {
    const early = await fetching();
    await early.fetch(result('/gone', { attempts: 4 }));
    const late = await fetching();
    await late.fetch(result('/gone', { attempts: 20 }));
    expect([early.retries[0]?.inMs, late.retries[0]?.inMs]).toEqual([40_000, 600_000]);
    const last = await fetching({ isLast: true });
    await last.fetch(result('/gone'));
    const lost = await Promise.all([early, late, last].map(({ metrics }) => lostOf(metrics)));
    expect([lost, last.ends]).toEqual([[0, 0, 1], []]);
  });

  it('waits while its account or the store has no room', async () => {
    const limited = await fetching({ objects: { reserve: async () => false } });
    await limited.fetch(result('/image'));
    expect(limited.retries).toMatchObject([{ reason: 'storage_limit' }]);
    const full = await fetching({ put: () => Promise.reject(new StoreFull()) });
    await full.fetch(result('/image'));
    expect(full.retries).toMatchObject([{ reason: 'store_full' }]);
  });

  it('leaves no bytes of an earlier attempt if it is the last', async () => {
    const claimed = result('/gone', { attempts: 2 });
    const object = `files/${claimed.fileId}`;
    await store.put(object, Buffer.from('a part'));
    const { fetch, metrics, discarded } = await fetching({ isLast: true });
    await fetch(claimed);
    expect([await lostOf(metrics), discarded]).toEqual([1, [claimed.fileId]]);
    expect(await store.read(object).then(() => false, isObjectMissing)).toBe(true);
  });

  it('deletes nothing after a failed write: another worker may have stored it', async () => {
    const claimed = result('/image');
    const put = async () => {
      await store.put(`files/${claimed.fileId}`, PNG);
      throw new Error('frozen for minutes');
    };
    const { fetch, discarded } = await fetching({ put });
    await fetch(claimed);
    expect(discarded).toEqual([]);
    expect((await store.read(`files/${claimed.fileId}`)).equals(PNG)).toBe(true);
  });

  it('that another worker has stored meanwhile stays', async () => {
    const claimed = result('/image');
    let isStored = false;
    const complete = async () => {
      isStored = true;
      return null;
    };
    const findAs = async () => (isStored ? ({ id: claimed.fileId } as StoredObject) : null);
    const { fetch, ends } = await fetching({ objects: { complete, findAs } });
    await fetch(claimed);
    expect(ends).toMatchObject([{ status: 'stored' }]);
    expect((await store.read(`files/${claimed.fileId}`)).equals(PNG)).toBe(true);
  });

  it('that an earlier run has stored is not fetched again', async () => {
    const claimed = result('/gone');
    const { fetch, ends } = await fetching({
      objects: { findAs: async () => ({ id: claimed.fileId }) as StoredObject },
    });
    await fetch(claimed);
    expect(ends).toEqual([{ status: 'stored', media: null }]);
  });

  it('that another worker has taken is left to it', async () => {
    const { fetch, fetcher, retries, ends } = await fetching();
    const running = fetch(result('/silent'));
    await fetcher.renew();
    await running;
    expect([retries, ends]).toEqual([[], []]);
  });

  it('goes back to the others when the process stops', async () => {
    const { fetch, fetcher, retries } = await fetching();
    const running = fetch(result('/silent'));
    await fetcher.stop();
    await running;
    expect(retries).toEqual([{ reason: 'stopped', inMs: 0 }]);
  });
});
