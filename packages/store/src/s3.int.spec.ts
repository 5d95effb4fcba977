import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Server } from '@gateway/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isObjectMissing, isStoreFull, ObjectDamaged } from './failures.js';
import type { ObjectStore, StoreOperation } from './object-store.js';
import { openStore } from './open-store.js';

const MIB = 1024 * 1024;

const server = await S3Server.start();
afterAll(() => server.stop());
beforeEach(() => server.work());

const operations: StoreOperation[] = [];
const open = (credentials = S3Server.credentials, timeoutMs = 20_000): Promise<ObjectStore> =>
  openStore(
    { kind: 's3', bucket: S3Server.bucket, region: 'us-east-1', endpoint: server.endpoint, credentials },
    { onOperation: (operation) => operations.push(operation), timeoutMs },
  );
const store = await open();

/** Chunks of a body that no memory holds at once. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024);
}
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const contentsOf = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());

describe('a store in a bucket of an S3 server', () => {
  it('returns a large stream whole, and in parts to the last byte', async () => {
    const bytes = randomBytes(20 * MIB + 1);
    const key = 'files/file-large';
    await store.put(key, { stream: Readable.from(chunksOf(bytes)), bytes: bytes.length });
    expect(hashOf(await contentsOf(await store.stream(key)))).toBe(hashOf(bytes));
    for (const [start, end] of [
      [0, 1],
      [MIB - 1, 3 * MIB],
      [bytes.length - 1, bytes.length - 1],
    ] as const) {
      const part = await contentsOf(await store.stream(key, { start, end }));
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  it('returns the parts of an object to a reader that waits longer than a connection may be silent', async () => {
    // A busy machine reads a part within this time.
    const timeoutMs = 4_000;
    const impatient = await open(S3Server.credentials, timeoutMs);
    const bytes = randomBytes(8 * MIB + 1);
    await store.put('files/file-slow-reader', bytes);
    const parts: Buffer[] = [];
    for await (const part of impatient.parts('files/file-slow-reader')) {
      parts.push(part);
      // Twice the time limit closes a silent connection.
      if (parts.length === 1) await sleep(2.25 * timeoutMs);
    }
    expect(hashOf(Buffer.concat(parts))).toBe(hashOf(bytes));
    expect(
      await Readable.from(store.parts('files/none'))
        .toArray()
        .then(() => false, isObjectMissing),
    ).toBe(true);
  });

  it('replaces an object, and keeps an empty one', async () => {
    await store.put('requests/req_1/body', Buffer.from('longer than the next'));
    await store.put('requests/req_1/body', Buffer.from('next'));
    await store.put('requests/req_2/body', Buffer.alloc(0));
    expect((await store.read('requests/req_1/body')).toString()).toBe('next');
    expect(await store.read('requests/req_2/body')).toHaveLength(0);
  });

  it('serves others while many readers do not read', async () => {
    await store.put('files/file-unread', randomBytes(MIB));
    const unread = await Promise.all(Array.from({ length: 120 }, () => store.stream('files/file-unread')));
    await store.put('files/file-read', Buffer.from('x'));
    expect((await store.read('files/file-read')).toString()).toBe('x');
    for (const stream of unread) stream.destroy();
  });

  it.each([2, 4])('refuses a stream of another length: %s of 3 bytes', async (bytes) => {
    const stream = Readable.from([Buffer.alloc(bytes)]);
    await expect(store.put('files/file-length', { stream, bytes: 3 })).rejects.toThrow();
  });

  it('reports what is missing before the first byte, and deletes twice', async () => {
    await store.put('requests/req_3/body', Buffer.from('x'));
    await store.delete('requests/req_3/body');
    await store.delete('requests/req_3/body');
    const key = 'requests/req_3/body';
    for (const missing of [store.read(key), store.stream(key), store.stream(key, { start: 0, end: 1 })]) {
      expect(await missing.then(() => false, isObjectMissing)).toBe(true);
    }
  });

  it('leaves no object after many small ones are deleted at once', async () => {
    const before = await server.objects();
    const keys = Array.from({ length: 300 }, (_, index) => `files/file-small-${index}`);
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))));
    expect((await server.objects()).length).toBe(before.length + keys.length);
    await Promise.all(keys.map((key) => store.delete(key)));
    expect(await server.objects()).toEqual(before);
  });
});

describe('an S3 server that refuses', () => {
  it.each([
    ['a wrong secret', { ...S3Server.credentials, secretAccessKey: 'wrong' }],
    ['an unknown key', { accessKeyId: 'UNKNOWN', secretAccessKey: 'wrong' }],
  ])('%s is a failure, and neither a missing object nor a full store', async (_name, credentials) => {
    const stranger = await open(credentials);
    await store.put('files/file-secret', Buffer.from('secret'));
    const attempts = [
      stranger.put('files/file-secret', Buffer.from('stolen')),
      stranger.read('files/file-secret'),
      stranger.stream('files/file-secret'),
      stranger.delete('files/file-secret'),
    ];
    for (const attempt of attempts) {
      const error = await attempt.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Error);
      expect([isObjectMissing(error), isStoreFull(error)]).toEqual([false, false]);
    }
    expect((await store.read('files/file-secret')).toString()).toBe('secret');
  });

  it('for a moment is asked again', async () => {
    server.fault = 'slow_down';
    server.faultyRequests = 2;
    const before = server.requests.length;
    await store.put('files/file-slow', Buffer.from('slow'));
    expect(server.requests.length - before).toBe(3);
    expect((await store.read('files/file-slow')).toString()).toBe('slow');
  });

  it('for longer is a failure of each operation, until it is there again', async () => {
    await store.put('files/file-away', Buffer.from('there'));
    server.fault = 'slow_down';
    await expect(store.put('files/file-away', Buffer.from('lost'))).rejects.toThrow();
    expect(operations.at(-1)).toMatchObject({ operation: 'put', outcome: 'failed' });
    await expect(store.read('files/file-away')).rejects.toThrow();
    server.work();
    expect((await store.read('files/file-away')).toString()).toBe('there');
  });

  it('because its quota is used up has a full store', async () => {
    server.fault = 'full';
    expect(await store.put('files/file-full', Buffer.from('x')).then(() => false, isStoreFull)).toBe(true);
    expect(operations.at(-1)).toMatchObject({ operation: 'put', outcome: 'full' });
  });

  it('in the middle of an object has sent no whole one', async () => {
    const bytes = randomBytes(300_000);
    await store.put('files/file-cut', bytes);
    server.fault = 'cut';
    await expect(store.read('files/file-cut')).rejects.toThrow();
    for (const range of [undefined, { start: 1_000, end: 200_000 }]) {
      await expect(store.stream('files/file-cut', range).then(contentsOf)).rejects.toThrow();
    }
  });

  it('to send more than half of an object has sent no whole one', async () => {
    const bytes = randomBytes(300_000);
    await store.put('files/file-short', bytes);
    server.fault = 'short';
    await expect(store.read('files/file-short', { bytes: bytes.length })).rejects.toThrow(ObjectDamaged);
    for (const part of [{ bytes: bytes.length }, { start: 1_000, end: 200_000 }]) {
      await expect(store.stream('files/file-short', part).then(contentsOf)).rejects.toThrow(ObjectDamaged);
    }
  });

  it('by silence keeps no connection: the pool works again when the server does', async () => {
    const impatient = await open(S3Server.credentials, 1_000);
    await store.put('files/file-silent', Buffer.from('x'));
    server.fault = 'silent';
    // More than the pool has connections.
    const waiting = Array.from({ length: 60 }, () => impatient.read('files/file-silent'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    server.work();
    let contents: string | undefined;
    for (let attempt = 0; attempt < 40 && contents === undefined; attempt += 1) {
      contents = await impatient.read('files/file-silent').then(String, () => undefined);
    }
    expect(contents).toBe('x');
  });

  it('to read an object in time gets no more of it afterwards', async () => {
    const received = Promise.withResolvers<IncomingMessage>();
    const slow = createServer((request) => received.resolve(request));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const impatient = await openStore(
      { kind: 's3', bucket: S3Server.bucket, region: 'us-east-1', endpoint, credentials: S3Server.credentials },
      { onOperation: () => undefined, timeoutMs: 2_000 },
    );
    try {
      const put = impatient.put('requests/req_late/response', randomBytes(16 * MIB));
      const request = await received.promise;
      const closed = new Promise<void>((resolve) => request.once('close', resolve));
      request.on('error', () => undefined);
      await expect(put).rejects.toThrow('took longer');
      request.resume();
      await closed;
      expect(request.complete).toBe(false);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });
});
