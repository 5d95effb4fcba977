import { describe, expect, it } from '@jest/globals';
import { ContentTap, MAX_PART_BYTES, type TapPorts } from './content-tap.js';

type Seen = Parameters<TapPorts['done']>;

function tapWith(room: number) {
  const seen: Seen[] = [];
  let left = room;
  const tap = new ContentTap({
    reserve: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    done: (...args) => seen.push(args),
  });
  return { tap, seen };
}

const HEAD = { headers: { 'content-type': 'text/event-stream' } };

describe('ContentTap', () => {
  it('copies what passes, because the relay reuses the memory of a chunk', () => {
    const { tap, seen } = tapWith(100);
    const chunk = Buffer.from('one ');
    tap.head(HEAD);
    tap.data(chunk);
    chunk.write('two ');
    tap.data(chunk);
    tap.complete();
    tap.end();
    const response = { contentType: 'text/event-stream', bytes: Buffer.from('one two '), isTruncated: false };
    expect(seen).toEqual([[{ response, isResult: false, isComplete: true }, 8]]);
  });

  it('keeps the beginning of a response that is too long', () => {
    const { tap, seen } = tapWith(2 * MAX_PART_BYTES);
    tap.head(HEAD);
    tap.data(Buffer.alloc(MAX_PART_BYTES - 1, 'a'));
    tap.data(Buffer.from('bc'));
    tap.data(Buffer.from('d'));
    tap.end();
    expect(seen[0]?.[0].response).toMatchObject({ isTruncated: true });
    expect(seen[0]?.[0].response?.bytes.subarray(-2).toString()).toBe('ab');
    expect(seen[0]?.[1]).toBe(MAX_PART_BYTES);
  });

  it('stops where the process has no more room', () => {
    const { tap, seen } = tapWith(3);
    tap.head(HEAD);
    for (const word of ['one', 'two']) tap.data(Buffer.from(word));
    tap.end();
    expect(seen[0]?.[0].response).toMatchObject({ bytes: Buffer.from('one'), isTruncated: true });
    expect(seen[0]?.[1]).toBe(3);
  });

  it('has no response before the head, and is done once', () => {
    const { tap, seen } = tapWith(3);
    tap.end();
    tap.endAsResult();
    expect(seen).toEqual([[{ response: null, isResult: false, isComplete: false }, 0]]);
  });

  it('says that the response is kept elsewhere', () => {
    const { tap, seen } = tapWith(3);
    tap.endAsResult();
    expect(seen).toEqual([[{ response: null, isResult: true, isComplete: false }, 0]]);
  });
});
