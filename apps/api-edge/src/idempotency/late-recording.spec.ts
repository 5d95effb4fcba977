import { MAX_EARLIER_BYTES } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import type { ResponseRecording } from '../edge-request.js';
import { LateRecording } from './late-recording.js';

function setUp({ isStream = true, capacityBytes = 10 * MAX_EARLIER_BYTES } = {}) {
  const calls: string[] = [];
  let reservedBytes = 0;
  const inner: ResponseRecording = {
    isActive: true,
    head: ({ status }) => void calls.push(`head ${status}`),
    data: (chunk) => {
      calls.push(`data ${chunk}`);
      return chunk;
    },
    leave: () => true,
    end: async (trailer) => {
      calls.push('end');
      return Buffer.from(trailer ?? '');
    },
    release: async () => void calls.push('release'),
  };
  const recording = new LateRecording(isStream, {
    reserve: (bytes) => {
      if (reservedBytes + bytes > capacityBytes) return false;
      reservedBytes += bytes;
      return true;
    },
    release: (bytes) => {
      reservedBytes -= bytes;
    },
    open: () => inner,
  });
  return { recording, calls, reserved: () => reservedBytes };
}

const HEAD = { status: 200, headers: {} };

describe('LateRecording', () => {
  it('records nothing while the client stays, and gives its memory back', async () => {
    const { recording, calls, reserved } = setUp();
    recording.head(HEAD);
    expect(recording.data(Buffer.from('one'))?.toString()).toBe('one');
    expect([recording.isActive, reserved()]).toEqual([false, 3]);
    await recording.release();
    expect([calls, reserved()]).toEqual([[], 0]);
  });

  it('records a stream from its beginning once the client has left', async () => {
    const { recording, calls, reserved } = setUp();
    recording.head(HEAD);
    const chunk = Buffer.from('one');
    recording.data(chunk);
    chunk.fill(0);
    expect([recording.leave(), recording.isActive, reserved()]).toEqual([true, true, 0]);
    recording.data(Buffer.from('two'));
    expect((await recording.end('cost')).toString()).toBe('cost');
    expect(calls).toEqual(['head 200', 'data one', 'data two', 'end']);
  });

  it('records a response that begins after the client has left', async () => {
    const { recording, calls } = setUp({ isStream: false });
    expect(recording.leave()).toBe(true);
    recording.head(HEAD);
    recording.data(Buffer.from('all'));
    await recording.end(undefined);
    expect(calls).toEqual(['head 200', 'data all', 'end']);
  });

  it.each([
    ['a response that is no stream and has begun', { isStream: false }, 1],
    ['a beginning that is too long', {}, MAX_EARLIER_BYTES + 1],
    ['a process that keeps too much already', { capacityBytes: 4 }, 5],
  ])('gives up %s', (_case, options, bytes) => {
    const { recording, reserved } = setUp(options);
    recording.data(Buffer.alloc(bytes));
    expect([recording.leave(), recording.isActive, reserved()]).toEqual([false, false, 0]);
  });

  it('releases its record if the response breaks off', async () => {
    const { recording, calls } = setUp();
    recording.leave();
    await recording.release();
    expect(calls).toEqual(['release']);
  });
});
