import { MAX_REDIS_BYTES, type StoredResponse } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { SpillInMemory, until } from '../test-support/spill-in-memory.js';
import { RecordedResponse } from './recorded-response.js';
import { SpilledResponse, type SpillPorts } from './spilled-response.js';

/** A recording, and where it stored its response. */
function recordResponse(ports: Partial<SpillPorts> = {}) {
  const stored: StoredResponse<StoredResponse['body'] | undefined>[] = [];
  const spill = new SpillInMemory();
  const recording = new RecordedResponse({
    spill: () => new SpilledResponse({ ...spill.ports, ...ports }),
    store: async (response) => void stored.push(response),
    release: async () => undefined,
    onLeft: () => undefined,
  });
  return { recording, spill, stored };
}

const head = (headers: Record<string, string>) => ({ status: 200, headers: { 'content-type': 'a/b', ...headers } });

describe('a recorded response', () => {
  it('passes a stream on as it comes, and stores it together with its trailer', async () => {
    const { recording, stored } = recordResponse();
    recording.head(head({}));
    const chunk = Buffer.from('data: 1\n\n');
    expect(recording.data(chunk)).toBe(chunk);
    chunk.fill(0);
    expect(await recording.end(': cost\n\n')).toEqual(Buffer.from(': cost\n\n'));
    expect(stored).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('data: 1\n\n: cost\n\n') }]);
  });

  it('stores what was changed in its request, in short', async () => {
    const { recording, stored } = recordResponse();
    const dropped = Array.from({ length: 500 }, (_, at) => `field_${at}`);
    recording.head({ ...head({}), changes: { filled: { temperature: '1' }, dropped } });
    await recording.end(undefined);
    expect(stored[0]?.changes).toMatchObject({ 'x-gateway-filled': 'temperature=1' });
    expect(stored[0]?.changes?.['x-gateway-dropped']).toMatch(/^field_0, field_1, .{200,260}, \.\.\.$/);
  });

  it('holds back the last bytes of a response of known length until it is stored', async () => {
    const { recording, stored } = recordResponse();
    recording.head(head({ 'content-length': '4' }));
    expect(recording.data(Buffer.from('ab'))).toEqual(Buffer.from('ab'));
    const last = Buffer.from('cd');
    expect(recording.data(last)).toBeUndefined();
    last.fill(0);
    expect(stored).toEqual([]);
    expect(await recording.end(undefined)).toEqual(Buffer.from('cd'));
    expect(stored).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('abcd') }]);
  });

  const chunk = Buffer.alloc(64 * 1024, 'x');
  const fill = (recording: RecordedResponse, bytes: number) => {
    for (let sent = 0; sent < bytes; sent += chunk.length) recording.data(chunk.subarray(0, bytes - sent));
  };

  it('stores a response of exactly the limit in Redis', async () => {
    const { recording, spill, stored } = recordResponse();
    recording.head(head({}));
    fill(recording, MAX_REDIS_BYTES);
    await recording.end(undefined);
    expect(stored.map(({ body }) => Buffer.isBuffer(body) && body.length)).toEqual([MAX_REDIS_BYTES]);
    expect(spill.chunks).toEqual([]);
  });

  it('spills a longer response while it is sent, its trailer included', async () => {
    const { recording, spill, stored } = recordResponse();
    recording.head(head({}));
    fill(recording, 5 * MAX_REDIS_BYTES);
    await until(() => spill.chunks.length >= 4);
    await recording.end('last words');
    const recorded = Buffer.concat(spill.chunks);
    expect(recorded.length).toBe(5 * MAX_REDIS_BYTES + 'last words'.length);
    expect(recorded.subarray(-12).toString()).toBe('xxlast words');
    expect(stored).toEqual([{ status: 200, contentType: 'a/b', body: { spilledBytes: recorded.length } }]);
    expect(spill.pendingBytes).toBe(0);
  });

  it('stores only that there was a response if the spill fails', async () => {
    const { recording, stored } = recordResponse({ putChunk: () => Promise.reject(new Error('no database')) });
    recording.head(head({}));
    fill(recording, 2 * MAX_REDIS_BYTES);
    expect(await recording.end('the end')).toEqual(Buffer.from('the end'));
    expect(stored).toEqual([{ status: 200, contentType: 'a/b', body: undefined }]);
  });

  it('deletes the spilled chunks once when the response stays incomplete', async () => {
    const { recording, spill } = recordResponse();
    fill(recording, 2 * MAX_REDIS_BYTES);
    await recording.release();
    await until(() => spill.deletions === 1);
    expect(spill.pendingBytes).toBe(0);
    await recording.release();
    expect(spill.deletions).toBe(1);
  });
});
