import { newRequestId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ResponseRecording } from '../edge-request.js';
import { admittedRequest, admittedVideo } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import type { FoundResult, IdempotencyClaims } from './idempotency-claims.service.js';
import { LeftResponses } from './left-responses.service.js';

const MEBIBYTE = 1024 * 1024;

function setUp(found: FoundResult = { outcome: 'none' }) {
  const asked: unknown[] = [];
  const claims = {
    readResult: async (owner: unknown) => {
      asked.push(owner);
      return found;
    },
  } as unknown as IdempotencyClaims;
  return { responses: new LeftResponses(claims), asked };
}

describe('LeftResponses.withRecording', () => {
  const recording = {} as ResponseRecording;

  it.each([
    ['stops', admittedRequest({ abortContract: 'stops' })],
    ['is recorded for an idempotency key', admittedRequest({ abortContract: 'completes', recording })],
    ['is a task of its own', admittedVideo({ abortContract: 'completes' })],
  ])('changes no request that %s', (_case, request) => {
    expect(setUp().responses.withRecording(request)).toBe(request);
  });

  it('keeps the beginnings of streams up to the memory of the process', () => {
    const { responses } = setUp();
    const request = admittedRequest({ abortContract: 'completes', isStream: true });
    const kept = Array.from({ length: 257 }, () => {
      const late = responses.withRecording(request).recording as ResponseRecording;
      late.data(Buffer.alloc(MEBIBYTE / 4));
      return late;
    });
    const last = kept.at(-1) as ResponseRecording;
    expect(last.leave()).toBe(false);
    void kept[0]?.release();
    const next = responses.withRecording(request).recording as ResponseRecording;
    next.data(Buffer.alloc(MEBIBYTE / 4));
    expect(() => next.leave()).toThrow('recordLeft');
  });
});

describe('LeftResponses.read', () => {
  const requestId = newRequestId();
  const key = keyOf();

  it('returns what is stored for the account of the key', async () => {
    const response = { status: 200, contentType: 'a/b', bytes: 1, body: Buffer.from('x') };
    const work = { endpoint: 'completions', model: 'gp-5.4-mini' } as const;
    const found = { outcome: 'answered', balanceNanoUsd: 7n, requestId, response, work } as const;
    const { responses, asked } = setUp(found);
    expect(await responses.read(key, requestId)).toBe(found);
    expect(asked).toEqual([{ accountId: key.accountId, isTest: key.isTest, requestId }]);
  });

  it.each([
    ['of its model', { models: ['gp-5.4-mini'] }, true],
    ['of another model', { models: ['gm-2.5-flash'] }, false],
    // Completions have the rights of chats.
    ['of its endpoint', { endpoints: ['chat.completions'] }, true],
    ['of another endpoint', { endpoints: ['embeddings'] }, false],
  ] as const)(
    'returns 404 to a key that could not have asked for it: one %s, %j, %s',
    async (_which, limits, isShown) => {
      const response = { status: 200, contentType: 'a/b', bytes: 1, body: Buffer.from('x') };
      const work = { endpoint: 'completions', model: 'gp-5.4-mini' } as const;
      const answered = { outcome: 'answered', balanceNanoUsd: 7n, requestId, response } as const;
      const read = (found: FoundResult) => setUp(found).responses.read({ ...key, ...limits }, requestId);
      if (isShown) expect(await read({ ...answered, work })).toMatchObject({ response });
      else await expect(read({ ...answered, work })).rejects.toMatchObject({ code: 'not_found' });
      // Of a former release: its record does not say what was asked.
      await expect(read({ ...answered, work: undefined })).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it('returns 409 with a time while the request runs', async () => {
    await expect(setUp({ outcome: 'running' }).responses.read(key, requestId)).rejects.toMatchObject({
      code: 'request_in_progress',
      details: { retryAfterMs: 1_000 },
    });
  });

  it('returns 404 otherwise, without a query for what is no request id', async () => {
    await expect(setUp().responses.read(key, requestId)).rejects.toMatchObject({ code: 'not_found' });
    const { responses, asked } = setUp();
    await expect(responses.read(key, '../x')).rejects.toMatchObject({ code: 'not_found' });
    expect(asked).toEqual([]);
  });
});
