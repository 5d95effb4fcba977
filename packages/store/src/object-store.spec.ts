import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Disk } from 'flydrive';
import { isObjectMissing, isStoreFull, ObjectDamaged } from './failures.js';
import { DiskStore, type DriverExtras, type StoreOperation } from './object-store.js';
import { openStore } from './open-store.js';

const folder = await mkdtemp(join(tmpdir(), 'gateway-store-'));
afterAll(() => rm(folder, { recursive: true }));

const MIB = 1024 * 1024;

const operations: StoreOperation[] = [];
const store = await openStore(
  { kind: 'directory', path: folder },
  { onOperation: (operation) => operations.push(operation) },
);

describe('a store in a folder', () => {
  it('returns the bytes that were put, whole and as a stream', async () => {
    await store.put('requests/req_1/body', Buffer.from('one'));
    await store.put('requests/req_1/response', {
      stream: Readable.from([Buffer.from('tw'), Buffer.from('o')]),
      bytes: 3,
    });
    expect((await store.read('requests/req_1/body')).toString()).toBe('one');
    expect(Buffer.concat(await (await store.stream('requests/req_1/response')).toArray()).toString()).toBe('two');
  });

  it('replaces an object', async () => {
    await store.put('requests/req_2/body', Buffer.from('longer than the next'));
    await store.put('requests/req_2/body', Buffer.from('next'));
    expect((await store.read('requests/req_2/body')).toString()).toBe('next');
  });

  it('reports an object that is missing, before the first byte of a stream', async () => {
    for (const missing of [store.read('requests/none'), store.stream('requests/none')]) {
      expect(await missing.then(() => false, isObjectMissing)).toBe(true);
    }
    expect(operations.at(-1)).toMatchObject({ outcome: 'missing' });
  });

  it('streams a part of an object, to its last byte', async () => {
    await store.put('files/file-1', Buffer.from('0123456789'));
    const read = async (start: number, end: number) =>
      Buffer.concat(await (await store.stream('files/file-1', { start, end })).toArray()).toString();
    expect(await Promise.all([read(0, 0), read(3, 5), read(9, 9)])).toEqual(['0', '345', '9']);
    const missing = store.stream('files/none', { start: 0, end: 1 });
    expect(await missing.then(() => false, isObjectMissing)).toBe(true);
    await expect(store.stream('../outside', { start: 0, end: 1 })).rejects.toThrow();
  });

  it('returns an object in parts, of any length', async () => {
    for (const bytes of [0, 1, MIB, 2 * MIB + 3]) {
      const contents = randomBytes(bytes);
      await store.put('files/file-parts', contents);
      const parts = (await Readable.from(store.parts('files/file-parts')).toArray()) as Buffer[];
      expect(Buffer.concat(parts).equals(contents)).toBe(true);
      expect(parts).toHaveLength(Math.ceil(bytes / MIB));
    }
    expect(
      await Readable.from(store.parts('files/none'))
        .toArray()
        .then(() => false, isObjectMissing),
    ).toBe(true);
  });

  it('reports an object that is deleted between two parts', async () => {
    await store.put('files/file-parts', Buffer.alloc(MIB + 1));
    const parts = store.parts('files/file-parts')[Symbol.asyncIterator]();
    await parts.next();
    await store.delete('files/file-parts');
    expect(await parts.next().then(() => false, isObjectMissing)).toBe(true);
  });

  it.each([2, 4])('never passes %s bytes off as 3', async (bytes) => {
    const key = `files/file-length-${bytes}`;
    const stream = Readable.from([Buffer.alloc(bytes)]);
    await expect(store.put(key, { stream, bytes: 3 })).rejects.toThrow(ObjectDamaged);
    await store.put(key, Buffer.alloc(bytes));
    const opened = await store.stream(key, { bytes: 3 });
    await expect(opened.toArray()).rejects.toThrow(ObjectDamaged);
    await expect(store.read(key, { bytes: 3 })).rejects.toThrow(ObjectDamaged);
    expect(await (await store.stream(key, { bytes })).toArray()).toHaveLength(1);
  });

  it('closes an object whose reader leaves', async () => {
    await store.put('files/file-left', Buffer.alloc(300_000));
    const opened = await store.stream('files/file-left', { bytes: 300_000 });
    await once(opened, 'readable');
    opened.destroy();
    await once(opened, 'close');
  });

  it('deletes an object, also twice', async () => {
    await store.put('requests/req_3/body', Buffer.from('x'));
    await store.delete('requests/req_3/body');
    await store.delete('requests/req_3/body');
    expect(await store.read('requests/req_3/body').then(() => false, isObjectMissing)).toBe(true);
  });

  it('leaves no folder of a request whose objects are deleted, and the folders of all', async () => {
    const keys = ['requests/req_4/body', 'requests/req_4/response', 'files/file-4'];
    for (const key of keys) await store.put(key, Buffer.from('x'));
    await store.delete('requests/req_4/body');
    expect((await store.read('requests/req_4/response')).toString()).toBe('x');
    await Promise.all(keys.map((key) => store.delete(key)));
    expect(await readdir(join(folder, 'requests'))).not.toContain('req_4');
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['files', 'requests']));
    await store.put('requests/req_4/body', Buffer.from('again'));
    expect((await store.read('requests/req_4/body')).toString()).toBe('again');
  });

  // Each write to this device ends as on a full disk.
  (existsSync('/dev/full') ? it : it.skip)('leaves nothing of an object that does not fit', async () => {
    const bytes = Buffer.alloc(100_000);
    for (const contents of [bytes, { stream: Readable.from([bytes]), bytes: bytes.length }]) {
      await mkdir(join(folder, 'requests/req_5'), { recursive: true });
      await symlink('/dev/full', join(folder, 'requests/req_5/body'));
      expect(await store.put('requests/req_5/body', contents).then(() => false, isStoreFull)).toBe(true);
      expect(await readdir(join(folder, 'requests'))).not.toContain('req_5');
    }
    expect(operations.at(-1)).toMatchObject({ operation: 'put', outcome: 'full' });
  });

  it('refuses a key that leaves the folder', async () => {
    await expect(store.put('../outside', Buffer.from('x'))).rejects.toThrow();
    await expect(store.delete('../../outside/x')).rejects.toThrow();
  });
});

/** Its writes end as a test says. */
const storeThat = (write: DriverExtras['write'], timeoutMs = 30_000): DiskStore =>
  new DiskStore(
    {} as Disk,
    { write, openRange: () => Promise.reject(new Error('no ranges')) },
    (operation) => operations.push(operation),
    timeoutMs,
  );

describe('a store that fails', () => {
  it.each([
    ['a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' })],
    ['a full bucket', Object.assign(new Error('quota'), { name: 'QuotaExceeded' })],
    ['a full server', Object.assign(new Error('full'), { $metadata: { httpStatusCode: 507 } })],
  ])('recognises %s through the error of the driver', async (_name, cause) => {
    const full = storeThat(() => Promise.reject(new Error('cannot write', { cause })));
    expect(await full.put('a', Buffer.from('x')).then(() => false, isStoreFull)).toBe(true);
    expect(operations.at(-1)).toMatchObject({ operation: 'put', outcome: 'full' });
  });

  it('passes any other error on', async () => {
    await expect(storeThat(() => Promise.reject(new Error('away'))).put('a', Buffer.from('x'))).rejects.toThrow('away');
  });

  it('closes the source of an object that it could not write', async () => {
    const stream = Readable.from([Buffer.from('x')]);
    const failing = storeThat(() => Promise.reject(new Error('away')));
    await expect(failing.put('a', { stream, bytes: 1 })).rejects.toThrow('away');
    expect(stream.destroyed).toBe(true);
  });

  it('keeps its caller no longer than its time limit, and writes nothing after that', async () => {
    const signals: AbortSignal[] = [];
    const slow = storeThat((_key, _contents, _bytes, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    }, 1);
    await expect(slow.put('a', Buffer.from('x'))).rejects.toThrow('put took longer than 1 ms');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(operations.at(-1)).toMatchObject({ outcome: 'failed' });
  });
});
