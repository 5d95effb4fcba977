import { describe, expect, it } from '@jest/globals';
import type { ResponseRecording } from '../edge-request.js';
import { KeptResponse } from './kept-response.js';

const WHOLE = '{"id":"resp_a","output":[]}';
const DELTA = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta"}\n\n';
const LAST = 'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_a"}}\n\n';

const jsonHead = { status: 200, headers: { 'content-type': 'application/json', 'content-length': `${WHOLE.length}` } };
const streamHead = { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };

function keeping(inner?: ResponseRecording) {
  const stored: string[] = [];
  const kept = new KeptResponse(async (response) => void stored.push(response.toString()), inner);
  return { kept, stored };
}

/** A recording of an idempotency key that holds nothing back. */
function innerRecording(isActive: boolean) {
  const calls: string[] = [];
  const recording: ResponseRecording = {
    isActive,
    head: () => void calls.push('head'),
    data: (chunk) => {
      calls.push(`data ${chunk.length}`);
      return chunk;
    },
    end: async (trailer) => {
      calls.push('end');
      return Buffer.from(trailer ?? '');
    },
    leave: () => {
      calls.push('leave');
      return false;
    },
    release: async () => void calls.push('release'),
  };
  return { recording, calls };
}

describe('a kept response', () => {
  it('is stored before its last bytes leave', async () => {
    const { kept, stored } = keeping();
    kept.head(jsonHead);
    expect(kept.data(Buffer.from(WHOLE.slice(0, 5)))?.toString()).toBe(WHOLE.slice(0, 5));
    expect(kept.data(Buffer.from(WHOLE.slice(5)))).toBeUndefined();
    expect(stored).toEqual([]);
    expect((await kept.end(undefined)).toString()).toBe(WHOLE.slice(5));
    expect(stored).toEqual([WHOLE]);
  });

  it('streams all but its last event, which waits with the trailer', async () => {
    const { kept, stored } = keeping();
    kept.head(streamHead);
    expect(kept.data(Buffer.from(DELTA))?.toString()).toBe(DELTA);
    expect(kept.data(Buffer.from(LAST))).toBeUndefined();
    expect((await kept.end(': cost\n\n')).toString()).toBe(`${LAST}: cost\n\n`);
    expect(stored).toEqual(['{"id":"resp_a"}']);
  });

  it('is stored without its client', async () => {
    const { kept, stored } = keeping(innerRecording(false).recording);
    kept.head(streamHead);
    expect(kept.leave()).toBe(true);
    kept.data(Buffer.from(LAST));
    await kept.end(undefined);
    expect(stored).toEqual(['{"id":"resp_a"}']);
  });

  it.each([
    [true, ['head', `data ${LAST.length}`, 'end', 'release']],
    [false, ['head', `data ${LAST.length}`, 'release']],
  ])('passes everything to a recording whose activity is %s', async (isActive, expected) => {
    const { recording, calls } = innerRecording(isActive);
    const { kept } = keeping(recording);
    kept.head(streamHead);
    kept.data(Buffer.from(LAST));
    expect((await kept.end('end')).toString()).toBe(`${LAST}end`);
    await kept.release();
    expect(calls).toEqual(expected);
  });

  it('is not stored if it broke off, failed or was an error', async () => {
    const broken = keeping();
    broken.kept.head(streamHead);
    broken.kept.data(Buffer.from(DELTA));
    await broken.kept.end(undefined);
    const released = keeping();
    released.kept.head(streamHead);
    released.kept.data(Buffer.from(LAST));
    await released.kept.release();
    const refused = keeping();
    refused.kept.head({ ...jsonHead, status: 400 });
    expect(refused.kept.data(Buffer.from(WHOLE))?.toString()).toBe(WHOLE);
    await refused.kept.end(undefined);
    expect([broken.stored, released.stored, refused.stored]).toEqual([[], [], []]);
  });
});
