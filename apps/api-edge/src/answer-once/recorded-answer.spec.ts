import type { StoredResponse } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { ShelfInMemory, until } from '../test-support/shelf-in-memory.js';
import { KEPT_IN_REDIS_BYTES_AT_MOST, RecordedAnswer } from './recorded-answer.js';
import { type ShelfPorts, ShelvedAnswer } from './shelved-answer.js';

/** What was kept where, and the recording that kept it. */
function recording(ports: Partial<ShelfPorts> = {}) {
  const kept: StoredResponse<StoredResponse['body'] | undefined>[] = [];
  const shelf = new ShelfInMemory();
  const recorded = new RecordedAnswer({
    shelve: () => new ShelvedAnswer({ ...shelf.ports, ...ports }),
    keep: async (answer) => void kept.push(answer),
    free: async () => undefined,
  });
  return { kept, recorded, shelf };
}

const head = (headers: Record<string, string>) => ({ status: 200, headers: { 'content-type': 'a/b', ...headers } });

describe('a recorded answer', () => {
  it('lets a stream through as it comes, and keeps it with its last words', async () => {
    const { kept, recorded } = recording();
    recorded.head(head({}));
    const chunk = Buffer.from('data: 1\n\n');
    expect(recorded.data(chunk)).toBe(chunk);
    chunk.fill(0);
    expect(await recorded.end(': cost\n\n')).toEqual(Buffer.from(': cost\n\n'));
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('data: 1\n\n: cost\n\n') }]);
  });

  it('holds the last bytes of an answer of known length back until it is kept', async () => {
    const { kept, recorded } = recording();
    recorded.head(head({ 'content-length': '4' }));
    expect(recorded.data(Buffer.from('ab'))).toEqual(Buffer.from('ab'));
    const last = Buffer.from('cd');
    expect(recorded.data(last)).toBeUndefined();
    last.fill(0);
    expect(kept).toEqual([]);
    expect(await recorded.end(undefined)).toEqual(Buffer.from('cd'));
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('abcd') }]);
  });

  const chunk = Buffer.alloc(64 * 1024, 'x');
  const fill = (recorded: RecordedAnswer, bytes: number) => {
    for (let sent = 0; sent < bytes; sent += chunk.length) recorded.data(chunk.subarray(0, bytes - sent));
  };

  it('keeps an answer of just the limit in Redis', async () => {
    const { kept, recorded, shelf } = recording();
    recorded.head(head({}));
    fill(recorded, KEPT_IN_REDIS_BYTES_AT_MOST);
    await recorded.end(undefined);
    expect(kept.map(({ body }) => Buffer.isBuffer(body) && body.length)).toEqual([KEPT_IN_REDIS_BYTES_AT_MOST]);
    expect(shelf.pieces).toEqual([]);
  });

  it('puts a longer one on the shelf while it flows, its last words too', async () => {
    const { kept, recorded, shelf } = recording();
    recorded.head(head({}));
    fill(recorded, 5 * KEPT_IN_REDIS_BYTES_AT_MOST);
    await until(() => shelf.pieces.length >= 4);
    await recorded.end('last words');
    const whole = Buffer.concat(shelf.pieces);
    expect(whole.length).toBe(5 * KEPT_IN_REDIS_BYTES_AT_MOST + 'last words'.length);
    expect(whole.subarray(-12).toString()).toBe('xxlast words');
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: { bytesApart: whole.length } }]);
    expect(shelf.waitingBytes).toBe(0);
  });

  it('keeps of one that the shelf does not take only that it was given', async () => {
    const { kept, recorded } = recording({ put: () => Promise.reject(new Error('no database')) });
    recorded.head(head({}));
    fill(recorded, 2 * KEPT_IN_REDIS_BYTES_AT_MOST);
    expect(await recorded.end('the end')).toEqual(Buffer.from('the end'));
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: undefined }]);
  });

  it('takes back what is on the shelf when there will be no whole answer', async () => {
    const { recorded, shelf } = recording();
    fill(recorded, 2 * KEPT_IN_REDIS_BYTES_AT_MOST);
    await recorded.free();
    await until(() => shelf.drops === 1);
    expect(shelf.waitingBytes).toBe(0);
    await recorded.free();
    expect(shelf.drops).toBe(1);
  });
});
