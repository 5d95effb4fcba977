import { randomBytes } from 'node:crypto';
import { newRequestId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import type { NewIdempotencyClaim, StoredResponse } from './idempotency-claim.js';
import { IdempotencyStore } from './idempotency-store.js';

const LEASE_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;

const answer = (body = Buffer.from('{}')): StoredResponse => ({
  status: 200,
  contentType: 'application/json',
  body,
});

describe('a request that is answered once', () => {
  let test: TestRedis;
  let store: IdempotencyStore;
  let admission: AdmissionStore;
  let nowMs: number;
  let request: ReturnType<typeof sampleRequest>;
  let first: NewIdempotencyClaim;

  const again = (more: Partial<NewIdempotencyClaim> = {}): NewIdempotencyClaim => ({
    ...first,
    requestId: newRequestId(),
    ...more,
  });
  const record = () => test.keys.idempotency('live', first.accountId, first.keySha256);

  beforeEach(async () => {
    test = await TestRedis.open();
    nowMs = 1_000_000;
    store = new IdempotencyStore(test.redis, {
      keys: test.keys,
      nowMs: () => nowMs,
      shareBytes: 100_000,
      shareBytesApart: 500_000,
    });
    admission = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => nowMs });
    await admission.beginEpoch('e1');
    request = sampleRequest({ holdNanoUsd: 0n });
    const { requestId, accountId } = request;
    first = { requestId, accountId, isTest: false, keySha256: 'a'.repeat(64), fingerprint: 'f' };
  });

  afterEach(() => test.close());

  const begunAndAdmitted = async () => {
    expect(await store.claim(first)).toEqual({ outcome: 'began' });
    expect(await admission.admit(request)).toMatchObject({ outcome: 'admitted' });
  };
  const settled = (costNanoUsd: bigint) => admission.settle(sampleSettlement(request, costNanoUsd));

  it('begins once, however many ask at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.claim(again())));
    expect(outcomes.filter(({ outcome }) => outcome === 'began')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(49);
  });

  it.each([
    ['a short answer as it is', Buffer.from([0, 255, 10, 128])],
    ['an empty answer', Buffer.alloc(0)],
    ['a long text', Buffer.from('{"text":"once"}'.repeat(1_000))],
    ['a long sound that gzip makes no shorter', randomBytes(50_000)],
  ])('gives %s again, byte for byte, for a day', async (_what, body) => {
    await store.claim(first);
    expect(await store.complete(first, answer(body))).toBe('kept');
    expect(await store.claim(again())).toEqual({
      outcome: 'answered',
      requestId: first.requestId,
      balanceNanoUsd: null,
      answer: { status: 200, contentType: 'application/json', body },
    });
    const leftMs = await test.redis.pttl(record());
    expect(leftMs).toBeGreaterThan(DAY_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(DAY_MS);
    const stored = await test.redis.hstrlen(record(), 'body');
    if (body.length === 15_000) expect(stored).toBeLessThan(1_000);
    else expect(stored).toBe(body.length);
  });

  it('says what is left to whoever is not given the turn', async () => {
    const { accountId } = first;
    const amounts = { amountNanoUsd: 60n, reserveNanoUsd: 2n ** 62n, reserveVersion: 1n };
    await admission.grant({ accountId, sequence: 1n, epoch: 'e1', ...amounts });
    request = { ...request, holdNanoUsd: 20n };
    await begunAndAdmitted();
    const balanceNanoUsd = 2n ** 62n + 60n;
    expect(await store.claim(again())).toEqual({ outcome: 'in_progress', balanceNanoUsd });
    expect(await store.claim(again({ fingerprint: 'g' }))).toEqual({ outcome: 'conflict', balanceNanoUsd });
    await settled(5n);
    await store.complete(first, answer());
    const left = balanceNanoUsd - 5n;
    expect(await store.claim(again())).toMatchObject({ outcome: 'answered', balanceNanoUsd: left });
  });

  it('is another one under another account, another key, or as a test', async () => {
    await store.claim(first);
    for (const more of [{ accountId: sampleRequest().accountId }, { keySha256: 'b'.repeat(64) }, { isTest: true }]) {
      expect(await store.claim(again(more))).toEqual({ outcome: 'began' });
    }
  });

  it('is not mistaken for a request that is not the same, running or answered', async () => {
    await store.claim(first);
    const other = again({ fingerprint: 'g' });
    expect(await store.claim(other)).toMatchObject({ outcome: 'conflict' });
    await store.complete(first, answer());
    expect(await store.claim(other)).toMatchObject({ outcome: 'conflict' });
  });

  describe('in its lease', () => {
    it('is nobody else’s, as long as it is renewed', async () => {
      await begunAndAdmitted();
      for (let renewals = 0; renewals < 5; renewals += 1) {
        nowMs += LEASE_MS - 1;
        expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
        expect(await store.renew(first)).toBe(true);
      }
    });

    it('is another’s once the lease has ended and nothing was charged', async () => {
      await begunAndAdmitted();
      await settled(0n);
      nowMs += LEASE_MS;
      const second = again({ fingerprint: 'g' });
      expect(await store.claim(second)).toEqual({ outcome: 'began' });
      expect(await store.renew(first)).toBe(false);
      expect(await store.complete(first, answer())).toBe('lost');
      expect(await store.release(first)).toBe(false);
      expect(await store.complete(second, answer())).toBe('kept');
    });

    it('is another’s once the lease of one that was never admitted has ended', async () => {
      await store.claim(first);
      nowMs += LEASE_MS;
      expect(await store.claim(again())).toEqual({ outcome: 'began' });
    });

    it('waits after its lease for a request that still holds money', async () => {
      await begunAndAdmitted();
      nowMs += LEASE_MS;
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
      await settled(0n);
      expect(await store.claim(again())).toEqual({ outcome: 'began' });
    });

    it('is never run again if it was charged, although its edge is gone', async () => {
      await begunAndAdmitted();
      await settled(5n);
      nowMs += LEASE_MS;
      const charged = { outcome: 'charged', requestId: first.requestId };
      expect(await store.claim(again())).toMatchObject(charged);
      await test.redis.del(test.keys.settled(first.requestId));
      expect(await store.claim(again())).toMatchObject(charged);
      expect(await store.claim(again({ fingerprint: 'g' }))).toMatchObject({ outcome: 'conflict' });
      expect(await store.complete(first, answer())).toBe('lost');
    });
  });

  describe('freed', () => {
    it('leaves nothing if it was never admitted', async () => {
      await store.claim(first);
      expect(await store.release(first)).toBe(true);
      expect(await test.redis.exists(record())).toBe(0);
      expect(await store.release(first)).toBe(false);
    });

    it('leaves nothing if it cost nothing', async () => {
      await begunAndAdmitted();
      await settled(0n);
      await store.release(first);
      expect(await test.redis.exists(record())).toBe(0);
    });

    it('remembers what was charged without an answer', async () => {
      await begunAndAdmitted();
      await settled(5n);
      expect(await store.release(first)).toBe(true);
      expect(await store.claim(again())).toMatchObject({ outcome: 'charged', requestId: first.requestId });
    });

    it('leaves nothing if it was held for a task: the table of tasks remembers its key', async () => {
      await begunAndAdmitted();
      await admission.settle(sampleSettlement(request, 5n, { outcome: 'held' }));
      await store.release(first);
      expect(await test.redis.exists(record())).toBe(0);
    });

    it.each([
      ['free', 0n, 'began'],
      ['charged', 5n, 'charged'],
    ])('before its settlement, waits for it and is then %s', async (_word, costNanoUsd, outcome) => {
      await begunAndAdmitted();
      await store.release(first);
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
      await settled(costNanoUsd);
      expect(await store.claim(again())).toMatchObject({ outcome });
    });

    it.each(['', 'aborted'])('takes a settlement of a release that wrote down %j for a charge', async (tombstone) => {
      await store.claim(first);
      await test.redis.set(test.keys.settled(first.requestId), tombstone);
      await store.release(first);
      expect(await store.claim(again())).toMatchObject({ outcome: 'charged' });
    });

    it('is freed by its owner only', async () => {
      await store.claim(first);
      expect(await store.release(again())).toBe(false);
      expect(await store.claim(again())).toMatchObject({ outcome: 'in_progress' });
    });
  });

  describe('kept', () => {
    it('stays as it was, whoever keeps or frees again', async () => {
      await store.claim(first);
      expect(await store.complete(again(), answer())).toBe('lost');
      expect(await store.complete(first, answer(Buffer.from('first')))).toBe('kept');
      expect(await store.complete(first, answer(Buffer.from('second')))).toBe('lost');
      expect(await store.release(first)).toBe(false);
      expect(await store.renew(first)).toBe(false);
      expect(await store.claim(again())).toMatchObject({ answer: { body: Buffer.from('first') } });
    });

    it('says of an answer that nobody has only that it was given', async () => {
      await store.claim(first);
      expect(await store.complete(first, { ...answer(), body: undefined })).toBe('not_kept');
      expect(await store.claim(again())).toMatchObject({ outcome: 'not_kept', requestId: first.requestId });
    });

    it('keeps no more of one account than its share, and leaves it to its owner what else to do', async () => {
      const outcomes: string[] = [];
      const turns = ['1', '2', '3'].map((keySha256) => again({ keySha256 }));
      for (const turn of turns) {
        await store.claim(turn);
        outcomes.push(await store.complete(turn, answer(randomBytes(40_000))));
      }
      expect(outcomes).toEqual(['kept', 'kept', 'full']);
      const [, , third] = turns as [NewIdempotencyClaim, NewIdempotencyClaim, NewIdempotencyClaim];
      const asked = again({ keySha256: '3' });
      expect(await store.claim(asked)).toMatchObject({ outcome: 'in_progress' });
      expect(await store.renew(third)).toBe(true);
      expect(await store.complete(third, { ...answer(), body: { bytesApart: 40_000 } })).toBe('kept');
      expect(await store.claim(asked)).toMatchObject({ outcome: 'answered', answer: { body: { bytesApart: 40_000 } } });

      const stranger = again({ accountId: sampleRequest().accountId });
      await store.claim(stranger);
      expect(await store.complete(stranger, answer(randomBytes(40_000)))).toBe('kept');
      const bytesHere = test.keys.idempotencyBytes(first.accountId, 'here');
      expect(await test.redis.get(bytesHere)).toBe('80000');
      expect(await test.redis.pttl(bytesHere)).toBeGreaterThan(DAY_MS - 60_000);
    });

    it('knows of an answer that is kept elsewhere how much there is of it, for a day and within a share of its own', async () => {
      await store.claim(first);
      expect(await store.complete(first, { ...answer(), body: { bytesApart: 300_000 } })).toBe('kept');
      expect(await store.claim(again())).toMatchObject({
        outcome: 'answered',
        requestId: first.requestId,
        answer: { status: 200, contentType: 'application/json', body: { bytesApart: 300_000 } },
      });
      expect(await test.redis.pttl(record())).toBeGreaterThan(DAY_MS - 60_000);
      const bytesApart = test.keys.idempotencyBytes(first.accountId, 'apart');
      expect(await test.redis.get(bytesApart)).toBe('300000');
      expect(await test.redis.pttl(bytesApart)).toBeGreaterThan(DAY_MS - 60_000);

      const second = again({ keySha256: '2' });
      await store.claim(second);
      expect(await store.complete(second, { ...answer(), body: { bytesApart: 200_001 } })).toBe('full');
      expect(await store.complete(second, { ...answer(), body: { bytesApart: 200_000 } })).toBe('kept');
    });
  });
});
