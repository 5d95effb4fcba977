import { newAccountId, newRequestId, type RequestId } from '@gateway/contracts';
import { createMetrics, type Logger } from '@gateway/observability';
import type { ResponseStore } from '@gateway/postgres';
import type { ClaimOutcome, CompleteOutcome, IdempotencyStore, StoredResponse } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import type { EdgeConfig } from '../edge-config.js';
import { edgeMetrics } from '../edge-metrics.js';
import type { ValidRequest } from '../edge-request.js';
import { AnswerOnce } from './answer-once.service.js';
import { ShelveAnswers } from './shelve-answers.service.js';

type Body = StoredResponse['body'] | undefined;

const MEGABYTE = 1024 * 1024;
const logger = { warn: () => undefined } as unknown as Logger;
const answer = (requestId: RequestId, body: StoredResponse['body']): ClaimOutcome => ({
  outcome: 'answered',
  requestId,
  balanceNanoUsd: 7n,
  answer: { status: 200, contentType: 'a/b', body },
});

/** Postgres, as far as answers lie in it. */
class Shelf implements ResponseStore {
  readonly pieces = new Map<string, Buffer>();
  isAway = false;

  async putChunk({ requestId, number, bytes }: Parameters<ResponseStore['putChunk']>[0]): Promise<void> {
    this.#beThere();
    this.pieces.set(`${requestId} ${number}`, bytes);
  }

  async storedBytes(requestId: RequestId): Promise<number> {
    this.#beThere();
    const own = [...this.pieces].filter(([place]) => place.startsWith(requestId));
    return own.reduce((sum, [, { length }]) => sum + length, 0);
  }

  async readChunk(requestId: RequestId, number: number): Promise<Buffer | null> {
    return this.pieces.get(`${requestId} ${number}`) ?? null;
  }

  async delete(requestId: RequestId): Promise<void> {
    for (const place of this.pieces.keys()) if (place.startsWith(requestId)) this.pieces.delete(place);
  }

  async close(): Promise<void> {}

  #beThere(): void {
    if (this.isAway) throw new Error('Postgres is away');
  }
}

/** One request with a key, whose store answers as it is told. */
function oneRequest({ begin = { outcome: 'began' }, keep = [] }: { begin?: ClaimOutcome; keep?: CompleteOutcome[] }) {
  const offered: Body[] = [];
  const outcomes = [...keep];
  const store = {
    begin: async () => begin,
    keep: async (_turn: unknown, { body }: StoredResponse<Body>) => {
      offered.push(body);
      return outcomes.shift();
    },
  };
  const shelf = new Shelf();
  const once = new AnswerOnce(
    store as unknown as IdempotencyStore,
    new ShelveAnswers(shelf, logger),
    {} as EdgeConfig,
    edgeMetrics(createMetrics('test')),
    logger,
  );
  const requestId = newRequestId();
  const key = { accountId: newAccountId(), isTest: false };
  const valid = { requestId, caller: { key }, endpoint: 'chat.completions', body: Buffer.from('{}') };
  const left: (bigint | null)[] = [];
  const begun = () => once.begin(valid as unknown as ValidRequest, 'key', (balance) => left.push(balance));
  return { begun, left, offered, outcomes, requestId, shelf };
}

async function answered(request: ReturnType<typeof oneRequest>, bytes: number): Promise<void> {
  const begun = await request.begun();
  if (begun.isAnswered) throw new Error('it was answered before');
  begun.recording.head({ status: 200, headers: { 'content-type': 'a/b' } });
  for (let sent = 0; sent < bytes; sent += MEGABYTE)
    begun.recording.data(Buffer.alloc(Math.min(MEGABYTE, bytes - sent), 'x'));
  await begun.recording.end(undefined);
  expect(request.outcomes).toEqual([]);
}

describe('an answer under a key', () => {
  it('is kept in Redis if it is small and there is room', async () => {
    const request = oneRequest({ keep: ['kept'] });
    await answered(request, 10);
    expect([request.offered, request.shelf.pieces.size]).toEqual([[Buffer.alloc(10, 'x')], 0]);
  });

  it('goes to Postgres if its account has kept too much in Redis', async () => {
    const request = oneRequest({ keep: ['full', 'kept'] });
    await answered(request, 10);
    expect(request.offered).toEqual([Buffer.alloc(10, 'x'), { bytesApart: 10 }]);
    expect([...request.shelf.pieces]).toEqual([[`${request.requestId} 0`, Buffer.alloc(10, 'x')]]);
  });

  it('goes there while it flows if it is large, and is told of as it is there', async () => {
    const request = oneRequest({ keep: ['kept'] });
    await answered(request, 3 * MEGABYTE);
    expect(request.offered).toEqual([{ bytesApart: 3 * MEGABYTE }]);
    expect(await request.shelf.storedBytes(request.requestId)).toBe(3 * MEGABYTE);
  });

  it.each([
    ['its account has kept too much everywhere', ['full', 'not_kept'] as const],
    ['another request has taken its key meanwhile', ['lost'] as const],
  ])('leaves nothing in Postgres if %s', async (_why, keep) => {
    const request = oneRequest({ keep: [...keep] });
    await answered(request, 3 * MEGABYTE);
    expect(request.shelf.pieces.size).toBe(0);
    expect(request.offered.slice(1)).toEqual(keep.length === 2 ? [undefined] : []);
  });

  it('of which Postgres takes nothing is kept as one that was given', async () => {
    for (const bytes of [10, 3 * MEGABYTE]) {
      const request = oneRequest({ keep: bytes === 10 ? ['full', 'not_kept'] : ['not_kept'] });
      request.shelf.isAway = true;
      await answered(request, bytes);
      expect(request.offered.at(-1)).toBeUndefined();
    }
  });
});

describe('an answer that was given before', () => {
  it('comes from Redis whole', async () => {
    const body = Buffer.from('words');
    const former = newRequestId();
    const { begun, left } = oneRequest({ begin: answer(former, body) });
    expect(await begun()).toEqual({
      isAnswered: true,
      requestId: former,
      answer: { status: 200, contentType: 'a/b', bytes: 5, body },
    });
    expect(left).toEqual([7n]);
  });

  it('comes from Postgres piece by piece', async () => {
    const former = newRequestId();
    const request = oneRequest({ begin: answer(former, { bytesApart: 5 }) });
    request.shelf.pieces.set(`${former} 0`, Buffer.from('wor')).set(`${former} 1`, Buffer.from('ds'));
    const begun = await request.begun();
    if (!begun.isAnswered || Buffer.isBuffer(begun.answer.body)) throw new Error('it is not from Postgres');
    expect([begun.answer.bytes, Buffer.concat(await begun.answer.body.toArray()).toString()]).toEqual([5, 'words']);
  });

  it('is lost if not all of it is there, and nobody knows while Postgres is away', async () => {
    const former = newRequestId();
    const request = oneRequest({ begin: answer(former, { bytesApart: 5 }) });
    request.shelf.pieces.set(`${former} 0`, Buffer.from('wor'));
    await expect(request.begun()).rejects.toMatchObject({ code: 'idempotency_answer_lost' });
    request.shelf.isAway = true;
    await expect(request.begun()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
